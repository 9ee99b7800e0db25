import { fail } from '../errors/json-api-error.js'
import type { HttpRequest } from '../http/request.js'

export interface BodyLimits {
  /** Most bytes a body may have. */
  readonly bytes: number
  /** Most arrays and objects that may stand inside one another. */
  readonly depth: number
}

export const DEFAULT_BODY_LIMITS: BodyLimits = Object.freeze({ bytes: 1024 * 1024, depth: 64 })

// Keeps nothing between calls: only a streaming decoder would.
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The JSON value of the request's body, `undefined` when there is none: an empty body, or one of white space only, is no
 * document. The value is fresh and plain; a `__proto__` member is an own property like any other, as `JSON.parse` makes it.
 */
export async function readDocument(request: HttpRequest, limits: BodyLimits = DEFAULT_BODY_LIMITS): Promise<unknown> {
  const bytes = withinLimit(await request.body(limits.bytes), limits)
  return bytes === null ? undefined : parseDocument(decodeUtf8(bytes), limits.depth)
}

/** The bytes of the request's body, `null` when there is none. */
export async function readBytes(request: HttpRequest, limits: BodyLimits): Promise<Uint8Array | null> {
  return withinLimit(await request.body(limits.bytes), limits)
}

function withinLimit(bytes: Uint8Array | 'too-large' | null, { bytes: limit }: BodyLimits): Uint8Array | null {
  return bytes === 'too-large' ? fail('REQUEST_BODY_TOO_LARGE', { limit }) : bytes
}

/** JSON is UTF-8 (RFC 8259, section 8.1). A byte order mark is dropped, as that section allows. */
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
    // The error never echoes the body, neither whole nor in part: it would carry passwords into logs and bug reports.
    return fail('REQUEST_BODY_INVALID_JSON', { message: faultWithoutBodyText(error) })
  }
}

/**
 * Matches where a number may be too large: one with an exponent, or with very many digits. A run of digits is looked at from
 * its start only: from each of its digits, a body of long runs would take a second for each megabyte.
 */
const mayOverflow = /\d[Ee]|(?<!\d)\d{309}/

/** Infinity cannot be written as JSON again: it would come back to the client as `null`. */
function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity)
}

/**
 * Whether the text opens more arrays and objects inside one another than allowed. Runs before `JSON.parse`, so that no deep
 * value is ever built, and judges nothing else: text that is not JSON may pass here and is refused there.
 */
export function exceedsDepth(text: string, limit: number): boolean {
  // Most bodies have fewer brackets than the limit in all, and `indexOf` finds that out much faster than a loop over characters.
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

/** The position of the quote that ends the string starting at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1)
  while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  return quote === -1 ? text.length : quote
}

/** An odd number of backslashes before a quote escapes it. */
function isEscaped(text: string, quote: number): boolean {
  let index = quote - 1
  while (text.charCodeAt(index) === 0x5c) index -= 1
  return (quote - index) % 2 === 0
}

/** Engines quote the text around the fault in their message; only what is known to be harmless is kept of it. */
function faultWithoutBodyText(error: unknown): string {
  const message = error instanceof Error ? error.message : ''
  if (message.startsWith('Unexpected end')) return 'it ends too early'
  const position = /at position (\d+)/.exec(message)?.[1]
  return position === undefined ? 'it is not well-formed' : `it is not well-formed at position ${position}`
}
