import { sql } from 'kysely'
import type { AutocommitWrite, ColumnValues } from '../../../resource/capabilities/persister.js'
import { isStoreConflict } from '../../../resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import { keyText } from '../../../row-query/key-text.js'
import type { Row, RowSet } from '../../../rows/row-set.js'
import { rowSet } from '../../../rows/row-set.js'
import { invariant } from '../../../util/invariant.js'
import { rethrowFault } from '../driver/rethrow-fault.js'
import type { SqlResult, SqlStatement } from '../driver/sql-statement.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { BoundRowsSpelling, CheckedInsert, CheckedInsertSpelling } from '../dialect/spelling.js'
import type { Operand } from '../dialect/operand.js'
import { isCheckedAsStored, tableFor } from '../schema/sql-table.js'
import { sqlConditions } from '../query/sql-conditions.js'
import type { StatementBuild } from '../query/statement-build.js'
import { freshAliases, statementBuild } from '../query/statement-build.js'
import { namesOf } from '../query/wanted-columns.js'
import type { SqlColumn, SqlTable, SqlTables } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { isRefused } from './autocommit.js'
import { cachedInserts } from './cached-inserts.js'
import { hasExactlyOneOf, keyOperands } from './key-condition.js'
import type { RowTarget } from './new-row.js'
import type { ReferencedKeys } from './referenced-rows.js'
import { allReferencesExist, isKeyComparable, referencedByRows } from './referenced-rows.js'
import type { ColumnGroup } from './row-groups.js'
import { columnsOfAll, rowGroups } from './row-groups.js'
import { addTable } from './sql-writing.js'

/**
 * Inserts rows by one statement without a transaction, and returns the stored rows in the same order. Only for engines that
 * spell checked inserts. A batch of 100 rows takes one statement instead of seven.
 *
 * The statement inserts nothing if a row that one of them refers to is missing. It fails, and is thereby rolled back, if it did not store
 * all rows, or if the stored rows could not be matched with the given ones. Returns `null` if the rows were not inserted, or cannot be
 * inserted by one statement. `createMany()` is the plain form, in a transaction.
 */
export async function insertManyAutocommit(
  store: SqlStore,
  type: CompiledType,
  values: readonly ColumnValues[],
  { context, references, conditions }: AutocommitWrite,
): Promise<RowSet | null> {
  const { dialect } = store
  const { boundRows } = dialect.spell
  const spelling = boundRows?.checkedInsert ?? null
  if (boundRows === null || spelling === null) return null
  const tables = store.knownTables() ?? (await store.tables())
  const table = tableFor(tables, type)
  // Some tables need a second statement, and the effect of a write to a view is unknown.
  if (table.needsSecondRead || table.live.isView || unsuitableTables.has(table)) return null
  if (isCheckedAsStored(table, type)) return null
  const rows = rowsToInsert({ type, table, values, references, conditions }, { tables, dialect, boundRows })
  if (rows === null) return null
  const build = statementBuild(store, tables, context)
  const inserted = store.writeAutocommit(insertStatement(rows, build, { store, spelling }), context)
  if (inserted === null) return null
  let result: SqlResult
  try {
    result = await inserted
  } catch (thrown) {
    if (thrown instanceof Error && thrown.message.includes(spelling.failure)) unsuitableTables.add(table)
    return isRefused(thrown, store) ? null : rethrowFault(thrown, store.driver)
  }
  if (result.rows.length === 0) return null
  const { columns, decode } = cachedInserts(store, table)
  return rowSet(columns, inGivenOrder(result.rows, rows).map(decode))
}

/**
 * Caches the tables for which the check in the statement has failed: a trigger skips rows, or the database does not take the keys from a
 * sequence. It would fail again for every batch.
 */
const unsuitableTables = new WeakSet<SqlTable>()

interface GivenRows {
  readonly type: CompiledType
  readonly table: SqlTable
  readonly values: readonly ColumnValues[]
  readonly references: AutocommitWrite['references']
  readonly conditions: AutocommitWrite['conditions']
}

interface InsertContext {
  readonly tables: SqlTables
  readonly dialect: SqlDialect
  readonly boundRows: BoundRowsSpelling
}

interface RowsToInsert extends Pick<GivenRows, 'type' | 'table' | 'conditions'> {
  readonly columns: readonly SqlColumn[]
  /** The parameter with the rows. */
  readonly given: string
  readonly count: number
  readonly key: SqlColumn
  /** The keys of the rows, in their order; `null` if the database generates them. */
  readonly keys: readonly Operand[] | null
  readonly referenced: readonly ReferencedKeys[]
}

/**
 * Returns `null` if the rows do not set the same columns, have keys that cannot be compared, or a value that one parameter
 * cannot hold.
 */
