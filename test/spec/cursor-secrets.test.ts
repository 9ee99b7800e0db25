import cluster from 'node:cluster'
import { createServer, cursorPage, defineResource, id, model, numberPage } from 'ashlar'
import type { ErrorLogger } from 'ashlar'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import { memoryData } from 'ashlar/memory'
import { expectErrors, testClient, type TestClient } from 'ashlar/testing'
import { afterEach, expect, test } from 'vitest'

const rows = [
  { id: 1, title: 'a confidential title' },
  { id: 2, title: 'b confidential title' },
  { id: 3, title: 'c confidential title' },
]

interface Setup {
  readonly secret?: string | readonly string[]
  readonly logger?: ErrorLogger
  readonly pagination?: AnyPaginator
}

function serving({ pagination = cursorPage({ size: 1 }), ...settings }: Setup): TestClient {
  const albums = defineResource('albums', {
    model: model<(typeof rows)[number]>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().sortable() }),
    pagination,
  })
  return testClient(createServer({ resources: [albums], data: memoryData({ albums: rows }), ...settings }))
}

const first = '/albums?sort=title'

async function cursorOf(api: TestClient): Promise<string> {
  const next: unknown = (await api.get(first)).document?.links?.['next']
  return new URL(String(next)).searchParams.get('page[after]') ?? ''
}

const [oldSecret, newSecret] = ['the old secret of the service', 'the new secret of the service']

/** Returns the status of the page after a cursor. */
const follow = async (api: TestClient, cursor: string): Promise<number> =>
  (await api.get(`${first}&page[after]=${cursor}`)).status

test('nobody can read a cursor', async () => {
  const cursor = await cursorOf(serving({ secret: newSecret }))
  const bytes = Buffer.from(cursor, 'base64url').toString('latin1')
  for (const part of ['conf', 'title', '["', '"1"']) expect(bytes).not.toContain(part)
})

test('servers with the same secret give the same bytes, and accept the cursors of each other', async () => {
  const [one, other] = [serving({ secret: newSecret }), serving({ secret: [newSecret, oldSecret] })]
  expect((await one.get(first)).text).toBe((await other.get(first)).text)
  expect((await one.get(first)).headers.get('etag')).toBe((await other.get(first)).headers.get('etag'))
  expect(await follow(one, await cursorOf(other))).toBe(200)
})

test('a server with another secret refuses them', async () => {
  const response = await serving({ secret: newSecret }).get(
    `${first}&page[after]=${await cursorOf(serving({ secret: oldSecret }))}`,
  )
  expectErrors(response, [{ status: 400, code: 'CURSOR_MALFORMED', parameter: 'page[after]' }])
})

test('a list of secrets accepts the cursors of all, and issues those of the first', async () => {
  const both = serving({ secret: [newSecret, oldSecret] })
  expect(await follow(both, await cursorOf(serving({ secret: oldSecret })))).toBe(200)
  expect(await follow(both, await cursorOf(serving({ secret: newSecret })))).toBe(200)
  expect(await follow(serving({ secret: newSecret }), await cursorOf(both))).toBe(200)
  expect(await follow(serving({ secret: oldSecret }), await cursorOf(both))).toBe(400)
})

function recorder(): { readonly logger: ErrorLogger; readonly messages: string[] } {
  const messages: string[] = []
  return { messages, logger: { error: (_entry, message) => messages.push(message) } }
}

const missing =
  "The setting 'secret' is missing: cursors of this process are valid only until it ends, and in no other process. " +
  'Give all processes of the service the same secret.'

test('without a secret, a cursor that this process cannot read is logged once', async () => {
  const { logger, messages } = recorder()
  const api = serving({ logger })
  const foreign = await cursorOf(serving({ secret: oldSecret }))
  expect(await follow(api, 'x')).toBe(400)
  expect(await follow(api, await cursorOf(api))).toBe(200)
  expect(messages).toEqual([])
  expect([await follow(api, foreign), await follow(api, foreign)]).toEqual([400, 400])
  expect(messages).toEqual([missing])
})

test('with a secret, nothing is logged', async () => {
  const { logger, messages } = recorder()
  const foreign = await cursorOf(serving({ secret: oldSecret }))
  expect(await follow(serving({ logger, secret: newSecret }), foreign)).toBe(400)
  expect(messages).toEqual([])
})

const environment = process.env['NODE_ENV']

afterEach(() => {
  process.env['NODE_ENV'] = environment
  Object.assign(cluster, { isWorker: false })
})

test('in production a missing secret is logged at the start, if there are cursor pages', () => {
  process.env['NODE_ENV'] = 'production'
  const { logger, messages } = recorder()
  serving({ logger, pagination: numberPage() })
  serving({ logger, secret: newSecret })
  expect(messages).toEqual([])
  serving({ logger })
  expect(messages).toEqual([missing])
})

test('a worker of a cluster with cursor pages needs a secret', () => {
  Object.assign(cluster, { isWorker: true })
  expect(() => serving({})).toThrow(
    "secret: is missing, but 'albums' has cursor pages, and this process is a worker of a cluster. Remedy: give a text of at least 16 characters that clients do not know, the same in all processes.",
  )
  expect(() => serving({ secret: newSecret })).not.toThrow()
  expect(() => serving({ pagination: numberPage() })).not.toThrow()
})

test('a cursor is valid for rows of its types only', async () => {
  // Clients can sort salaries by a value that they cannot see, and records by one that they set.
  const salaries = defineResource('salaries', {
    model: model<{ readonly id: number; readonly amount: number }>('salaries'),
    id: id(),
    sorts: (s) => ({ rank: s.field('amount') }),
    pagination: cursorPage({ size: 1 }),
  })
  const records = defineResource('records', {
    model: model<{ readonly id: number; readonly amount: number }>('records'),
    id: id(),
    attributes: (a) => ({ amount: a.integer() }),
    sorts: (s) => ({ rank: s.field('amount') }),
    pagination: cursorPage({ size: 1 }),
  })
  const amounts = [
    { id: 1, amount: 10 },
    { id: 2, amount: 20 },
  ]
  const data = memoryData({ salaries: amounts, records: amounts })
  const api = testClient(createServer({ resources: [salaries, records], data, secret: newSecret }))
  const next: unknown = (await api.get('/salaries?sort=rank')).document?.links?.['next']
  const cursor = new URL(String(next)).searchParams.get('page[after]') ?? ''
  expect((await api.get(`/salaries?sort=rank&page[after]=${cursor}`)).status).toBe(200)
  const foreign = await api.get(`/records?sort=rank&page[after]=${cursor}`)
  expectErrors(foreign, [{ status: 400, code: 'CURSOR_STALE', parameter: 'page[after]' }])
})
