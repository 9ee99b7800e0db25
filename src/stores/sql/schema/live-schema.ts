import type { ColumnType } from './column-type.js'

/** A column of the database. */
export interface LiveColumn {
  readonly name: string
  /** The type as the database spells it, for messages: `character varying(200)`. */
  readonly databaseType: string
  readonly type: ColumnType
  /** The type of the items of an array; absent for other types. */
  readonly items?: ColumnType
  readonly nullable: boolean
  /**
   * Whether an insert may omit the column: it has a default, or is an identity column, a rowid or a generated column.
   */
  readonly hasDefault: boolean
  /** How the database generates the values of a column that cannot be written; absent for other columns. */
  readonly generated?: 'expression' | 'identity'
  /** The labels of an enumeration type; absent for other types. */
  readonly labels?: readonly string[]
}

export interface LiveIndex {
  readonly name: string
  /** The indexed columns in order, with null for each expression. */
  readonly columns: readonly (string | null)[]
  readonly unique: boolean
  /** Whether it covers only some rows, as one with a `where` clause. */
  readonly partial: boolean
  /**
   * Whether uniqueness may be checked at the end of the transaction only, so that `on conflict` cannot refer to the
   * index.
   */
  readonly deferrable: boolean
  /** The columns that its expressions use. */
  readonly expressed: readonly string[]
  /**
   * Whether the first column is ordered by code points, as the store sorts texts. True for types without a collation.
   */
  readonly sortsTexts: boolean
}

export interface LiveForeignKey {
  readonly name: string | null
  readonly columns: readonly string[]
  readonly table: string
  /** The schema of that table; null for the schema of the foreign key. */
  readonly schema: string | null
  readonly references: readonly string[]
  /**
   * Whether the database has checked all rows, and a connection sees each row that a row refers to: no policy of the database hides it.
   * Absent if that is not known.
   */
  readonly isChecked?: boolean
}

/** A table or a view of the database. */
export interface LiveTable {
  readonly name: string
  readonly schema: string | null
  /** Whether it cannot have indexes: a view that is not materialized, or a foreign table. */
  readonly isView: boolean
  /**
   * Whether triggers may change a written row after `returning` has read it. True for tables of SQLite whose triggers
   * name the table: a trigger there changes its row by another statement.
   */
  readonly changesAfterReturning: boolean
  /** Whether triggers may change the values of a row before it is stored: `before` and `instead of` triggers of PostgreSQL. */
  readonly changesBeforeStoring: boolean
  readonly columns: readonly LiveColumn[]
  /** Empty if there is no primary key. */
  readonly primaryKey: readonly string[]
  /** All indexes, including those of constraints and of the primary key. */
  readonly indexes: readonly LiveIndex[]
  readonly foreignKeys: readonly LiveForeignKey[]
  /** The definitions of virtual tables that index texts of the table, and of triggers; absent without any. */
  readonly searchObjects?: readonly string[]
  /** The columns that store the words of texts for searches. They are not among the columns; absent without any. */
  readonly searchColumns?: readonly string[]
}

/** The name of a table. Without a schema, the first table of that name that the connection finds. */
export interface TableName {
  readonly schema: string | null
  readonly name: string
}

/** A table of the database, with the name by which it was requested. */
export interface FoundTable {
  readonly requestedName: TableName
  readonly table: LiveTable
}
