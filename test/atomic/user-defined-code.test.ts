import { setTimeout } from 'node:timers/promises'
import {
  type AttributeKit,
  atomic,
  belongsTo,
  createServer,
  defineResource,
  fail,
  type Handler,
  HttpError,
  id,
  model,
} from 'ashlar'
import type { CreateShortcuts, Persister, Provider } from 'ashlar/store'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import type { ExpectedError } from '../../src/tools/testing/expect-errors.js'
import { describe, expect, test } from 'vitest'
import { exemptFromDescription } from '../support/described-exchange.js'
import { storedData } from '../support/stored-data.js'
import { storedRows } from '../support/stored-rows.js'
import { add, batchClient, linked, resultsOf } from './batch-client.js'

/** An operation has the same effect in a batch as by itself, whatever user-defined code takes part in it. */

interface AlbumRow {
  id: number
  title: string
  code: string | null
  position: number | null
  artistId: number | null
}

type Kit = AttributeKit<AlbumRow>

/** Functions for user-defined code that runs in a batch. */
interface Desk {
  /** Returns the number of albums. */
  readonly count: () => Promise<number>
  readonly log: (text: unknown) => Promise<void>
}

interface Declared {
  readonly albums?: (desk: Desk) => object
  readonly artists?: object
}

const plain = (a: Kit) => ({
  title: a.string(),
  code: a.string().nullable().unique(),
  position: a.integer().nullable().readOnly(),
})

const artist = { artist: belongsTo('artists').nullable() }

interface Outcome {
  readonly response: TestResponse
  readonly rows: Readonly<Record<string, readonly unknown[]>>
  readonly logged: readonly unknown[]
}

/** Waits for work that continues after the response. */
type WaitForWork = () => Promise<unknown>

async function outcome(
  operations: readonly object[],
  declared: Declared,
  settings: object = {},
  waitForWork: WaitForWork = async () => undefined,
): Promise<Outcome> {
  const data = storedData({ artists: [{ id: 1, name: 'Alice' }], albums: [], logs: [] })
  const desk: Desk = {
    async count() {
      const found = await server.dispatch({ kind: 'FetchResource', type: 'albums', id: null })
      return found.kind === 'data' ? found.resources.primary.length : Number.NaN
    },
    async log(text) {
      const document = { data: { type: 'logs', attributes: { text } } }
      await server.dispatch({ kind: 'CreateResource', type: 'logs', document })
    },
  }
  const { albums = () => ({}), artists = {} } = declared
  const resources = [
    defineResource('artists', {
      model: model<{ id: number; name: string }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      ...artists,
    }),
    defineResource('albums', {
      model: model<AlbumRow>('albums'),
      id: id(),
      attributes: plain,
      relations: artist,
      ...albums(desk),
    }),
    defineResource('logs', {
      model: model<{ id: number; text: string }>('logs'),
      id: id(),
      attributes: (a) => ({ text: a.string() }),
    }),
  ] as never
  const logged: unknown[] = []
  const logger = { error: (details: { readonly err?: unknown }) => void logged.push(details.err) }
  const server = createServer({ resources, data, logger, extensions: [atomic()], ...settings })
  const response = await batchClient(server).batch(operations)
  await waitForWork()
  const { artists: _, ...rows } = await storedRows(data, ['artists', 'albums', 'logs'])
  return { response, rows, logged }
}

const oneByOne =
  (builtIn: Handler): Handler =>
  (operation) =>
    builtIn(operation)

/** Sends a batch to two servers: on one of them each operation passes a user-defined handler. */
async function withAndWithoutHandler(
  operations: readonly object[],
  declared: Declared,
  waitForWork: WaitForWork = async () => undefined,
): Promise<Outcome> {
  const together = await outcome(operations, declared, {}, waitForWork)
  const separate = await outcome(operations, declared, { handler: oneByOne }, waitForWork)
  expect([together.response.status, together.response.text]).toEqual([separate.response.status, separate.response.text])
  expect(together.rows).toEqual(separate.rows)
  return together
}

const album = (title: string, others: object = {}) => add('albums', { title }, others)
const by = (key: string) => ({ relationships: { artist: linked({ type: 'artists', id: key }) } })
const abc = [album('a'), album('b'), album('c')]

type Shown = { readonly id: string; readonly attributes?: Readonly<Record<string, unknown>>; relationships?: unknown }
const shownIn = ({ response }: Outcome) => resultsOf(response).map(({ data }) => data as Shown)
const each = (outcomeOfBatch: Outcome, attribute: string) =>
  shownIn(outcomeOfBatch).map(({ attributes }) => attributes?.[attribute])

