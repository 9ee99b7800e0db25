import type { ColumnType } from './column-type.js'

/** A column as the database has it. */
export interface LiveColumn {
  readonly name: string
  /** As the database spells it, for messages: `character varying(200)`. */
  readonly databaseType: string
  readonly type: ColumnType
  readonly nullable: boolean
  /** Whether a new row needs no value: a default, an identity, a rowid, or generated. */
  readonly hasDefault: boolean
}

export interface LiveIndex {
  readonly name: string
  /** Plain columns in order; an expression counts as `null`. */
  readonly columns: readonly (string | null)[]
  readonly unique: boolean
  /** Whether it covers only some rows. */
  readonly partial: boolean
  /** Whether it may judge at the end of a transaction only, so that no insert can name it. */
  readonly deferrable: boolean
  /** The columns that its expressions are about. */
  readonly expressed: readonly string[]
  /** Whether what it begins with is in the order of code points, as texts are sorted; so is what has no collation. */
  readonly sortsTexts: boolean
}

export interface LiveForeignKey {
  readonly name: string | null
  readonly columns: readonly string[]
  readonly table: string
  readonly references: readonly string[]
}

/** A table or a view as the database has it. */
export interface LiveTable {
  readonly name: string
  readonly schema: string | null
  /** Whether it can have no indexes of its own: a view that is not materialised, a table of another server. */
  readonly isView: boolean
  readonly columns: readonly LiveColumn[]
  /** Empty where there is none. */
  readonly primaryKey: readonly string[]
  /** Those of constraints and of the primary key too. */
  readonly indexes: readonly LiveIndex[]
  readonly foreignKeys: readonly LiveForeignKey[]
}

/** Names a table; without a schema, the one that the connection finds first. */
export interface TableName {
  readonly schema: string | null
  readonly name: string
}
