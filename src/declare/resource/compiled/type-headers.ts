import type { CacheDirectives, CacheHeaders, ReadShape } from '../parts/cache-headers.js'
import type { CompiledType } from './compiled-type.js'

/** The headers of all types of a server, unless a type declares its own. */
export interface HeaderDefaults {
  readonly cacheHeaders?: CacheHeaders | undefined
  readonly deprecation?: boolean | string | undefined
  readonly sunset?: string | undefined
  readonly sunsetLink?: string | undefined
}

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
 * Returns the headers of a type. Directives of one kind of read override those of the type, and these the defaults. The
 * names in `vary` are combined.
 *
 * @param isPrivate whether responses are for one caller, so that no shared cache may store them
 */
export function typeHeaders(
  { deprecation, sunset, sunsetLink, cacheHeaders }: CompiledType,
  isPrivate: boolean,
  defaults: HeaderDefaults,
): TypeHeaders {
  const layersOf = (shape: ReadShape): readonly (CacheDirectives | undefined | null)[] =>
    [defaults.cacheHeaders, cacheHeaders].flatMap((each) => [each, each?.operations?.[shape]])
  return Object.freeze({
    always: Object.freeze([
      ...deprecationHeaders(deprecation === false ? {} : defaults, { deprecation, sunset, sunsetLink }),
    ]),
    cacheControl: byReadShape((shape) => cacheControl(Object.assign({}, ...layersOf(shape)), isPrivate)),
    vary: byReadShape((shape) => Object.freeze([...new Set(layersOf(shape).flatMap((each) => names(each?.vary)))])),
  })
}

/** Whether a type adds headers to some of its responses. */
export function hasHeaders(headers: TypeHeaders): boolean {
  if (headers.always.length > 0 || Object.values(headers.cacheControl).some((value) => value !== null)) return true
  return Object.values(headers.vary).some(({ length }) => length > 0)
}

/** Returns the headers of responses that belong to no type, such as those of batches. */
export function serverHeaders(defaults: HeaderDefaults): readonly string[] {
  return Object.freeze(deprecationHeaders(defaults, { deprecation: null, sunset: null, sunsetLink: null }))
}

/** RFC 8594. The link is sent with a date only. */
function deprecationHeaders(
  defaults: HeaderDefaults,
  declared: Pick<CompiledType, 'deprecation' | 'sunset' | 'sunsetLink'>,
): string[] {
  const deprecation = declared.deprecation ?? deprecationText(defaults.deprecation)
  const sunset = declared.sunset ?? defaults.sunset
  const link = declared.sunsetLink ?? defaults.sunsetLink
  return [
    ...(typeof deprecation === 'string' ? ['Deprecation', deprecation] : []),
    ...(sunset === undefined ? [] : ['Sunset', sunset]),
    ...(sunset === undefined || link === undefined ? [] : ['Link', `<${link}>; rel="sunset"`]),
  ]
}

/** Returns `false` if it is declared as not deprecated, and `null` if nothing is declared. */
export function deprecationText(declared: unknown): string | false | null {
  if (typeof declared === 'boolean') return declared && 'true'
  return typeof declared === 'string' ? declared : null
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
 * Returns the value of `Cache-Control`. `private` overrides `public`, so that no shared cache stores a private
 * response.
 */
function cacheControl(directives: CacheDirectives, isPrivate: boolean): string | null {
  const parts: string[] = []
  // Defaults of the server may let shared caches store responses, but some types are not public.
  const isShared = !isPrivate && directives.private !== true
  if (directives.private === true) parts.push('private')
  else if (directives.public === true && isShared) parts.push('public')
  if (directives.no_cache === true) parts.push('no-cache')
  if (directives.max_age !== undefined) parts.push(`max-age=${directives.max_age}`)
  if (directives.s_maxage !== undefined && isShared) parts.push(`s-maxage=${directives.s_maxage}`)
  if (directives.must_revalidate === true) parts.push('must-revalidate')
  if (parts.length > 0 && isPrivate && directives.private !== true) parts.unshift('private')
  return parts.length === 0 ? null : parts.join(', ')
}

function names(vary: string | readonly string[] | undefined): readonly string[] {
  return vary === undefined ? [] : typeof vary === 'string' ? vary.split(',').map((name) => name.trim()) : vary
}
