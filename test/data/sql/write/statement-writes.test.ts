import {
  atomic,
  type AttributeKit,
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  id,
  type FilterKit,
  type RequestContext,
} from 'ashlar'
import type { Persister } from 'ashlar/store'
import { sqlData, table } from 'ashlar/sql'
import type { TestClient, TestResponse } from 'ashlar/testing'
import { expectStatements, statementCounter } from 'ashlar/testing'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { runs } from '../../../support/runs.js'
import type { Engine } from './open-databases.js'
import { databases, engines } from './open-databases.js'

/** A plain update, delete or change of join rows is one statement. The result is the same as in a transaction. */

const open = databases()

const tables = (engine: Engine): readonly string[] => [
  'create table artists (id serial, name text, "ownerId" integer)',
  `create table albums (
    id serial, title text not null unique, year integer check (year < 2100), rating double precision,
    recorded ${engine === 'postgres' ? 'timestamptz' : 'text'}, "removedAt" text,
    "artistId" integer references artists (id), "ownerId" integer)`,
  'create table genres (id integer primary key, name text)',
  `create table album_genres (
    "albumId" integer not null references albums (id), "genreId" integer not null references genres (id), weight integer,
    primary key ("albumId", "genreId"))`,
  ...(engine === 'postgres'
    ? []
    : [
        'create table album_updates (n integer)',
        'create trigger album_updated after update on albums begin insert into album_updates values (1); end',
      ]),
  ...firstRows,
]

/** With keys, so that they are the same again after a reset. */
const firstRows = [
  `insert into artists (id, name, "ownerId") values (1, 'Björk', 1), (2, 'Radiohead', 2)`,
  `insert into albums (id, title, year, rating, "artistId", "ownerId") values
    (1, 'Homogenic', 1997, 4.5, 1, 1), (2, 'Kid A', 2000, 4.75, 2, 1), (3, 'Amnesiac', 2001, null, 2, 2), (4, 'Debut', 1993, 4, null, 1)`,
  `insert into genres (id, name) values (1, 'pop'), (2, 'rock'), (3, 'jazz')`,
  `insert into album_genres ("albumId", "genreId") values (1, 1), (2, 2), (2, 3)`,
]

interface AlbumRow {
  readonly id: number
  readonly title: string
  readonly year: number | null
  readonly rating: number | null
  readonly recorded: Date | null
  readonly removedAt: string | null
  readonly artistId: number | null
  readonly ownerId: number | null
}

interface Options {
  /** Writes everything in a transaction. */
  readonly inTransactions?: boolean
  readonly albums?: object
  readonly settings?: object
}

/** Functions of the application have no `autocommit`. */
const withoutAutocommit = (store: Persister): Persister => ({
  ...store,
  create: (...given) => store.create(...given),
  update: (...given) => store.update(...given),
  delete: (...given) => store.delete(...given),
  mutateRelationship: (...given) => store.mutateRelationship?.(...given),
})

/** Albums and artists of the user that the request names; without one, all. */
const owned = ({ request }: RequestContext, f: FilterKit<string>) => {
  const owner = request?.header('x-owner') ?? null
  return owner === null ? null : f.where('ownerId').fixed(Number(owner))
}

interface Opened {
  readonly api: TestClient
  readonly counter: ReturnType<typeof statementCounter>
  readonly rows: () => Promise<unknown>
  /** Makes the rows those at the beginning. */
  readonly reset: () => Promise<void>
  /** Changes with every write of the first album. */
  readonly written: () => Promise<unknown>
  /** Whether each statement since the last reset ran in a transaction. */
  readonly transactions: () => readonly boolean[]
}

