import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SqlColumn } from './sql-table.js'

/** Returns the SQL for a column in a statement that refers to its table by an alias. */
export function columnReference({ name, expression }: SqlColumn, alias: string): RawBuilder<unknown> {
  return expression === null ? sql.id(alias, name) : expression(alias)
}

/**
 * Returns the SQL that reads a column into rows. A column that attributes show as text is read as the text that the
 * database displays. SQLite would convert bytes and infinite numbers too, which filters would not find: they stay as
 * they are, and are not shown.
 */
export function selectedReference(column: SqlColumn, alias: string | null): RawBuilder<unknown> {
  const reference = alias === null ? sql.id(column.name) : columnReference(column, alias)
  if (column.readAsText === null) return reference
  return column.readAsText === 'postgres'
    ? sql`${reference}::text`
    : sql`case when typeof(${reference}) = 'blob' or ${reference} in (9e999, -9e999) then ${reference} else cast(${reference} as text) end`
}
