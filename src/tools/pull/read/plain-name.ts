import type { SchemaTable } from '../../../stores/sql/schema/database-schema.js'

export type NamedTable = Pick<SchemaTable, 'name' | 'schema' | 'isQualified'>

/** Returns the name of a table without its schema, which is a part of the name if several schemas are pulled. */
export function plainName({ name, schema, isQualified }: NamedTable): string {
  return isQualified && schema !== null ? name.slice(schema.length + 1) : name
}
