/**
 * The kind of a database error, the same for both engines. Tables, columns and constraints have their names in the
 * database.
 */
export type SqlFault =
  /**
   * A unique constraint was violated. `columns` is null if the engine does not report them. PostgreSQL reports the
   * constraint too.
   */
  | {
      readonly kind: 'unique'
      readonly table: string | null
      readonly columns: readonly string[] | null
      readonly constraint: string | null
      readonly raisedAs?: string
    }
  /**
   * A row refers to a missing row (insert, update), or is still referred to (delete). Which one depends on the
   * statement.
   */
  | {
      readonly kind: 'foreignKey'
      readonly table: string | null
      readonly constraint: string | null
      readonly raisedAs?: string
    }
  | { readonly kind: 'notNull'; readonly table: string | null; readonly column: string | null }
  | {
      readonly kind: 'check'
      readonly table: string | null
      readonly constraint: string | null
      /** The name of the constraint, if `raise exception` of a trigger gave it: the table need not have it. */
      readonly raisedAs?: string
      /** The columns that choose the partition, if there is no partition for the row. */
      readonly partitionedBy?: readonly string[]
    }
  /** A value does not fit its column: it is too long, too large, or of another type. */
  | { readonly kind: 'value' }
  /** A trigger or a function of the database refused the statement. */
  | { readonly kind: 'raised' }
  /** The database user lacks a privilege. */
  | { readonly kind: 'forbidden' }
  /** The transaction conflicted with another one and may be retried. */
  | { readonly kind: 'conflict' }
  /** An earlier statement of the transaction has failed, so that it runs no more. */
  | { readonly kind: 'aborted' }
  /** The statement exceeded a time limit. */
  | { readonly kind: 'timeout' }
  /** The statement was cancelled because the client disconnected. */
  | { readonly kind: 'cancelled' }
  /** There is no connection, or it was lost. */
  | { readonly kind: 'unavailable' }
  /** Any other error, such as a missing table. */
  | { readonly kind: 'other' }
