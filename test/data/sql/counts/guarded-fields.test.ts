import { reply, atomic, belongsTo, createServer, defineResource, hasMany, id, metaResult } from 'ashlar'
import type { Policy, RuleKit } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { sqlData, sqlFilter, table } from 'ashlar/sql'
import type { DataSource, Provider } from 'ashlar/store'
import { statementCounter, type TestClient, type TestResponse } from 'ashlar/testing'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { byName, own, type User } from '../../../support/named-callers.js'
import { databases, engines } from '../write/open-databases.js'

/**
 * Abilities decide which fields rows show. SQL stores read flags for them with the rows. Stores that leave flags out show the
 * same.
 */

const open = databases()

const tables: readonly string[] = [
  'create table users (id serial, name text not null)',
  `create table albums (id serial, title text not null, price integer, note text, comments text,
    "ownerId" integer references users (id))`,
  'create table tracks (id serial, title text not null, "albumId" integer not null references albums (id))',
]

const rows = {
  users: [
    { id: 1, name: 'Alice' },
    { id: 2, name: 'Bob' },
  ],
  albums: [
    { id: 1, title: 'One', price: 10, note: 'first', comments: 'a', ownerId: 1 },
    { id: 2, title: 'Two', price: 20, note: null, comments: 'b', ownerId: 2 },
    { id: 3, title: 'Three', price: null, note: 'third', comments: null, ownerId: 1 },
    { id: 4, title: 'Four', price: 40, note: 'fourth', comments: 'd', ownerId: null },
  ],
  tracks: [
    { id: 1, title: 'Airbag', albumId: 1 },
    { id: 2, title: 'Lucky', albumId: 2 },
    { id: 3, title: 'Airbag', albumId: 4 },
  ],
}

const inserts = Object.entries(rows).map(([name, all]) => {
  const columns = Object.keys(all[0] ?? {}).map((column) => `"${column}"`)
  const values = all.map((row) => {
    const each = Object.values(row).map((value) => (typeof value === 'string' ? `'${value}'` : String(value)))
    return `(${each.join()})`
  })
  return `insert into ${name} (${columns.join()}) values ${values.join()}`
})

interface AlbumRow {
  readonly id: number
  readonly title: string
  readonly price: number | null
  readonly note: string | null
  readonly comments: string | null
  readonly ownerId: number | null
}

const isDear = sqlFilter<AlbumRow>(({ column }) => sql`${column('price')} > 15`)

const albumPolicy = (p: RuleKit<AlbumRow>): Policy => ({
  before: ({ caller }) => ((caller as User | null)?.admin === true ? true : null),
  viewAny: true,
  view: true,
  update: own,
  updated: true,
  custom: {
    promote: p.related('tracks', (q) => q.eq('title', 'Airbag')),
    share: p.signedIn(({ caller }) => p.not(p.eq('ownerId', (caller as User).id))),
    sell: p.sql(isDear, ({ price }) => price !== null && price > 15),
    audit: p.check(({ row }) => row?.comments === 'a'),
  },
})

const users = defineResource('users', {
  model: table<{ readonly id: number; readonly name: string }>('users'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums').via('ownerId') },
  policy: 'public',
})

const tracks = defineResource('tracks', {
  model: table<{ readonly id: number; readonly title: string; readonly albumId: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { album: belongsTo('albums').via('albumId') },
  policy: 'public',
})

const albums = defineResource('albums', {
  model: table<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    price: a.integer().nullable().visibleIf('promote'),
    note: a.string().nullable().visibleIf('update'),
    cost: a.integer().nullable().storedAs('price').readOnly().visibleIf('sell'),
  }),
  relations: {
    owner: belongsTo('users').via('ownerId').security({ read: 'update' }),
    tracks: hasMany('tracks').via('albumId').visibleIf('promote').sparseByDefault().countable(),
  },
  actions: (a) => ({
    share: a.resource({ ability: 'share', asLink: true, responds: metaResult(), handle: () => reply.meta({}) }),
  }),
  policy: albumPolicy,
})

/** The same rows, with a field that a function decides about, and one that user-defined code reads. */
const mixes = defineResource('mixes', {
  model: table<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    price: a.integer().nullable().visibleIf('audit'),
    note: a.string().nullable().visibleIf('promote'),
  }),
  relations: { tracks: hasMany('tracks').via('albumId') },
  policy: albumPolicy,
})

const described = defineResource('described', {
  model: table<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string(), price: a.integer().nullable().visibleIf('promote') }),
  relations: { tracks: hasMany('tracks').via('albumId') },
  meta: (row) => ({ owned: row.ownerId !== null }),
  policy: albumPolicy,
})

