import { sql } from 'kysely'
import type { ColumnValues, RowReference } from '../../../resource/capabilities/persister.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowCondition } from '../../../resource/querying/row-condition.js'
import { memoize } from '../../../util/memoize.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { Operand } from '../dialect/operand.js'
import type { SqlStatement } from '../driver/sql-statement.js'
import { comparedColumn } from '../query/compared-column.js'
import type { ScopeValues } from '../query/scope-variants.js'
import { areSame, readScopes } from '../query/scope-variants.js'
import type { Binding, ScopeSlot, StatementBuild } from '../query/statement-build.js'
import { bind, conjunction, statementBuild } from '../query/statement-build.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { columnOf, tableFor } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import type { StatementText } from '../statement/statement-cache.js'
import type { ColumnKey, SetColumns } from './new-row.js'
import { rowCheck } from './row-check.js'
import type { KeyCondition, WritePart } from './sql-writing.js'
import { addTable, encodedValue, hasExactlyOneOf, hasKey, keyOperands, rowConditions } from './sql-writing.js'
import { insertText } from './write-row.js'

/** A row that a written row refers to. */
export interface ReferencedRow {
  readonly target: ReferencedTable
  readonly operand: Operand
  /** Further conditions that it has to meet. */
  readonly conditions: RowReference['conditions']
}

/** The table of referenced rows of a type. */
export interface ReferencedTable {
  readonly type: CompiledType
  readonly table: SqlTable
  readonly column: SqlColumn
  /**
   * Converts a key to an operand; `null` if the column cannot hold it, or if the row has to be read to know its key.
   */
  readonly operandOf: (key: unknown) => Operand | null
}

interface ReferencingValues {
  /** The keys in the values, in the form of the referenced rows. */
  readonly keys: readonly ColumnKey[]
  readonly rows: readonly ReferencedRow[]
}

type TablesContext = Pick<StatementBuild, 'tables' | 'dialect'>

const nothing: ReferencingValues = Object.freeze({ keys: [], rows: [] })

/**
 * Returns the rows that values refer to. Returns `null` if one cannot exist, or if a row has to be read to know its
 * key.
 */
export function referencedRows(
  references: readonly RowReference[],
  values: ColumnValues,
  context: TablesContext,
): ReferencingValues | null {
  if (references.length === 0) return nothing
  const keys: ColumnKey[] = []
  const rows: ReferencedRow[] = []
  for (const reference of references) {
    const target = targetOf(reference.type, context)
    const operand = target.operandOf(values[reference.column])
    if (operand === null) return null
    keys.push([reference.column, keyOf(target, operand)])
    rows.push({ target, operand, conditions: reference.conditions })
  }
  return { keys, rows }
}

