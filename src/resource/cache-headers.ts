/** Directives of `Cache-Control`, and what else the answer varies on. */
export interface CacheDirectives {
  readonly max_age?: number
  readonly s_maxage?: number
  readonly public?: boolean
  readonly private?: boolean
  readonly no_cache?: boolean
  readonly must_revalidate?: boolean
  readonly vary?: string | readonly string[]
}

/** The shapes of a read that may differ in what caches may do. */
export type ReadShape = 'collection' | 'read' | 'related' | 'relationship'

/** Declarative `Cache-Control` and `Vary` for successful GET reads. */
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
