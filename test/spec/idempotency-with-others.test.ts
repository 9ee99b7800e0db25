import { accepted, reply, createServer, defineResource, id, model } from 'ashlar'
import { expectErrors, type TestClient, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { isReplayed, keyed } from '../support/keyed-music.js'
import { storedData } from '../support/stored-data.js'

/** Keys of requests that have a version, are dry runs, or are only accepted. */

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; lockVersion: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  version: { column: 'lockVersion', required: true },
})
const jobs = defineResource('jobs', {
  model: model<{ id: number; status: string }>('jobs'),
  id: id(),
  attributes: (a) => ({ status: a.string() }),
})
const imports = defineResource('imports', {
  model: model<{ id: number; source: string }>('imports'),
  id: id(),
  attributes: (a) => ({ source: a.string() }),
  create: accepted('jobs'),
  persister: (store) => ({
    ...store,
    create: async (_type, _values, { context }) =>
      reply.accepted({ job: await context.rows(jobs).create({ status: 'running' }), retryAfter: 5 }),
  }),
})

function open(): TestClient {
  const data = storedData({ albums: [{ id: 1, title: 'Debut', lockVersion: 3 }] }, {}, { hasKeys: true })
  return client(createServer({ resources: [albums, jobs, imports], data, idempotency: true, dryRun: true }))
}

const retitle = (api: TestClient, key: string, tag: string | null, title = 'Post'): Promise<TestResponse> =>
  api.patch('/albums/1', keyed(key, { body: resourceBody('albums', { title }, '1'), headers: { 'If-Match': tag } }))
const versionIn = ({ headers }: TestResponse): string => (headers.get('etag') ?? '').replace(/\..*/, '"')
const stale = [{ status: 412, code: 'PRECONDITION_FAILED', header: 'If-Match' }]

describe('a key and If-Match', () => {
  test('a repeated request is replayed, although its version is no longer the current one', async () => {
    const api = open()
    const first = await retitle(api, 'k', '"3"')
    expect([first.status, versionIn(first)]).toEqual([200, '"4"'])
    // The client may have read the resource again, because it did not get the response.
    for (const tag of ['"3"', '"4"', '*', null]) {
      const again = await retitle(api, 'k', tag)
      expect([again.status, isReplayed(again), again.text]).toEqual([200, true, first.text])
      expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
    }
    expectErrors(await retitle(api, 'k', '3'), [{ status: 400, code: 'PRECONDITION_INVALID' }])
    expect(versionIn(await api.get('/albums/1'))).toBe('"4"')
  })

  test('a refused one is not stored, and may be sent with another version', async () => {
    const api = open()
    expectErrors(await retitle(api, 'k', '"2"'), stale)
    expectErrors(await retitle(api, 'k', null), [{ status: 428, code: 'PRECONDITION_REQUIRED' }])
    const sent = await retitle(api, 'k', '"3"', 'Homogenic')
    expect([sent.status, isReplayed(sent), versionIn(sent)]).toEqual([200, false, '"4"'])
  })

  test('of many with one version and different keys, exactly one wins, and can be repeated', async () => {
    const api = open()
    const send = (turn: number): Promise<TestResponse> => retitle(api, `k${turn}`, '"3"', `x${turn}`)
    const turns = Array.from({ length: 8 }, (_, turn) => turn)
    const responses = await Promise.all(turns.map(send))
    const winner = responses.findIndex(({ status }) => status === 200)
    expect(responses.filter(({ status }) => status !== 412)).toHaveLength(1)
    expect(isReplayed(await send(winner))).toBe(true)
    for (const turn of turns.filter((each) => each !== winner)) expectErrors(await send(turn), stale)
    expect((await api.get('/albums/1')).resource.attributes).toEqual({ title: `x${winner}` })
  })
})

test('the response to a deferred write is replayed, and the job exists once', async () => {
  const api = open()
  const send = (): Promise<TestResponse> =>
    api.post('/imports', keyed('k', { body: resourceBody('imports', { source: 'x' }) }))
  const [first, second] = [await send(), await send()]
  expect([first.status, second.status, isReplayed(second), second.text]).toEqual([202, 202, true, first.text])
  for (const name of ['content-location', 'retry-after']) {
    expect(second.headers.get(name)).toBe(first.headers.get(name) ?? 'a value')
  }
  expect((await api.get('/jobs')).resources).toHaveLength(1)
})

test('a dry run neither uses nor stores its key', async () => {
  const api = open()
  const body = resourceBody('imports', { source: 'x' })
  const dry = (): Promise<TestResponse> =>
    api.post('/imports', keyed('k', { body, headers: { Prefer: 'tx=rollback' } }))
  for (const count of [0, 1]) {
    const tried = await dry()
    expect([tried.status, isReplayed(tried)]).toEqual([202, false])
    expect((await api.get('/jobs')).resources).toHaveLength(count)
    expect(isReplayed(await api.post('/imports', keyed('k', { body })))).toBe(count === 1)
  }
})
