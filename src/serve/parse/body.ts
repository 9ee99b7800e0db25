import { fail } from '../../core/errors/json-api-error.js'
import type { ContentCoding } from '../../core/http/content-coding.js'
import { contentCoding, decompressed, DEFAULT_ENCODINGS } from './content-encoding.js'
import type { BodyMemory } from '../../core/http/body-memory.js'
import type { HttpRequest } from '../../core/http/request.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import { pauses } from '../../core/util/time-slices.js'

export interface BodyLimits {
  /** The maximum size of a body in bytes. */
  readonly bytes: number
  /** The maximum nesting depth of arrays and objects. */
  readonly depth: number
  /** The content codings that a body may have. */
  readonly encodings: readonly ContentCoding[]
}

/** The limits of one body, and the memory of all bodies. */
export interface BodyBounds {
  readonly limits: BodyLimits
  readonly memory: BodyMemory
}

export const DEFAULT_BODY_LIMITS: BodyLimits = Object.freeze({
  bytes: 1024 * 1024,
  depth: 64,
  encodings: DEFAULT_ENCODINGS,
})

/** The size in bytes above which parsing a body may delay other requests. */
const LARGE_BODY = 64 * 1024

// Can be shared, because only streaming decodes keep state between calls.
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** How a body is parsed. The structure of an `extension` document is checked by the extension itself. */
export type BodyKind = DocumentKind | 'extension' | 'bytes'

/** The body of a request. */
export interface Body {
  /** The parsed JSON; `undefined` if there is no body, or only white space in it. */
  readonly document: unknown
  /** The unparsed body, for an action that accepts any content; `null` for all other requests. */
  readonly bytes: Uint8Array | null
}

/**
 * Reads and parses the request body. It is one function, because each further promise takes up to 1 % of the time of a create (W5 on SQLite).
 * A `__proto__` member becomes an own property like any other, because `JSON.parse` works that way.
 */
export async function readBody(request: HttpRequest, kind: BodyKind, { limits, memory }: BodyBounds): Promise<Body> {
  const isCoded = request.header('content-encoding') !== undefined
  const coding = isCoded ? contentCoding(request, limits.encodings) : null
  const metered = memory.open(request.hasBody)
  try {
    const received = withinLimit(await request.body(limits.bytes, metered), limits)
    metered.received(received === null ? 0 : received.byteLength)
    const isPlain = coding === null || received === null
    const bytes = isPlain
      ? received
      : withinLimit(await decompressed(received, coding, { limit: limits.bytes, memory }), limits)
    if (kind === 'bytes') return { document: undefined, bytes }
    const isLarge = bytes !== null && bytes.length > LARGE_BODY
    const document = isLarge ? await parseLarge(bytes, limits.depth) : parseBytes(bytes, limits.depth)
    return { document: kind === 'extension' ? document : checkTopLevel(document, kind), bytes: null }
  } finally {
    metered.release()
  }
}

function parseBytes(bytes: Uint8Array | null, depth: number): unknown {
  return bytes === null ? undefined : parseDocument(decodeUtf8(bytes), depth)
}

async function parseLarge(bytes: Uint8Array, depth: number): Promise<unknown> {
  const pause = pauses()
  const document = parseBytes(bytes, depth)
  await pause()
  return document
}

function withinLimit(bytes: Uint8Array | 'too-large' | null, { bytes: limit }: BodyLimits): Uint8Array | null {
  return bytes === 'too-large' ? fail('REQUEST_BODY_TOO_LARGE', { limit }) : bytes
}

/**
 * Decodes the body as UTF-8, the encoding of JSON (RFC 8259, section 8.1). It drops a byte order mark, as that section
 * allows.
 */
function decodeUtf8(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    return fail('REQUEST_BODY_INVALID_JSON', { message: 'it is not encoded in UTF-8' })
  }
}

