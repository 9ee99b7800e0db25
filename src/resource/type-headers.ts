import type { CacheDirectives, ReadShape } from './cache-headers.js'
import type { CompiledType } from './compiled-type.js'

/** The headers that a type puts on its responses, worked out once. Names and values by turns. */
export interface TypeHeaders {
  /** On every response of the type, errors included (RFC 8594). */
  readonly always: readonly string[]
  /** On successful reads. */
  readonly cacheControl: Readonly<Record<ReadShape, string | null>>
  readonly vary: Readonly<Record<ReadShape, readonly string[]>>
}

export function typeHeaders({ deprecation, sunset, sunsetLink, cacheHeaders }: CompiledType): TypeHeaders {
  const shaped = (shape: ReadShape): CacheDirectives => ({ ...cacheHeaders, ...cacheHeaders?.operations?.[shape] })
  return Object.freeze({
    always: Object.freeze([
      ...(deprecation === null ? [] : ['Deprecation', deprecation]),
      ...(sunset === null ? [] : ['Sunset', sunset]),
      ...(sunset === null || sunsetLink === null ? [] : ['Link', `<${sunsetLink}>; rel="sunset"`]),
    ]),
    cacheControl: forEachShape((shape) => cacheControl(shaped(shape))),
    vary: forEachShape((shape) => {
      const own = cacheHeaders?.operations?.[shape]?.vary
      return Object.freeze([...new Set([...names(cacheHeaders?.vary), ...names(own)])])
    }),
  })
}

function forEachShape<T>(value: (shape: ReadShape) => T): Readonly<Record<ReadShape, T>> {
  return Object.freeze({
    collection: value('collection'),
    read: value('read'),
    related: value('related'),
    relationship: value('relationship'),
  })
}

/** `private` wins over `public`: what one person may see is not for everybody. */
function cacheControl(directives: CacheDirectives): string | null {
  const parts: string[] = []
  if (directives.private === true) parts.push('private')
  else if (directives.public === true) parts.push('public')
  if (directives.no_cache === true) parts.push('no-cache')
  if (directives.max_age !== undefined) parts.push(`max-age=${directives.max_age}`)
  if (directives.s_maxage !== undefined) parts.push(`s-maxage=${directives.s_maxage}`)
  if (directives.must_revalidate === true) parts.push('must-revalidate')
  return parts.length === 0 ? null : parts.join(', ')
}

function names(vary: string | readonly string[] | undefined): readonly string[] {
  return vary === undefined ? [] : typeof vary === 'string' ? vary.split(',').map((name) => name.trim()) : vary
}