async function opened(engine: Engine, { inTransactions = false, albums, settings }: Options = {}): Promise<Opened> {
  const counter = statementCounter()
  const ran: boolean[] = []
  const found = await open(engine, tables(engine))
  const data = sqlData(found.database, {
    ...found.options,
    onStatement(statement) {
      counter.onStatement(statement)
      ran.push(statement.inTransaction)
    },
  })
  const persister = inTransactions ? { persister: withoutAutocommit } : {}
  const resources = [
    defineResource('artists', {
      model: table<{ id: number; name: string; ownerId: number }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      scope: owned,
    }),
    defineResource('genres', {
      model: table<{ id: number; name: string }>('genres'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
    }),
    defineResource('albums', {
      model: table<AlbumRow>('albums'),
      id: id().allowClientId(),
      attributes: (a) => ({
        title: a.string().required().maxLength(20).unique(),
        year: a.integer().nullable().min(1900),
        rating: a.decimal().nullable(),
        recorded: a.dateTime().nullable(),
      }),
      relations: {
        artist: belongsTo('artists').nullable(),
        genres: belongsToMany('genres').through('album_genres', { owner: 'albumId', member: 'genreId' }),
      },
      scope: owned,
      ...persister,
      ...albums,
    }),
  ] as never
  const api = client(createServer({ ...settings, resources, data, extensions: [atomic()] }))
  // The tables are looked up once.
  await api.get('/albums')
  counter.reset()
  ran.length = 0
  const rows = async (): Promise<unknown> => [
    await found.rows('select * from albums order by id'),
    await found.rows('select * from album_genres order by "albumId", "genreId"'),
  ]
  const written = (): Promise<unknown> =>
    found.rows(engine === 'postgres' ? 'select xmin::text from albums where id = 1' : 'select * from album_updates')
  const reset = async (): Promise<void> => {
    for (const name of ['album_genres', 'albums', 'artists', 'genres']) await found.rows(`delete from ${name}`)
    for (const statement of firstRows) await found.rows(statement)
  }
  return { api, counter, rows, reset, written, transactions: () => ran }
}

const album = (key: string, attributes: object, relationships: object = {}) => ({
  body: { data: { type: 'albums', id: key, attributes, relationships } },
})
const members = (...ids: readonly string[]) => ({ body: { data: ids.map((each) => ({ type: 'genres', id: each })) } })
const linked = (artist: string | null) => ({
  artist: { data: artist === null ? null : { type: 'artists', id: artist } },
})

/** Sends a request that has to take this many statements. */
async function inStatements(
  counter: Opened['counter'],
  count: number,
  send: () => Promise<TestResponse>,
): Promise<TestResponse> {
  counter.reset()
  const response = await send()
  expectStatements(counter.statements, count)
  return response
}

describe.each(engines)('on %s', (engine) => {
  test('a PATCH of attributes and keys is one statement without a transaction', async () => {
    const { api, counter, transactions } = await opened(engine)
    // It also returns whether the artist, whose type has a scope, is visible.
    const changed = await inStatements(counter, 1, () =>
      api.patch('/albums/1', album('1', { title: 'Vespertine', year: 2001 }, linked('2'))),
    )
    expect(changed.status).toBe(200)
    expect(changed.resource).toMatchObject({
      attributes: { title: 'Vespertine', year: 2001, rating: 4.5 },
      relationships: { artist: { data: { id: '2' } } },
    })
    expect(transactions()).toEqual([false])
  })

  test('a DELETE is one statement, and so is a soft one', async () => {
    const hard = await opened(engine)
    expect((await inStatements(hard.counter, 1, () => hard.api.delete('/albums/4'))).status).toBe(204)
    expect((await hard.api.get('/albums/4')).status).toBe(404)
    const soft = await opened(engine, { albums: { softDeletes: { column: 'removedAt', as: 'text' } } })
    expect((await inStatements(soft.counter, 1, () => soft.api.delete('/albums/1'))).status).toBe(204)
    expect((await soft.api.delete('/albums/1')).status).toBe(404)
    expect(JSON.stringify(await soft.rows())).toContain('Homogenic')
  })

  test('adding and removing members is one statement', async () => {
    const { api, counter } = await opened(engine)
    const path = '/albums/2/relationships/genres'
    await inStatements(counter, 1, () => api.post(path, members('1')))
    expect((await api.get(path)).document).toMatchObject({ data: [{ id: '1' }, { id: '2' }, { id: '3' }] })
    await inStatements(counter, 1, () => api.delete(path, members('1', '3')))
    expect((await api.get(path)).document).toMatchObject({ data: [{ id: '2' }] })
  })

  test('replacing the member of a to-one relation is one statement', async () => {
    const { api, counter, transactions } = await opened(engine)
    const path = '/albums/1/relationships/artist'
    const replaced = await inStatements(counter, 1, () => api.patch(path, { body: linked('2').artist }))
    expect([replaced.status, transactions()]).toEqual([204, [false]])
    expect((await api.get(path)).document).toMatchObject({ data: { type: 'artists', id: '2' } })
    expect((await api.patch(path, { body: linked('9').artist })).status).toBe(404)
    expect((await api.patch(path, { body: linked(null).artist })).status).toBe(204)
    expect((await api.get(path)).document).toMatchObject({ data: null })
  })

  test('of several members of which one does not exist, none is added', async () => {
    const { api, rows } = await opened(engine)
    const before = await rows()
    expect((await api.post('/albums/1/relationships/genres', members('2', '9', '3'))).status).toBe(404)
    expect(await rows()).toEqual(before)
  })

  test.each<[string, Options, (api: TestClient) => Promise<TestResponse>]>([
    ['a date with a time', {}, (api) => api.patch('/albums/1', album('1', { recorded: '1997-01-01T00:00:00Z' }))],
    [
      'a rule that compares two attributes',
      { albums: { attributes: comparing } },
      (api) => api.patch('/albums/1', album('1', { year: 1999 })),
    ],
    [
      'a hook before the update',
      { albums: { hooks: { beforeUpdate() {} } } },
      (api) => api.patch('/albums/1', album('1', { year: 1999 })),
    ],
    [
      'validateStored',
      { settings: { validateStored: true } },
      (api) => api.patch('/albums/1', album('1', { year: 1999 })),
    ],
    ['a hook before the delete', { albums: { hooks: { beforeDelete() {} } } }, (api) => api.delete('/albums/4')],
    [
      'a gate of the relation',
      { albums: { relations: gated } },
      (api) => api.patch('/albums/1', album('1', {}, linked('2'))),
    ],
  ])('%s needs a transaction', async (_name, options, send) => {
    const { api, transactions } = await opened(engine, options)
    expect((await send(api)).status).toBeLessThan(300)
    expect(transactions()).toContain(true)
  })

  test('a client that sends back a null that represents a member it cannot see does not clear it', async () => {
    const { api, rows } = await opened(engine)
    const before = await rows()
    const headers = { 'x-owner': '1' }
    const { resource } = await api.get('/albums/2', { headers })
    expect(resource.relationships?.['artist']).toMatchObject({ data: null })
    const sent = { ...album('2', {}, linked(null)), headers }
    expect((await api.patch('/albums/2', sent)).status).toBe(200)
    expect(await rows()).toEqual(before)
  })

  test.each(['genres', 'nonsense'])(
    'an identifier of the wrong type (%s) is 409, and nothing is written',
    async (type) => {
      const { api, rows } = await opened(engine)
      const before = await rows()
      const sent = album('1', { title: 'Post' }, { artist: { data: { type, id: '2' } } })
      expect((await api.patch('/albums/1', sent)).status).toBe(409)
      expect(await rows()).toEqual(before)
    },
  )

  test('a row that has all the values already is not written', async () => {
    const { api, written } = await opened(engine)
    const { resource } = await api.get('/albums/1')
    const before = await written()
    const { title, year } = resource.attributes ?? {}
    expect((await api.patch('/albums/1', album('1', { title, year }, linked('1')))).status).toBe(200)
    expect(await written()).toEqual(before)
    expect((await api.patch('/albums/1', album('1', { title, year: 1998 }))).status).toBe(200)
    expect(await written()).not.toEqual(before)
  })

  test.each(Object.entries(worlds))(
    'any write has the result that it has in a transaction: %s',
    async (_name, options) => {
      const [plain, twin] = [await opened(engine, options), await opened(engine, { ...options, inTransactions: true })]
      let [statements, all] = [0, 0]
      await fc.assert(
        fc.asyncProperty(fc.array(anyWrite, { minLength: 1, maxLength: 6 }), async (writes) => {
          await Promise.all([plain.reset(), twin.reset()])
          for (const send of writes) {
            plain.counter.reset()
            const [one, other] = [await send(plain.api), await send(twin.api)]
            expect([one.status, one.document]).toEqual([other.status, other.document])
            all += 1
            if (plain.counter.statements.length <= 2) statements += 1
          }
          expect(timeless(await plain.rows())).toEqual(timeless(await twin.rows()))
        }),
        { numRuns: runs(800) },
      )
      // The test is meaningful only if many of the writes are plain.
      expect(statements).toBeGreaterThan(all / 10)
    },
  )
})

/** Rows are marked as deleted at different times. */
const timeless = (rows: unknown): unknown =>
  JSON.parse(JSON.stringify(rows).replaceAll(/"removedAt":"[^"]*"/g, '"removedAt":"then"'))

/** The rows that the request may write: others than it sees. */
const writable = ({ request }: RequestContext, p: { eq(column: string, value: unknown): unknown }) => {
  const writer = request?.header('x-writer') ?? null
  return writer === null ? true : p.eq('ownerId', Number(writer))
}

const worlds: Readonly<Record<string, Options>> = {
  scopes: {},
  rules: {
    settings: { policy: 'public' },
    albums: {
      policy: (p: { eq(column: string, value: unknown): unknown; in(column: string, values: unknown): unknown }) => ({
        viewAny: true,
        view: (context: RequestContext) => (context.request?.header('x-owner') === '1' ? p.eq('ownerId', 1) : true),
        create: (context: RequestContext) => writable(context, p),
        update: (context: RequestContext) => writable(context, p),
        updated: p.in('ownerId', [1, 2]),
        delete: (context: RequestContext) => writable(context, p),
      }),
      scope: undefined,
      attributes: (a: AttributeKit<AlbumRow>) => ({
        title: a.string().required().maxLength(20).unique(),
        year: a.integer().nullable().min(1900),
        ownerId: a.integer().nullable(),
      }),
    },
  },
  'soft deletes, flattened attributes, fields of join rows': {
    albums: {
      softDeletes: { column: 'removedAt', as: 'text' },
      attributes: (a: AttributeKit<AlbumRow>) => ({
        title: a.string().required().maxLength(20).unique(),
        year: a.integer().nullable().min(1900),
        artistName: a.string().on('artist').storedAs('name'),
      }),
      relations: {
        artist: belongsTo('artists').nullable(),
        genres: belongsToMany('genres')
          .through('album_genres', { owner: 'albumId', member: 'genreId' })
          .fields((a) => ({ weight: a.integer().nullable().min(1) })),
      },
    },
  },
}

function comparing(a: never): object {
  const kit = a as {
    integer(): { nullable(): { compareWith(name: string, operator: string): unknown }; min(n: number): unknown }
  }
  return { year: kit.integer().nullable().compareWith('reissued', '<'), reissued: kit.integer().min(1900) }
}

const gated = {
  artist: belongsTo('artists')
    .nullable()
    .cannotReplace(() => false),
}

type Send = (api: TestClient) => Promise<TestResponse>

const headers = fc.constantFrom<Record<string, string>>(
  {},
  { 'x-owner': '1' },
  { 'x-owner': '2' },
  { 'x-writer': '1' },
  { 'x-writer': '2', 'x-owner': '1' },
)
const albumId = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('1', '2', '3', '4') },
  { weight: 1, arbitrary: fc.constantFrom('5', '9', 'x', '01') },
)
/** Of clients: a refused insert takes a number of the sequence, in the statement and in the transaction. */
const newId = fc.constantFrom('4', '5', '6', '7', '8')
const genreIds = fc.oneof(
  { weight: 3, arbitrary: fc.subarray(['1', '2', '3']) },
  { weight: 1, arbitrary: fc.array(fc.constantFrom('1', '2', '3', '7', 'y'), { minLength: 0, maxLength: 3 }) },
)

