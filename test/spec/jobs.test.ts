import { accepted, createServer, defineResource, id, model, ok, seeOther } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { type ImportRow, importing, type JobRow, later, post } from '../support/imports.js'
import { storedData } from '../support/stored-data.js'

function jobServer(completionLocation: (row: JobRow) => unknown): TestClient {
  const work = defineResource('jobs', {
    model: model<JobRow>('jobs'),
    id: id(),
    attributes: (a) => ({ status: a.string() }),
    fetchOne: [ok(), seeOther()],
    completionLocation: completionLocation as () => null,
  })
  const imports = defineResource('imports', { model: model<ImportRow>('imports'), id: id(), uriType: 'intake' })
  const rows = [
    { id: 1, status: 'running', importId: null },
    { id: 2, status: 'done', importId: 7 },
  ]
  return client(createServer({ resources: [work, imports], data: storedData({ jobs: rows }) }))
}

const finished = ({ importId }: JobRow) => (importId === null ? null : { type: 'imports', id: String(importId) })

describe('a job is 200 while it runs, and 303 to its result', () => {
  test('200 with the job while it runs', async () => {
    const response = await jobServer(finished).get('/jobs/1')
    expect([response.status, response.resource.attributes]).toEqual([200, { status: 'running' }])
  })

  test('303 with Location and without a body when it is done', async () => {
    const response = await jobServer(finished).get('/jobs/2')
    expect([response.status, response.text]).toEqual([303, ''])
    expect(response.headers.get('Location')).toBe('http://localhost/intake/7')
    expect(response.headers.get('Vary')).toBe('Accept')
    expect(response.headers.has('Content-Type')).toBe(false)
  })

  test('HEAD is as GET', async () => {
    const response = await jobServer(finished).request('HEAD', '/jobs/2')
    expect([response.status, response.headers.get('Location')]).toEqual([303, 'http://localhost/intake/7'])
  })

  test('the redirect target may be a URL, and may be asynchronous', async () => {
    const response = await jobServer(async () => Promise.resolve('https://files.example/7.csv')).get('/jobs/2')
    expect(response.headers.get('Location')).toBe('https://files.example/7.csv')
  })

  test('an id is encoded as in links', async () => {
    const response = await jobServer(() => ({ type: 'imports', id: 'a/b c' })).get('/jobs/2')
    expect(response.headers.get('Location')).toBe('http://localhost/intake/a%2Fb%20c')
  })

  test('the function gets whole rows, with any fieldset', async () => {
    expect((await jobServer(finished).get('/jobs/2?fields[jobs]=status')).status).toBe(303)
  })

  test('a missing job is 404, and collections show all jobs', async () => {
    expectErrors(await jobServer(finished).get('/jobs/9'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    expect((await jobServer(finished).get('/jobs')).resources).toHaveLength(2)
  })

  test('an invalid query is refused all the same', async () => {
    expectErrors(await jobServer(finished).get('/jobs/2?sort=status'), [{ status: 400, code: 'SORTING_UNSUPPORTED' }])
  })

  test.each([[{ type: 'playlists', id: '1' }], [{ type: 'imports', id: 7 }], [{ type: 'imports', id: '' }], [7]])(
    'an invalid redirect target is 500: %j',
    async (target) => {
      expectErrors(await jobServer(() => target).get('/jobs/2'), [{ status: 500 }])
    },
  )

  test('the whole sequence: accepted, polled, done, redirected', async () => {
    const api = importing({ create: accepted('jobs'), persister: later() })
    const job = (await post(api)).headers.get('Content-Location')?.replace('http://localhost', '') ?? ''
    expect((await api.get(job)).status).toBe(200)
    await api.patch(job, { body: resourceBody('jobs', { status: 'done' }, '1') })
    const end = (await api.get(job)).headers.get('Location')?.replace('http://localhost', '') ?? ''
    expect((await api.get(end)).resource).toMatchObject({ type: 'imports', id: '2' })
  })
})
