import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { databases, type PulledDatabase } from './pulled.js'

/** The columns that identify the rows of a view: no database knows them, so the user names them. */

const tables = `
  create table artists (id integer primary key, name varchar(40) not null);
  create table albums (id integer primary key, artist_id integer not null references artists, title varchar(40) not null);
  create table editions (album_id integer not null references albums, lang varchar(2) not null, primary key (album_id, lang));
  create view "Album Names" as select a.id as "Album", a.title, r.name from albums a join artists r on r.id = a.artist_id;
  create view albums_by_artist as select artist_id, count(*) as albums from albums group by artist_id;
  create view all_editions as select album_id, lang, 'x' as note from editions union all select id, 'xx', 'y' from albums;
  insert into artists values (1, 'Björk');
  insert into albums values (1, 1, 'Post'), (2, 1, 'Homogenic');
`

const record = (pulled: PulledDatabase): { readonly keys?: object } =>
  JSON.parse(readFileSync(join(pulled.folder, 'src/resources/pulled.json'), 'utf8')) as { readonly keys?: object }

describe.each(['SQLite', 'PostgreSQL'] as const)('views on %s', (engine) => {
  const open = (): Promise<PulledDatabase> => databases[engine](tables)

  test('are not served without a key, and the output shows how to name it', async () => {
    const { out } = await (await open()).pull()
    const remedy =
      'It is a view, which has no key. To serve it, name the columns that identify its rows, for example: --key'
    expect(out).toContain(`Album Names: ${remedy} 'Album Names=column'.`)
    expect(out).toContain(`albums_by_artist: ${remedy} albums_by_artist=artist_id.`)
    expect(out).toContain('\n3 types, ')
  })

  test('are served by the columns that --key names, also after a later pull', async () => {
    const pulled = await open()
    const first = await pulled.pull('--key', 'Album Names=Album', '--key', 'all_editions=album_id,lang')
    expect(first.out).toContain("Album Names: It is a view, and is read-only. Its id is 'Album', as --key says.")
    expect(first.out).toContain(
      "all_editions: It is a view, and is read-only. Its id is 'album_id', 'lang', as --key says.",
    )
    expect(record(pulled).keys).toEqual({ 'Album Names': ['Album'], all_editions: ['album_id', 'lang'] })
    expect((await pulled.pull()).out).toContain('5 types, 0 files changed.')

    expect((await pulled.pull('--key', 'albums_by_artist=artist_id')).out).toContain('6 types, ')
    expect(await pulled.check()).toMatchObject({ code: 0, err: '' })
    const client = await pulled.client()
    expect((await client.get('/album-names/2')).resource.attributes).toEqual({ title: 'Homogenic', name: 'Björk' })
    expect((await client.get('/all-editions')).resources.map(({ id }) => id)).toEqual(['1-xx', '2-xx'])
    expect((await client.delete('/album-names/2')).status).toBe(405)
  })

  test('are left out again by --key without columns', async () => {
    const pulled = await open()
    await pulled.pull('--key', 'albums_by_artist=artist_id')
    expect((await pulled.pull('--key', 'albums_by_artist=')).out).toContain('3 types, ')
    expect(record(pulled)).not.toHaveProperty('keys')
  })

  test.each([
    [
      'albums_by=id',
      "There is no view 'albums_by', for which --key has columns. Views: Album Names, albums_by_artist, all_editions. Nothing is changed.",
    ],
    ['albums=id', "There is no view 'albums', for which --key has columns."],
    [
      'albums_by_artist=id',
      "The view 'albums_by_artist' has no column 'id', which --key names. Columns: artist_id, albums. Nothing is changed.",
    ],
    ['albums_by_artist', "--key takes a view and its columns, such as order_totals=order_id, not 'albums_by_artist'."],
  ])('are not guessed: --key %s', async (key, message) => {
    const pulled = await open()
    await pulled.pull()
    const before = pulled.texts()
    const refused = await pulled.pull('--key', key)
    expect(refused.code).toBe(2)
    expect(refused.err).toContain(message)
    expect(pulled.texts()).toEqual(before)
  })

  test('whose column cannot be an id are not served', async () => {
    const { out } = await (
      await databases[engine](`${tables} create view prices as select 1.5 as price, id from albums;`)
    ).pull('--key', 'prices=price')
    expect(out).toMatch(/^ {2}prices: The column 'price' of its key has the type '.*', which cannot be an id\.$/m)
  })
})

test('the views of several schemas are named with their schema, if necessary', async () => {
  const pulled = await databases.PostgreSQL(`
    create schema sales;
    create schema person;
    create table sales.orders (id serial primary key, total integer);
    create table person.people (id serial primary key);
    create view sales.totals as select id, total from sales.orders;
    create view person.names as select id from person.people;
  `)
  const schemas = ['--schema', 'sales', '--schema', 'person']
  const { out } = await pulled.pull(...schemas, '--key', 'sales.totals=id', '--key', 'names=id')
  expect(out).toContain("sales.totals: It is a view, and is read-only. Its id is 'id', as --key says.")
  expect(out).toContain("person.names: It is a view, and is read-only. Its id is 'id', as --key says.")
})

test('a unique index of a materialized view is a key', async () => {
  const pulled = await databases.PostgreSQL(`${tables}
    create materialized view ranks as select artist_id as rank, count(*) as albums from albums group by artist_id;
    create unique index on ranks (rank);
    create materialized view titles as select title, artist_id from albums;
    create unique index on titles (title) where artist_id > 1;
  `)
  const { out } = await pulled.pull()
  expect(out).toContain("ranks: It is a view, and is read-only. Its id is 'rank', which has a unique index.")
  expect(out).toContain('titles: It is a view, which has no key.')
})
