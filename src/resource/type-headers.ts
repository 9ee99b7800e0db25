import type { CacheDirectives, ReadShape } from './cache-headers.js'
import type { CompiledType } from './compiled-type.js'

/** The response headers of a type, computed once at build. A header list is flat: name, value, name, value. */
export interface TypeHeaders {
  /** Set on every response of the type, including errors (RFC 8594). */
  readonly always: readonly string[]
  /** The value of `Cache-Control` on successful reads. */
  readonly cacheControl: Readonly<Record<ReadShape, string | null>>
  /** The further names in `Vary` on successful reads. */
  readonly vary: Readonly<Record<ReadShape, readonly string[]>>
}

/**
 * Returns the headers of a type.
 *
 * @param isPrivate whether responses are for one caller, so that no shared cache may store them
 */
export function typeHeaders(
  { deprecation, sunset, sunsetLink, cacheHeaders }: CompiledType,
  isPrivate: boolean,
): TypeHeaders {
  const shaped = (shape: ReadShape): CacheDirectives => ({ ...cacheHeaders, ...cacheHeaders?.operations?.[shape] })
  return Object.freeze({
    always: Object.freeze([
      ...(deprecation === null ? [] : ['Deprecation', deprecation]),
      ...(sunset === null ? [] : ['Sunset', sunset]),
      ...(sunset === null || sunsetLink === null ? [] : ['Link', `<${sunsetLink}>; rel="sunset"`]),
    ]),
    cacheControl: byReadShape((shape) => cacheControl(shaped(shape), isPrivate)),
    vary: byReadShape((shape) => {
      const varyOfShape = cacheHeaders?.operations?.[shape]?.vary
      return Object.freeze([...new Set([...names(cacheHeaders?.vary), ...names(varyOfShape)])])
    }),
  })
}

function byReadShape<T>(value: (shape: ReadShape) => T): Readonly<Record<ReadShape, T>> {
  return Object.freeze({
    collection: value('collection'),
    read: value('read'),
    related: value('related'),
    relationship: value('relationship'),
  })
}

/**
 * Returns the value of `Cache-Control`. `private` wins over `public`, so that no shared cache stores a private
 * response.
 */
function cacheControl(directives: CacheDirectives, isPrivate: boolean): string | null {
  const parts: string[] = []
  if (directives.private === true) parts.push('private')
  else if (directives.public === true) parts.push('public')
  if (directives.no_cache === true) parts.push('no-cache')
  if (directives.max_age !== undefined) parts.push(`max-age=${directives.max_age}`)
  if (directives.s_maxage !== undefined) parts.push(`s-maxage=${directives.s_maxage}`)
  if (directives.must_revalidate === true) parts.push('must-revalidate')
  if (parts.length > 0 && isPrivate && directives.private !== true) parts.unshift('private')
  return parts.length === 0 ? null : parts.join(', ')
}

function names(vary: string | readonly string[] | undefined): readonly string[] {
  return vary === undefined ? [] : typeof vary === 'string' ? vary.split(',').map((name) => name.trim()) : vary
}
