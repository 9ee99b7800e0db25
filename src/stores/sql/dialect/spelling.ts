import type { RawBuilder } from 'kysely'
import type { ColumnType } from '../schema/column-type.js'
import type { SqlColumn } from '../schema/sql-table.js'
import type { StatementShape } from '../statement/statement-shape.js'

/** A lock of the rows that a statement reads: against changes, only against deletion, or of rows that have no lock. */
export type RowLock = 'update' | 'key share' | 'update skip locked'

/** A search for a text in a text. */
export interface TextSearch {
  readonly operator: 'like' | 'starts' | 'ends'
  readonly value: string
}

type Expression = RawBuilder<unknown>

/** The spelling of parts of statements. */
export interface Spelling {
  /** Casts the expression of a computed column to its type. */
  readonly cast: (expression: Expression, type: ColumnType) => Expression
  /** Casts a key to text. */
  readonly asText: (expression: Expression) => Expression
  /** A parameter with the type that it has in the database. */
  readonly parameter: (slot: unknown, type: string | null) => Expression
  /** A column as the text that the database displays. */
  readonly displayed: (reference: Expression) => Expression
  /** An instant as ISO text with all its digits; null if the engine has no more digits than a `Date`. */
  readonly isoText: ((reference: Expression, type: ColumnType) => Expression) | null
  /**
   * A text that is compared and sorted by code points.
   *
   * @param isExact whether it is a column that the database compares so: then an index of it can be used
   */
  readonly byCodePoints: (text: Expression, isExact: boolean) => Expression
  /** A key in an order by code points, unless columns have that order anyway. */
  readonly keyInOrder: (column: Expression, type: ColumnType) => Expression
  /** Begins with a space; empty if transactions that write need no locks. */
  readonly lock: (lock: RowLock) => Expression
  /** The limit that keeps a sorted query from being merged with the limited query in it; empty if none is needed. */
  readonly unlimited: Expression
  readonly exists: (query: Expression) => RawBuilder<boolean>
  /** The same for a query by a unique key, in an expression that is selected: the key is looked up for each row that is returned. */
  readonly existsByKey: (query: Expression) => RawBuilder<boolean>
  /** Whether a value differs from a new one, where two nulls are the same. */
  readonly differs: (column: Expression, value: unknown) => Expression
  /** Binds a search that ignores the case of ASCII letters. Returns the condition on a text. */
  readonly textSearch: (search: TextSearch, shape: StatementShape) => (text: Expression) => RawBuilder<boolean>
  /** How stored values with more digits than attributes show are compared; null if the engine has none. */
  readonly finer: FinerSpelling | null
  /** A value that fails when it is computed, which undoes the statement. It is computed for a row, so it contains a column of it. */
  readonly failure: (column: Expression) => Expression
  /** The part of an insert that lets given keys replace those which the database generates. Ends with a space. */
  readonly givenKeys: Expression
  /** The source of an insert that sets no column. */
  readonly defaultRow: Expression
  /**
   * The part of an insert that updates, or else skips, a row with the same values in a unique index; null if the engine cannot
   * do so for one index only.
   */
  readonly onConflict: ((unique: readonly string[], changed: readonly string[]) => Expression) | null
  /** How one parameter holds any number of rows to write; null if each value is a parameter. */
  readonly boundRows: BoundRowsSpelling | null
  /** Rows of parameters as a table with the alias `given`: what precedes the statement, and the item of its `from` clause. */
  readonly valueRows: (
    columns: readonly string[],
    rows: readonly (readonly unknown[])[],
  ) => { readonly before: Expression; readonly from: Expression }
  /** An update by other rows. */
  readonly updateFrom: (update: UpdateFrom) => Expression
  /** A deletion of the rows that meet a condition on the alias. */
  readonly deleteFrom: (deletion: AliasedRows) => Expression
  /** A deletion of the rows whose keys a query finds in the same table. */
  readonly deleteFound: (deletion: FoundRows) => Expression
  /** How the sequences of keys are read and moved; null if the engine has none, or never generates a key that is taken. */
  readonly sequence: SequenceSpelling | null
}

/** Rows of a table that meet a condition. */
export interface AliasedRows {
  readonly target: Expression
  readonly alias: string
  readonly condition: Expression
}

export interface UpdateFrom extends AliasedRows {
  /** The names of columns, with their new values. */
  readonly changes: readonly (readonly [column: string, value: Expression])[]
  /** The item of the `from` clause. */
  readonly from: Expression
}

