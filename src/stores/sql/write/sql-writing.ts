import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { Transaction } from '../../../declare/resource/request/transactions.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { keyIn, keyValues } from '../../../declare/resource/parts/key-columns.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import type { RelationKey } from '../../../declare/resource/relations/relation-spec.js'
import { rowObject } from '../../../core/rows/row-set.js'
import { memoize } from '../../../core/util/memoize.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { Operand } from '../dialect/operand.js'
import type { SqlResult, SqlStatement } from '../driver/sql-statement.js'
import type { ComparedColumn } from '../query/compared-column.js'
import { comparedColumn } from '../query/compared-column.js'
import { keyColumns } from '../query/related-source.js'
import { sqlConditions } from '../query/sql-conditions.js'
import type { Binding, StatementBuild } from '../query/statement-build.js'
import { always, bind, boundList, conjunction, freshAliases } from '../query/statement-build.js'
import type { SqlColumn, SqlTable, SqlTables } from '../schema/sql-table.js'
import { columnReference, encodedValue, namesOf, rowDecoder, selectedReference } from '../schema/sql-table.js'
import type { SqlRunOptions, SqlStore } from '../sql-store.js'
import { areEqual } from '../statement/row-value.js'
import type { ParameterSlot } from '../statement/statement-shape.js'
import { StatementShape } from '../statement/statement-shape.js'
import { tableReference } from '../statement/table-reference.js'
import { inSavepoint } from '../transactions/sql-transactions.js'

/** The context of the statements of one call of a persister. */
export interface SqlWriting {
  readonly store: SqlStore
  readonly tables: SqlTables
  readonly options: SqlRunOptions
}

/** The parts of it that run a statement. */
type StatementRun = Pick<SqlWriting, 'store' | 'options'>

/** Builds a part of a statement. It is called only if the text for this shape is not cached. */
export type WritePart = () => RawBuilder<unknown>

/** Returns a condition on a row, given the alias of its table. */
export type KeyCondition = (alias: string) => RawBuilder<unknown>

type BuildStatement = (shape: StatementShape, binding: Binding) => WritePart

/**
 * Runs a statement that writes.
 *
 * @param build adds to the shape everything that the text depends on, binds the values, and returns the part that
 * writes the text
 */
export function runWrite({ store, options }: StatementRun, build: BuildStatement): Promise<SqlResult> {
  return store.write(statementOf(store, build), options)
}

/** Runs a statement that only reads, for example to find the cause of a conflict. */
export function runRead({ store, options }: StatementRun, build: BuildStatement): Promise<SqlResult> {
  return store.read(statementOf(store, build), options)
}

function statementOf(store: SqlStore, build: BuildStatement): SqlStatement {
  const shape = new StatementShape()
  return store.statements.statement(shape, build(shape, { shape, dialect: store.dialect }))
}

/** Reads columns of the rows that meet a condition. */
export function readRows(
  run: StatementRun,
  { table, columns, purpose, lock = sql`` }: RowsToRead,
  condition: (binding: Binding) => KeyCondition,
): Promise<SqlResult> {
  return runRead(run, (shape, binding) => {
    const from = startStatement(shape, table, ...purpose)
    shape.addKeyPart(namesOf(columns))
    const matches = condition(binding)
    return () => {
      const selected = sql.join(columns.map((column) => selectedReference(column, writtenAlias)))
      return sql`select ${selected} from ${from} as ${sql.id(writtenAlias)} where ${matches(writtenAlias)}${lock}`
    }
  })
}

interface RowsToRead {
  readonly table: SqlTable
  readonly columns: readonly SqlColumn[]
  /** The purpose for logs, and the part of the cache key that no other statement with this purpose has. */
  readonly purpose: readonly [purpose: string, key: string]
  /** The clause that locks the rows. */
  readonly lock?: RawBuilder<unknown>
}

/**
 * Begins a statement on a table, and returns the name of the table in the text.
 *
 * @param purpose the description for logs
 * @param key the part of the cache key that no other statement with this purpose has
 */
export function startStatement(
  shape: StatementShape,
  table: SqlTable,
  purpose: string,
  key: string = purpose,
): RawBuilder<unknown> {
  shape.describe(purpose, table)
  shape.addKeyPart(key)
  return addTable(shape, table)
}

