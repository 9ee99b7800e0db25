import type { FilterKit, RequestContext } from 'ashlar'
import type { DataSource, Persister, Provider } from 'ashlar/store'
import { belongsTo, createServer, defineResource, hasMany, id } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import type { RanStatement } from 'ashlar/sql'
import { sqlData, sqlFilter, table } from 'ashlar/sql'
import type { TestClient, TestResponse } from 'ashlar/testing'
import { expectStatements, statementCounter } from 'ashlar/testing'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import type { Engine } from './open-databases.js'
import { databases, engines } from './open-databases.js'

/** A resource that is one row is created by one statement, with the same result as in a transaction. */

const open = databases()

const tables = (engine: Engine): readonly string[] => [
  `create table labels (id text ${engine === 'sqlite' ? 'collate nocase ' : ''}primary key, name text, "albumId" integer)`,
  'create table albums (id serial, title text, "removedAt" text)',
  `create table tracks (
    id serial, title text not null, code text unique, seconds integer check (seconds < 600), rating integer not null default 3,
    "albumId" integer references albums (id), "bonusOf" integer, "labelId" text)`,
  "insert into labels (id, name) values ('emi', 'EMI')",
  "insert into albums (title) values ('Blue'), ('Hejira')",
]

interface TrackRow {
  readonly id: number
  readonly title: string
  readonly code: string | null
  readonly seconds: number | null
  readonly rating: number
  readonly albumId: number | null
  readonly bonusOf: number | null
  readonly labelId: string | null
}

interface Options {
  readonly albums?: object
  readonly tracks?: object
  /** Prevents autocommit writes of the store. */
  readonly isInTransaction?: boolean
  /** Statements after those that create the tables. */
  readonly after?: readonly string[]
}

interface Opened {
  readonly api: TestClient
  readonly data: DataSource
  readonly counter: ReturnType<typeof statementCounter>
  readonly rows: () => Promise<readonly object[]>
  /** Whether the last statement was part of a transaction. */
  readonly isInTransaction: () => boolean | undefined
}

/** A persister with its own `create` only runs that function. */
const inTransactions = (store: Persister): Persister => ({ ...store, create: (...given) => store.create(...given) })