const refused = (outcomeOfBatch: Outcome, errors: readonly ExpectedError[]) => {
  expectErrors(outcomeOfBatch.response, errors)
  expect(outcomeOfBatch.rows).toEqual({ albums: [], logs: [] })
}

const quota = ({ count }: Desk) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'music',
    validate: async (value: unknown) =>
      (await count()) < 2 ? { value } : { issues: [{ message: 'There are enough.' }] },
  },
})

type Counting = NonNullable<Declared['albums']>

const limited: Counting = (desk) => ({
  attributes: (a: Kit) => ({ ...plain(a), title: a.string().check(quota(desk)) }),
})

const filled: Counting = ({ count }) => ({
  attributes: (a: Kit) => ({
    ...plain(a),
    title: a.string().fillUsing(async (_row, title) => ({ title: String(title), position: (await count()) + 1 })),
  }),
})

const deserialized: Counting = ({ count }) => ({
  attributes: (a: Kit) => ({
    ...plain(a),
    title: a.string().deserializeUsing(async (value) => `${String(value)} after ${await count()}`),
  }),
})

const generated: Counting = ({ count }) => {
  let made = 0
  return { id: id().generateUsing(async () => 10 * (await count()) + (made += 1)) }
}

const hydrated: Counting = ({ count }) => ({
  hydrator: {
    hydrate: async ({ attributes }: { readonly attributes: Readonly<Record<string, unknown>> }) => ({
      title: attributes['title'],
      position: (await count()) + 1,
    }),
  },
})

describe('user-defined code that reads the store sees the resources that earlier operations added', () => {
  test('asynchronous rule', async () => {
    refused(await withAndWithoutHandler([...abc, album('d')], { albums: limited }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/atomic:operations/2/data/attributes/title' },
    ])
    expect((await withAndWithoutHandler(abc.slice(1), { albums: limited })).rows['albums']).toHaveLength(2)
  })

  test.each<[string, Counting, string, readonly unknown[]]>([
    ['fillUsing()', filled, 'position', [1, 2, 3]],
    ['deserializeUsing()', deserialized, 'title', ['a after 0', 'b after 1', 'c after 2']],
    ['a hydrator', hydrated, 'position', [1, 2, 3]],
  ])('%s', async (_name, albums, attribute, expected) => {
    expect(each(await withAndWithoutHandler(abc, { albums }), attribute)).toEqual(expected)
  })

  test('key generator', async () => {
    const shown = shownIn(await withAndWithoutHandler(abc, { albums: generated }))
    expect(shown.map(({ id: key }) => key)).toEqual(['1', '12', '23'])
  })
})

const logging = ({ log }: Desk) => ({
  attributes: (a: Kit) => ({
    ...plain(a),
    title: a.string().fillUsing(async (_row, title) => {
      await log(title)
      return { title: String(title) }
    }),
  }),
})

/** A store whose rows are written by user-defined functions. */
const writing =
  (change: (store: Persister) => { one?: Persister['create']; batch: NonNullable<CreateShortcuts['many']> }) =>
  (store: Persister): Persister => {
    const { one = store.create, batch } = change(store)
    return { ...store, create: one, shortcuts: { create: { insteadOf: one, many: batch } } }
  }

describe('user-defined code that writes to the store', () => {
  const logged = ["{ id: 1, text: 'a' }", "{ id: 2, text: 'b' }", "{ id: 3, text: 'c' }"]

  test('writes once if the store does not create rows in batches', async () => {
    const persister = writing(() => ({ batch: () => null }))
    const albums = (desk: Desk) => ({ ...logging(desk), persister })
    expect((await withAndWithoutHandler(abc, { albums })).rows['logs']).toEqual(logged)
  })

  test('writes nothing if an operation is refused, and nothing later', async () => {
    const writes: Promise<void>[] = []
    const albums = ({ log }: Desk) => ({
      attributes: (a: Kit) => ({
        ...plain(a),
        title: a.string().fillUsing(async (_row, title) => {
          writes.push(title === '299' ? later(() => log(title)) : log(title))
          await writes.at(-1)
          return { title: String(title) }
        }),
      }),
      persister: refusing(() => fail('RESOURCE_NOT_FOUND')),
    })
    const operations = Array.from({ length: 300 }, (_each, index) => album(index === 10 ? 'c' : `${index}`))
    refused(await withAndWithoutHandler(operations, { albums }, () => Promise.allSettled(writes)), [
      { status: 404, pointer: '/atomic:operations/10' },
    ])
  })
})

