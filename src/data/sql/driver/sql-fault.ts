/** What a database says when it refuses, in words that both engines share. Names are those of the database. */
export type SqlFault =
  /** `columns` where the engine tells them; PostgreSQL tells the constraint too. */
  | {
      readonly kind: 'unique'
      readonly table: string | null
      readonly columns: readonly string[] | null
      readonly constraint: string | null
    }
  /** A row points at none (insert, update), or is still pointed at (delete): which, the statement tells. */
  | { readonly kind: 'foreignKey'; readonly table: string | null; readonly constraint: string | null }
  | { readonly kind: 'notNull'; readonly table: string | null; readonly column: string | null }
  | { readonly kind: 'check'; readonly table: string | null; readonly constraint: string | null }
  /** A value that its column cannot hold: too long, too large, not of the type. */
  | { readonly kind: 'value' }
  /** Met another transaction: the work may be run again. */
  | { readonly kind: 'conflict' }
  /** Ran longer than it may. */
  | { readonly kind: 'timeout' }
  /** Stopped because nobody waits for the answer any more. */
  | { readonly kind: 'cancelled' }
  /** No connection, or none any more. */
  | { readonly kind: 'unavailable' }
  /** Anything else, such as a table that is not there. */
  | { readonly kind: 'other' }