const validAttributes = fc.record(
  {
    title: fc.constantFrom('Homogenic', 'Kid A', 'Vespertine', 'Post'),
    year: fc.constantFrom(1997, 2001, null),
    rating: fc.constantFrom(4.5, 1, null),
    ownerId: fc.constantFrom(1, 2),
  },
  { requiredKeys: [] },
)

const anyAttributes = fc.record(
  {
    title: fc.constantFrom('Homogenic', '', 'a title of more than twenty letters', null, 5),
    year: fc.constantFrom(1997, 1, 2500, null, '2001', 1.5),
    rating: fc.constantFrom(4.5, 'five'),
    recorded: fc.constantFrom('2020-02-29T10:00:00Z', null, 'now'),
    ownerId: fc.constantFrom(1, null),
    unknown: fc.constant(true),
  },
  { requiredKeys: [] },
)

const attributes = fc.oneof({ weight: 3, arbitrary: validAttributes }, { weight: 1, arbitrary: anyAttributes })

const relationships = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  { weight: 3, arbitrary: fc.constantFrom('1', '2', null).map(linked) },
  { weight: 1, arbitrary: fc.constantFrom('9', 'z').map(linked) },
  { weight: 1, arbitrary: fc.constant({ artist: { data: { type: 'genres', id: '1' } } }) },
  { weight: 1, arbitrary: fc.constant({ artist: { data: [] } }) },
)

