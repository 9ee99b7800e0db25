/** What the statements of an engine can do. Where they cannot, the store takes another way to the same result. */
export interface Capabilities {
  /** Whether a write returns the rows that it wrote. If not, they are read in the same transaction. */
  readonly returnRows: boolean
  /** Whether an insert returns the rows that it wrote, if other writes do not. */
  readonly returnInserted: boolean
  /** Whether `returning` may name the alias of the written table. */
  readonly returnByAlias: boolean
  /**
   * How null becomes the largest value of an order: it already is, a clause makes it so, or a key is sorted by first that
   * is greater for nulls.
   */
  readonly orderNulls: 'asLargest' | 'byClause' | 'byKey'
  /**
   * Which comparisons of row values, `(a, b) = (…)`, use an index on the columns: also ranges, only equality, or none.
   * Without them, columns are compared one by one.
   */
  readonly compareRows: 'ranges' | 'equality' | 'never'
  /** Whether sorted parts of a `union all` are merged, so that reading ends at the limit. */
  readonly mergeSortedParts: boolean
  /** Whether a column holds only values of its type. SQLite stores any value in any column, and instants as texts. */
  readonly typeColumns: boolean
  /** Whether UUIDs have a type, which has one text for each. */
  readonly typeUuids: boolean
  /** Whether a write to a view counts the rows that triggers write instead. */
  readonly countViewWrites: boolean
  /** Whether a transaction can continue after a refused statement, without a savepoint. */
  readonly continueAfterErrors: boolean
  /** Whether transactions that write run at the same time, each on a connection of its own. */
  readonly writeConcurrently: boolean
}
