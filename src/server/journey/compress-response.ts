import { brotliCompress, constants, gzip } from 'node:zlib'
import type { CompiledCompression, ResponseCoding } from '../assembly/declared/compression-settings.js'
import { zstd } from '../../core/http/content-coding.js'
import { discardBody, isBodyStream } from '../../core/http/body-stream.js'
import { derivedRequest } from '../../core/http/derived-request.js'
import { addVary, headerOf } from '../../core/http/headers.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { HttpResponse } from '../../core/http/response.js'
import { negotiateCoding, type NegotiatedCoding } from '../../serve/negotiate/accept-encoding.js'
import { invariant } from '../../core/util/invariant.js'
import { lruCache } from '../../core/util/lru-cache.js'
import { memoize } from '../../core/util/memoize.js'
import type { ServedFile } from '../../describe/viewer/served-file.js'
import { compressedStream } from './compressed-stream.js'

/** A function that responds to a request. It may have further arguments. */
type Respond<Rest extends readonly unknown[]> = (request: HttpRequest, ...rest: Rest) => Promise<HttpResponse>

/** The number of headers that are cached with their negotiated coding: clients send only a few different ones, which are short. */
const CACHED_HEADERS = 100
const CACHED_HEADER_LENGTH = 100

/**
 * Returns a function that wraps another one, and compresses its responses if the client accepts it. Each compressible response
 * has `Vary: Accept-Encoding`, even if it is not compressed.
 *
 * @param settings `null` if responses are not compressed: then the other function is returned unchanged
 */
export function responseCompression(
  settings: CompiledCompression | null,
): <Rest extends readonly unknown[]>(respond: Respond<Rest>) => Respond<Rest> {
  if (settings === null) return (respond) => respond
  const compressed = responseCompressor(settings)
  return (respond) =>
    async (request, ...rest) =>
      compressed(request, await respond(withPlainTags(request), ...rest))
}

/** Returns the response, compressed if the client accepts it, with `Vary` if it is compressible. */
type CompressResponse = (request: HttpRequest, given: HttpResponse) => Promise<HttpResponse>

/** Compresses a body; `null` if that fails. */
type CompressBody = (body: string | Uint8Array, coding: ResponseCoding, level: number) => Promise<Uint8Array | null>

/**
 * Compresses the response with a file, which never changes: each coding of it is computed once. The plain version is
 * {@link responseCompression}, which compresses each response.
 *
 * @param settings `null` if responses are not compressed
 * @param respond returns the response, for a request whose entity tags are those of the file
 */
export async function compressedFile(
  settings: CompiledCompression | null,
  request: HttpRequest,
  file: ServedFile,
  respond: (plain: HttpRequest) => HttpResponse,
): Promise<HttpResponse> {
  if (settings === null) return respond(request)
  return fileCompressor(file)(settings)(request, respond(withPlainTags(request)))
}

const fileCompressor = memoize((_file: ServedFile) => {
  const bodies = new Map<ResponseCoding, Promise<Uint8Array | null>>()
  return memoize((settings: CompiledCompression) =>
    responseCompressor(settings, (body, coding, level) => {
      const known = bodies.get(coding)
      if (known !== undefined) return known
      const compressed = compress(body, coding, level)
      bodies.set(coding, compressed)
      return compressed.then((bytes) => {
        // The next attempt may succeed.
        if (bytes === null) bodies.delete(coding)
        return bytes
      })
    }),
  )
})

function responseCompressor(settings: CompiledCompression, compressBody: CompressBody = compress): CompressResponse {
  const negotiate = cachedNegotiation(settings.encodings)
  return async (request, given) => {
    if (!couldBeCompressed(given)) return given
    const headers = given.headers.slice()
    addVary(headers, varyingHeaders)
    const response = { ...given, headers }
    const { coding, refusesIdentity } = negotiate(request.header('accept-encoding'))
    if (given.status === 304) return withKnownTag(response, request, coding)
    const minBytes = refusesIdentity ? 1 : settings.minBytes
    const { body: plain } = response
    if (coding === null || !(isBodyStream(plain) || hasBytes(plain, minBytes))) return response
    const encoded = encodedHeaders(headers, coding)
    // The body is not compressed only to send its length: the header may be omitted.
    if (request.method === 'HEAD') {
      discardBody(plain)
      return { ...response, headers: encoded, body: null }
    }
    const level = settings.levels[coding]
    if (isBodyStream(plain)) return { ...response, headers: encoded, body: compressedStream(plain, coding, level) }
    const body = await compressBody(plain, coding, level)
    return body === null ? response : { ...response, headers: encoded, body }
  }
}