const artist = fc.constantFrom<unknown>(
  { type: 'artists', id: '1' },
  { type: 'artists', id: '2' },
  { type: 'artists', id: '9' },
  { type: 'genres', id: '1' },
  { type: 'artists' },
  null,
  [],
)

const anyWrite: fc.Arbitrary<Send> = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(albumId, attributes, relationships, headers).map(patching) },
  { weight: 1, arbitrary: fc.tuple(albumId, headers).map(deleting) },
  { weight: 2, arbitrary: fc.tuple(albumId, fc.constantFrom('restore', 'force-delete'), headers).map(acting) },
  { weight: 3, arbitrary: fc.tuple(albumId, genreIds, headers).map(changing('post')) },
  { weight: 3, arbitrary: fc.tuple(albumId, genreIds, headers).map(changing('delete')) },
  { weight: 1, arbitrary: fc.tuple(albumId, genreIds, headers).map(changing('patch')) },
  { weight: 3, arbitrary: fc.tuple(albumId, artist, headers).map(replacing) },
  {
    weight: 2,
    arbitrary: fc.tuple(newId, fc.constantFrom('Debut', 'Post', 'Volta'), headers).map(creating),
  },
  { weight: 2, arbitrary: fc.tuple(newId, albumId, attributes, genreIds, headers).map(inBatch) },
)

