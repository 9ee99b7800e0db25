import * as zlib from 'node:zlib'
import { createServer, defineResource, id, type Middleware, model } from 'ashlar'
import type { CompressionSettings } from '../../src/server/assembly/declared/compression-settings.js'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { settingFaults } from '../checks/refusals.js'

/** The setting `compression`: https://www.rfc-editor.org/rfc/rfc9110#name-content-codings */

const MEDIA_TYPE = 'application/vnd.api+json'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; notes: string | null; edition: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required(), notes: a.string().nullable() }),
  version: 'edition',
  collectionTags: true,
})

/** A small album, and a large one. */
const rows = [
  { id: 1, title: 'Dummy', notes: null, edition: 3 },
  { id: 2, title: 'Third', notes: 'å b c '.repeat(500), edition: 3 },
]

function music(compression: boolean | CompressionSettings = true, middleware: readonly Middleware[] = []) {
  const { fetch } = createServer({ resources: [albums], data: memoryData({ albums: rows }), compression, middleware })
  return async (path: string, headers: Readonly<Record<string, string>> = {}, init: RequestInit = {}) => {
    const response = await fetch(new Request(`https://music.example${path}`, { headers, ...init }))
    const bytes = Buffer.from(await response.arrayBuffer())
    const coding = response.headers.get('content-encoding')
    const length = response.headers.get('content-length')
    if (bytes.length > 0) expect(length).toBe(String(bytes.length))
    return { status: response.status, headers: response.headers, bytes, coding, length, text: decoded(bytes, coding) }
  }
}

function decoded(bytes: Buffer, coding: string | null): string {
  if (coding === null || coding === 'identity' || bytes.length === 0) return bytes.toString()
  const decode = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync }[coding]
  if (decode === undefined) throw new Error(`unexpected coding ${coding}`)
  return decode(bytes).toString()
}

const empty: Middleware = async () => ({ status: 200, headers: ['Content-Type', 'text/plain'], body: '' })

const gzip = { 'Accept-Encoding': 'gzip' }
const br = { 'Accept-Encoding': 'gzip, deflate, br' }

