/** The directives of `Cache-Control`, and further request headers for `Vary`. See {@link CacheHeaders}. */
export interface CacheDirectives {
  readonly max_age?: number
  readonly s_maxage?: number
  readonly public?: boolean
  readonly private?: boolean
  readonly no_cache?: boolean
  readonly must_revalidate?: boolean
  readonly vary?: string | readonly string[]
}

/** The kinds of reads that may have different cache directives. */
export type ReadShape = 'collection' | 'read' | 'related' | 'relationship'

/**
 * The `Cache-Control` and `Vary` headers of successful GET requests. For one kind of read, `operations` overrides the
 * directives and adds to `vary`.
 *
 * @example
 * ```ts
 * const cacheHeaders: ResourceMetadata['cacheHeaders'] = {
 *   public: true,
 *   max_age: 60,
 *   vary: 'Accept-Language',
 *   operations: { collection: { max_age: 10 } },
 * }
 * const cached = albums.with({ cacheHeaders })
 * ```
 */
export interface CacheHeaders extends CacheDirectives {
  readonly operations?: { readonly [Shape in ReadShape]?: CacheDirectives }
}

export const cacheDirectives: readonly (keyof CacheDirectives)[] = Object.freeze([
  'max_age',
  's_maxage',
  'public',
  'private',
  'no_cache',
  'must_revalidate',
  'vary',
])

export const readShapes: readonly ReadShape[] = Object.freeze(['collection', 'read', 'related', 'relationship'])
