import { atomic, belongsTo, createServer, defineResource, type Handler, id } from 'ashlar'
import type { Persister } from 'ashlar/store'
import { table } from 'ashlar/sql'
import { expectErrors } from 'ashlar/testing'
import { expect, inject, test } from 'vitest'
import { add, batchClient, type BatchClient, linked, remove } from './batch-client.js'
import { inserts, type TestStore, testStore } from './sql-store.js'

const oneByOne =
  (builtIn: Handler): Handler =>
  (operation) =>
    builtIn(operation)

const album = (title: string, others: object = {}) => add('albums', { title }, others)

interface AlbumRow {
  id: number
  title: string
  artistId: number | null
}

interface Declared {
  readonly albums?: object
  readonly artists?: object
}

/** Albums of artists, in a store as a user has it. */
async function servedAlbums(settings: object, { albums = {}, artists = {} }: Declared = {}): Promise<ServedAlbums> {
  const tables = `
    create table artists (id KEY, deleted_at timestamp);
    create table albums (id KEY, title text, artist_id integer);`
  const store = await testStore(tables, { naming: 'snake_case' })
  const resources = [
    defineResource('artists', {
      model: table<{ id: number; deletedAt: Date | null }>('artists'),
      id: id(),
      ...artists,
    }),
    defineResource('albums', {
      model: table<AlbumRow>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      relations: { artist: belongsTo('artists').nullable().withData() },
      ...albums,
    }),
  ] as never
  const server = createServer({ resources, data: store.data, extensions: [atomic()], ...settings })
  return { ...store, api: batchClient(server) }
}

interface ServedAlbums extends TestStore {
  readonly api: BatchClient
}

const by = (key: string) => ({ relationships: { artist: linked({ type: 'artists', id: key }) } })

/** New rows have an artist who is in the trash. */
const persister = (store: Persister): Persister => ({ ...store, instantiate: () => ({ artistId: 2 }) })

test('members that may be in the trash are read for all operations together, and shown as for one', async () => {
  const operations = Array.from({ length: 100 }, (_each, index) => album(`${index}`, index % 2 === 0 ? by('1') : {}))
  const shown: unknown[] = []
  for (const settings of [{}, { handler: oneByOne }]) {
    const served = await servedAlbums(settings, { albums: { persister }, artists: { softDeletes: true } })
    await served.api.results([add('artists'), add('artists')])
    await served.api.batch([remove('artists', '2')])
    served.ran.length = 0
    const results = await served.api.results(operations)
    expect(results.slice(0, 2)).toMatchObject([
      { data: by('1') },
      { data: { relationships: { artist: linked(null) } } },
    ])
    if (!('handler' in settings)) expect(inserts(served).length).toBeLessThan(5)
    expectErrors(await served.api.batch([...operations, album('x', by('2'))]), [
      { status: 404, pointer: '/atomic:operations/100/data/relationships/artist/data' },
    ])
    shown.push(results)
  }
  expect(shown[0]).toEqual(shown[1])
})

/** Skips albums with the title c. */
const triggers = {
  memory: [],
  sqlite: [`create trigger kept before insert on albums when new.title = 'c' begin select raise(ignore); end`],
  postgres: [
    `create function kept() returns trigger language plpgsql as
      'begin if new.title = ''c'' then return null; end if; return new; end'`,
    'create trigger kept before insert on albums for each row execute function kept()',
  ],
}

/** A trigger of MariaDB cannot skip a row. */
const onOthers = test.runIf(inject('store') === 'sqlite' || inject('store') === 'postgres')

onOthers('a row that the database skips is reported for its operation', async () => {
  const responses: unknown[] = []
  for (const settings of [{}, { handler: oneByOne }]) {
    const served = await servedAlbums({ ...settings, logger: { error: () => undefined } })
    for (const sql of triggers[inject('store') as keyof typeof triggers]) await served.rows(sql)
    const response = await served.api.batch(['a', 'b', 'c', 'd'].map((title) => album(title)))
    expectErrors(response, [{ status: 500, code: null, pointer: '/atomic:operations/2' }])
    expect(await served.rows('select * from albums')).toEqual([])
    responses.push(response.text)
  }
  expect(responses[0]).toBe(responses[1])
})