describe('a response', () => {
  test('is compressed with the preferred encoding of the client', async () => {
    const get = music()
    const plain = await get('/albums/2')
    expect([plain.coding, plain.bytes.length > 3000]).toEqual([null, true])
    for (const [headers, coding] of [
      [gzip, 'gzip'],
      [br, 'br'],
      [{ 'Accept-Encoding': 'br;q=0.5, gzip' }, 'gzip'],
    ] as const) {
      const response = await get('/albums/2', headers)
      expect([response.coding, response.text]).toEqual([coding, plain.text])
      expect(response.bytes.length).toBeLessThan(500)
      expect(response.headers.get('content-type')).toBe(MEDIA_TYPE)
    }
    for (const header of ['', 'identity', 'zopfli', 'gzip;q=0', '*;q=0']) {
      expect((await get('/albums/2', { 'Accept-Encoding': header })).coding, header).toBeNull()
    }
  })

  test('is compressed from a number of bytes on', async () => {
    const { bytes } = await music(false)('/albums/2')
    const codingFrom = async (minBytes: number) => (await music({ minBytes })('/albums/2', gzip)).coding
    expect([await codingFrom(bytes.length), await codingFrom(bytes.length + 1)]).toEqual(['gzip', null])
    expect((await music()('/albums/1', gzip)).coding).toBeNull()
    // This client cannot read a response that is not compressed.
    expect((await music()('/albums/1', { 'Accept-Encoding': 'gzip, identity;q=0' })).coding).toBe('gzip')
  })

  test('has Vary, compressed or not, if it could be compressed', async () => {
    const get = music()
    for (const [path, headers] of [
      ['/albums/1', {}],
      ['/albums/1', gzip],
      ['/albums/2', {}],
      ['/albums/2', br],
      ['/albums/9', {}],
      ['/albums', { 'If-None-Match': '*' }],
    ] as const) {
      expect((await get(path, headers)).headers.get('vary'), path).toBe('Accept, Accept-Encoding')
    }
    const off = await music(false)('/albums/2', gzip)
    expect([off.headers.get('vary'), off.coding]).toEqual(['Accept', null])
  })

  test('to HEAD has the headers of that to GET, except its length, and no body', async () => {
    const [head, got] = [await music()('/albums/2', gzip, { method: 'HEAD' }), await music()('/albums/2', gzip)]
    for (const name of ['content-encoding', 'content-type', 'etag', 'vary']) {
      expect(head.headers.get(name), name).toBe(got.headers.get(name))
    }
    expect([head.length, head.bytes.length]).toEqual([null, 0])
  })

  test('without a body stays without one', async () => {
    const deleted = await music({ minBytes: 0 })('/albums/1', gzip, { method: 'DELETE' })
    expect([deleted.status, deleted.coding, deleted.bytes.length]).toEqual([204, null, 0])
    const options = await music({ minBytes: 0 })('/albums', gzip, { method: 'OPTIONS' })
    expect([options.status, options.coding, options.headers.get('vary')]).toEqual([204, null, 'Accept'])
    const response = await music({ minBytes: 0 }, [empty])('/albums', gzip)
    expect([response.coding, response.bytes.length]).toEqual([null, 0])
  })

  test('that is an error document is compressed, too', async () => {
    const response = await music({ minBytes: 0 })('/albums/9', gzip)
    expect([response.status, response.coding]).toEqual([404, 'gzip'])
    expect(JSON.parse(response.text)).toMatchObject({ errors: [{ status: '404' }] })
  })

  test('of middleware is compressed if it is text, and is not encoded already', async () => {
    const body = 'x'.repeat(5000)
    const codingWith = async (...headers: readonly string[]) =>
      (await music(true, [async () => ({ status: 200, headers, body })])('/albums', gzip)).coding
    expect(await codingWith('Content-Type', 'text/plain; charset=utf-8')).toBe('gzip')
    expect(await codingWith('content-type', 'application/json')).toBe('gzip')
    expect(await codingWith('Content-Type', 'image/png')).toBeNull()
    expect(await codingWith()).toBeNull()
    const encoded = ['Content-Type', 'text/plain', 'Content-Encoding', 'identity']
    expect(await codingWith(...encoded)).toBe('identity')
    expect(await codingWith('Content-Type', 'text/plain', 'Cache-Control', 'private, no-transform')).toBeNull()
  })
})

