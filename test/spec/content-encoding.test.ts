import { createHook } from 'node:async_hooks'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import * as zlib from 'node:zlib'
import type { ContentCoding } from '../../src/core/http/content-coding.js'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'

const body = JSON.stringify({ data: { type: 'tracks', attributes: { title: 'A' } } })

function post(raw: Uint8Array, encoding: string, settings: Parameters<typeof catalogueServer>[0] = {}) {
  return client(catalogueServer(settings)).post('/albums', { raw, headers: { 'content-encoding': encoding } })
}

/** `node:zlib` of Node 22.15 or later. */
const { zstdCompressSync } = zlib as { zstdCompressSync?: (text: string) => Buffer }

describe('a body with a content encoding', () => {
  test('is decoded', async () => {
    // The document has another type than the collection: the error shows that it was read.
    const expected = (await client(catalogueServer()).post('/albums', { raw: body })).text
    for (const [encoding, compress] of [
      ['gzip', gzipSync],
      ['x-gzip', gzipSync],
      ['GZIP', gzipSync],
      ['identity, gzip', gzipSync],
      // Several members, one after the other (RFC 1952, section 2.2).
      ['gzip', (text: string) => Buffer.concat([gzipSync(text.slice(0, 9)), gzipSync(text.slice(9))])],
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
    for (const [encoding, compressed] of [
      ['gzip', gzipSync(padded)],
      ['gzip', Buffer.concat([gzipSync(padded.slice(0, 999)), gzipSync(' ')])],
      ['deflate', deflateSync(padded)],
      ['deflate', deflateRawSync(padded)],
      ['br', brotliCompressSync(padded)],
    ] as const) {
      expectErrors(await post(compressed, encoding, { limits: { bodyBytes: 1000 } }), [{ status: 409 }])
      expectErrors(await post(compressed, encoding, { limits: { bodyBytes: 999 } }), [{ status: 413 }])
    }
  })

  test('is not decoded beyond that limit', async () => {
    const zeros = Buffer.alloc(10_000_000)
    for (const [encoding, compressed] of [
      ['gzip', gzipSync(zeros)],
      ['deflate', deflateSync(zeros)],
      // Not so small that half of it cannot be decoded.
      ['br', brotliCompressSync(zeros, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })],
    ] as const) {
      expect(compressed.length).toBeLessThan(20_000)
      // Its end is missing. A server that decoded all of it would find that out, and respond with 400.
      const bomb = compressed.subarray(0, Math.floor(compressed.length / 2))
      expectErrors(await post(bomb, encoding), [{ status: 413, code: 'REQUEST_BODY_TOO_LARGE' }])
    }
  })

  test('is refused without a decoder if its first block is larger than the limit', async () => {
    // 16 MiB of zeros with the largest window. To compress them takes some seconds.
    const bomb = Buffer.from('n/////gnAOKxQCD3/h8=', 'base64')
    const small = brotliCompressSync(body)
    let decoders = 0
    const hook = createHook({ init: (_id, type) => void (type === 'ZLIB' && (decoders += 1)) }).enable()
    try {
      expectErrors(await post(bomb, 'br'), [{ status: 413, code: 'REQUEST_BODY_TOO_LARGE' }])
      expect(decoders).toBe(0)
      expectErrors(await post(small, 'br'), [{ status: 409 }])
      expect(decoders).toBe(1)
    } finally {
      hook.disable()
    }
  })

  test('may have any window, if its content is small', async () => {
    const { BROTLI_PARAM_LGWIN, BROTLI_PARAM_QUALITY, BROTLI_PARAM_LARGE_WINDOW } = zlib.constants
    for (const window of [10, 16, 17, 18, 22, 24]) {
      const params = { [BROTLI_PARAM_LGWIN]: window, [BROTLI_PARAM_QUALITY]: 5 }
      const compressed = brotliCompressSync(body.padEnd(900_000), { params })
      expectErrors(await post(compressed, 'br'), [{ status: 409 }])
    }
    // This is another format, with windows of up to 1 GiB.
    const params = { [BROTLI_PARAM_LARGE_WINDOW]: 1, [BROTLI_PARAM_LGWIN]: 30 }
    expectErrors(await post(brotliCompressSync(body, { params }), 'br'), [{ status: 400 }])
  })

  test('that is broken is 400', async () => {
    for (const [encoding, bytes] of [
      ['gzip', Buffer.from(body)],
      ['gzip', gzipSync(body).subarray(0, -9)],
      ['deflate', Buffer.from('xx')],
      ['br', Buffer.from(body)],
      ...(
        [
          ['gzip', gzipSync],
          ['deflate', deflateSync],
          ['deflate', deflateRawSync],
          ['br', brotliCompressSync],
        ] as const
      ).flatMap(([coding, compress]) => [
        [coding, compress(body).subarray(0, -1)] as const,
        [coding, Buffer.concat([compress(body), Buffer.from('more')])] as const,
        [coding, Buffer.concat([compress(body), Buffer.alloc(4)])] as const,
      ]),
    ] as const) {
      expectErrors(await post(bytes, encoding), [
        { status: 400, code: 'REQUEST_BODY_UNDECODABLE', header: 'Content-Encoding' },
      ])
    }
  })

  test('that the server does not support is 415, and the response lists the others', async () => {
    for (const encoding of ['zstd', 'compress', 'gzip, gzip', '__proto__']) {
      const response = await post(gzipSync(body), encoding)
      expectErrors(response, [{ status: 415, code: 'CONTENT_ENCODING_UNSUPPORTED', header: 'Content-Encoding' }])
      expect(response.headers.get('accept-encoding')).toBe('gzip, deflate, br')
    }
  })
})

describe('the setting requestEncodings', () => {
  test('lists the encodings that are accepted', async () => {
    const only = { requestEncodings: ['br'] } as const
    expectErrors(await post(brotliCompressSync(body), 'br', only), [{ status: 409 }])
    const response = await post(gzipSync(body), 'gzip', only)
    expectErrors(response, [{ status: 415, code: 'CONTENT_ENCODING_UNSUPPORTED' }])
    expect(response.headers.get('accept-encoding')).toBe('br')
  })

  test('may be empty', async () => {
    const none = { requestEncodings: [] }
    expectErrors(await post(Buffer.from(body), 'identity', none), [{ status: 409 }])
    const response = await post(gzipSync(body), 'gzip', none)
    expectErrors(response, [{ status: 415, code: 'CONTENT_ENCODING_UNSUPPORTED' }])
    expect(response.headers.get('accept-encoding')).toBe('identity')
  })

  test.runIf(zstdCompressSync !== undefined)('may name zstd', async () => {
    const also = { requestEncodings: ['zstd'] } as const
    const compressed = zstdCompressSync?.(body) ?? Buffer.alloc(0)
    expectErrors(await post(compressed, 'zstd', also), [{ status: 409 }])
    expectErrors(await post(compressed.subarray(0, -4), 'zstd', also), [{ code: 'REQUEST_BODY_UNDECODABLE' }])
    const bomb = zstdCompressSync?.('0'.repeat(10_000_000)) ?? Buffer.alloc(0)
    expectErrors(await post(bomb, 'zstd', also), [{ status: 413, code: 'REQUEST_BODY_TOO_LARGE' }])
    // A frame without its size has the window in its sixth byte: 8 MiB, which RFC 9659 allows, and 9 MiB.
    for (const [window, code] of [
      [0b0110_1000, 'REQUIRED_TOP_LEVEL_MEMBERS_MISSING'],
      [0b0110_1001, 'REQUEST_BODY_UNDECODABLE'],
    ] as const) {
      const frame = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, window, 0x11, 0, 0, 0x7b, 0x7d])
      expectErrors(await post(frame, 'zstd', also), [{ code }])
    }
  })

  test('has no other values', () => {
    const wrong = zstdCompressSync === undefined ? ['gzip', ['zstd']] : ['gzip', ['lzma']]
    for (const requestEncodings of wrong as unknown as ContentCoding[][]) {
      expect(() => catalogueServer({ requestEncodings })).toThrow(
        "give a list of 'gzip', 'deflate', 'br' and, on Node 22.15 or later, 'zstd'; [] for none",
      )
    }
  })
})
