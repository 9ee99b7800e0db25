import { sql } from 'kysely'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowObject } from '../../../resource/fields/field-spec.js'
import { keyIn, keyValues } from '../../../resource/key-columns.js'
import { referenceColumn } from '../../../resource/relations/relation-link.js'
import type { RelationKey } from '../../../resource/relations/relation-spec.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { Operand } from '../dialect/operand.js'
import type { ComparedColumn } from '../query/compared-column.js'
import { comparedColumn } from '../query/compared-column.js'
import { keyColumns } from '../query/join-pair.js'
import { boundList } from '../query/list-values.js'
import { bind, conjunction } from '../query/sql-parts.js'
import type { Binding } from '../query/statement-build.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { columnReference } from '../schema/sql-table.js'
import { areEqual } from '../statement/row-value.js'
import type { KeyCondition } from './sql-writing.js'

/** Converts a key to an operand for a column; `null` if the column cannot hold it, so that no row has it. */
export function keyOperand(column: SqlColumn, key: unknown, dialect: SqlDialect): Operand | null {
  return keyOperands(column, dialect)(key)
}

/** Returns the function that converts keys to operands for a column. */
export function keyOperands(column: SqlColumn, dialect: SqlDialect): (key: unknown) => Operand | null {
  return asKey(column, dialect).operand
}

/** Returns the condition that a column holds a key. */
export function hasKey(column: SqlColumn, operand: Operand, binding: Binding): KeyCondition {
  const compared = asKey(column, binding.dialect)
  binding.shape.addKeyPart(`${compared.name} is`)
  const bound = bind(operand, binding)
  return (alias) => areEqual(compared.read(columnReference(column, alias), operand.fine), bound(), binding.dialect.can)
}

/**
 * Returns the condition that a column holds one of several keys, bound as one list. Skips keys that the column cannot
 * hold.
 */
export function hasOneOfKeys(column: SqlColumn, keys: readonly unknown[], binding: Binding): KeyCondition {
  const compared = asKey(column, binding.dialect)
  const operands = keys.flatMap((key) => compared.operand(key) ?? [])
  binding.shape.addKeyPart(`${compared.name} ${operands.length === 0 ? 'is none' : 'is one'}`)
  if (operands.length === 0) return () => sql`1 = 0`
  const list = boundList(operands, binding)
  return (alias) => list.contains(compared.read(columnReference(column, alias), false))
}

/**
 * Returns the condition that a column holds one of several keys, equal in every character: a collation may treat
 * different texts as equal. The operands have the same type.
 */
export function hasExactlyOneOf(column: SqlColumn, operands: readonly Operand[], binding: Binding): KeyCondition {
  const compared = asKey(column, binding.dialect)
  binding.shape.addKeyPart(`${compared.name} is exactly one`)
  const list = boundList(operands, binding)
  return (alias) => {
    const reference = sql.id(alias, column.name)
    const isOne = list.contains(compared.read(reference, false))
    return column.type === 'text' ? sql`${isOne} and ${list.contains(compared.inOrder(reference, false))}` : isOne
  }
}

function asKey(column: SqlColumn, dialect: SqlDialect): ComparedColumn {
  return comparedColumn(column, { kind: null, isKey: true }, dialect)
}

/** The columns of a row that refer to its owner, with their values. */
export interface OwnerKey {
  readonly columns: readonly SqlColumn[]
  readonly values: ReadonlyMap<SqlColumn, unknown>
  /** The operands to compare the columns with; `null` if a column cannot hold its value. */
  readonly operands: readonly (readonly [SqlColumn, Operand])[] | null
}

/** Returns the columns of a table that refer to the row of an owner. */
export function ownerKeyOf(
  table: SqlTable,
  key: RelationKey,
  { type, row }: { readonly type: CompiledType; readonly row: RowObject },
  dialect: SqlDialect,
): OwnerKey {
  const columns = keyColumns(table, key)
  const value = keyIn(row, referenceColumn(type))
  const all = { ...keyValues(key.id, value), ...(key.type === null ? {} : { [key.type]: type.storedType }) }
  const values = new Map(columns.map((column) => [column, all[column.property]]))
  const operands = [...values].map(([column, each]) => [column, keyOperand(column, each, dialect)] as const)
  const isPossible = operands.every((each): each is readonly [SqlColumn, Operand] => each[1] !== null)
  return { columns, values, operands: isPossible ? operands : null }
}

/** Returns the condition that a row refers to the owner. */
export function hasOwnerKey(operands: NonNullable<OwnerKey['operands']>, binding: Binding): KeyCondition {
  const conditions = operands.map(([column, operand]) => hasKey(column, operand, binding))
  return (alias) => conjunction(conditions.map((condition) => condition(alias)))
}
