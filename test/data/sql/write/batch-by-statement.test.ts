import {
  atomic,
  belongsTo,
  createServer,
  defineResource,
  type FilterKit,
  type Handler,
  hasMany,
  id,
  noContent,
} from 'ashlar'
import type { Persister } from 'ashlar/store'
import { sqlData, table } from 'ashlar/sql'
import type { TestResponse } from 'ashlar/testing'
import { expectErrors } from 'ashlar/testing'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { add, batchClient, idsOf, linked, remove, resultsOf } from '../../../atomic/batch-client.js'
import { runs } from '../../../support/runs.js'
import type { Engine } from './open-databases.js'
import { databases, engines } from './open-databases.js'

/**
 * A batch that only creates resources of one type is one statement without a transaction on PostgreSQL. The result is the
 * same as in a transaction, and as with a handler of the application, which gets the operations one by one.
 */

const open = databases()

const tables: readonly string[] = [
  'create table artists (id serial, name text, "ownerId" integer, "removedAt" text)',
  'create table labels (code text primary key, name text)',
  `create table albums (
    id serial, title text not null unique, year integer check (year < 2100), state text default 'new',
    "artistId" integer references artists (id), "labelId" text, "parentId" integer references albums (id))`,
  'create table logs (text text)',
  `insert into artists (name, "ownerId", "removedAt") values ('Björk', 1, null), ('Radiohead', 2, null), ('Can', 1, 'x')`,
  `insert into labels (code, name) values ('4ad', '4AD'), ('XL', 'XL')`,
  `insert into albums (id, title) values (100, 'First')`,
]

interface AlbumRow {
  readonly id: number
  readonly title: string
  readonly year: number | null
  readonly state: string | null
  readonly artistId: number | null
  readonly labelId: string | null
  readonly parentId: number | null
}

type Strategy = 'statement' | 'transaction' | 'handler'

interface Options {
  readonly strategy?: Strategy
  readonly more?: readonly string[]
  readonly albums?: object
  readonly artists?: object
  readonly data?: object
}

const withoutAutocommit = (store: Persister): Persister => {
  const { many } = store.shortcuts?.create ?? {}
  return { ...store, shortcuts: { create: { insteadOf: store.create, ...(many && { many }) } } }
}

const oneByOne =
  (builtIn: Handler): Handler =>
  (operation) =>
    builtIn(operation)

async function opened(
  engine: Engine,
  { strategy = 'statement', more = [], albums, artists, data: settings }: Options = {},
) {
  const found = await open(engine, [...tables, ...more])
  const ran: { readonly sql: string; readonly inTransaction: boolean }[] = []
  const data = sqlData(found.database, {
    ...found.options,
    ...settings,
    onStatement: ({ sql, inTransaction }) => ran.push({ sql, inTransaction }),
  })
  const resources = [
    defineResource('artists', {
      model: table<{ id: number; name: string; removedAt: string | null }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      ...artists,
    }),
    defineResource('labels', {
      model: table<{ code: string; name: string }>('labels', { key: 'code' }),
      id: id('code').allowClientId(),
      attributes: (a) => ({ name: a.string() }),
    }),
    defineResource('albums', {
      model: table<AlbumRow>('albums'),
      id: id().allowClientId(),
      attributes: (a) => ({
        title: a.string().required().maxLength(20).unique(),
        year: a.integer().nullable().min(1900),
        state: a.string().nullable(),
      }),
      relations: {
        artist: belongsTo('artists').nullable(),
        label: belongsTo('labels').nullable(),
        parent: belongsTo('albums').nullable(),
      },
      ...(strategy === 'transaction' ? { persister: withoutAutocommit } : {}),
      ...albums,
    }),
  ] as never
  const handler = strategy === 'handler' ? { handler: oneByOne } : {}
  const logger = { error: () => undefined }
  const server = createServer({ resources, data, logger, extensions: [atomic()], ...handler })
  const api = batchClient(server)
  await api.get('/albums')
  ran.length = 0
  return {
    api,
    ran,
    server,
    rows: async () => [await found.rows('select * from albums order by id'), await found.rows('select * from logs')],
    /** A refused insert takes numbers of the sequence: the next ids would differ. */
    resetSequence: () =>
      engine === 'sqlite'
        ? found.rows(`update sqlite_sequence set seq = (select max(id) from albums) where name = 'albums' returning 1`)
        : found.rows(`select setval(pg_get_serial_sequence('albums', 'id'), (select max(id) from albums))`),
  }
}