async function later(work: () => Promise<void>): Promise<void> {
  await setTimeout(100)
  await work()
}

/** Refuses one of the rows, whether it is created by itself or with others. */
const refusing = (refuse: () => never) =>
  writing((store) => {
    return {
      one(type, values, write) {
        if (values['title'] === 'c') refuse()
        return store.create(type, values, write)
      },
      batch(type, rows, write) {
        if (rows.some(({ title }) => title === 'c')) refuse()
        return store.shortcuts?.create?.many?.(type, rows, write) ?? null
      },
    }
  })

describe('a user-defined error of one operation is reported for that operation', () => {
  const source = { source: { pointer: '/data/attributes/title' } } as const

  test.each<[string, () => never, ExpectedError]>([
    [
      'an error of the catalogue',
      () => fail('VALIDATION_FAILED', { message: 'Not this one.' }, source),
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/atomic:operations/2/data/attributes/title' },
    ],
    [
      'an HTTP error',
      () => {
        throw new HttpError(409)
      },
      { status: 409, code: null, pointer: '/atomic:operations/2' },
    ],
  ])('by a persister that creates several rows together: %s', async (_name, refuse, error) => {
    const albums = () => ({ persister: refusing(refuse) })
    refused(await withAndWithoutHandler([...abc, album('d')], { albums }), [error])
  })

  test('by the provider of members', async () => {
    const artists = { provider: withoutThirteen }
    const operations = [album('a', by('1')), album('b'), album('c', by('13')), album('d', by('99'))]
    refused(await withAndWithoutHandler(operations, { artists }), [
      { status: 451, code: null, pointer: '/atomic:operations/2' },
    ])
    // One that is not there comes before it.
    refused(
      await withAndWithoutHandler([album('a', by('1')), album('b', by('99')), album('c', by('13'))], { artists }),
      [{ status: 404, pointer: '/atomic:operations/1/data/relationships/artist/data' }],
    )
  })

  test.each<[string, object]>([
    ['an attribute', { attributes: (a: Kit) => ({ ...plain(a), title: a.string().readOnly(forbidding) }) }],
    ['a relation', { relations: { artist: belongsTo('artists').nullable().readOnly(forbidding) } }],
  ])('by the function that decides whether %s may be written', async (_name, declared) => {
    refused(await withAndWithoutHandler([add('logs', { text: 'x' }), ...abc], { albums: () => declared }), [
      { status: 403, code: null, pointer: '/atomic:operations/1' },
    ])
  })
})

function refuseThirteen(argument: unknown): void {
  if (/\b13\b/.test(JSON.stringify(argument))) throw new HttpError(451)
}

/** The artist with the key 13 cannot be read. */
const withoutThirteen = (store: Provider): Provider => {
  return {
    ...store,
    fetchOne(type, key, criteria) {
      refuseThirteen(key)
      return store.fetchOne(type, key, criteria)
    },
    fetchCollection(type, criteria) {
      refuseThirteen(criteria.conditions)
      return store.fetchCollection?.(type, criteria) ?? []
    },
  }
}

const forbidding = () => {
  throw new HttpError(403)
}

test('a persister that returns too few rows fails the whole batch', async () => {
  const persister = writing((store) => ({
    async batch(type, rows, write) {
      for (const row of rows) await store.create(type, row, write)
      return []
    },
  }))
  const outcomeOfBatch = await outcome(abc, { albums: () => ({ persister }) })
  refused(outcomeOfBatch, [{ status: 500, code: null, pointer: null }])
  expect(outcomeOfBatch.logged).toMatchObject([
    { message: "The persister of 'albums' created 3 rows, and returned 0." },
  ])
})

const hiding =
  (builtIn: Handler): Handler =>
  (operation) => {
    const isSecret = operation.kind === 'CreateResource' && JSON.stringify(operation.document).includes('secret')
    const fields = new Map([['albums', new Set(['code'])]])
    return builtIn(isSecret ? { ...operation, query: { ...operation.query, fields } } : operation)
  }

test('a resource that a handler hides is hidden in the result of its operation only', async () => {
  exemptFromDescription('exchanges', 'A handler changes what the request asks for.')
  for (const [operations, expected] of [
    [
      [album('open'), album('secret'), album('free')],
      ['open', undefined, 'free'],
    ],
    [
      [album('secret'), album('open')],
      [undefined, 'open'],
    ],
  ] as const) {
    const outcomeOfBatch = await outcome(operations, {}, { handler: hiding })
    expect(each(outcomeOfBatch, 'title')).toEqual(expected)
    expect(outcomeOfBatch.rows['albums']).toHaveLength(operations.length)
  }
})
