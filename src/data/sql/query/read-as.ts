import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { ComparedAs } from '../../../resource/fields/value-kind.js'
import type { ReadColumn } from '../dialect/operand.js'
import type { ColumnType } from '../schema/column-type.js'

/** Converts text to a boolean like the codec: SQLite stores a boolean as `1` in a text column. */
export function booleanIn(reference: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case lower(trim(${reference})) when 'true' then 1 when '1' then 1 when 'false' then 0 when '0' then 0 end`
}

export const numericTypes: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'number', 'real', 'decimal'])

export const momentTypes: ReadonlySet<ColumnType> = new Set([
  'instant',
  'timestamp',
  'epochSeconds',
  'epochMilliseconds',
  'date',
  'time',
])

/** Returns whether a column is compared without a conversion. Otherwise some of its values may not be convertible. */
export function isComparedDirectly(
  as: ComparedAs | 'key',
  { type, isUniform }: Pick<ReadColumn, 'type' | 'isUniform'>,
): boolean {
  switch (as) {
    case 'number':
      return numericTypes.has(type) && (isUniform || type === 'decimal')
    case 'boolean':
      return type !== 'text'
    case 'moment':
      return momentTypes.has(type) && isUniform
    default:
      return true
  }
}
