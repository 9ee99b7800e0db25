import { belongsToMany, createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { statementCounter, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { rounds } from '../../../support/runs.js'
import type { Engine } from './open-databases.js'
import { databases, engines } from './open-databases.js'

/** Versions on databases: writes in one statement, races of many clients, and columns that cannot be versions. */

const open = databases()

const tables = (engine: Engine): readonly string[] => [
  `create table albums (
    id serial, title text not null, "lockVersion" integer, "removedAt" text,
    "changedAt" ${engine === 'postgres' ? 'timestamptz' : 'text'}, "dayOnly" date, rough ${engine === 'postgres' ? 'timestamptz(0)' : 'date'})`,
  'create table genres (id serial, name text)',
  `create table album_genres (
    "albumId" integer not null references albums (id), "genreId" integer not null references genres (id),
    primary key ("albumId", "genreId"))`,
  `insert into albums (title, "lockVersion") values ('Homogenic', 1), ('Kid A', null)`,
  `insert into genres (id, name) values (1, 'pop')`,
]

interface AlbumRow {
  readonly id: number
  readonly title: string
  readonly lockVersion: number | null
  readonly changedAt: Date | null
  readonly removedAt: string | null
  readonly dayOnly: string | null
  readonly rough: Date | null
}

interface Opened {
  readonly api: TestClient
  readonly counter: ReturnType<typeof statementCounter>
  readonly ready: () => Promise<unknown>
}

async function openAlbums(engine: Engine, members: object): Promise<Opened> {
  const { database, options } = await open(engine, tables(engine))
  const counter = statementCounter()
  const genres = defineResource('genres', {
    model: table<{ id: number; name: string }>('genres'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
  })
  const albums = defineResource('albums', {
    model: table<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().required() }),
    relations: { genres: belongsToMany('genres').through('album_genres', { owner: 'albumId', member: 'genreId' }) },
    ...members,
  })
  const data = sqlData(database, { ...options, onStatement: counter.onStatement })
  const server = createServer({ resources: [albums, genres], data, secret: 'The secret of the tests' })
  return { api: client(server), counter, ready: () => server.ready() }
}

const kinds = [
  ['sqlite', 'lockVersion'],
  ['sqlite', { column: 'changedAt', as: 'instant' }],
  ['sqlite', { hash: true }],
  ['postgres', 'lockVersion'],
  ['postgres', { column: 'changedAt', as: 'instant' }],
  ['postgres', { hash: true }],
  ['postgres', 'xmin'],
] as const

test.each(kinds)('%s, %j: of many clients with the same version, exactly one wins', async (engine, version) => {
  const { api } = await openAlbums(engine, { version })
  for (let round = 1; round <= rounds(2, 10); round += 1) {
    const tag = (await api.get('/albums/1')).headers.get('etag') ?? ''
    const write = (writer: number): Promise<number> =>
      api
        .patch('/albums/1', {
          body: resourceBody('albums', { title: `${round}.${writer}` }, '1'),
          headers: { 'If-Match': tag },
        })
        .then(({ status }) => status)
    const statuses = await Promise.all(Array.from({ length: rounds(25, 200) }, (_, writer) => write(writer)))
    const winner = statuses.indexOf(200)
    expect(statuses.filter((status) => status !== 412)).toEqual([200])
    expect((await api.get('/albums/1')).resource.attributes?.['title']).toBe(`${round}.${winner}`)
  }
})

const headers = (tag: string) => ({ headers: { 'If-Match': tag } })
const body = (title: string): object => resourceBody('albums', { title }, '1')

describe.each(engines)('%s', (engine) => {
  test('an update and a delete with a version that is an integer are one statement', async () => {
    const { api, counter } = await openAlbums(engine, { version: 'lockVersion' })
    await api.get('/albums/1')
    counter.reset()
    const updated = await api.patch('/albums/1', { body: body('Debut'), ...headers('"1"') })
    expect([updated.status, updated.headers.get('etag')?.slice(0, 3)]).toEqual([200, '"2.'])
    expect(counter.count).toBe(1)
    expect((await api.delete('/albums/1', headers('"2"'))).status).toBe(204)
    expect(counter.count).toBe(2)
    const second = await api.patch('/albums/2', { body: resourceBody('albums', { title: 'Amnesiac' }, '2') })
    expect([second.status, second.headers.get('etag')?.slice(0, 3)]).toEqual([200, '"1.'])
    expect(counter.count).toBe(3)
  })

  test('a soft delete and a restore increment the version', async () => {
    const { api, counter } = await openAlbums(engine, {
      version: 'lockVersion',
      softDeletes: { column: 'removedAt', as: 'text' },
    })
    await api.get('/albums/1')
    counter.reset()
    expect((await api.delete('/albums/1', headers('"1"'))).status).toBe(204)
    expect(counter.count).toBe(1)
    expect((await api.post('/albums/1/-actions/restore', headers('"1"'))).status).toBe(412)
    const restored = await api.post('/albums/1/-actions/restore', headers('"2"'))
    expect([restored.status, restored.headers.get('etag')?.slice(0, 3)]).toEqual([200, '"3.'])
  })

  test('a type without versions adds members by one statement, and one with versions returns that of the owner', async () => {
    const genre = { body: { data: [{ type: 'genres', id: '1' }] } }
    const plain = await openAlbums(engine, {})
    await plain.api.get('/albums/1')
    plain.counter.reset()
    const response = await plain.api.post('/albums/1/relationships/genres', genre)
    expect([response.status, response.headers.get('etag'), plain.counter.count]).toEqual([204, null, 1])
    for (const [, version] of kinds.filter(([each]) => each === engine)) {
      const { api } = await openAlbums(engine, { version })
      for (const method of ['POST', 'POST', 'DELETE']) {
        const changed = await api.request(method, '/albums/1/relationships/genres', genre)
        const tag = (await api.get('/albums/1')).headers.get('etag')?.replace(/\..*/, '"')
        expect([changed.status, changed.headers.get('etag')]).toEqual([204, tag])
      }
    }
    const { api } = await openAlbums(engine, { version: 'lockVersion' })
    const added = await api.post('/albums/1/relationships/genres', genre)
    expect([added.status, added.headers.get('etag')]).toEqual([204, '"2"'])
    const again = await api.post('/albums/1/relationships/genres', genre)
    expect([again.status, again.headers.get('etag')]).toEqual([204, '"2"'])
  })

  test('columns that are missing or cannot be versions are reported when the server starts', async () => {
    const report = async (version: unknown): Promise<unknown> => {
      const { ready } = await openAlbums(engine, { version })
      return ready().then(
        () => null,
        (error: unknown) => (error as Error).message.replace(/'\w+\.albums'/, "'albums'"),
      )
    }
    expect(await report('lockVersion')).toBe(null)
    expect(await report({ column: 'changedAt', as: 'instant' })).toBe(null)
    expect(await report('lock')).toMatch(/The table 'albums' has no column 'lock' for the version of 'albums'\./)
    expect(await report('dayOnly')).toMatch(
      /The column 'dayOnly' of the table 'albums' holds no integers, so it cannot be the version of 'albums': name a column of integers\./,
    )
    expect(await report('xmin')).toEqual(
      engine === 'postgres'
        ? null
        : expect.stringMatching(
            /for the version of 'albums'\. Only tables of PostgreSQL have it: name a column of integers\./,
          ),
    )
    if (engine === 'postgres') {
      expect(await report({ column: 'lockVersion', as: 'instant' })).toMatch(/holds no times with milliseconds/)
      expect(await report('changedAt')).toMatch(/declare as: 'instant'\./)
      expect(await report({ column: 'rough', as: 'instant' })).toMatch(/holds no milliseconds/)
    }
  })
})
