import { ulid } from 'ulid'
import type { CompiledId } from '../../resource/compiled-type.js'
import type { IdCodec, IdFallback, IdSpec } from '../../resource/fields/id-declaration.js'
import type { Awaitable } from '../../util/types.js'
import { whenKnown } from '../../util/when-known.js'

export function compileId(spec: IdSpec, column: string): CompiledId {
  const formats = spec.constraints.flatMap(({ kind, ...rest }) => (kind === 'schema' ? [matcherOf(rest)] : []))
  const route = spec.routePattern === null ? null : matcher(spec.routePattern)
  const { codec } = spec
  const encode = codec === null ? textOfKey : (key: unknown) => wireText(codec.encode(key))
  const matchesRoute = (segment: string): boolean => segment !== '' && (route === null || route(segment))
  // What no route leads to would be lost as soon as it is created.
  const canBeFound = (wireId: string): boolean => isReachable(wireId) && matchesRoute(wireId)
  return Object.freeze<CompiledId>({
    spec,
    column,
    encode,
    decode: codec === null ? (wireId) => wireId : (wireId) => decoded(codec, wireId),
    hasFormat: (wireId) => canBeFound(wireId) && formats.every((matches) => matches(wireId)),
    matchesRoute,
    mint: () => minted(spec.fallback, (key) => canBeFound(encode(key))),
  })
}

/** A moment has the text that stores find it by. */
function textOfKey(key: unknown): string {
  return key instanceof Date ? key.toISOString() : String(key)
}

/** A codec may be JavaScript, and a wire id is text: `null` is none, and neither is a promise. */
function wireText(encoded: unknown): string {
  if (typeof encoded === 'string') return encoded
  if (typeof encoded === 'number' || typeof encoded === 'bigint') return String(encoded)
  throw new TypeError('What encodes the keys of ids answered no text.')
}

/** As much as leaves room for the rest of an address and its query. */
const longestInAddress = 8192

/**
 * Any text can be an id, but for what no address can name, or no store keep: `-actions` is the segment of actions,
 * parsers of addresses resolve segments of dots, encoded or not (https://url.spec.whatwg.org/#double-dot-path-segment),
 * half a surrogate has no encoding, and databases end texts at U+0000.
 */
function isReachable(wireId: string): boolean {
  if (['', '-actions', '.', '..'].includes(wireId) || wireId.length > longestInAddress) return false
  if (!wireId.isWellFormed() || wireId.includes('\u0000')) return false
  return encodeURIComponent(wireId).length <= longestInAddress
}

type Matcher = (text: string) => boolean

/** An id format is a pattern, or the one format that is more than a pattern says. */
function matcherOf(constraint: object): Matcher {
  const { schema } = constraint as { readonly schema: { readonly pattern?: string; readonly format?: string } }
  const byPattern = schema.pattern === undefined ? () => true : matcher(schema.pattern)
  if (schema.format !== 'uuid') return byPattern
  const uuid = matcher('^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$')
  return (text) => uuid(text) && byPattern(text)
}

/** A pattern that is no regular expression matches nothing; the build names it. */
function matcher(source: string): Matcher {
  try {
    const expression = new RegExp(source)
    return (text) => expression.test(text)
  } catch {
    return () => false
  }
}

/**
 * Of several texts that a codec reads as one key, only the one that it writes is the id: no resource has two. A codec that
 * throws has no key for the id, like one that answers null.
 */
function decoded(codec: IdCodec, wireId: string): unknown {
  try {
    const key = codec.decode(wireId)
    return isKey(key) && wireText(codec.encode(key)) === wireId ? key : null
  } catch {
    return null
  }
}

function isKey(value: unknown): boolean {
  return value !== null && value !== undefined && !Number.isNaN(value)
}

function minted(fallback: IdFallback, canBeFound: (key: unknown) => boolean): Awaitable<unknown> {
  switch (fallback.kind) {
    case 'store':
      return undefined
    case 'uuid':
      return globalThis.crypto.randomUUID()
    case 'ulid':
      return ulid()
    case 'function':
      return whenKnown(fallback.generate(), (key) => {
        if (isKey(key) && canBeFound(key)) return key
        throw new TypeError('What makes the keys of new resources made none, or one whose id no address leads to.')
      })
  }
}
