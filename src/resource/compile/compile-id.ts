import { ulid } from 'ulid'
import type { CompiledId } from '../compiled-type.js'
import type { IdFallback, IdSpec } from '../fields/id-declaration.js'

export function compileId(spec: IdSpec, column: string): CompiledId {
  const formats = spec.constraints.flatMap(({ kind, ...rest }) => (kind === 'schema' ? [matcherOf(rest)] : []))
  const route = spec.routePattern === null ? null : matcher(spec.routePattern)
  const { codec } = spec
  return Object.freeze<CompiledId>({
    spec,
    column,
    encode: codec === null ? String : (key) => textOf(codec.encode(key)),
    decode: codec === null ? (wireId) => wireId : (wireId) => decoded(() => codec.decode(wireId)),
    // What no route leads to would be lost as soon as it is created.
    hasFormat: (wireId) =>
      isReachable(wireId) && (route === null || route(wireId)) && formats.every((matches) => matches(wireId)),
    matchesRoute: (segment) => segment !== '' && (route === null || route(segment)),
    mint: () => minted(spec.fallback),
  })
}

/** A codec may be JavaScript, and a wire id is text. */
function textOf(wireId: unknown): string {
  return String(wireId)
}

/** Any text can be an id, but for what no path can name: `-actions` is the segment of actions, half a surrogate has no encoding. */
function isReachable(wireId: string): boolean {
  return wireId !== '' && wireId !== '-actions' && wireId.isWellFormed()
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

/** A codec that throws has no key for the id, like one that answers null. */
function decoded(decode: () => unknown): unknown {
  try {
    return decode() ?? null
  } catch {
    return null
  }
}

function minted(fallback: IdFallback): unknown {
  switch (fallback.kind) {
    case 'store':
      return undefined
    case 'uuid':
      return globalThis.crypto.randomUUID()
    case 'ulid':
      return ulid()
    case 'function':
      return fallback.generate()
  }
}
