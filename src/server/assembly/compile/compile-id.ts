import { ulid } from 'ulid'
import type { CompiledId } from '../../../declare/resource/compiled/compiled-type.js'
import type { IdCodec, IdFallback, IdSpec } from '../../../declare/resource/fields/id-declaration.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { isStorableText } from '../../../core/util/storable-text.js'
import type { Awaitable } from '../../../core/util/types.js'
import { compositeCodec } from './composite-id.js'

/** Compiles the declaration of an id into functions that encode, decode, check and generate ids. */
export function compileId(spec: IdSpec, column: string): CompiledId {
  const formats = spec.constraints.flatMap(({ kind, ...rest }) => (kind === 'schema' ? [matcherOf(rest)] : []))
  const route = spec.routePattern === null ? null : matcher(spec.routePattern)
  const columns = keyColumns(column)
  const isValid = isKeyOf(columns)
  const codec = spec.codec ?? (columns.length > 1 ? compositeCodec(columns.length, textOfKey) : null)
  const encode = codec === null ? textOfKey : (key: unknown) => wireText(codec.encode(key))
  const matchesRoute = (segment: string): boolean => segment !== '' && (route === null || route(segment))
  // A resource whose id no route matches could not be fetched after it is created.
  const isRoutable = (wireId: string): boolean => isReachable(wireId) && matchesRoute(wireId)
  return Object.freeze<CompiledId>({
    spec,
    column,
    encode,
    decode: codec === null ? (wireId) => wireId : (wireId) => decoded(codec, wireId, isValid),
    hasFormat: (wireId) => isRoutable(wireId) && formats.every((matches) => matches(wireId)),
    matchesRoute,
    mint: () => generateKey(spec.fallback, (key) => isValid(key) && isRoutable(encode(key))),
  })
}

/** Returns the text of a key. Stores find a row with a date as key by the ISO text of the date. */
function textOfKey(key: unknown): string {
  return key instanceof Date && !Number.isNaN(key.getTime()) ? key.toISOString() : String(key)
}

/**
 * The id in a document is a string. A codec in plain JavaScript may return anything else, such as `null` or a promise.
 */
function wireText(encoded: unknown): string {
  if (typeof encoded === 'string') return encoded
  if (typeof encoded === 'number' || typeof encoded === 'bigint') return String(encoded)
  throw new TypeError("The codec of the id must return a string from 'encode'.")
}

/** The maximum length of an encoded id in a URL. It leaves room for the rest of the path and for the query. */
const maxLengthInUrl = 8192

/**
 * Returns whether a text can be part of a URL and be stored. `-actions` is the path segment of actions. URL parsers resolve
 * segments of dots, encoded or not (https://url.spec.whatwg.org/#double-dot-path-segment). A lone surrogate has no
 * encoding. Databases end texts at U+0000.
 */
function isReachable(wireId: string): boolean {
  if (['', '-actions', '.', '..'].includes(wireId) || wireId.length > maxLengthInUrl) return false
  if (!isStorableText(wireId)) return false
  return encodeURIComponent(wireId).length <= maxLengthInUrl
}

type Matcher = (text: string) => boolean

/** An id format has a pattern, or the JSON Schema format `uuid`, or both. */
function matcherOf(constraint: object): Matcher {
  const { schema } = constraint as { readonly schema: { readonly pattern?: string; readonly format?: string } }
  const byPattern = schema.pattern === undefined ? () => true : matcher(schema.pattern)
  if (schema.format !== 'uuid') return byPattern
  const uuid = matcher('^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$')
  return (text) => uuid(text) && byPattern(text)
}

/** An invalid regular expression matches nothing; the rule patterns reports it. */
function matcher(source: string): Matcher {
  try {
    const expression = new RegExp(source)
    return (text) => expression.test(text)
  } catch {
    return () => false
  }
}

/**
 * Returns the key for an id, or `null` if the codec throws or returns no key. If a codec decodes several texts to the
 * same key, only the text that it encodes the key to is accepted, so that no resource has two ids.
 */
function decoded(codec: IdCodec, wireId: string, isValid: (key: unknown) => boolean): unknown {
  try {
    const key = codec.decode(wireId)
    return isValid(key) && wireText(codec.encode(key)) === wireId ? key : null
  } catch {
    return null
  }
}

/** Returns a function that checks a key: a composite key is a list with a value for each of its columns. */
function isKeyOf(columns: readonly string[]): (key: unknown) => boolean {
  if (columns.length === 1) return isKey
  return (key) => Array.isArray(key) && key.length === columns.length && key.every(isKey)
}

function isKey(value: unknown): boolean {
  return value !== null && value !== undefined && !Number.isNaN(value)
}

async function generatedKey(
  { generate }: Extract<IdFallback, { kind: 'function' }>,
  isRoutable: (key: unknown) => boolean,
): Promise<unknown> {
  const key = await generate()
  if (isKey(key) && isRoutable(key)) return key
  throw new TypeError('generateUsing() returned no key, or a key whose id cannot be used in a URL.')
}

function generateKey(fallback: IdFallback, isRoutable: (key: unknown) => boolean): Awaitable<unknown> {
  switch (fallback.kind) {
    case 'store':
      return undefined
    case 'uuid':
      return globalThis.crypto.randomUUID()
    case 'ulid':
      return ulid()
    case 'function':
      return generatedKey(fallback, isRoutable)
  }
}
