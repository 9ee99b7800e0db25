import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { TableName } from '../schema/live-schema.js'

/** Returns the SQL identifier of a table. */
export function tableReference({ schema, name }: TableName): RawBuilder<unknown> {
  return schema === null ? sql.id(name) : sql.id(schema, name)
}
