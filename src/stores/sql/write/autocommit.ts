import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { AutocommitWrite, ShortcutFunctions } from '../../../declare/resource/capabilities/persister.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { ValueKind } from '../../../declare/resource/fields/value-kind.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { Transaction } from '../../../declare/resource/request/transactions.js'
import type { RowSet } from '../../../core/rows/row-set.js'
import { rowSet } from '../../../core/rows/row-set.js'
import type { StoreListeners } from '../../observe/store-events.js'
import type { SqlDialect } from '../dialect/dialect.js'
import { rethrowFault } from '../driver/rethrow-fault.js'
import type { SqlResult, SqlStatement } from '../driver/sql-statement.js'
import { selectedFlags } from '../query/sql-conditions.js'
import type { Aliases, StatementBuild } from '../query/statement-build.js'
import { freshAliases } from '../query/statement-build.js'
import type { ReturnedRow, SqlColumn, SqlTable } from '../schema/sql-table.js'
import { columnOf, returnedRow, storedColumn } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { preparedWrites } from './prepared-writes.js'
import { addReferences, nothingReferenced, referencedRows, referencesExist } from './referenced-rows.js'
import { rowCheck } from './row-check.js'
import type { KeyCondition, WritePart } from './sql-writing.js'
import {
  boundColumns,
  changesOf,
  differencesOf,
  hasKey,
  raisedByOne,
  returnedColumns,
  rowConditions,
  startStatement,
  writtenAlias,
} from './sql-writing.js'
import { changedColumns, statementTarget } from './statement-target.js'
import { insertText } from './write-row.js'

/** Says of which types the rows must be written one by one, for listeners: no function here writes them. */
type Observed = Pick<StoreListeners, 'isObserved'>

/**
 * Returns the function that inserts a row by one statement without a transaction, and returns the stored row. The statement itself looks
 * for the rows that the new one refers to, and inserts nothing if one is missing. The function returns `null` if the row was not inserted,
 * or cannot be inserted by one statement.
 */
export function insertAutocommit(store: SqlStore, { isObserved }: Observed): ShortcutFunctions['create'] {
  const { dialect } = store
  const inserts = preparedWrites(store)
  return async (type, values, write) => {
    if (isObserved(type)) return null
    const { context, references, conditions } = write
    const tables = store.knownTables() ?? (await store.tables())
    const target = statementTarget(type, { tables, dialect })
    const { table, canInsert, newRow } = target
    const referenced =
      references.length === 0 ? nothingReferenced : referencedRows(references, values, { tables, dialect })
    if (!canInsert || referenced === null) return null
    const { set, conflict } = newRow(values, referenced.keys)
    // The insert in a transaction reports it.
    if (conflict !== null) return null
    const { rows } = referenced
    const [parts, bound]: readonly [unknown[], unknown[]] = [[], []]
    addColumns(set, parts, bound)
    for (const condition of conditions) parts.push(condition)
    if (rows.length > 0) addReferences(rows, parts, bound)
    const { statement, returned } = inserts(target)({ parts, values: bound }, { tables, context }, (build) => {
      const condition = rows.length === 0 ? null : () => referencesExist(rows, build)
      const check = (): WritePart | null => rowCheck(conditions, { type, table }, build)
      return { part: insertText(build, { table, set, condition, check }), returned: returnedRow(table, []) }
    })
    return firstRow(await runStatement(store, write, statement), returned)
  }
}

/**
 * Returns the function that updates a row by one statement without a transaction. The statement itself looks for the rows that the new values
 * refer to, and changes nothing if one is missing. A row that has all the values already is not written either, so that
 * no trigger runs: the transaction then finds nothing to change. Returns `null` if the row was not written.
 */
export function updateAutocommit(store: SqlStore, { isObserved }: Observed): ShortcutFunctions['update'] {
  const { dialect } = store
  const updates = preparedWrites(store)
  return async (type, key, values, write) => {
    if (isObserved(type)) return null
    const { context, references, conditions, clientColumns, flags, raises } = write
    const tables = store.knownTables() ?? (await store.tables())
    const target = statementTarget(type, { tables, dialect })
    const { table, column, operandOf, canUpdate, keyConflict } = target
    const referenced =
      references.length === 0 ? nothingReferenced : referencedRows(references, values, { tables, dialect })
    if (!canUpdate || referenced === null) return null
    if (!clientColumns.every(({ column: name, kind }) => showsAll(kind, columnOf(table, name), dialect))) return null
    const set = changedColumns(table, values, referenced.keys)
    const operand = operandOf(key)
    if (operand === null || keyConflict(set) !== null) return null
    const { rows } = referenced
    const [parts, bound]: readonly [unknown[], unknown[]] = [[raises, operand.type, operand.fine], []]
    addColumns(set, parts, bound)
    bound.push(operand.value)
    for (const condition of conditions) parts.push(condition)
    if (rows.length > 0) addReferences(rows, parts, bound)
    for (const flag of flags) parts.push(flag)
    const { statement, returned } = updates(target)({ parts, values: bound }, { tables, context }, (build) => {
      const { shape } = build
      const updated = startStatement(shape, table, 'update', 'update autocommit')
      const changed = boundColumns(shape, set)
      const raised = raises === null ? null : storedColumn(table, raises)
      if (raised !== null) shape.addKeyPart(`raises ${raised.name}`)
      const isRow = visibleIf(hasKey(column, operand, build), { type, table, conditions }, build)
      const exist = rows.length === 0 ? null : referencesExist(rows, build)
      const flagged = selectedFlags(flags, { type, table, pivot: null }, build)
      const part = (): RawBuilder<unknown> => {
        const visible = exist === null ? isRow(writtenAlias) : sql`${isRow(writtenAlias)} and ${exist()}`
        const matches = sql`${visible} and (${differencesOf(changed, dialect)})`
        const returnedFrom = dialect.can.returnByAlias ? writtenAlias : table.name
        const at: Aliases = { row: returnedFrom, pivot: null, fresh: freshAliases() }
        const columns = sql.join([returnedColumns(table.stored), ...flagged.map(({ expression }) => expression(at))])
        return sql`update ${updated} as ${sql.id(writtenAlias)} set ${changesOf(changed)}${raised === null ? sql`` : raisedByOne(raised)} where ${matches} returning ${columns}`
      }
      return { part, returned: returnedRow(table, flags) }
    })
    return firstRow(await runStatement(store, write, statement), returned)
  }
}

