/** Where an error of a code may point. `none` beside another kind means that the pointer is given when it is known. */
export type SourceKind = 'none' | 'pointer' | 'parameter' | 'header'

/** The capability a server must have before a code can occur, and so before its OpenAPI document lists the code. */
export type ErrorFeature =
  | 'always'
  | 'write'
  | 'clientIds'
  | 'strictMembers'
  | 'preconditions'
  | 'cursor'
  | 'menu'
  | 'countable'
  | 'atomic'
  | 'developmentValidators'

/** What the catalogue knows of one code. `title` and `detail` are templates over the names in `context`. */
export interface CatalogueEntry {
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly source: readonly SourceKind[]
  readonly context: readonly string[]
  readonly feature: ErrorFeature
  /** One line for the documentation: the condition that raises the code. */
  readonly when: string
}

/** The codes of one subject, by code. */
export interface CatalogueEntries {
  readonly [code: string]: CatalogueEntry
}