/** The rows of one type that the rows of a batch refer to by one column. */
export interface ReferencedKeys {
  readonly target: ReferencedTable
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
    const target = targetOf(type, context)
    const found = new Map<unknown, Operand>()
    const converted: ColumnValues[] = []
    for (const row of written) {
      const key = row[column] ?? null
      const operand = key === null ? undefined : (found.get(key) ?? target.operandOf(key))
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
function keyOf({ column: { type } }: ReferencedTable, { value }: Operand): unknown {
  if (type !== 'integer' && type !== 'bigint') return value
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : BigInt(String(value))
}

const targets = new WeakMap<CompiledType, ReferencedTable & Pick<TablesContext, 'tables'>>()

/**
 * Returns the cached table of a type. The cache is valid as long as the tables are the same. Without it, a create takes
 * 13 % more CPU time (W5 on SQLite).
 */
function targetOf(type: CompiledType, { tables, dialect }: TablesContext): ReferencedTable {
  const cached = targets.get(type)
  if (cached?.tables === tables) return cached
  const table = tableFor(tables, type)
  const column = columnOf(table, type.id.column)
  const operandOf = isKeyComparable(table, column, dialect) ? keyOperands(column, dialect) : () => null
  const target = { tables, type, table, column, operandOf }
  targets.set(type, target)
  return target
}

/** Returns whether the stored value of a column is the key itself, and only equal keys compare as equal. */
export function isKeyComparable({ live }: SqlTable, column: SqlColumn, dialect: SqlDialect): boolean {
  const { name, type, codec, mapping, expression, parts } = column
  if (codec.decode !== null || mapping !== null || expression !== null || parts !== undefined) return false
  const databaseType = live.columns.find((each) => each.name === name)?.databaseType ?? ''
  return dialect.schema.comparesExactly(type, databaseType)
}

/** Returns the parameters of the statement part that looks up a referenced row. */
function referenceValues({ target: { column }, operand: { value } }: ReferencedRow): readonly unknown[] {
  return column.type === 'text' ? [value, value] : [value]
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

/** The context for reading the referenced rows. */
type ReferenceContext = Pick<StatementBuild, 'tables' | 'context'>

export interface RowToInsert {
  readonly type: CompiledType
  readonly set: SetColumns
  readonly referenced: readonly ReferencedRow[]
  /** The conditions that the row must meet as it is stored. */
  readonly conditions: readonly RowCondition[]
}

type InsertOf = (row: RowToInsert, referenceContext: ReferenceContext) => SqlStatement

/** Returns the function that returns the statement that inserts a row into a table if all rows that it refers to exist. */
export const insertsInto: (store: SqlStore) => (table: SqlTable) => InsertOf = memoize((store) =>
  memoize((table) => cachedInserts(store, table)),
)

/** The text of an insert, with everything that the text depends on. */
interface CachedInsert {
  readonly columns: readonly SqlColumn[]
  readonly referenced: readonly ReferencedRow[]
  readonly text: StatementText
  /** The scopes of the referenced rows, at most one of each, and the structures that they had. */
  readonly scopes: readonly ScopeSlot[]
  readonly structures: readonly string[]
}

/** The maximum number of cached texts of a table: clients send only a few different sets of attributes. */
const maxCachedTexts = 16

/**
 * Caches statement texts by column set. Most inserts set the same columns, and then skip even the shape of the
 * statement: a fast path of `insertText`. Without it, a create takes 9 % more CPU time (W5 on SQLite).
 */
function cachedInserts(store: SqlStore, table: SqlTable): InsertOf {
  let inserts: readonly CachedInsert[] = []
  return ({ type, set, referenced, conditions }, { tables, context }) => {
    for (const each of inserts) {
      if (conditions.length > 0 || !hasSameText(each, set, referenced)) continue
      const scopes = readScopes(each.scopes, { store, tables, context })
      if (scopes !== null && areSame(scopes.structures, each.structures)) {
        return each.text.withValues(valuesOf(set, referenced, scopes.values))
      }
    }
    const build = statementBuild(store, tables, context)
    const { shape, scopes } = build
    const condition = referenced.length === 0 ? null : () => referencesExist(referenced, build)
    const check = rowCheck(conditions, { type, table }, build)
    const text = store.statements.text(shape, insertText(build, { table, set, condition, check }))
    if (conditions.length > 0) return text.withValues(shape.values)
    const read = readScopes(scopes, { store, tables, context })
    // Conditions besides scopes could have further values.
    const isCacheable = read !== null && valuesOf(set, referenced, read.values).length === shape.values.length
    if (isCacheable && text.isCached) {
      const { structures } = read
      const columns = [...set.keys()]
      const cached = { columns, referenced: referenced.map(withoutKey), text, scopes, structures }
      inserts = [cached, ...inserts.slice(0, maxCachedTexts - 1)]
    }
    return text.withValues(shape.values)
  }
}

/** A cached text must not keep the values of a request in memory. */
function withoutKey({ operand, ...row }: ReferencedRow): ReferencedRow {
  return { ...row, operand: { ...operand, value: null } }
}

function hasSameText(
  { columns, referenced: cached }: CachedInsert,
  set: SetColumns,
  referenced: readonly ReferencedRow[],
): boolean {
  if (columns.length !== set.size || cached.length !== referenced.length) return false
  let index = 0
  for (const column of set.keys()) if (columns[index++] !== column) return false
  return referenced.every((row, position) => isSamePart(row, cached[position]))
}

/** Returns whether the statement parts that look up two referenced rows have the same text. */
function isSamePart({ target, operand, conditions }: ReferencedRow, other: ReferencedRow | undefined): boolean {
  if (other?.target !== target || other.conditions !== conditions) return false
  return other.operand.type === operand.type && other.operand.fine === operand.fine
}

/** Returns the values in the order of the parameters of the text. */
function valuesOf(set: SetColumns, referenced: readonly ReferencedRow[], scopeValues: ScopeValues): readonly unknown[] {
  const values: unknown[] = []
  for (const [column, value] of set) values.push(encodedValue(column, value))
  let scope = 0
  for (const row of referenced) {
    for (const value of referenceValues(row)) values.push(value)
    if (row.conditions.some(({ kind }) => kind === 'scope')) values.push(...(scopeValues[scope++] ?? []))
  }
  return values
}