function acting([key, action, given]: [string, string, Record<string, string>]): Send {
  return (api) => api.post(`/albums/${key}/-actions/${action}`, { headers: given })
}

function replacing([key, data, given]: [string, unknown, Record<string, string>]): Send {
  return (api) => api.patch(`/albums/${key}/relationships/artist`, { body: { data }, headers: given })
}

/** Local ids are in `test/properties/atomic-batches`: the ids that the database makes differ between two databases. */
function inBatch([created, changed, sent, ids, given]: [
  string,
  string,
  object,
  readonly string[],
  Record<string, string>,
]): Send {
  const added = { title: `Batch ${created}`, ownerId: 1 }
  const operations = [
    { op: 'add', data: { type: 'albums', id: created, attributes: added, relationships: linked('1') } },
    { op: 'update', data: { type: 'albums', id: changed, attributes: sent } },
    {
      op: 'add',
      ref: { type: 'albums', id: created, relationship: 'genres' },
      data: ids.map((each) => ({ type: 'genres', id: each })),
    },
  ]
  const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
  return (api) =>
    api.post('/operations', {
      body: { 'atomic:operations': operations },
      headers: { ...given, accept: type, 'content-type': type },
    })
}

function patching([key, sent, related, given]: [string, object, object, Record<string, string>]): Send {
  return (api) => api.patch(`/albums/${key}`, { ...album(key, sent, related), headers: given })
}

function deleting([key, given]: [string, Record<string, string>]): Send {
  return (api) => api.delete(`/albums/${key}`, { headers: given })
}

function creating([key, title, given]: [string, string, Record<string, string>]): Send {
  return (api) => api.post('/albums', { ...album(key, { title, ownerId: 1 }), headers: given })
}

function changing(method: 'post' | 'delete' | 'patch') {
  return ([key, ids, given]: [string, readonly string[], Record<string, string>]): Send =>
    (api) =>
      api[method](`/albums/${key}/relationships/genres`, { ...members(...ids), headers: given })
}
