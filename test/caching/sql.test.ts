import { belongsTo, createServer, defineResource, hasMany, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { statementCounter } from 'ashlar/testing'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { client } from '../support/client.js'

/** Cached statements run as often as others, and rows without a unique key are checked. */

interface AlbumRow {
  id: number
  title: string
  artistId: number | null
}

const artists = defineResource('artists', {
  model: table<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums') },
})
const albums = defineResource('albums', {
  model: table<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().sortable() }),
  relations: { artist: belongsTo('artists') },
  filters: (f) => ({ title: f.where(), artist: f.through('artist.name') }),
  pagination: null,
})

const tables = `
  create table artists (id integer primary key, name text);
  create table albums (id integer primary key, title text, artist_id integer references artists);
  insert into artists values (1, 'Radiohead'), (2, 'Björk');
  insert into albums values (1, 'OK Computer', 1), (2, 'Kid A', 1), (3, 'Homogenic', 2);
`

function opened(schema: string) {
  const database = new DatabaseSync(':memory:')
  onTestFinished(() => database.close())
  database.exec(schema)
  const counter = statementCounter()
  const data = sqlData(database, { naming: 'snake_case', onStatement: counter.onStatement })
  return { database, counter, api: client(createServer({ resources: [artists, albums], data })) }
}

describe('a request takes the expected number of statements', () => {
  test.each([
    ['/albums', 1],
    ['/albums/1', 1],
    ['/albums/01', 1],
    ['/albums/x', 1],
    ['/albums?sort=-title&filter[title]=Kid A', 1],
    ['/albums?filter[artist]=Radiohead', 1],
    ['/albums?include=artist', 2],
    ['/artists/1?include=albums', 2],
    ['/artists/1?include=albums.artist', 3],
    ['/artists/1/albums', 2],
  ])('%s', async (path, most) => {
    const { api, counter } = opened(tables)
    await api.get('/artists')
    const counts: number[] = []
    for (let round = 0; round < 4; round += 1) {
      const ran = await counter.during(async () => expect((await api.get(path)).status).toBeLessThan(500))
      counts.push(ran.length)
    }
    // A key that no row can have need not be queried.
    expect(counts[0]).toBeLessThanOrEqual(most)
    expect(new Set(counts).size).toBe(1)
  })

  test('for all keys of a prepared statement', async () => {
    const { api, counter } = opened(tables)
    for (const key of ['x', '1', '99999999999999999999', '2', '01', '3', '1e0', '1']) {
      const statuses: number[] = []
      const ran = await counter.during(async () => statuses.push((await api.get(`/albums/${key}`)).status))
      expect(statuses).toEqual([['1', '2', '3'].includes(key) ? 200 : 404])
      expect(ran.length).toBeLessThanOrEqual(1)
    }
  })
})

describe('a cached statement', () => {
  test('reads current rows', async () => {
    const { api, database } = opened(tables)
    for (const title of ['a', 'b', 'c']) {
      database.exec(`update albums set title = '${title}' where id = 2`)
      expect((await api.get('/albums/2')).resource.attributes).toEqual({ title })
      expect((await api.get('/albums?sort=title')).resources.map(({ attributes }) => attributes?.['title'])).toContain(
        title,
      )
      const { document } = await api.get('/artists/1?include=albums')
      expect(document?.included?.map(({ attributes }) => attributes?.['title'])).toEqual(['OK Computer', title])
    }
    database.exec('delete from albums where id = 2')
    expect((await api.get('/albums/2')).status).toBe(404)
    expect((await api.get('/artists/1?include=albums')).document?.included).toHaveLength(1)
  })

  test('reads the members of any number of parents', async () => {
    const { api, database } = opened(tables)
    for (let last = 2; last < 6; last += 1) {
      const { resources, document } = await api.get('/artists?include=albums')
      expect([resources.length, document?.included?.length]).toEqual([last, last + 1])
      expect((await api.get('/artists/1?include=albums')).document?.included).toHaveLength(2)
      database.exec(
        `insert into artists values (${last + 1}, 'x'); insert into albums values (${last + 2}, 'x', ${last + 1})`,
      )
    }
    database.exec('delete from albums; delete from artists')
    expect((await api.get('/artists?include=albums')).document?.included).toEqual([])
  })
})

describe('a key that is not unique in the database', () => {
  const loose = tables.replace('albums (id integer primary key,', 'albums (id integer,')

  test('is shown if a row has it once', async () => {
    const { api } = opened(loose)
    for (let round = 0; round < 3; round += 1) {
      expect((await api.get('/albums')).resources).toHaveLength(3)
      expect((await api.get('/artists?include=albums')).document?.included).toHaveLength(3)
    }
  })

  test.each(['twice', 'not at all'])('is refused if a row has it %s, every time', async (how) => {
    const { api, database } = opened(loose)
    const paths = ['/albums', '/albums?sort=title', '/artists?include=albums']
    for (const path of paths) expect((await api.get(path)).status).toBe(200)
    database.exec(`insert into albums values (${how === 'twice' ? '1' : 'null'}, 'Again', 1)`)
    for (let round = 0; round < 3; round += 1) {
      for (const path of paths) expect((await api.get(path)).status, path).toBe(500)
    }
    database.exec("delete from albums where title = 'Again'")
    for (const path of paths) expect((await api.get(path)).status).toBe(200)
  })
})
