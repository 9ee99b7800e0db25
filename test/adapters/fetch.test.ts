import { describe, expect, it } from 'vitest'
import { fetchAdapter } from '../../src/serve/adapters/fetch.js'
import { BODY_LIMIT, echo } from './echo.js'

const serve = fetchAdapter(echo)
const request = (path: string, init?: RequestInit) => serve(new Request(`https://music.example${path}`, init))

/** A body that never ends by itself, and records whether it was cancelled. */
function endlessBody() {
  const state = { pulled: 0, cancelled: false }
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      state.pulled += 1
      controller.enqueue(new Uint8Array(100))
    },
    cancel() {
      state.cancelled = true
    },
  })
  return { state, stream }
}

describe('The fetch adapter', () => {
  it('passes method, path, query, origin, headers and body to the handler', async () => {
    const response = await request('/albums/1%202?filter[a]=b+c#fragment', {
      method: 'PATCH',
      headers: { Accept: 'text/html' },
      body: 'blå',
    })
    expect(await response.json()).toEqual({
      method: 'PATCH',
      path: '/albums/1%202',
      query: 'filter[a]=b+c',
      origin: 'https://music.example',
      accept: 'text/html',
      hasBody: true,
      body: 'blå',
    })
    expect(response.headers.get('content-type')).toBe('application/vnd.api+json')
  })

  it('finds no body if there is none or an empty one', async () => {
    expect(await (await request('')).json()).toMatchObject({ path: '/', query: '', hasBody: false, body: null })
    expect(await (await request('/', { method: 'POST', body: '' })).json()).toMatchObject({ body: null })
  })

  it('joins a body that arrives in chunks', async () => {
    const pieces = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of ['a', '', 'b', 'c']) controller.enqueue(new TextEncoder().encode(piece))
        controller.close()
      },
    })
    const response = await request('/', { method: 'POST', body: pieces, duplex: 'half' })
    expect(await response.json()).toMatchObject({ body: 'abc' })
  })

  it('stops reading a body that grows past the limit', async () => {
    const { state, stream } = endlessBody()
    const response = await request('/', { method: 'POST', body: stream, duplex: 'half' })
    expect(response.status).toBe(413)
    expect(state.cancelled).toBe(true)
    expect(state.pulled).toBeLessThan(BODY_LIMIT / 100 + 5)
  })

  it('reads nothing of a body whose length is past the limit', async () => {
    const { state, stream } = endlessBody()
    const init = { method: 'POST', body: stream, duplex: 'half', headers: { 'Content-Length': '5000' } } as const
    expect((await request('/', init)).status).toBe(413)
    expect(state.cancelled).toBe(true)
    expect(state.pulled).toBeLessThan(3)
  })

  it('responds to HEAD with the headers of GET and no body', async () => {
    const response = await request('/cookies', { method: 'HEAD' })
    expect(response.headers.get('content-length')).toBe('2')
    expect(response.body).toBeNull()
  })

  it.each([204, 304])('responds %i without a body', async (status) => {
    const response = await request(`/status/${status}`)
    expect(response.status).toBe(status)
    expect(response.body).toBeNull()
    expect(response.headers.has('content-length')).toBe(false)
  })

  it('does not join repeated headers and adds no Content-Type', async () => {
    const response = await request('/cookies')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(response.headers.has('content-type')).toBe(false)
    expect(await response.text()).toBe('å')
  })

  it('sends bytes unchanged', async () => {
    expect([...new Uint8Array(await (await request('/bytes')).arrayBuffer())]).toEqual([0, 255, 1])
  })

  it.each(['/throws', '/rejects', '/bad-header'])(
    'responds with a bare 500 if the handler throws, rejects or returns an invalid header: %s',
    async (path) => {
      const response = await request(path)
      expect(response.status).toBe(500)
      expect(await response.json()).toEqual({
        errors: [{ status: '500', title: 'Internal Server Error' }],
        jsonapi: { version: '1.1' },
      })
    },
  )
})
