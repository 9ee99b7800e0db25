import type { SchemaColumn } from '../../../stores/sql/schema/database-schema.js'

/**
 * Returns the TypeScript type of a key in rows. Instants are texts with all their digits, and integers of eight bytes are a `bigint` where
 * a number is not exact.
 */
export function keyRowType({ type }: SchemaColumn): string {
  switch (type) {
    case 'integer':
      return 'number'
    case 'bigint':
      return 'number | bigint'
    case 'boolean':
      return 'boolean'
    default:
      return 'string'
  }
}

/** Returns whether a column of a key is declared as text: a `Date` would lose digits of the id. */
export function isTextKey({ type }: SchemaColumn): boolean {
  return type === 'instant' || type === 'timestamp'
}
