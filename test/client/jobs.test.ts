import { expect, test, vi } from 'vitest'
import { failure, json, kidA, scriptedServer, thrownBy } from './scripted-server.js'

const job = (status: string, headers = {}): Response =>
  json({ data: { type: 'jobs', id: '7', attributes: { status } } }, { headers })
const moved = (location: string): Response => new Response(null, { status: 303, headers: { Location: location } })

/** Ends the wait for a job that has failed. */
const endIfFailed = ({ status }: { readonly status: string }): void => {
  if (status === 'failed') throw new Error('The import has failed.')
}

test('a job is read until fetch has followed it to its result', async () => {
  const { jobs } = scriptedServer([job('queued'), job('running'), json(kidA)])
  const seen: string[] = []
  const { data } = await jobs.wait({ id: '7' }, { interval: 1, onProgress: ({ status }) => seen.push(status) })
  expect(data).toMatchObject({ type: 'albums', title: 'Kid A' })
  expect(seen).toEqual(['queued', 'running'])
})

test('a job that was redirected to itself is not finished', async () => {
  const redirected = Object.defineProperty(job('queued'), 'redirected', { value: true })
  const { jobs, sent } = scriptedServer([redirected, json(kidA)])
  await jobs.wait({ id: '7' }, { interval: 1 })
  expect(sent).toHaveLength(2)
})

test.each([
  ['https://music.example', 'https://other.example/records/1?x=1', 'https://music.example/records/1?x=1'],
  ['https://music.example/api', 'http://10.0.0.1/records/1', 'https://music.example/api/records/1'],
  ['https://music.example/api', '/api/records/1', 'https://music.example/api/records/1'],
  ['/api', '/api/records/1', '/api/records/1'],
])('of a server at %s, a fetch that does not follow %s reads %s', async (url, location, expected) => {
  const { jobs, sent } = scriptedServer([moved(location), json(kidA)], { url })
  expect((await jobs.wait({ id: '7' })).data).toMatchObject({ title: 'Kid A' })
  expect(sent[1]?.url).toBe(expected)
})

test('the wait ends with an error of the server, of onProgress, or of the signal', async () => {
  const failing = scriptedServer([job('queued'), failure(410)])
  expect(await thrownBy(failing.jobs.wait({ id: '7' }, { interval: 1 }))).toMatchObject({ status: 410 })

  const failed = scriptedServer([job('failed')])
  expect(await thrownBy(failed.jobs.wait({ id: '7' }, { onProgress: endIfFailed }))).toEqual(
    new Error('The import has failed.'),
  )

  const controller = new AbortController()
  const slow = scriptedServer([job('queued', { 'Retry-After': '600' })])
  const call = thrownBy(slow.jobs.wait({ id: '7' }, { signal: controller.signal }))
  await vi.waitFor(() => expect(slow.sent).toHaveLength(1))
  controller.abort(new Error('enough'))
  expect(await call).toEqual(new Error('enough'))
})

test('a server that requests an immediate retry is called after the interval', async () => {
  vi.useFakeTimers()
  try {
    const { jobs, sent } = scriptedServer([job('queued', { 'Retry-After': '0' }), json(kidA)])
    const waiting = jobs.wait({ id: '7' }, { interval: 500 })
    await vi.advanceTimersByTimeAsync(499)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect((await waiting).status).toBe(200)
  } finally {
    vi.useRealTimers()
  }
})