export interface FoundRows {
  readonly target: Expression
  readonly keys: readonly string[]
  /** Selects the keys. */
  readonly found: Expression
}

/** Rows that one parameter holds. */
export interface BoundRowsSpelling {
  /** The parameter value; null if a value cannot be written without the risk of a change. */
  readonly valueOf: <Row>(
    columns: readonly SqlColumn[],
    rows: readonly Row[],
    read: (row: Row, column: SqlColumn) => unknown,
  ) => string | null
  /** The rows, with the columns of a table and the alias `given`; if asked for, numbered in the column `ordinality`. */
  readonly from: (table: Expression, rows: unknown, isNumbered?: boolean) => Expression
  /**
   * An insert of the rows that fails, and so undoes itself, unless it stored all rows with keys that can be matched with
   * the given rows; null if a statement cannot do that.
   */
  readonly checkedInsert: CheckedInsertSpelling | null
}

export interface SequenceSpelling {
  /** Binds the condition that the values of a column come from a sequence. */
  readonly isUsed: (key: SequenceKey, shape: StatementShape) => Expression
  /**
   * Binds the statement that moves a sequence to the end of the consecutive keys that are taken. It does not move past the largest key: a
   * client that chooses the largest possible key would then use up all keys. Other transactions may have moved the sequence further in the
   * meantime, so its last value is read again when it is set.
   */
  readonly advance: (key: SequenceKey, rows: Expression, shape: StatementShape) => () => Expression
}

/** A column with generated keys. */
export interface SequenceKey {
  readonly table: { readonly schema: string | null; readonly name: string }
  readonly column: string
}

export interface CheckedInsertSpelling {
  /** A part of the error message if the insert has failed because of its checks. */
  readonly failure: string
  readonly write: (insert: CheckedInsert, shape: StatementShape) => () => Expression
}

/** The parts of a checked insert. */
export interface CheckedInsert {
  readonly into: Expression
  /** The bound rows, and their number. */
  readonly rows: unknown
  readonly count: unknown
  readonly columns: readonly string[]
  readonly returned: readonly string[]
  /** The condition that the rows exist which the new ones refer to. */
  readonly references: () => Expression
  /** The condition on an alias that a stored row must meet; null for none. */
  readonly meets: ((alias: string) => Expression) | null
  /** The key, if the database generates it; else the condition on an alias that a row has one of the given keys, and their number. */
  readonly keys:
    | { readonly kind: 'generated'; readonly key: SequenceKey }
    | {
        readonly kind: 'given'
        readonly column: string
        readonly isGiven: (alias: string) => Expression
        readonly count: unknown
      }
}

/** The comparison of shown values with stored values that have more digits. */
export interface FinerSpelling {
  /** The last instant that is shown as the given millisecond. */
  readonly endOfMillisecond: (value: Expression) => Expression
  readonly asDouble: (value: Expression) => Expression
  /** The condition that a value of a bound list meets a condition. */
  readonly hasValue: (
    list: unknown,
    type: string,
    meets: (value: Expression) => RawBuilder<boolean>,
  ) => RawBuilder<boolean>
}

/** How lists are bound as one parameter, and how list columns are read. */
export interface ListSpelling {
  /** The parameter value of a list. */
  readonly value: (values: readonly unknown[]) => unknown
  readonly contains: (list: unknown, type: string, value: Expression) => RawBuilder<boolean>
  /** The members of a JSON list of JSON lists, as rows. `item` is one of them. */
  readonly rows: (list: unknown) => { readonly from: Expression; readonly item: Expression }
  /** A member of a JSON list by its position, as a value of a type. */
  readonly item: (list: Expression, index: number, type: string) => Expression
  /** The members of a list column as rows of an alias. A single value counts as a list of it. */
  readonly members: (list: Expression, alias: string) => Expression
  readonly memberText: (alias: string) => Expression
  /** A member that is a number; null for other members. */
  readonly memberNumber: (alias: string) => Expression
  /** The value to compare a member with, by the text of a number. */
  readonly number: (text: string) => unknown
  /** Binds a condition on columns with a list type of the database; null if the engine has no such types. */
  readonly overlaps: ((list: BoundOverlap, shape: StatementShape) => (reference: Expression) => Expression) | null
}

/** A list column, and the values of which it must have one. */
export interface BoundOverlap {
  readonly items: ColumnType | null
  readonly isRounded: boolean
  readonly values: readonly unknown[]
}
