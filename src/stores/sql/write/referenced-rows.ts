import { sql } from 'kysely'
import type { ColumnValues, RowReference } from '../../../declare/resource/capabilities/persister.js'
import type { Operand } from '../dialect/operand.js'
import { comparedColumn } from '../query/compared-column.js'
import type { Binding, StatementBuild } from '../query/statement-build.js'
import { bind, conjunction } from '../query/statement-build.js'
import type { SqlColumn } from '../schema/sql-table.js'
import type { KeyCondition, WritePart } from './sql-writing.js'
import { addTable, hasExactlyOneOf, hasKey, rowConditions } from './sql-writing.js'
import type { ColumnKey, StatementTarget, TablesContext } from './statement-target.js'
import { statementTarget } from './statement-target.js'

/** A row that a written row refers to. */
export interface ReferencedRow {
  readonly target: StatementTarget
  readonly operand: Operand
  /** Further conditions that it has to meet. */
  readonly conditions: RowReference['conditions']
}

interface ReferencingValues {
  /** The keys in the values, in the form of the referenced rows. */
  readonly keys: readonly ColumnKey[]
  readonly rows: readonly ReferencedRow[]
}

/** What values without references refer to. */
export const nothingReferenced: ReferencingValues = Object.freeze({ keys: [], rows: [] })

/**
 * Returns the rows that values refer to. Returns `null` if one cannot exist, or if a row has to be read to know its
 * key.
 */
export function referencedRows(
  references: readonly RowReference[],
  values: ColumnValues,
  context: TablesContext,
): ReferencingValues | null {
  const keys: ColumnKey[] = []
  const rows: ReferencedRow[] = []
  for (const reference of references) {
    const target = statementTarget(reference.type, context)
    const operand = operandIn(target, values[reference.column])
    if (operand === null) return null
    keys.push([reference.column, keyOf(target, operand)])
    rows.push({ target, operand, conditions: reference.conditions })
  }
  return { keys, rows }
}

/** The rows of one type that the rows of a batch refer to by one column. */
export interface ReferencedKeys {
  readonly target: StatementTarget
  /** Each key once, all of the same type. */
  readonly operands: readonly Operand[]
  readonly conditions: RowReference['conditions']
}

export interface ReferringRows {
  /** The rows, with the keys in the form of the referenced rows. */
  readonly rows: readonly ColumnValues[]
  readonly referenced: readonly ReferencedKeys[]
}

/** Like `referencedRows()`, for the rows of a batch. A column without a key refers to nothing. */
export function referencedByRows(
  references: readonly RowReference[],
  rows: readonly ColumnValues[],
  context: TablesContext,
): ReferringRows | null {
  let written = rows
  const referenced: ReferencedKeys[] = []
  for (const { column, type, conditions } of references) {
    const target = statementTarget(type, context)
    const found = new Map<unknown, Operand>()
    const converted: ColumnValues[] = []
    for (const row of written) {
      const key = row[column] ?? null
      const operand = key === null ? undefined : (found.get(key) ?? operandIn(target, key))
      if (operand === null) return null
      if (operand !== undefined) found.set(key, operand)
      converted.push(operand === undefined ? row : withKey(row, column, keyOf(target, operand)))
    }
    written = converted
    // Two forms of one key, such as 1 and '1', count once.
    const operands = [...new Map([...found.values()].map((operand) => [operand.value, operand])).values()]
    if (operands.some((operand) => operand.type !== operands[0]?.type)) return null
    if (operands.length > 0) referenced.push({ target, operands, conditions })
  }
  return { rows: written, referenced }
}

/** Copies the row only if the key has another form. */
function withKey(row: ColumnValues, column: string, key: unknown): ColumnValues {
  return row[column] === key ? row : { ...row, [column]: key }
}

/** Returns the key in the form in which drivers return it. */
function keyOf({ column: { type } }: StatementTarget, { value }: Operand): unknown {
  if (type !== 'integer' && type !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(String(value))
}

/** Returns `null` also if the row has to be read to know its key. */
function operandIn({ isKeyComparable, operandOf }: StatementTarget, key: unknown): Operand | null {
  return isKeyComparable ? operandOf(key) : null
}

/** Adds what the statement part that looks up referenced rows depends on: see `WriteForm`. */
export function addReferences(rows: readonly ReferencedRow[], parts: unknown[], values: unknown[]): void {
  for (const { target, operand, conditions } of rows) {
    parts.push(target, operand.type, operand.fine)
    for (const condition of conditions) parts.push(condition)
    values.push(operand.value)
    // A text is compared twice.
    if (target.column.type === 'text') values.push(operand.value)
  }
}

/** Returns the statement part that is true if all referenced rows exist. */
export function referencesExist(rows: readonly ReferencedRow[], build: StatementBuild): WritePart {
  const conditions = rows.map((row) => referenceExists(row, build))
  return () => conjunction(conditions.map((condition) => condition()))
}

const referencedAlias = 'pointed'

function referenceExists({ target, operand, conditions }: ReferencedRow, build: StatementBuild): WritePart {
  const { column } = target
  const from = addTable(build.shape, target.table)
  const matches = hasKey(column, operand, build)
  const isSame = column.type === 'text' ? sameText(column, operand, build) : null
  const meets = rowConditions(conditions, target, build)
  return () => {
    const parts = [matches, isSame, meets].flatMap((part) => (part === null ? [] : [part(referencedAlias)]))
    return build.dialect.spell.exists(
      sql`select 1 from ${from} as ${sql.id(referencedAlias)} where ${conjunction(parts)}`,
    )
  }
}

/** Returns the statement part that is true if all rows that a batch refers to exist. */
export function allReferencesExist(referenced: readonly ReferencedKeys[], build: StatementBuild): WritePart {
  const conditions = referenced.map(({ target, operands, conditions: met }) => {
    const { table, column } = target
    const from = addTable(build.shape, table)
    const isOne = hasExactlyOneOf(column, operands, build)
    const meets = rowConditions(met, target, build)
    const count = build.shape.bind(operands.length)
    return () => {
      const matches = conjunction([isOne, ...(meets === null ? [] : [meets])].map((part) => part(referencedAlias)))
      const found = sql.id(referencedAlias, column.name)
      return sql`(select count(distinct ${found}) from ${from} as ${sql.id(referencedAlias)} where ${matches}) = ${count}`
    }
  })
  return () => conjunction(conditions.map((condition) => condition()))
}

/**
 * Returns an exact text comparison: a collation may treat different texts as equal, but ids must be equal in every
 * character.
 */
function sameText(column: SqlColumn, operand: Operand, binding: Binding): KeyCondition {
  const compared = comparedColumn(column, { kind: null, isKey: true }, binding.dialect)
  const bound = bind(operand, binding)
  return (alias) => sql`${compared.inOrder(sql.id(alias, column.name), false)} = ${bound()}`
}