type Opened = Awaited<ReturnType<typeof opened>>

const softDeletes = { artists: { softDeletes: { column: 'removedAt', as: 'text' } } }

const album = (title: unknown, others: object = {}) => add('albums', { title }, others)
const by = (key: string | null) => ({ artist: linked(key === null ? null : { type: 'artists', id: key }) })
const two = [album('a'), album('b')]

const strategies: readonly Strategy[] = ['statement', 'transaction', 'handler']

/** Sends batches to three servers, and returns the last response. */
async function byEachStrategy(
  engine: Engine,
  batches: readonly (readonly object[])[],
  options: Options = {},
): Promise<TestResponse> {
  const servers: Opened[] = []
  for (const strategy of strategies) servers.push(await opened(engine, { ...options, strategy }))
  let last: TestResponse | undefined
  for (const operations of batches) last = await bySameStrategy(servers, operations)
  if (last === undefined) throw new Error('There was no batch.')
  return last
}

async function bySameStrategy(servers: readonly Opened[], operations: readonly object[]): Promise<TestResponse> {
  const [first, ...others] = await Promise.all(
    servers.map(async ({ api, rows, resetSequence }) => {
      const response = await api.batch(operations)
      await resetSequence()
      return { response, rows: await rows() }
    }),
  )
  if (first === undefined) throw new Error('There is no server.')
  for (const { response, rows } of others) {
    expect([first.response.status, first.response.text]).toEqual([response.status, response.text])
    expect(first.rows).toEqual(rows)
  }
  return first.response
}

/** Returns a response without generated keys: a refused insert has used some. Each shown key is that of the stored row. */
async function shownAndStored({ api, rows }: Opened, operations: readonly object[]): Promise<unknown> {
  const response = await api.batch(operations)
  const [albums = [], logs] = await rows()
  const titleOf = new Map(albums.map((row) => [String(row['id']), row['title']]))
  const shown = response.status === 200 ? resultsOf(response).map(({ data }) => data as Shown) : []
  for (const { id: key, attributes } of shown) expect(titleOf.get(key)).toBe(attributes['title'])
  const titles = new Set(titleOf.values())
  const errors = response.status === 200 ? null : response.document
  return { status: response.status, errors, attributes: shown.map(({ attributes }) => attributes), titles, logs }
}

interface Shown {
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
}

const skipping = (body: string): readonly string[] => [
  `create function skip() returns trigger language plpgsql as $$ begin ${body} end $$`,
  'create trigger skipped before insert on albums for each row execute function skip()',
]

const ofCan = (_context: unknown, f: FilterKit<'name'>) => f.where('name').fixed('Can')