const varyingHeaders: readonly string[] = Object.freeze(['Accept-Encoding'])

/** Negotiates, and caches the result for the headers that occur most often. */
function cachedNegotiation(
  offered: readonly ResponseCoding[],
): (header: string | undefined) => NegotiatedCoding<ResponseCoding> {
  const cache = lruCache<string, NegotiatedCoding<ResponseCoding>>(CACHED_HEADERS)
  return (header) =>
    header === undefined || header.length > CACHED_HEADER_LENGTH
      ? negotiateCoding(header, offered)
      : cache.getOrCreate(header, () => negotiateCoding(header, offered))
}

/** Media types of text. Images and archives are compressed already. */
const textType = /^(?:text\/|application\/(?:[\w.-]+\+)?(?:json|xml|javascript)(?:;|$))/i

/**
 * Returns whether a response is compressible: it has text that is not encoded yet, and does not have `no-transform`. A response
 * without a body is compressible only with the status 304.
 */
function couldBeCompressed({ status, headers, body }: HttpResponse): boolean {
  if (status === 304) return true
  if (body === null || status === 204 || status === 206) return false
  if (headerOf(headers, 'content-encoding') !== null) return false
  if (!textType.test(headerOf(headers, 'content-type') ?? '')) return false
  return !(headerOf(headers, 'cache-control') ?? '').includes('no-transform')
}

function hasBytes(body: HttpResponse['body'], bytes: number): body is string | Uint8Array {
  if (body === null || isBodyStream(body)) return false
  if (body.length >= bytes) return true
  return typeof body === 'string' && Buffer.byteLength(body) >= bytes
}

/** Adds `Content-Encoding`, and marks a strong entity tag: other bytes need another one (RFC 9110, section 8.8.3.3). */
function encodedHeaders(headers: readonly string[], coding: ResponseCoding): readonly string[] {
  const tagged = withTag(headers, (tag) => markedTag(tag, coding))
  // A stream of known length has a header.
  const unsized = tagged.filter((_, index) => tagged[index - (index % 2)]?.toLowerCase() !== 'content-length')
  return [...unsized, 'Content-Encoding', coding]
}

function withTag(headers: readonly string[], change: (tag: string) => string): readonly string[] {
  return headers.map((value, index) =>
    index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'etag' ? change(value) : value,
  )
}

/** `"3.x1Y"` becomes `"3.x1Y.gzip"`. A weak tag is unchanged: the content is equivalent. Preconditions read the part before the first dot. */
function markedTag(tag: string, coding: ResponseCoding | null): string {
  return coding === null || tag.startsWith('W/') ? tag : `${tag.slice(0, -1)}.${coding}"`
}

const marks = /\.(?:zstd|br|gzip)(?=")/g

/** Removes the marks from the entity tags of `If-None-Match`, so that they are compared with those of the documents. */
function withPlainTags(request: HttpRequest): HttpRequest {
  const tags = request.header('if-none-match')
  if (tags === undefined || tags.search(marks) === -1) return request
  const plain = tags.replaceAll(marks, '')
  return derivedRequest(request, { header: (name) => (name === 'if-none-match' ? plain : request.header(name)) })
}

/** Gives a 304 response the entity tag that the client has sent: that of the response which it may use. */
function withKnownTag(response: HttpResponse, request: HttpRequest, coding: ResponseCoding | null): HttpResponse {
  const sent = request.header('if-none-match') ?? ''
  const known = (tag: string): string =>
    [coding, null, ...allCodings].map((each) => markedTag(tag, each)).find((each) => sent.includes(each)) ?? tag
  return { ...response, headers: withTag(response.headers, known) }
}

const allCodings: readonly ResponseCoding[] = Object.freeze(['zstd', 'br', 'gzip'])

/** Compresses a body on another thread. Returns `null` if that fails: the response is sent uncompressed. */
function compress(body: string | Uint8Array, coding: ResponseCoding, level: number): Promise<Uint8Array | null> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return new Promise((resolve) => {
    const done = (error: Error | null, result: Uint8Array): void => resolve(error === null ? result : null)
    switch (coding) {
      case 'gzip':
        gzip(bytes, { level }, done)
        break
      case 'br':
        brotliCompress(bytes, { params: brotliParameters(bytes, level) }, done)
        break
      case 'zstd':
        invariant(zstd !== null, 'zstd is offered by a Node without it')
        zstd.zstdCompress(bytes, { params: { [zstd.constants.ZSTD_c_compressionLevel]: level } }, done)
        break
    }
  })
}

function brotliParameters(bytes: Uint8Array, level: number): Record<number, number> {
  return {
    [constants.BROTLI_PARAM_QUALITY]: level,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
  }
}