async function opened(engine: Engine | 'memory', options: Options = {}): Promise<Opened> {
  const counter = statementCounter()
  let inTransaction: boolean | undefined
  const onStatement = (ran: RanStatement): void => {
    counter.onStatement(ran)
    inTransaction = ran.inTransaction
  }
  const found = engine === 'memory' ? null : await open(engine, [...tables(engine), ...(options.after ?? [])])
  const data =
    found === null
      ? memoryData({
          labels: [{ id: 'emi', name: 'EMI', albumId: null }],
          albums: [
            { id: 1, title: 'Blue', removedAt: null },
            { id: 2, title: 'Hejira', removedAt: null },
          ],
          tracks: [],
        })
      : sqlData(found.database, { ...found.options, onStatement })
  const resources = [
    defineResource('labels', {
      model: table<{ id: string; name: string; albumId: number | null }>('labels'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
    }),
    defineResource('albums', {
      model: table<{ id: number; title: string; removedAt: string | null }>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      ...options.albums,
    }),
    defineResource('tracks', {
      model: table<TrackRow>('tracks'),
      id: id().allowClientId(),
      attributes: (a) => ({
        title: a.string().required().maxLength(20),
        code: a.string().nullable().unique(),
        seconds: a.integer().nullable().min(1),
        rating: a.integer(),
      }),
      relations: {
        album: belongsTo('albums').nullable(),
        again: belongsTo('albums').via('albumId').nullable(),
        bonusOf: belongsTo('tracks').via('bonusOf').nullable(),
        label: belongsTo('labels').nullable(),
      },
      ...(options.isInTransaction === true && { persister: inTransactions }),
      ...options.tracks,
    }),
  ] as never
  const api = client(createServer({ resources, data }))
  // The schema is read once.
  await api.get('/albums')
  counter.reset()
  const rows = (): Promise<readonly object[]> => found?.rows('select * from tracks order by id') ?? Promise.resolve([])
  return { api, data, counter, rows, isInTransaction: () => inTransaction }
}

const track = (attributes: object, relationships: Readonly<Record<string, unknown>> = {}, others: object = {}) => ({
  data: {
    type: 'tracks',
    attributes: { title: 'Carey', ...attributes },
    relationships: Object.fromEntries(Object.entries(relationships).map(([name, data]) => [name, { data }])),
    ...others,
  },
})

const onlyHejira = (_: RequestContext, f: FilterKit<string>) => f.where('title').fixed('Hejira')

const onlyTheNamed = ({ request }: RequestContext, f: FilterKit<string>) =>
  f.where('title').fixed(request?.header('x-album') ?? '')

/** With a relation that a scope can look through. */
const titled = { relations: { labels: hasMany('labels').via('albumId') } }

const isHejira = {
  matches: ({ title }: Readonly<Record<string, unknown>>) => title === 'Hejira',
  apply: sqlFilter<{ title: string }>(({ column }) => sql`${column('title')} = 'Hejira'`),
}

/** A wrapper of the store may hide rows. */
const passingOn = (store: Provider): Provider => ({
  ...store,
  fetchCollection: (type, criteria) => store.fetchCollection?.(type, criteria) ?? [],
})

const ofAlbums = {
  members: ['title'],
  serialize: ({ id: key, title }: { id: number; title: string }) => ({ id: String(key), attributes: { title } }),
}

const album = (key: string) => ({ album: { type: 'albums', id: key } })
const label = (key: string) => ({ label: { type: 'labels', id: key } })

const refused = (status: number): Expected => ({ status })

function comparable({ status, text, headers }: TestResponse): unknown {
  return { status, location: headers.get('location'), document: JSON.parse(text) as unknown }
}

interface Expected {
  readonly status?: number
  /** Whether only the database determines the value. */
  readonly isOfDatabase?: boolean
}

describe.each(engines)('On %s', (engine) => {
  test.each<[string, object, Expected?]>([
    ['nothing but attributes', track({ seconds: 265, code: null, rating: 1 })],
    ['a default of the database', track({}), { isOfDatabase: true }],
    ['a relationship', track({ rating: 1 }, album('2'))],
    ['a relationship to nothing', track({ rating: 1 }, { album: null })],
    [
      'relationships to several',
      track({ rating: 1 }, { ...album('1'), ...label('emi'), bonusOf: { type: 'tracks', id: '1' } }),
    ],
    [
      'two that set one column to the same value',
      track({ rating: 1 }, { ...album('2'), again: { type: 'albums', id: '2' } }),
    ],
    ['two that contradict each other', track({}, { ...album('2'), again: { type: 'albums', id: '1' } }), refused(422)],
    [
      'two that do, and refer to a missing row',
      track({}, { ...album('8'), again: { type: 'albums', id: '9' } }),
      refused(404),
    ],
    ['an id of the client', track({ rating: 1 }, album('1'), { id: '70' })],
    ['an id that is taken', track({}, album('1'), { id: '1' }), refused(409)],
    ['an id that is taken, and a resource that is not there', track({}, album('9'), { id: '1' }), refused(404)],
    ['an id that may be invalid', track({}, {}, { id: 'x' }), { ...refused(422), isOfDatabase: true }],
    ['a resource that is not there', track({}, album('9')), refused(404)],
    ['several that are not there', track({}, { ...album('9'), ...label('none') }), refused(404)],
    ['one that exists in another form', track({}, album('01')), refused(404)],
    ['one that is no number', track({}, album('one')), refused(404)],
    ['one that is beyond all numbers', track({}, album('99999999999999999999')), refused(404)],
    ['one that is the same but for its case', track({}, label('EMI')), refused(404)],
    ['a value that is taken', track({ code: 'taken' }), refused(422)],
    ['a value that is taken, and a resource that is not there', track({ code: 'taken' }, album('9')), refused(404)],
    ['a value that the database refuses', track({ seconds: 700 }), { ...refused(422), isOfDatabase: true }],
    ['a value that is not valid', track({ title: '', seconds: 0 }, album('1')), refused(422)],
  ])('%s: by one statement as in a transaction', async (_name, body, { status = 201, isOfDatabase = false } = {}) => {
    const setups = [await opened(engine), await opened(engine, { isInTransaction: true })]
    if (!isOfDatabase) setups.push(await opened('memory'))
    const results: unknown[] = []
    for (const { api } of setups) {
      const before = track({ code: 'taken', rating: 1 }, {}, { id: '1' })
      expect((await api.post('/tracks', { body: before })).status).toBe(201)
      const response = await api.post('/tracks', { body })
      expect(response.status).toBe(status)
      results.push(comparable(response))
    }
    for (const response of results) expect(response).toEqual(results[0])
    expect(await setups[0]?.rows()).toEqual(await setups[1]?.rows())
  })

  test.each<[string, object]>([
    ['without relationships', track({ seconds: 265 })],
    ['with one', track({}, album('1'))],
    ['with one to nothing', track({}, { album: null })],
    ['with two', track({}, { ...album('1'), ...label('emi') })],
    ['and an id of the client', track({}, album('1'), { id: '70' })],
  ])('it is one statement: %s', async (_name, body) => {
    const { api, counter, isInTransaction } = await opened(engine)
    const ran = await counter.during(async () => expect((await api.post('/tracks', { body })).status).toBe(201))
    expectStatements(ran, { count: 1, writes: 1 })
    expect(isInTransaction()).toBe(false)
  })

  test('validators and hooks after the commit do not need a transaction', async () => {
    const saved: unknown[] = []
    const hooks = { afterCreate: (row: unknown) => void saved.push(row) }
    const { api, counter } = await opened(engine, { tracks: { hooks } })
    const ran = await counter.during(() => api.post('/tracks', { body: track({}, album('1')) }))
    expectStatements(ran, 1)
    expect(saved).toEqual([expect.objectContaining({ title: 'Carey', albumId: 1 })])
  })

  test.each<[string, Options]>([
    ['a step before it', { tracks: { hooks: { beforeCreate: () => undefined } } }],
    ['a custom provider around that of the related type', { albums: { provider: passingOn } }],
    ['the same, and a scope', { albums: { provider: passingOn, scope: () => null } }],
    ['a serializer of the related type', { albums: { serializer: ofAlbums, hydrator: { hydrate: () => ({}) } } }],
    ['a custom persister', { isInTransaction: true }],
  ])('it needs a transaction because of %s', async (_name, options) => {
    const { api, counter } = await opened(engine, options)
    const ran = await counter.during(async () => {
      expect((await api.post('/tracks', { body: track({}, album('1')) })).status).toBe(201)
    })
    expectStatements(ran, { writes: 1 })
    expect(ran[0]?.kind).toBe('read')
  })

  test('a scope in SQL needs a transaction: it may look at the new row', async () => {
    const albums = { scope: (_: RequestContext, f: FilterKit<string>) => f.custom(isHejira) }
    const { api, counter, rows } = await opened(engine, { albums })
    const ran = await counter.during(async () => {
      expect((await api.post('/tracks', { body: track({}, album('2')) })).status).toBe(201)
    })
    expect(ran.map(({ kind }) => kind)).toEqual(['read', 'write', 'read', 'read'])
    expect(await rows()).toMatchObject([{ title: 'Carey', albumId: 2 }])
    expect((await api.post('/tracks', { body: track({}, album('1')) })).status).toBe(404)
    expect(await rows()).toHaveLength(1)
  })

  describe.each<[string, object]>([
    ['a scope', { scope: onlyHejira }],
    ['a scope by a relation', { ...titled, scope: (_: RequestContext, f: FilterKit<string>) => f.has('labels') }],
    ['a trash', { softDeletes: { column: 'removedAt', as: 'text' } }],
    ['both', { softDeletes: { column: 'removedAt', as: 'text' }, scope: onlyHejira }],
  ])('with %s, the statement checks that the row is visible to the caller', (_name, albums) => {
    const after = [
      `update albums set "removedAt" = '2026-01-01T00:00:00.000Z' where title = 'Blue'`,
      `update labels set "albumId" = 2`,
    ]

    test('and finds it', async () => {
      const { api, counter, rows, isInTransaction } = await opened(engine, { albums, after })
      const ran = await counter.during(async () => {
        expect((await api.post('/tracks', { body: track({}, album('2')) })).status).toBe(201)
      })
      // The linkage that was sent is known to be visible. The other relation over the same key is read.
      expect(ran.map(({ kind }) => kind)).toEqual(['write', 'read'])
      expect(isInTransaction()).toBe(false)
      expect(await rows()).toMatchObject([{ title: 'Carey', albumId: 2 }])
    })

    test('or does not: 404, and nothing is stored', async () => {
      const setups = [
        await opened(engine, { albums, after }),
        await opened(engine, { albums, after, isInTransaction: true }),
      ]
      const results: unknown[] = []
      for (const { api, rows } of setups) {
        const response = await api.post('/tracks', { body: track({}, album('1')) })
        expect(response.status).toBe(404)
        expect(await rows()).toEqual([])
        results.push(comparable(response))
      }
      expect(results[0]).toEqual(results[1])
    })
  })

  test('a scope is evaluated in every request', async () => {
    const { api } = await opened(engine, { albums: { scope: onlyTheNamed } })
    for (const [title, status] of [
      ['Hejira', 201],
      ['Blue', 404],
      ['Hejira', 201],
      ['', 404],
    ] as const) {
      const headers = { 'x-album': title }
      expect((await api.post('/tracks', { body: track({}, album('2')), headers })).status).toBe(status)
    }
  })

  test('within a transaction of the application it is a part of that', async () => {
    const { api, data, rows } = await opened(engine)
    const undone = data.transactions?.run(async () => {
      expect((await api.post('/tracks', { body: track({}, album('1')) })).status).toBe(201)
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    expect(await rows()).toEqual([])
  })
})

test('If the connection is lost, the result is unknown, and the write is not retried', async () => {
  const ends = `create function lost() returns trigger language plpgsql as
    $$ begin perform pg_terminate_backend(pg_backend_pid()); return new; end $$;
    create trigger lost before insert on tracks for each row execute function lost()`
  const { api, counter } = await opened('postgres', { after: [ends] })
  const ran = await counter.during(async () => {
    expect((await api.post('/tracks', { body: track({}, album('1')) })).status).toBe(503)
  })
  expectStatements(ran, 1)
})
