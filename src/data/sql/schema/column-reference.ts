import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SqlColumn } from './sql-table.js'

/**
 * Returns the SQL for a column in a statement that refers to its table by an alias. A composite key is a row value,
 * which both engines compare by an index on its columns.
 */
export function columnReference({ name, expression, parts }: SqlColumn, alias: string): RawBuilder<unknown> {
  if (parts !== undefined) return sql`(${sql.join(parts.map((part) => comparedPart(part, alias)))})`
  return expression === null ? sql.id(alias, name) : expression(alias)
}

/** A type that only the database knows is compared as text, as that of a key of one column. */
function comparedPart(part: SqlColumn, alias: string): RawBuilder<unknown> {
  return part.type === 'other' ? sql`cast(${sql.id(alias, part.name)} as text)` : sql.id(alias, part.name)
}