describe('On postgres, a batch that only creates resources of one type', () => {
  test('is one statement without a transaction', async () => {
    const { api, ran, rows } = await opened('postgres')
    const batches = [
      [album('a', { relationships: by('1') }), album('b', { lid: 'x' }), album('c', { relationships: by(null) })],
      [album('d', { id: '8' }), album('e', { id: '7', relationships: by('2') })],
    ]
    for (const operations of batches) expect((await api.batch(operations)).status).toBe(200)
    expect(ran.map(({ inTransaction }) => inTransaction)).toEqual([false, false])
    expect((await rows())[0]).toHaveLength(6)
  })

  test('needs a transaction if only some of the resources have ids', async () => {
    const { api, ran } = await opened('postgres')
    expect((await api.batch([album('a'), album('b', { id: '7' })])).status).toBe(200)
    expect(ran.every(({ inTransaction }) => inTransaction)).toBe(true)
  })

  test.each<[string, Options]>([
    ['a hook after the create', { albums: { hooks: { afterCreate() {} } } }],
    ['an isolation level', { data: { isolation: 'repeatable read' } }],
    [
      'a scope of the related type that tests new rows',
      {
        artists: {
          relations: { albums: hasMany('albums') },
          scope: (_context: unknown, f: FilterKit<string>) =>
            f.any({ any: f.has('albums'), none: f.doesntHave('albums') }),
        },
      },
    ],
  ])('needs a transaction with %s', async (_name, options) => {
    const { api, ran } = await opened('postgres', options)
    expect((await api.batch([album('a', { relationships: by('1') }), album('b')])).status).toBe(200)
    expect(ran.some(({ inTransaction }) => inTransaction)).toBe(true)
  })

  test('needs no transaction inside the scope of its type, and stores nothing outside', async () => {
    const { api, ran } = await opened('postgres', { artists: { scope: ofCan } })
    expect((await api.batch([add('artists', { name: 'Can' }), add('artists', { name: 'Can' })])).status).toBe(200)
    expect(ran.every(({ inTransaction }) => !inTransaction)).toBe(true)
    const outside = [add('artists', { name: 'Can' }), add('artists', { name: 'Neu!' })]
    expectErrors(await byEachStrategy('postgres', [outside], { artists: { scope: ofCan } }), [
      { status: 403, code: 'RESOURCE_OUT_OF_SCOPE', pointer: '/atomic:operations/1/data' },
    ])
  })

  test('needs a transaction if it does anything else', async () => {
    const { api, ran } = await opened('postgres')
    expect((await api.batch([...two, remove('albums', '100')])).status).toBe(200)
    expect(ran.every(({ inTransaction }) => inTransaction)).toBe(true)
  })

  test.each<[string, string]>([
    ['one row', `if new.title = 'b' then return null; end if; return new;`],
    [
      'one row, and writes elsewhere',
      `insert into logs values (new.title); if new.title = 'b' then return null; end if; return new;`,
    ],
    ['all rows, and writes elsewhere', 'insert into logs values (new.title); return null;'],
  ])('stores nothing if a trigger skips %s', async (_name, body) => {
    const more = skipping(body)
    const response = await byEachStrategy('postgres', [[album('a'), album('b'), album('c')]], { more })
    expect(response.status).toBe(500)
  })

  test('is not tried again by one statement for a table whose rows a trigger skips', async () => {
    const more = skipping(`if new.title = 'b' then return null; end if; return new;`)
    const { api, ran } = await opened('postgres', { more })
    expect((await api.batch(two)).status).toBe(500)
    expect(ran[0]).toMatchObject({ inTransaction: false })
    ran.length = 0
    expect((await api.batch([album('c'), album('d')])).status).toBe(200)
    expect(ran.every(({ inTransaction }) => inTransaction)).toBe(true)
  })

  test('is not tried again if the connection is lost, because it is unknown whether it was stored', async () => {
    const { api, ran } = await opened('postgres', {
      more: skipping('perform pg_terminate_backend(pg_backend_pid()); return new;'),
    })
    expect((await api.batch(two)).status).toBe(503)
    expect(ran).toHaveLength(1)
  })

  test.each<[string, readonly string[]]>([
    ['a trigger sets other keys', skipping('new.id := new.id + 1000; return new;')],
    ['a trigger sets keys in descending order', skipping('new.id := 5000 - new.id; return new;')],
    ['the keys are numbered downwards', ['alter table albums alter id set increment -1 set minvalue -1000']],
    [
      'the default of the key is no sequence',
      [
        'alter table albums alter id drop identity',
        'create sequence numbers start 1000',
        `alter table albums alter id set default 10 * nextval('numbers')`,
      ],
    ],
    [
      'a constraint is checked at the commit',
      ['alter table albums add constraint later unique (year) deferrable initially deferred'],
    ],
    [
      'a rule of the database does something else',
      ['create rule noted as on insert to albums do also insert into logs values (new.title)'],
    ],
    ['a key is always generated', ['alter table albums alter id set generated always']],
  ])('has the same result if %s', async (_name, more) => {
    const given = [album('x', { id: '300' }), album('y', { id: '200' })]
    const same = [add('albums', { title: 'd', year: 2000 }), add('albums', { title: 'e', year: 2000 })]
    const servers: Opened[] = []
    for (const strategy of strategies) servers.push(await opened('postgres', { more, strategy }))
    for (const operations of [two, given, [album('c'), album('First')], same]) {
      const [byStatement, ...others] = await Promise.all(servers.map((server) => shownAndStored(server, operations)))
      for (const other of others) expect(byStatement).toEqual(other)
    }
  })

  test('shows the resources in the order of the operations, whatever their keys are', async () => {
    const codes = ['b', 'B', 'ä', 'a', '10', '9', '"', '\\', 'ﬀ']
    const response = await byEachStrategy('postgres', [
      codes.map((code) => add('labels', { name: code }, { id: code })),
    ])
    expect(idsOf(resultsOf(response))).toEqual(codes)
    const keys = ['300', '20', '1000']
    expect(
      idsOf(resultsOf(await byEachStrategy('postgres', [keys.map((key) => album(`t${key}`, { id: key }))]))),
    ).toEqual(keys)
  })
})

