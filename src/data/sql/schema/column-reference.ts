import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SqlColumn } from './sql-table.js'

/** Returns the SQL for a column in a statement that refers to its table by an alias. */
export function columnReference({ name, expression }: SqlColumn, alias: string): RawBuilder<unknown> {
  return expression === null ? sql.id(alias, name) : expression(alias)
}
