import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'

/** Returns the SQL identifier of a table. */
export function tableReference({
  schema,
  name,
}: {
  readonly schema: string | null
  readonly name: string
}): RawBuilder<unknown> {
  return schema === null ? sql.id(name) : sql.id(schema, name)
}