/** Adds a table to the cache key of a statement, and returns its name in the text. */
export function addTable(shape: StatementShape, table: SqlTable): RawBuilder<unknown> {
  shape.addKeyPart(table.cacheKey)
  return referenceOf(table)
}

/** Memoized, because it is needed before it is known whether the text of the statement is cached. */
const referenceOf = memoize((table: SqlTable) => tableReference(table))

export function columnNames(columns: readonly SqlColumn[], alias: string | null = null): RawBuilder<unknown> {
  return sql.join(columns.map(({ name }) => (alias === null ? sql.id(name) : sql.id(alias, name))))
}

/** Returns the columns of written rows, as they are read into rows. */
export function returnedColumns(columns: readonly SqlColumn[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => selectedReference(column, null)))
}

/**
 * Returns the clause that returns written rows, with further expressions; empty if the engine returns none. Begins with a space.
 *
 * @param returns whether the engine returns the rows of this kind of write
 */
export function returningColumns(
  returns: boolean,
  columns: readonly SqlColumn[],
  others: readonly RawBuilder<unknown>[] = [],
): RawBuilder<unknown> {
  return returns ? sql` returning ${sql.join([returnedColumns(columns), ...others])}` : sql``
}

/** The alias of the written table in a statement. */
export const writtenAlias = 'written'

/** Returns the first row of a result; `null` if there is none. */
export function rowOf(columns: readonly SqlColumn[], { rows: [row] }: SqlResult): RowObject | null {
  const names = columns.map(({ property }) => property)
  return row === undefined ? null : Object.freeze(rowObject(names, rowDecoder(columns)(row)))
}

/** A column, and the parameter with its new value. */
interface BoundColumn {
  readonly column: SqlColumn
  readonly slot: ParameterSlot
}

export function boundColumns(shape: StatementShape, set: ReadonlyMap<SqlColumn, unknown>): readonly BoundColumn[] {
  shape.addKeyPart(namesOf([...set.keys()]))
  return [...set].map(([column, value]) => ({ column, slot: shape.bind(encodedValue(column, value)) }))
}

/** Returns the condition that one of the columns has a value other than its new one. */
export function differencesOf(bound: readonly BoundColumn[], { spell }: SqlDialect): RawBuilder<unknown> {
  return sql.join(
    bound.map(({ column, slot }) => spell.differs(sql.id(writtenAlias, column.name), slot)),
    sql` or `,
  )
}

/** Returns the assignments of an update. */
export function changesOf(bound: readonly BoundColumn[]): RawBuilder<unknown> {
  return sql.join(bound.map(({ column, slot }) => sql`${sql.id(column.name)} = ${slot}`))
}

/** Returns the assignment that raises a column of integers by one, with a leading comma. */
export function raisedByOne({ name }: SqlColumn): RawBuilder<unknown> {
  return sql`, ${sql.id(name)} = coalesce(${sql.id(writtenAlias, name)}, 0) + 1`
}

/**
 * Runs the statements of one call of a persister atomically. If the database refuses one of them, all statements of the
 * call are rolled back, and the surrounding transaction can continue.
 *
 * @param isMultiple whether the work is more than one statement
 */
export async function atomically<Result>(
  writing: SqlWriting,
  isMultiple: boolean,
  work: (writing: SqlWriting) => Promise<Result>,
): Promise<Result> {
  const { store, options } = writing
  const { transaction } = options
  if (transaction === null) {
    if (!isMultiple) return work(writing)
    const runIn = (transactionOfCall: Transaction): Promise<Result> =>
      work({ ...writing, options: { ...options, transaction: transactionOfCall } })
    return store.transactions.run(runIn, undefined, options.context ?? undefined)
  }
  // A refused statement may abort the whole transaction, unless it is rolled back to a savepoint.
  if (store.dialect.can.continueAfterErrors && !isMultiple) return work(writing)
  return inSavepoint(transaction, () => work(writing))
}

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

/** Returns the condition that a row meets conditions of declarations; `null` if every row does in this request. */
export function rowConditions(
  conditions: readonly RowCondition[],
  { type, table }: { readonly type: CompiledType; readonly table: SqlTable },
  build: StatementBuild,
): KeyCondition | null {
  if (conditions.length === 0) return null
  const meets = sqlConditions(conditions, { type, table, pivot: null }, build)
  if (meets === always) return null
  return (alias) => meets({ row: alias, pivot: null, fresh: freshAliases() })
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