function rowsToInsert(
  { type, table, values, references, conditions }: GivenRows,
  { tables, dialect, boundRows }: InsertContext,
): RowsToInsert | null {
  const referring = referencedByRows(references, values, { tables, dialect })
  if (referring === null) return null
  const { rows, referenced } = referring
  const common = { type, table, conditions, count: rows.length, referenced }
  const alike = columnsOfAll(type, table, rows, dialect)
  if (alike !== null) {
    const given = boundRows.valueOf(alike.columns, rows, (row, { property }) => row[property])
    return given === null ? null : { ...common, ...alike, given, keys: null }
  }
  const grouped = groupOfAll({ type, table, dialect }, rows)
  if (grouped === null) return null
  const { key, group } = grouped
  const given = boundRows.valueOf(group.columns, group.sets, (set, column) => set.get(column))
  if (given === null) return null
  const inserted = { ...common, key, columns: group.columns, given }
  if (group.sets[0]?.has(key) !== true) return { ...inserted, keys: null }
  const keys = isKeyComparable(table, key, dialect) ? givenKeys(group, key, dialect) : null
  return keys === null ? null : { ...inserted, keys }
}

/** Returns `null` if one statement cannot insert all rows. */
function groupOfAll(
  { type, table, dialect }: RowTarget,
  rows: readonly ColumnValues[],
): { readonly key: SqlColumn; readonly group: ColumnGroup } | null {
  try {
    const grouped = rowGroups(type, table, rows, dialect)
    const [group, ...others] = grouped?.groups ?? []
    return grouped === null || group === undefined || others.length > 0 ? null : { key: grouped.key, group }
  } catch (thrown) {
    // A key that the column cannot hold is reported by the insert in a transaction.
    if (isStoreConflict(thrown)) return null
    throw thrown
  }
}

/** Returns `null` if a key occurs twice. */
function givenKeys({ sets }: ColumnGroup, key: SqlColumn, dialect: SqlDialect): readonly Operand[] | null {
  const operandOf = keyOperands(key, dialect)
  const keys = sets.flatMap((set) => operandOf(set.get(key)) ?? [])
  const isDistinct = new Set(keys.map(({ value }) => value)).size === sets.length
  return isDistinct && keys.every(({ type }) => type === keys[0]?.type) ? keys : null
}

interface CheckedStore {
  readonly store: SqlStore
  readonly spelling: CheckedInsertSpelling
}

function insertStatement(rows: RowsToInsert, build: StatementBuild, { store, spelling }: CheckedStore): SqlStatement {
  const { type, table, conditions, columns, given, keys, key, referenced } = rows
  const { shape } = build
  shape.describe('insert many', table)
  shape.addKeyPart(keys === null ? 'insert many autocommit' : 'insert many autocommit, with keys')
  const into = addTable(shape, table)
  shape.addKeyPart(namesOf(columns))
  const slot = shape.bind(given)
  const references = referenced.length === 0 ? (): typeof nothing => nothing : allReferencesExist(referenced, build)
  const meets = conditions.length === 0 ? null : sqlConditions(conditions, { type, table, pivot: null }, build)
  const count = shape.bind(rows.count)
  if (keys === null) shape.addKeyPart(`counted by ${key.name}`)
  const part = spelling.write(
    {
      into,
      rows: slot,
      count,
      columns: columns.map(({ name }) => name),
      returned: table.stored.map(({ name }) => name),
      references,
      meets: meets && ((alias) => meets({ row: alias, pivot: null, fresh: freshAliases() })),
      keys: keys === null ? { kind: 'generated', key: { table, column: key.name } } : boundKeys(key, keys, build),
    },
    shape,
  )
  return store.statements.statement(shape, () => ({ compile: () => part().compile(store.builder) }))
}

const nothing = sql`true`

function boundKeys(key: SqlColumn, keys: readonly Operand[], build: StatementBuild): CheckedInsert['keys'] {
  const isGiven = hasExactlyOneOf(key, keys, build)
  return { kind: 'given', column: key.name, isGiven, count: build.shape.bind(keys.length) }
}

/** Sorts the stored rows by their keys. The statement has checked that they are those of the given rows. */
function inGivenOrder(stored: readonly Row[], { table, key, keys }: RowsToInsert): readonly Row[] {
  const position = table.stored.indexOf(key)
  if (keys === null)
    return stored.toSorted((one, other) => ((one[position] as number) < (other[position] as number) ? -1 : 1))
  const byKey = new Map(stored.map((row) => [keyText(row[position]), row]))
  return keys.map(({ value }) => {
    const row = byKey.get(keyText(value))
    invariant(row !== undefined, 'an insert of several rows has returned other keys than it has checked')
    return row
  })
}
