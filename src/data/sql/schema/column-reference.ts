import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SqlColumn } from './sql-table.js'

/** A column in a statement, by what its table is called there. */
export function columnReference({ name, expression }: SqlColumn, alias: string): RawBuilder<unknown> {
  return expression === null ? sql.id(alias, name) : expression(alias)
}