const seen = new Set<string>()

/** Notes the columns of the rows that hooks get. */
const note = (...rowsOfHook: readonly object[]): void => {
  for (const row of rowsOfHook) for (const column of Object.keys(row)) seen.add(column)
}

const hooked = defineResource('hooked', {
  model: table<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string(), price: a.integer().nullable().visibleIf('promote') }),
  relations: { owner: belongsTo('users').via('ownerId'), tracks: hasMany('tracks').via('albumId') },
  hooks: {
    beforeUpdate: (draft, original) => note(draft, original),
    afterUpdate: (row) => note(row),
    afterFetchOne: (row) => note(row),
  },
  policy: albumPolicy,
})

/** The visibility of a fan depends on rows like the one that refers to it. */
const fans = defineResource('fans', {
  model: table<{ readonly id: number; readonly name: string }>('users'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { solos: hasMany('solos').via('ownerId') },
  policy: (p) => ({ viewAny: true, view: p.related('solos', (q) => q.eq('title', 'Solo')) }),
})

const solos = defineResource('solos', {
  model: table<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { fan: belongsTo('fans').via('ownerId') },
  policy: albumPolicy,
})

const clientOf = (data: DataSource): TestClient =>
  client(
    createServer({
      resources: [users, tracks, albums, mixes, described, hooked, fans, solos],
      data,
      middleware: [byName],
      extensions: [atomic()],
    }),
  )

type Read = (target: never, ...rest: readonly Readonly<Record<string, unknown>>[]) => unknown

function unflagged(provider: Provider): Provider {
  const reads = Object.entries(provider) as readonly (readonly [string, Read])[]
  const all = reads.map(([name, read]): readonly [string, Read] => [
    name,
    (target, ...rest) => read(target, ...rest.map((each) => withoutMembers(each))),
  ])
  return Object.fromEntries(all) as unknown as Provider
}

/** A store that leaves flags out. */
function withoutFlags(data: DataSource): DataSource {
  return {
    ...data,
    provider: (type) => {
      const provider = data.provider(type)
      return provider === null ? null : unflagged(provider)
    },
  }
}

function withoutMembers<Criteria>(criteria: Criteria): Criteria {
  if (typeof criteria !== 'object' || criteria === null || !('context' in criteria)) return criteria
  return { ...criteria, flags: undefined, flagsOf: undefined, cacheKey: undefined }
}

const json = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

const inBatch =
  (batch: readonly object[]) =>
  (to: TestClient): Promise<TestResponse> =>
    to.post('/operations', {
      headers: { accept: json, 'content-type': json, Authorization: 'alice' },
      body: { 'atomic:operations': batch.map((data) => ({ op: 'update', data })) },
    })

const paths: readonly string[] = [
  '/albums',
  '/albums?sort=-id&include=owner,tracks',
  '/albums?fields[albums]=title,tracks&include=tracks.album',
  '/albums?fields[albums]=note',
  '/albums?withCount=tracks',
  '/albums/1',
  '/albums/3',
  '/albums/4?include=tracks',
  '/albums/1/owner',
  '/albums/2/owner',
  '/albums/1/relationships/tracks',
  '/albums/1/relationships/owner',
  '/albums/2/relationships/owner',
  '/tracks/1/relationships/album',
  '/albums/2/relationships/tracks',
  '/users?include=albums.tracks,albums.owner',
  '/users/1/albums',
  '/tracks?include=album',
  '/tracks/1/album',
  '/mixes',
  '/mixes/1',
  '/described',
]

describe.each(engines)('On %s', (engine) => {
  const counter = statementCounter()
  const apis = new Map<string, TestClient>()

  beforeAll(async () => {
    const opened = [await open(engine, [...tables, ...inserts]), await open(engine, [...tables, ...inserts])] as const
    const [flagged, other] = opened.map(({ database, options }) =>
      sqlData(database, { ...options, onStatement: counter.onStatement }),
    )
    if (flagged === undefined || other === undefined) throw new Error('no databases')
    apis.set('flags', clientOf(flagged))
    apis.set('no flags', clientOf(withoutFlags(other)))
    apis.set('memory', clientOf(memoryData(rows)))
    // The tables are looked up once.
    for (const each of apis.values()) await each.get('/albums')
  })

  const api = (name: string): TestClient => {
    const found = apis.get(name)
    if (found === undefined) throw new Error(name)
    return found
  }

  const accept = 'application/vnd.api+json; profile="https://haddowg.github.io/json-api/profiles/countable/"'

  const headersOf = (caller: string | null): { readonly headers: Readonly<Record<string, string>> } => ({
    headers: { accept, ...(caller === null ? {} : { Authorization: caller }) },
  })

  const statements = async (path: string): Promise<readonly string[]> => {
    const ran = await counter.during(async () =>
      expect((await api('flags').get(path, headersOf('alice'))).status).toBe(200),
    )
    return ran.map((statement) => statement.sql)
  }

  test.each([
    ['the columns of the row decide', '/albums?fields[albums]=title,owner', 1],
    ['one resource', '/albums/2?fields[albums]=title,owner', 1],
    ['an included resource', '/albums?fields[albums]=title,owner&include=owner', 2],
    ['related rows decide', '/albums?fields[albums]=title,tracks', 1],
    ['rows of a type that is included', '/users?include=albums', 2],
    ['the owner of an endpoint', '/albums/1/tracks', 2],
    ['linkage of an endpoint', '/albums/1/relationships/owner', 1],
  ])('guards take no further statement: %s', async (_name, path, count) => {
    const ran = await statements(path)
    expect(ran, ran.join('\n')).toHaveLength(count)
    expect(ran.join('\n')).not.toContain('comments')
  })

  test('a guard is evaluated only if its field can be shown', async () => {
    expect((await statements('/albums?fields[albums]=title')).join()).not.toContain('exists')
    expect((await statements('/albums')).join().match(/exists/g)).toHaveLength(1)
  })

  test.each([null, 'alice', 'bob', 'root'])('a store without flags shows the same to %s', async (caller) => {
    for (const path of paths) {
      const responses = await Promise.all([...apis.values()].map((each) => each.get(path, headersOf(caller))))
      expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)), path).toHaveProperty('size', 1)
    }
  })

  test('responses to writes show the same', async () => {
    const updates: readonly ((to: TestClient) => Promise<TestResponse>)[] = [
      (to) =>
        to.patch('/albums/1', {
          ...headersOf('alice'),
          body: resourceBody('albums', { title: 'Uno', note: 'x' }, '1'),
        }),
      (to) => to.patch('/albums/1', { ...headersOf('alice'), body: resourceBody('albums', { title: 'Eins' }, '1') }),
      (to) => to.patch('/albums/2', { ...headersOf('bob'), body: resourceBody('albums', { title: 'Dos' }, '2') }),
      // Whether the caller has the ability is decided by the row as it was left behind.
      (to) =>
        to.patch('/albums/1', {
          ...headersOf('alice'),
          body: { data: { type: 'albums', id: '1', relationships: { owner: { data: { type: 'users', id: '2' } } } } },
        }),
    ]
    const batch = [
      { type: 'albums', id: '3', attributes: { title: 'Tres', note: null } },
      { type: 'albums', id: '3', attributes: { title: 'Drei' } },
      { type: 'albums', id: '3', relationships: { owner: { data: { type: 'users', id: '1' } } } },
      { type: 'described', id: '3', attributes: { title: 'Tri' } },
      { type: 'hooked', id: '3', attributes: { title: 'Trois' } },
      { type: 'mixes', id: '3', attributes: { title: 'Three' } },
      {
        type: 'tracks',
        id: '1',
        attributes: { title: 'Lucky' },
        relationships: { album: { data: { type: 'albums', id: '3' } } },
      },
      { type: 'albums', id: '3', attributes: { title: 'Tre' } },
      { type: 'solos', id: '3', attributes: { title: 'Solo' } },
      { type: 'solos', id: '3', attributes: { title: 'Duo' } },
      { type: 'tracks', id: '1', attributes: { title: 'Airbag' } },
      { type: 'albums', id: '3', attributes: { title: 'Kolme' } },
      { type: 'albums', id: '3', relationships: { owner: { data: { type: 'users', id: '2' } } } },
    ]
    for (const update of [...updates, inBatch(batch)]) {
      const texts = await Promise.all([...apis.values()].map(async (each) => (await update(each)).text))
      expect([...new Set(texts)]).toHaveLength(1)
      expect(texts[0]).toContain('"attributes"')
    }
  })

  test('hooks get rows without flags', async () => {
    seen.clear()
    for (const each of apis.values()) {
      await each.get('/hooked/1', headersOf('alice'))
      await each.patch('/hooked/2', { ...headersOf('bob'), body: resourceBody('hooked', { title: 'Deux' }, '2') })
    }
    expect([...seen].toSorted()).toEqual(['comments', 'id', 'note', 'ownerId', 'price', 'title'])
  })
})