/**
 * Returns the function that deletes a row by one statement without a transaction. It returns the deleted row; `null` if it was not deleted, or cannot be deleted by one
 * statement.
 */
export function deleteAutocommit(store: SqlStore, { isObserved }: Observed): ShortcutFunctions['delete'] {
  const { dialect } = store
  const deletes = preparedWrites(store)
  return async (type, key, write) => {
    if (isObserved(type)) return null
    const { context, conditions } = write
    const tables = store.knownTables() ?? (await store.tables())
    const target = statementTarget(type, { tables, dialect })
    const { table, column, operandOf, canDelete } = target
    const operand = canDelete ? operandOf(key) : null
    if (operand === null) return null
    const form = { parts: [operand.type, operand.fine, ...conditions], values: [operand.value] }
    const { statement, returned } = deletes(target)(form, { tables, context }, (build) => {
      const from = startStatement(build.shape, table, 'delete', 'delete autocommit')
      const isRow = visibleIf(hasKey(column, operand, build), { type, table, conditions }, build)
      const part = (): RawBuilder<unknown> =>
        sql`delete from ${from} as ${sql.id(writtenAlias)} where ${isRow(writtenAlias)} returning ${returnedColumns(table.stored)}`
      return { part, returned: returnedRow(table, []) }
    })
    return firstRow(await runStatement(store, write, statement), returned)
  }
}

/** Adds the columns that are set, and their values: see `WriteForm`. */
function addColumns(set: ReadonlyMap<SqlColumn, unknown>, parts: unknown[], values: unknown[]): void {
  for (const [column, value] of set) {
    parts.push(column)
    values.push(value === null || value === undefined ? null : column.codec.encode(value))
  }
}

/** Returns whether a kind shows the whole stored value, so that a value that a client sends back equals the stored one. */
function showsAll(
  { storageType, isRounded }: ValueKind,
  { type, mapping, readAsText, isUniform }: SqlColumn,
  { can }: SqlDialect,
): boolean {
  if (mapping !== null || readAsText !== null || !isUniform) return false
  switch (storageType) {
    case 'text':
      return type === 'text' || type === 'uuid'
    case 'bigint':
    case 'number':
      // A column without a fixed type may hold large integers in every column of integers.
      if (isRounded) return type === 'integer' && can.typeColumns
      return type === 'integer' || type === 'bigint'
    case 'boolean':
      return type === 'boolean'
    case 'date':
      // Without a type for dates, the text may have a time too.
      return type === 'date' && can.typeColumns
    default:
      return false
  }
}

interface ConditionedRows {
  readonly type: CompiledType
  readonly table: SqlTable
  readonly conditions: readonly RowCondition[]
}

/** Returns the condition that a row meets further conditions too. */
export function visibleIf(
  hasId: KeyCondition,
  { type, table, conditions }: ConditionedRows,
  build: StatementBuild,
): KeyCondition {
  const meets = rowConditions(conditions, { type, table }, build)
  return meets === null ? hasId : (alias) => sql`${hasId(alias)} and ${meets(alias)}`
}

/** The request that a statement runs for, and the transaction that it is a part of. */
type StatementRun = Pick<AutocommitWrite, 'context' | 'transaction'>

/** Returns the row that a statement has written; `null` if there is none. */
function firstRow(result: SqlResult | null, { properties, decode }: ReturnedRow): RowSet | null {
  const row = result?.rows[0]
  return row === undefined ? null : rowSet(properties, [decode(row)])
}

/** Resolves to `null` if the statement needs a transaction of its own, and if the database refuses it. */
export function runStatement(
  store: SqlStore,
  { context, transaction }: StatementRun,
  statement: SqlStatement,
): Promise<SqlResult | null> | null {
  const running = store.writeStatement(statement, { transaction, context })
  if (running === null) return null
  return running.catch((thrown: unknown) =>
    isRefused(thrown, store, transaction) ? null : rethrowFault(thrown, store.driver),
  )
}

/**
 * Returns whether the database refused a statement, so that nothing was stored. If the connection was lost, or the statement
 * was cancelled, that is unknown: the write must not be retried. After a conflict, the transaction of the statement is retried as a whole.
 */
export function isRefused(thrown: unknown, { driver }: SqlStore, transaction: Transaction | null): boolean {
  switch (driver.faultOf(thrown)?.kind) {
    case 'conflict':
      return transaction === null
    case undefined:
    case 'unavailable':
    case 'timeout':
    case 'cancelled':
      return false
    default:
      return true
  }
}