describe('the entity tag', () => {
  test('differs by encoding, and all of them are recognized', async () => {
    const get = music()
    const [plain, zipped, brotli] = [await get('/albums/2'), await get('/albums/2', gzip), await get('/albums/2', br)]
    const tags = [plain, zipped, brotli].map(({ headers }) => headers.get('etag') ?? '')
    expect(tags[0]).toMatch(/^"3\.[\w-]{22}"$/)
    expect(tags).toEqual([tags[0], tags[0]?.replace(/"$/, '.gzip"'), tags[0]?.replace(/"$/, '.br"')])
    for (const tag of tags) {
      for (const accepted of [{}, gzip, br]) {
        const response = await get('/albums/2', { ...accepted, 'If-None-Match': `"other", ${tag}` })
        expect([response.status, response.headers.get('etag'), response.coding]).toEqual([304, tag, null])
        expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding')
      }
    }
    const unknown = await get('/albums/2', { ...gzip, 'If-None-Match': '"3.other.gzip"' })
    expect([unknown.status, unknown.text]).toEqual([200, plain.text])
  })

  test('of the accepted encoding is that of a 304 response, if the client knows several', async () => {
    const get = music()
    const tag = (await get('/albums/2')).headers.get('etag') ?? ''
    const marked = (coding: string) => tag.replace(/"$/, `.${coding}"`)
    const tags = [marked('gzip'), tag, marked('br')].join(', ')
    expect((await get('/albums/2', { ...br, 'If-None-Match': tags })).headers.get('etag')).toBe(marked('br'))
    expect((await get('/albums/2', { ...gzip, 'If-None-Match': tags })).headers.get('etag')).toBe(marked('gzip'))
    expect((await get('/albums/2', { 'If-None-Match': tags })).headers.get('etag')).toBe(tag)
  })

  test('of an encoding is a precondition of writes', async () => {
    const get = music()
    const tag = (await get('/albums/2', gzip)).headers.get('etag') ?? ''
    const change = (ifMatch: string) =>
      get(
        '/albums/2',
        { 'If-Match': ifMatch, 'Content-Type': MEDIA_TYPE },
        {
          method: 'PATCH',
          body: JSON.stringify({ data: { type: 'albums', id: '2', attributes: { title: 'Third' } } }),
        },
      )
    expect((await change(tag.replace('3.', '2.'))).status).toBe(412)
    expect((await change(tag)).status).toBe(200)
  })

  test('that is weak does not change, because the content is equivalent', async () => {
    const get = music()
    const [plain, zipped] = [await get('/albums'), await get('/albums', gzip)]
    expect([plain.headers.get('etag'), zipped.coding]).toEqual([zipped.headers.get('etag'), 'gzip'])
    expect(zipped.headers.get('etag')).toMatch(/^W\//)
    const known = await get('/albums', { ...gzip, 'If-None-Match': zipped.headers.get('etag') ?? '' })
    expect([known.status, known.headers.get('etag')]).toEqual([304, plain.headers.get('etag')])
  })
})

const faultsOf = (compression: unknown) => settingFaults({ compression })

describe('the setting', () => {
  test('orders the encodings, and has levels', async () => {
    expect((await music({ encodings: ['gzip', 'br'] })('/albums/2', br)).coding).toBe('gzip')
    expect((await music({ encodings: ['gzip'] })('/albums/2', { 'Accept-Encoding': 'br' })).coding).toBeNull()
    const sizeAt = async (level: number) => (await music({ levels: { br: level } })('/albums/2', br)).bytes.length
    expect(await sizeAt(0)).toBeGreaterThan(await sizeAt(11))
  })

  test('reports invalid values', () => {
    expect(faultsOf(1)).toEqual(['compression: is 1. Remedy: give true, or an object: { minBytes: 4096 }.'])
    const encodings = "Remedy: give a list of 'zstd', 'br' and 'gzip', the preferred one first."
    for (const value of [[], ['deflate'], ['br', 'br'], 'br']) {
      expect(faultsOf({ encodings: value })).toEqual([expect.stringContaining(encodings)])
    }
    expect(faultsOf({ minBytes: -1, level: 9, levels: { gzip: 10, br: 12, zip: 1 } })).toEqual([
      'compression.minBytes: is -1. Remedy: give a whole number of bytes.',
      'compression.level: is not an option. Remedy: use encodings, minBytes, levels.',
      'compression.levels.gzip: is 10. Remedy: give a whole number from 1 to 9.',
      'compression.levels.br: is 12. Remedy: give a whole number from 0 to 11.',
      'compression.levels.zip: is not a coding. Remedy: use zstd, br, gzip.',
    ])
    expect(faultsOf({ levels: 9 })).toEqual([expect.stringContaining('compression.levels: is 9.')])
  })

  const { zstdDecompressSync } = zlib as { zstdDecompressSync?: (bytes: Buffer) => Buffer }
  test.runIf(zstdDecompressSync !== undefined)('prefers zstd if Node supports it', async () => {
    const get = music()
    const plain = await get('/albums/2')
    const response = await get('/albums/2', { 'Accept-Encoding': 'gzip, br, zstd' }, { method: 'HEAD' })
    expect([response.coding, response.headers.get('etag')]).toEqual(['zstd', expect.stringMatching(/\.zstd"$/)])
    const { fetch } = createServer({ resources: [albums], data: memoryData({ albums: rows }), compression: true })
    const zipped = await fetch(
      new Request('https://music.example/albums/2', { headers: { 'Accept-Encoding': 'zstd' } }),
    )
    expect(zstdDecompressSync?.(Buffer.from(await zipped.arrayBuffer())).toString()).toBe(plain.text)
  })

  test.skipIf(zstdDecompressSync !== undefined)('refuses zstd if Node does not support it', () => {
    expect(settingFaults({ compression: { encodings: ['zstd', 'br'] } })).toEqual([
      "compression.encodings: names 'zstd', which this version of Node lacks. Remedy: leave it out, or use Node 22.15 or later.",
    ])
  })
})
