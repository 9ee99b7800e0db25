/** https://jsonapi.org/format/1.1/#jsonapi-media-type */
export const MEDIA_TYPE = 'application/vnd.api+json'

/** The media type of a query string in a body: https://url.spec.whatwg.org/#application/x-www-form-urlencoded */
export const FORM = 'application/x-www-form-urlencoded'

/** The media type of queries with combined filters. */
export const JSON_TYPE = 'application/json'

/** https://jsonapi.org/ext/atomic */
export const ATOMIC_EXTENSION = 'https://jsonapi.org/ext/atomic'

/** The extension of operations that create or update a resource by a unique key: the reference page "Atomic operations". */
export const UPSERT_EXTENSION = 'https://ashlar.dev/ext/upsert/'

/** The header that every JSON:API response has, because its profiles depend on the `Accept` header of the request. */
export const VARY_ACCEPT: readonly [name: string, value: string] = ['Vary', 'Accept']

/** The same for the response to a write, which also depends on the header `Prefer`. */
export const VARY_ACCEPT_PREFER: readonly [name: string, value: string] = ['Vary', 'Accept, Prefer']

/** The header of every response with a body: browsers must not guess a type other than `Content-Type`. */
export const NO_SNIFF: readonly [name: string, value: string] = ['X-Content-Type-Options', 'nosniff']

/** One element of a `Content-Type` or `Accept` header. */
export interface MediaType {
  /** `type/subtype` in lower case; empty if it cannot be parsed. */
  readonly name: string
  /**
   * The parameters in the order sent: names in lower case, values without their quotes. A name may occur more than
   * once.
   */
  readonly parameters: readonly MediaTypeParameter[]
  /** Whether the element violates RFC 9110, section 8.3.1. Name and parameters then hold the part before the error. */
  readonly malformed: boolean
}

export interface MediaTypeParameter {
  readonly name: string
  readonly value: string
}

// Sticky expressions: `Scanner.take` sets `lastIndex` before every use, so they have no state between calls.
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y
// RFC 9110 requires quotes around URIs, but `profile=https://…` without quotes is accepted too.
const BARE_VALUE = /[^\s;,"\\]+/y
const QUOTED_VALUE = /"(?:[^"\\]|\\[^])*"/y
const OPTIONAL_SPACE = /[ \t]*/y
const REST_OF_ELEMENT = /(?:[^,"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))*/y

/**
 * Parses a comma-separated list of media types. Commas and semicolons inside quoted strings are text. Empty elements
 * are skipped (RFC 9110, section 5.6.1). Never throws: an element that cannot be parsed is marked as `malformed`.
 */
export function parseMediaTypes(header: string): readonly MediaType[] {
  const mediaTypes: MediaType[] = []
  const text = new Scanner(header)
  while (!text.ended()) {
    text.take(OPTIONAL_SPACE)
    if (text.skip(',')) continue
    if (text.ended()) break
    mediaTypes.push(parseElement(text))
  }
  return mediaTypes
}

function parseElement(text: Scanner): MediaType {
  const parameters: MediaTypeParameter[] = []
  const type = text.take(TOKEN)
  const subtype = text.skip('/') ? text.take(TOKEN) : ''
  const name = type === '' || subtype === '' ? '' : `${type}/${subtype}`.toLowerCase()
  const wellFormed = name !== '' && parseParameters(text, parameters)
  if (!wellFormed) text.take(REST_OF_ELEMENT)
  return { name, parameters, malformed: !wellFormed }
}

/** Parses `parameters = *( OWS ";" OWS [ parameter ] )`. Returns false at the first character that does not match. */
function parseParameters(text: Scanner, into: MediaTypeParameter[]): boolean {
  for (;;) {
    text.take(OPTIONAL_SPACE)
    if (text.ended() || text.at(',')) return true
    if (!text.skip(';')) return false
    text.take(OPTIONAL_SPACE)
    const name = text.take(TOKEN)
    if (name === '') continue
    if (!text.skip('=')) return false
    const quoted = text.take(QUOTED_VALUE)
    const value = quoted === '' ? text.take(BARE_VALUE) : quoted.slice(1, -1).replaceAll(/\\([^])/g, '$1')
    if (quoted === '' && value === '') return false
    into.push({ name: name.toLowerCase(), value })
  }
}

/** Reads a text from start to end. */
class Scanner {
  readonly #text: string
  #position = 0

  constructor(text: string) {
    this.#text = text
  }

  ended(): boolean {
    return this.#position >= this.#text.length
  }

  at(character: string): boolean {
    return this.#text[this.#position] === character
  }

  skip(character: string): boolean {
    if (!this.at(character)) return false
    this.#position += 1
    return true
  }

  /** Consumes and returns the match of the sticky expression at the position, or the empty string. */
  take(expression: RegExp): string {
    expression.lastIndex = this.#position
    const match = expression.exec(this.#text)?.[0] ?? ''
    this.#position += match.length
    return match
  }
}

/** Returns the URIs of every parameter with this name: `ext` and `profile` hold space-separated lists. */
export function uriList(mediaType: MediaType, parameter: 'ext' | 'profile'): readonly string[] {
  const uris: string[] = []
  for (const { name, value } of mediaType.parameters) {
    if (name === parameter) uris.push(...value.split(' ').filter((uri) => uri !== ''))
  }
  return uris
}

/**
 * Returns the `Content-Type` of a document that applies these extensions and profiles. Nearly every response applies
 * none and gets the constant.
 */
export function contentType(extensions: readonly string[], profiles: readonly string[]): string {
  if (extensions.length === 0 && profiles.length === 0) return MEDIA_TYPE
  let value = MEDIA_TYPE
  if (extensions.length > 0) value += `; ext="${extensions.join(' ')}"`
  if (profiles.length > 0) value += `; profile="${profiles.join(' ')}"`
  return value
}
