/**
 * A difference between a declaration and the database, with which the store can work. The application may waive it by
 * its name.
 */
export interface SqlFinding {
  /** The kind of the finding and the declaration that it is about: `unique-index:albums.title`. */
  readonly name: string
  readonly sentence: string
}

/**
 * The kinds of findings.
 *
 * - `column-kind`: the kind of an attribute does not fit the type of its column.
 * - `generated-column`: a value is written to a column that the database generates.
 * - `enum-values`: an attribute allows values that the enumeration type of its column does not have.
 * - `key-kind`: ids, or the keys of a relation, do not fit the type of their column.
 * - `key-digits`: ids would lose digits of their column.
 * - `key-source`: nothing sets the key of new rows.
 * - `unique-key`: several rows may have the same id.
 * - `key-index`, `unique-index`, `relation-index`, `member-index`, `sort-index`, `search-index`: an index is missing.
 * - `collation`: the database takes different texts of a column for the same.
 */
type FindingKind =
  | 'column-kind'
  | 'generated-column'
  | 'enum-values'
  | 'key-kind'
  | 'key-digits'
  | 'key-source'
  | 'unique-key'
  | 'key-index'
  | 'unique-index'
  | 'relation-index'
  | 'member-index'
  | 'sort-index'
  | 'search-index'
  | 'collation'

/** Creates a finding about a type, or about a member of it: `albums.title`. */
export function finding(kind: FindingKind, subject: string, sentence: string): SqlFinding {
  return { name: `${kind}:${subject}`, sentence }
}
