import { describe, expect, test } from 'vitest'
import { databases } from './pulled.js'

/** The columns that identify the rows of a view, by its definition. The tables have no rows, so that every column is unique now. */

const tables = `
  create table artists (id integer primary key, name varchar(40) not null, slug varchar(40) not null unique, country varchar(2));
  create table albums (id integer primary key, artist_id integer not null references artists, title varchar(40) not null, rank integer);
  create table editions (album_id integer not null references albums, lang varchar(2) not null, title varchar(40) not null, primary key (album_id, lang));
  create table notes (album_id integer references albums, note varchar(40));
`

const views: readonly (readonly [definition: string, key: string | null])[] = [
  // One table.
  ['select id, title from albums', 'id'],
  ['select title, id as album from albums where rank > 3', 'album'],
  ['select a.* from albums a', 'id'],
  ['select artist_id as id, title from albums', null],
  ['select title from albums', null],
  ['select slug, country from artists', 'slug'],
  ['select lang, album_id, title from editions', 'album_id,lang'],
  ['select album_id, title from editions', null],
  ["select album_id as id, title from editions where lang = 'en' and title <> 'x'", 'id'],
  ["select album_id as id, title from editions where lang = 'en' or lang = 'fr'", null],
  ["select album_id as id, title from editions where not (lang = 'en')", null],
  [
    "select album_id as id, title from editions where case when title = 'x' and lang = 'en' and length(title) > 1 then true end",
    null,
  ],
  ['select album_id as id, note from notes', null],
  ['select id + 1 as id, title from albums', null],
  // Joins.
  ['select a.id, r.name from albums a join artists r on r.id = a.artist_id', 'id'],
  ['select a.id, r.name from albums a, artists r where a.artist_id = r.id', 'id'],
  ['select r.id, a.title from albums a join artists r on r.id = a.artist_id', null],
  ['select a.id, r.id as artist from albums a cross join artists r', 'id,artist'],
  ['select a.id, r.name from albums a left join artists r on r.id = a.artist_id', 'id'],
  ['select r.id, a.title from artists r left join albums a on a.artist_id = r.id', null],
  ['select r.id, a.id as album from artists r left join albums a on a.artist_id = r.id', null],
  ['select a.id, r.name from artists r right join albums a on a.artist_id = r.id', 'id'],
  ['select a.id, r.name from artists r full join albums a on a.artist_id = r.id', null],
  ["select a.id, e.title from albums a left join editions e on e.album_id = a.id and e.lang = 'en'", 'id'],
  ['select a.id, e.title from albums a left join editions e on e.album_id = a.id', null],
  ['select a.id, e.lang, e.title from albums a join editions e on e.album_id = a.id', 'id,lang'],
  [
    'select a.id, r.name, e.title from (albums a join artists r on (r.id = a.artist_id)) left join (editions e join albums b on b.id = e.album_id) on e.album_id = a.id and e.lang = r.country',
    'id',
  ],
  ['select a.id from albums a join (select artist_id from albums) x on x.artist_id = a.artist_id', null],
  // Groups.
  ['select artist_id, count(*) as albums from albums group by artist_id', 'artist_id'],
  ['select artist_id as id, title, count(*) as n from albums group by artist_id, title', 'id,title'],
  [
    'select a.id, a.title, count(*) as n from albums a join editions e on e.album_id = a.id group by a.id, a.title',
    'id',
  ],
  ['select rank, count(*) as n from albums group by rank', null],
  ['select max(id) as id, count(*) as n from albums group by title', null],
  ['select distinct artist_id as id from albums', 'id'],
  ['select distinct artist_id, title from albums', 'artist_id,title'],
  // Several selects.
  ['select id, title from albums union all select id, name from artists', null],
  ['with x as (select id from albums) select id from x', null],
]

/** What functions that return several rows, casts and views of views do on one engine only. */
const ofEngine = {
  SQLite: [
    ['select [id], [title] as [name] from [albums]', 'id'],
    ['select ALBUMS.ID from Albums -- union\n where Rank > 1', 'id'],
    ['select id from albums natural join notes', null],
  ],
  PostgreSQL: [
    ['select id, unnest(array[1, 2]) as n from albums', null],
    ['select albums.id, g.n from albums, generate_series(1, 2) g(n)', null],
    ['select a.id, percentile_cont(0.5) within group (order by a.rank) as middle from albums a group by a.id', null],
    ["select album_id as id, title from editions where lang::text = 'en'::text", 'id'],
    ['select distinct on (artist_id) artist_id as id, title from albums order by artist_id, rank', null],
    ['select a.id, (select count(*) from editions e where e.album_id = a.id) as n from albums a', 'id'],
  ],
} as const satisfies Readonly<Record<keyof typeof databases, typeof views>>

/** Views of `view0`, whose key is `id`, and of `view3`, which has none. */
const nested: typeof views = [
  ['select v.id, r.name from view0 v join albums a on a.id = v.id join artists r on r.id = a.artist_id', 'id'],
  ['select id from view3', null],
]

describe.each(['SQLite', 'PostgreSQL'] as const)('the id of a view on %s', (engine) => {
  const all = [...views, ...ofEngine[engine], ...nested]

  test('is what its definition makes unique, with any rows', async () => {
    const created = all.map(([definition], index) => `create view view${index} as ${definition}\n;`)
    const pulled = await databases[engine](`${tables}\n${created.join('\n')}`)
    const { out } = await pulled.pull()
    const keyIn = (name: string): string | null => {
      const [, note = ''] = new RegExp(`^ +${name}: (.+)$`, 'm').exec(out) ?? []
      const [, names] =
        /^It is a view, and is read-only\. Its id is (.+), which its definition makes unique\.$/.exec(note) ?? []
      if (names === undefined) expect(note).toMatch(/^Its definition does not show which columns/)
      return names?.replaceAll(/'| /g, '') ?? null
    }
    expect(all.map(([definition], index) => [definition, keyIn(`view${index}`)])).toEqual(all)
    expect(await pulled.check()).toMatchObject({ code: 0 })
  })
})

test('a unique index of a materialized view is a key', async () => {
  const pulled = await databases.PostgreSQL(`${tables}
    create materialized view ranks as select rank, count(*) as albums from albums group by rank;
    create unique index on ranks (rank);
    create materialized view titles as select title, rank from albums;
    create unique index on titles (title) where rank > 1;
  `)
  const { out } = await pulled.pull()
  expect(out).toContain("ranks: It is a view, and is read-only. Its id is 'rank', which its definition makes unique.")
  expect(out).toContain('titles: Its definition does not show which columns identify the rows of the view')
})