function parseDocument(text: string, depth: number): unknown {
  if (exceedsDepth(text, depth))
    fail('LIMIT_EXCEEDED', { limit: depth, subject: 'levels of nested JSON' }, { source: { pointer: '' } })
  const value = parsed(text)
  if (mayOverflow.test(text) && hasInfinity(value)) {
    fail('REQUEST_BODY_INVALID_JSON', { message: 'it has a number that is too large' })
  }
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (/^[ \t\n\r]*$/.test(text)) return undefined
    // The error must not quote any part of the body: passwords would get into logs and bug reports.
    return fail('REQUEST_BODY_INVALID_JSON', { message: faultWithoutBodyText(error) })
  }
}

/**
 * Matches a number that may be too large: one with an exponent, or with 309 digits. The lookbehind matches a run of
 * digits from its start only. Without it, a body with long runs of digits would take a second for each megabyte.
 */
const mayOverflow = /\d[Ee]|(?<!\d)\d{309}/

/** Returns whether the value contains Infinity. JSON cannot represent it: a response would show it as `null`. */
function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity)
}

/**
 * Returns whether arrays and objects are nested deeper than the limit. It runs before `JSON.parse`, so that no deep value is
 * ever created. It checks nothing else: `JSON.parse` rejects text that is not JSON.
 */
export function exceedsDepth(text: string, limit: number): boolean {
  // Fast path: most bodies have fewer brackets than the limit, and `indexOf` is much faster than a loop over the
  // characters.
  if (!hasMoreBrackets(text, limit)) return false
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case 0x22: // "
        index = endOfString(text, index)
        break
      case 0x5b: // [
      case 0x7b: // {
        depth += 1
        if (depth > limit) return true
        break
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1
        break
    }
  }
  return false
}

const brackets = Object.freeze(['{', '['] as const)

function hasMoreBrackets(text: string, limit: number): boolean {
  let found = 0
  for (const bracket of brackets) {
    for (let index = text.indexOf(bracket); index !== -1; index = text.indexOf(bracket, index + 1)) {
      found += 1
      if (found > limit) return true
    }
  }
  return false
}

/** Returns the position of the quote that ends the string at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote === -1 ? text.length : quote
}

/** Returns whether a quote is escaped: an odd number of backslashes before it escapes it. */
function isEscaped(text: string, quote: number): boolean {
  let index = quote - 1
  while (text.charCodeAt(index) === 0x5c) index -= 1
  return (quote - index) % 2 === 0
}

/**
 * Describes a `JSON.parse` error without text of the body. Engines quote that text, so only the position is used.
 */
function faultWithoutBodyText(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (message.startsWith('Unexpected end')) return 'it ends too early'
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? 'it is not well-formed' : `it is not well-formed at position ${position}`
}

/** The kind of primary data in a request body: a resource object, or the linkage of a relationship endpoint. */
export type DocumentKind = 'resource' | 'linkage'

/** A request document with a valid set of top-level members. The values of the members are not checked yet. */
export type RequestDocument = { readonly [member: string]: unknown }

/**
 * Checks the top-level members (https://jsonapi.org/format/1.1/#document-top-level). A missing document passes, and
 * so does null as `data`: the operation that needs the data reports them. For linkage, a document without any content
 * passes too, so that the relationship endpoint reports the missing `data`.
 */
export function checkTopLevel(document: unknown, kind: DocumentKind): RequestDocument | undefined {
  if (document === undefined) return undefined
  if (!isPlainObject(document)) fail('REQUIRED_TOP_LEVEL_MEMBERS_MISSING')
  const hasData = Object.hasOwn(document, 'data')
  const hasErrors = Object.hasOwn(document, 'errors')
  if (hasData && hasErrors) fail('TOP_LEVEL_MEMBERS_INCOMPATIBLE')
  if (!hasData && Object.hasOwn(document, 'included')) fail('TOP_LEVEL_MEMBER_NOT_ALLOWED')
  const hasContent = hasData || hasErrors || Object.hasOwn(document, 'meta')
  if (kind === 'resource' && !hasContent) fail('REQUIRED_TOP_LEVEL_MEMBERS_MISSING')
  return document
}