const title = fc.constantFrom(
  'a',
  'b',
  'c',
  'd',
  'e',
  'f',
  'First',
  'a title of more than twenty letters',
  '',
  null,
  '\u0000',
)
const anyAlbum = fc
  .record({
    attributes: fc.record(
      { title, year: fc.constantFrom(1990, 2000, null, 2500, 1, 'x'), state: fc.constantFrom('old', null) },
      { requiredKeys: ['title'] },
    ),
    artist: fc.option(fc.constantFrom('1', '2', '3', '9', '01', 'z', null), { nil: undefined }),
    label: fc.option(fc.constantFrom('4ad', 'XL', 'xl', null), { nil: undefined }),
    parent: fc.option(fc.constantFrom('100', '500', '7'), { nil: undefined }),
    key: fc.option(fc.constantFrom('500', '501', '502', '100', '0500', 'x'), { nil: undefined }),
    lid: fc.option(fc.constantFrom('one', 'two', 'three'), { nil: undefined }),
  })
  .map(({ attributes, artist, label, parent, key, lid }) =>
    add('albums', attributes, {
      relationships: {
        ...(artist === undefined ? {} : by(artist)),
        ...(label === undefined ? {} : { label: linked(label === null ? null : { type: 'labels', id: label }) }),
        ...(parent === undefined ? {} : { parent: linked({ type: 'albums', id: parent }) }),
      },
      ...(key === undefined ? (lid === undefined ? {} : { lid }) : { id: key }),
    }),
  )

/** Most batches are valid, so that the statement is used. */
const plainAlbum = fc
  .record({
    year: fc.constantFrom(1990, null),
    artist: fc.constantFrom('1', '2', null),
    label: fc.constantFrom('4ad', 'XL'),
  })
  .map(({ year, artist, label }) => ({
    year,
    relationships: { ...by(artist), label: linked({ type: 'labels', id: label }) },
  }))

let count = 0
const plainBatch = fc.array(plainAlbum, { minLength: 2, maxLength: 5 })

describe.each(engines)('On %s', (engine) => {
  test('any batch of creates has the result that it has in a transaction', async () => {
    const servers: Opened[] = []
    for (const strategy of strategies) servers.push(await opened(engine, { strategy, ...softDeletes }))
    let [statements, all] = [0, 0]
    const check = async (operations: readonly object[]): Promise<void> => {
      const [first] = servers
      if (first !== undefined) first.ran.length = 0
      await bySameStrategy(servers, operations)
      all += 1
      if (first?.ran.every(({ inTransaction }) => !inTransaction) === true) statements += 1
    }
    await fc.assert(
      fc.asyncProperty(fc.array(anyAlbum, { minLength: 2, maxLength: 5 }), plainBatch, async (mixed, plain) => {
        await check(mixed)
        await check(
          plain.map(({ year, relationships }) => add('albums', { title: `n${(count += 1)}`, year }, { relationships })),
        )
      }),
      { numRuns: runs(60) },
    )
    // The test is meaningful only if many batches take the fast path.
    if (engine === 'postgres') expect(statements).toBeGreaterThan(all / 4)
  })

  test('a response without content is the same', async () => {
    const response = await byEachStrategy(engine, [two], { albums: { create: noContent() } })
    expect(response.status).toBe(204)
  })
})
