import { sql } from 'kysely'
import { keyValues } from '../../../resource/key-columns.js'
import type { RelationKey } from '../../../resource/relations/relation-spec.js'
import type { SqlDialect } from '../dialect/dialect.js'
import { keyColumns } from '../query/join-pair.js'
import type { Operand } from '../dialect/operand.js'
import type { Binding } from '../query/statement-build.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { KeyCondition } from './key-condition.js'
import { hasKey, keyOperand } from './key-condition.js'

/** The columns of a row that refer to its owner, with their values. */
export interface OwnerKey {
  readonly columns: readonly SqlColumn[]
  readonly values: ReadonlyMap<SqlColumn, unknown>
  /** The operands to compare the columns with; `null` if a column cannot hold its value. */
  readonly operands: readonly (readonly [SqlColumn, Operand])[] | null
}

/** The key of an owner, and the value of a type column that refers to it. */
export interface Owner {
  readonly storedType: string
  readonly key: unknown
}

/** Returns the columns of a table that refer to an owner. */
export function ownerKeyOf(
  table: SqlTable,
  key: RelationKey,
  { storedType, key: value }: Owner,
  dialect: SqlDialect,
): OwnerKey {
  const columns = keyColumns(table, key)
  const all = { ...keyValues(key.id, value), ...(key.type === null ? {} : { [key.type]: storedType }) }
  const values = new Map(columns.map((column) => [column, all[column.property]]))
  const operands = [...values].map(([column, each]) => [column, keyOperand(column, each, dialect)] as const)
  const isPossible = operands.every((each): each is readonly [SqlColumn, Operand] => each[1] !== null)
  return { columns, values, operands: isPossible ? operands : null }
}

/** Returns the condition that a row refers to the owner. */
export function hasOwnerKey(operands: NonNullable<OwnerKey['operands']>, binding: Binding): KeyCondition {
  const conditions = operands.map(([column, operand]) => hasKey(column, operand, binding))
  return (alias) =>
    sql.join(
      conditions.map((condition) => condition(alias)),
      sql` and `,
    )
}
