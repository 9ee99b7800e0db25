/** https://jsonapi.org/format/1.1/#jsonapi-media-type */
export const MEDIA_TYPE = 'application/vnd.api+json'

/** https://jsonapi.org/ext/atomic */
export const ATOMIC_EXTENSION = 'https://jsonapi.org/ext/atomic'

/** The header that every JSON:API response carries, because its profiles follow the client's `Accept`. */
export const VARY_ACCEPT: readonly [name: string, value: string] = ['Vary', 'Accept']

/** One element of a `Content-Type` or `Accept` value. */
export interface MediaType {
  /** `type/subtype` in lower case; empty when not even that could be read. */
  readonly name: string
  /** Names in lower case, values without their quotes, in the order sent; a repeated name stays repeated. */
  readonly parameters: readonly MediaTypeParameter[]
  /** The element breaks the grammar of RFC 9110, section 8.3.1; what was read before the fault is kept. */
  readonly malformed: boolean
}

export interface MediaTypeParameter {
  readonly name: string
  readonly value: string
}

// Sticky expressions: `Scanner.take` sets `lastIndex` before every use, so they carry nothing from one call to the next.
const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y
// RFC 9110 wants URIs quoted, but clients that send `profile=https://…` bare are understood all the same.
const BARE_VALUE = /[^\s;,"\\]+/y
const QUOTED_VALUE = /"(?:[^"\\]|\\[^])*"/y
const OPTIONAL_SPACE = /[ \t]*/y
const REST_OF_ELEMENT = /(?:[^,"]|"(?:[^"\\]|\\[^])*(?:"|\\?$))*/y

/**
 * Reads a comma-separated list of media types. Commas and semicolons inside quoted strings are text, empty elements are
 * skipped (RFC 9110, section 5.6.1), and nothing makes it throw: an element it cannot read comes back `malformed`.
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

/** `parameters = *( OWS ";" OWS [ parameter ] )`; false as soon as something else stands there. */
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

/** A position in a text that only moves forward. */
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

  /** What the sticky expression matches here, or the empty string. */
  take(expression: RegExp): string {
    expression.lastIndex = this.#position
    const match = expression.exec(this.#text)?.[0] ?? ''
    this.#position += match.length
    return match
  }
}

/** The URIs of every parameter with this name: `ext` and `profile` hold space-separated lists. */
export function uriList(mediaType: MediaType, parameter: 'ext' | 'profile'): readonly string[] {
  const uris: string[] = []
  for (const { name, value } of mediaType.parameters) {
    if (name === parameter) uris.push(...value.split(' ').filter((uri) => uri !== ''))
  }
  return uris
}

/**
 * The `Content-Type` of a document with these extensions and profiles applied. The bare media type, which nearly every
 * response has, is one constant.
 */
export function contentType(extensions: readonly string[], profiles: readonly string[]): string {
  if (extensions.length === 0 && profiles.length === 0) return MEDIA_TYPE
  let value = MEDIA_TYPE
  if (extensions.length > 0) value += `; ext="${extensions.join(' ')}"`
  if (profiles.length > 0) value += `; profile="${profiles.join(' ')}"`
  return value
}
