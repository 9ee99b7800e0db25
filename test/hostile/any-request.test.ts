import { fail } from 'ashlar'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { runs } from '../support/runs.js'
import { hostileServer, leak } from './hostile-server.js'

/** Any string: every UTF-16 unit, halves of surrogate pairs included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) })
const spice = fc.constantFrom(
  '%', '%00', '%ff', '%2F', '..', '.', '/', '//', '?', '#', '[', ']', '[]', '&', '=', ',', '-', '+', '__proto__', 'constructor',
  'toString', 'hasOwnProperty', '\ud800', '\u0000', '\r\n', 'fields[notes]', 'filter', 'page[size]', 'include', 'sort', 'notes',
  'first', 'relationships', '-actions', 'é', '😀', '{param}',
) // biome-ignore format: a list
const spicy = fc.array(fc.oneof(spice, spice, anyText), { maxLength: 8 }).map((parts) => parts.join(''))
const method = fc.oneof(fc.constantFrom('GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'PUT', 'TRACE'), spicy)
const path = fc.oneof(
  spicy.map((rest) => `/notes/${rest}`),
  spicy.map((rest) => `/notes?${rest}`),
  spicy.map((rest) => `/notes/first?${rest}`),
  spicy,
)
const mediaType = fc.oneof(
  fc.constantFrom('application/vnd.api+json', '*/*', 'application/json'),
  spicy,
  spicy.map((rest) => `application/vnd.api+json;${rest}`),
)
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json().map((text) => new TextEncoder().encode(text)),
  spicy.map((text) => new TextEncoder().encode(`{"data":{"type":"notes","attributes":${text}`)),
)
const request = fc.record({
  method,
  path,
  accept: fc.option(mediaType),
  contentType: fc.option(mediaType, { freq: 2 }),
  raw: fc.option(body),
})

const plausible = new Set([200, 201, 204, 400, 403, 404, 405, 406, 409, 413, 414, 415, 422])

describe('for any request', () => {
  test('server.handle returns a valid document or the plain 404, leaks nothing, and writes nothing on an error', async () => {
    const server = hostileServer()
    const api = client(server)
    await fc.assert(
      fc.asyncProperty(request, async ({ method: verb, path: target, accept, contentType, raw }) => {
        const before = (await api.get('/notes')).text
        // The client itself checks that the response is a valid document.
        const response = await api.request(verb, target, {
          headers: { Accept: accept, ...(contentType === null ? {} : { 'Content-Type': contentType }) },
          ...(raw === null ? {} : { raw }),
        })
        expect(plausible).toContain(response.status)
        expect(response.text).not.toMatch(leak)
        if (response.status >= 400) expect((await api.get('/notes')).text).toBe(before)
      }),
      { numRuns: runs(800) },
    )
  })

  test('server.fetch does the same for every Request that can be made', async () => {
    const { fetch } = hostileServer()
    await fc.assert(
      fc.asyncProperty(request, async ({ method: verb, path: target, accept, contentType, raw }) => {
        const sent = made(() => {
          const headers = new Headers()
          if (accept !== null) headers.set('Accept', accept)
          if (contentType !== null) headers.set('Content-Type', contentType)
          return new Request(new URL(target, 'http://localhost'), { method: verb, headers, body: raw })
        })
        if (sent === null) return
        const response = await fetch(sent)
        const text = await response.text()
        expect(plausible).toContain(response.status)
        expect(text).not.toMatch(leak)
        if (response.status >= 400 && sent.method !== 'HEAD') {
          const isDocument = response.headers.get('Content-Type') === 'application/vnd.api+json'
          expect(isDocument ? JSON.parse(text).errors[0].status[0] : text).toBe(isDocument ? '4' : 'Not Found\n')
        }
      }),
      { numRuns: runs(600) },
    )
  })

  test('server.handle never rejects, not even for an invalid request object', async () => {
    const { handle } = hostileServer()
    const broken = {
      method: 'POST',
      path: '/notes',
      query: '',
      origin: 'http://localhost',
      hasBody: true,
      header: (name: string) => (name === 'content-encoding' ? undefined : 'application/vnd.api+json'),
      body: () => Promise.reject(new Error('the client went away')),
    }
    await expect(handle(broken)).resolves.toMatchObject({ status: 500 })
    await expect(handle({ ...broken, header: () => fail('APPLICATION_ERROR') })).resolves.toMatchObject({ status: 500 })
  })
})

function made(make: () => Request): Request | null {
  try {
    return make()
  } catch {
    return null
  }
}
