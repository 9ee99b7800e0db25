import type { RawBuilder } from 'kysely'
import type { Sentence } from '../../../errors/sentence.js'
import type { SqlResult } from '../driver/sql-statement.js'
import type { TableName } from '../schema/live-schema.js'
import type { StatementShape } from '../statement/statement-shape.js'

/** Runs a statement that reads the catalogue, to find the cause of a refused write. */
export type ReadCatalogue = (build: (shape: StatementShape) => () => RawBuilder<unknown>) => Promise<SqlResult>

/** A value of a refused row, by the name of its column, as the text that the driver sends. */
export interface SentText {
  readonly name: string
  readonly text: string
}

/** How an engine reports violated constraints, as far as its errors do not say it. */
export interface ConstraintRules {
  /** The schema of a reported table that is a partition of the written table, or behind a view; null if there is none. */
  readonly schemaBehind: (written: TableName, reported: string, read: ReadCatalogue) => Promise<string | null>
  /** Whether a table has a constraint, or a unique index, of a name. */
  readonly has: (constraint: string, table: TableName, read: ReadCatalogue) => Promise<boolean>
  /** The names of the columns of a constraint; null if the engine has no names of foreign keys, and does not list the columns. */
  readonly columnsOf:
    | ((constraint: string | null, table: TableName, read: ReadCatalogue) => Promise<readonly string[]>)
    | null
  /** The text of a check constraint. */
  readonly checkText: (constraint: string, table: TableName, read: ReadCatalogue) => Promise<string>
  /** The columns whose values do not fit, each with a sentence about the allowed values; an empty list if that is unknown. */
  readonly invalidValues: (
    table: { readonly schema: string | null; readonly name: string },
    sent: readonly SentText[],
    read: ReadCatalogue,
  ) => Promise<readonly { readonly name: string; readonly allowed: Sentence | null }[]>
}
