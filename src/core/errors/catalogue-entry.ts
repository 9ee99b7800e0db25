/**
 * The kind of `source` that errors of a code have. `none` together with another kind means that the source may be
 * absent.
 */
export type SourceKind = 'none' | 'pointer' | 'parameter' | 'header'

/**
 * The feature that a server must use before a code can occur. Without it, the OpenAPI document does not list the code.
 */
export type ErrorFeature =
  | 'always'
  | 'write'
  | 'clientIds'
  | 'strictMembers'
  | 'preconditions'
  | 'overload'
  | 'rateLimit'
  | 'queryCost'
  | 'idempotency'
  | 'replicas'
  | 'cursor'
  | 'search'
  | 'menu'
  | 'countable'
  | 'estimate'
  | 'atomic'
  | 'bytes'
  | 'developmentValidators'

/** The catalogue entry of one code. `title` and `detail` are templates with the names of `context` as placeholders. */
export interface CatalogueEntry {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly source: readonly SourceKind[]
  readonly context: readonly string[]
  readonly feature: ErrorFeature
  /** The condition under which the code occurs, for the documentation. */
  readonly when: string
}

/** The entries of one subject, by code. */
export interface CatalogueEntries {
  readonly [code: string]: CatalogueEntry
}
