import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'

const body = JSON.stringify({ data: { type: 'tracks', attributes: { title: 'A' } } })

function post(raw: Uint8Array, encoding: string, limits = {}) {
  return client(catalogueServer({ limits })).post('/albums', { raw, headers: { 'content-encoding': encoding } })
}

describe('a body with a content encoding', () => {
  test('is decoded', async () => {
    // The document has another type than the collection: the error shows that it was read.
    const expected = (await client(catalogueServer()).post('/albums', { raw: body })).text
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['x-gzip', gzipSync],
      ['GZIP', gzipSync],
      ['identity, gzip', gzipSync],
      ['deflate', deflateSync],
      ['deflate', deflateRawSync],
      ['br', brotliCompressSync],
      ['identity', (text: string) => Buffer.from(text)],
    ] as const) {
      expect((await post(compress(body), encoding)).text, encoding).toBe(expected)
    }
  })

  test('has the limit on its decoded size', async () => {
    const large = JSON.stringify({ meta: { pad: 'x'.repeat(5_000_000) } })
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      expect(compress(large).length).toBeLessThan(100_000)
      expectErrors(await post(compress(large), encoding), [{ status: 413, code: 'REQUEST_BODY_TOO_LARGE' }])
    }
    const padded = body.padEnd(1000)
    expectErrors(await post(gzipSync(padded), 'gzip', { bodyBytes: 1000 }), [{ status: 409 }])
    expectErrors(await post(gzipSync(padded), 'gzip', { bodyBytes: 999 }), [{ status: 413 }])
  })

  test('that is broken is 400', async () => {
    for (const [encoding, bytes] of [
      ['gzip', Buffer.from(body)],
      ['gzip', gzipSync(body).subarray(0, -9)],
      ['deflate', Buffer.from('xx')],
      ['br', Buffer.from(body)],
    ] as const) {
      expectErrors(await post(bytes, encoding), [
        { status: 400, code: 'REQUEST_BODY_UNDECODABLE', header: 'Content-Encoding' },
      ])
    }
  })

  test('that the server does not know is 415, and the response lists the others', async () => {
    for (const encoding of ['zstd', 'compress', 'gzip, gzip', '__proto__']) {
      const response = await post(gzipSync(body), encoding)
      expectErrors(response, [{ status: 415, code: 'CONTENT_ENCODING_UNSUPPORTED', header: 'Content-Encoding' }])
      expect(response.headers.get('accept-encoding')).toBe('gzip, deflate, br')
    }
  })
})
