import { sql } from 'kysely'
import type { ColumnValues, CreateShortcuts } from '../../../declare/resource/capabilities/persister.js'
import { storeConflict } from '../../../declare/resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { keyText } from '../../row-query/key-text.js'
import type { Row, RowSet } from '../../../core/rows/row-set.js'
import { rowSet } from '../../../core/rows/row-set.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { SqlResult } from '../driver/sql-statement.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { isCheckedAsStored, propertiesOf, rowDecoder, storedColumn, tableFor } from '../schema/sql-table.js'
import { statementBuild } from '../query/statement-build.js'
import type { SqlStore } from '../sql-store.js'
import { isRefused } from './autocommit.js'
import type { NewRow, SetColumns, StatementTarget } from './statement-target.js'
import { liveColumn, statementTarget } from './statement-target.js'
import { rowCheck } from './row-check.js'
import type { RowBatch } from './row-source.js'
import { boundValue, rowSource } from './row-source.js'
import type { SqlWriting } from './sql-writing.js'
import {
  atomically,
  columnNames,
  hasOneOfKeys,
  readRows,
  returningColumns,
  runWrite,
  startStatement,
} from './sql-writing.js'
import { insertText } from './write-row.js'

type ManyWrite = Parameters<NonNullable<CreateShortcuts['many']>>[2]

/**
 * Inserts rows by as few statements as possible, and returns the stored rows in the same order. Returns `null`, and
 * inserts nothing, if the rows must be created one by one: because the database refuses one of them, and the conflict
 * has to be reported for that row; because the returned rows cannot be matched with the given ones; or because each row has to be
 * compared with rules as it is stored.
 */
export async function createMany(
  writing: SqlWriting,
  type: CompiledType,
  values: readonly ColumnValues[],
  { conditions = [], context }: ManyWrite,
): Promise<RowSet | null> {
  const { dialect } = writing.store
  const table = tableFor(writing.tables, type)
  if (table.key === null || isCheckedAsStored(table, type)) return null
  // The insert has to return the rows as they are stored.
  if (conditions.length > 0 && (!dialect.can.returnRows || table.needsSecondRead)) return null
  const target = statementTarget(type, { tables: writing.tables, dialect })
  const rows = values.map((each) => target.newRow(each))
  const refused = rows.find(({ conflict }) => conflict !== null)?.conflict
  if (refused != null) throw storeConflict(refused)
  const grouped = rowGroups(target, rows)
  if (grouped === null) return null
  const { key, groups } = grouped
  const oneByOne = new Error('Rows are created one by one.')
  try {
    return await atomically(writing, true, async (inner) => {
      const stored: Row[] = []
      for (const group of groups) {
        for (const batch of batchesOf(group, dialect)) {
          const isGenerated = batch.sets[0]?.has(key) !== true
          const { columns, sets } = batch
          const many = { table, columns, sets, key, isGenerated, type, conditions, context }
          const inserted = await (dialect.can.returnInserted ? insertReturned : insertUnreturned)(inner, many)
          // A trigger or a rule of the database skipped some rows. Creating them one by one shows which.
          if (inserted.length !== batch.sets.length) throw oneByOne
          for (const row of inserted) stored.push(row)
        }
      }
      const complete = await asStored(inner, { table, key }, stored)
      if (complete === null) throw oneByOne
      return rowSet(propertiesOf(table.columns), complete)
    })
  } catch (thrown) {
    if (thrown === oneByOne || isFaultOfOneRow(thrown, writing.store)) return null
    throw thrown
  }
}

/** Inserts rows whose insert returns them. Returns fewer rows if some were skipped, or if they cannot be matched with the given ones. */
async function insertReturned(writing: SqlWriting, many: ManyRows): Promise<readonly Row[]> {
  const inserted = await insertMany(writing, many)
  if (inserted?.rows.length !== many.sets.length) return []
  const decoded = inserted.rows.map(rowDecoder(many.table.stored))
  return areInOrder(inserted.rows, decoded, many) ? decoded : []
}

/**
 * Inserts rows whose inserts return none, to be read by their keys. If the database generates the keys, each row is inserted by
 * its own statement, which reports its key. Returns fewer rows if one was skipped or has an unknown key.
 */
async function insertUnreturned(writing: SqlWriting, many: ManyRows): Promise<readonly Row[]> {
  const { table, sets, key, isGenerated } = many
  const rowWith = (value: unknown): Row => table.stored.map((column) => (column === key ? value : null))
  if (!isGenerated) {
    const inserted = await insertMany(writing, many)
    return inserted?.changes === sets.length ? sets.map((set) => rowWith(set.get(key))) : []
  }
  const rows: Row[] = []
  for (const set of sets) {
    const { changes, insertId } = await runWrite(writing, (_, binding) => insertText(binding, { table, set }))
    if (changes === 1 && insertId !== undefined) rows.push(rowWith(insertId))
  }
  return rows
}

/**
 * Reads all rows again by one statement, if they have computed columns or triggers. Returns `null` if a row is not found
 * by its key.
 */
async function asStored(
  writing: SqlWriting,
  { table, key }: { readonly table: SqlTable; readonly key: SqlColumn },
  rows: readonly Row[],
): Promise<readonly Row[] | null> {
  if (!table.needsSecondRead && writing.store.dialect.can.returnInserted) return rows
  const position = table.stored.indexOf(key)
  const keys = rows.map((row) => row[position])
  const found = await readRows(
    writing,
    { table, columns: table.columns, purpose: ['read written', 'rows as stored'] },
    (binding) => hasOneOfKeys(key, keys, binding),
  )
  const byKey = new Map(found.rows.map(rowDecoder(table.columns)).map((row) => [keyText(row[position]), row]))
  const complete = rows.flatMap((row) => {
    const again = byKey.get(keyText(row[position]))
    return again === undefined ? [] : [again]
  })
  return complete.length === rows.length ? complete : null
}

/**
 * Returns whether one row may be the cause of a fault: then creating the rows one by one finds it. Other faults are rethrown.
 */
function isFaultOfOneRow(thrown: unknown, store: SqlStore): boolean {
  const kind = store.driver.faultOf(thrown)?.kind
  return isRefused(thrown, store, null) && kind !== 'conflict' && kind !== 'aborted'
}

/**
 * Splits a group into batches. If each value is a parameter, each number of rows has its own text, so only powers of two are
 * used.
 */
function batchesOf(group: RowBatch, { spell, limits }: SqlDialect): readonly RowBatch[] {
  if (spell.boundRows !== null) return [group]
  const { table, columns, sets } = group
  const batches: RowBatch[] = []
  let size = maxBatchSize
  for (let start = 0; start < sets.length; start += size) {
    while (size > 1 && (size > sets.length - start || size * columns.length > limits.parameters)) size /= 2
    batches.push({ table, columns, sets: sets.slice(start, start + size) })
  }
  return batches
}

/** A power of two: the rest is written in batches of half the size, and so on. */
const maxBatchSize = 64

/**
 * Returns whether the returned rows are in the order of the given ones: their keys match, or the generated keys are ascending.
 */
function areInOrder(
  inserted: readonly Row[],
  decoded: readonly Row[],
  { table: { stored: columns }, sets, key, isGenerated }: ManyRows,
): boolean {
  const position = columns.indexOf(key)
  if (!isGenerated) {
    return decoded.every((row, index) => keyText(row[position]) === keyText(sets[index]?.get(key)))
  }
  return inserted.every((row, index) => {
    const [rowKey, before] = [row[position], inserted[index - 1]?.[position]]
    if (typeof rowKey !== 'number' && typeof rowKey !== 'bigint') return false
    // A column after those of the table contains whether a sequence generates the keys.
    if (row.length > columns.length && (row.at(-1) ?? false) === false) return false
    return index === 0 || rowKey > (before as number | bigint)
  })
}

/** Rows to insert by one statement. */
interface ManyRows extends RowBatch {
  readonly type: CompiledType
  readonly key: SqlColumn
  /** Whether the database generates the keys, in ascending order. */
  readonly isGenerated: boolean
  /** The conditions that the rows must meet as they are stored. If one does not, the insert fails, and stores none. */
  readonly conditions: readonly RowCondition[]
  readonly context: RequestContext
}

/**
 * Inserts rows by one statement, and returns all stored columns of each row, if the engine returns rows. If a sequence may
 * generate the keys, one more column contains whether it does. Returns `null` if the rows cannot be written by one statement.
 */
async function insertMany(writing: SqlWriting, rows: ManyRows): Promise<SqlResult | null> {
  const { type, table, columns, key, isGenerated, conditions, context } = rows
  const { spell, can } = writing.store.dialect
  const value = boundValue(rows, writing.store.dialect)
  if (spell.boundRows !== null && value === null) return null
  return runWrite(writing, (shape, binding) => {
    const keyPart = isGenerated ? `insert many, counted by ${key.name}` : 'insert many'
    const into = startStatement(shape, table, 'insert many', keyPart)
    const given = rowSource(binding, rows, value)
    const usesSequence = isGenerated ? spell.sequence?.isUsed({ table, column: key.name }, shape) : null
    const build = { ...statementBuild(writing.store, writing.tables, context), shape }
    const check = rowCheck(conditions, { type, table }, build)
    return () => {
      const others = [...(check === null ? [] : [check()]), ...(usesSequence == null ? [] : [usesSequence])]
      const returning = returningColumns(can.returnInserted, table.stored, others)
      return sql`insert into ${into} (${columnNames(columns)}) ${spell.givenKeys}${given.insertedRows(isGenerated)}${returning}`
    }
  })
}

/**
 * Groups new rows of a table. Returns `null` if they must be created one by one, because the returned rows could not be
 * matched with the given ones, or because a value would be stored differently.
 */
export function rowGroups(
  target: StatementTarget,
  rows: readonly NewRow[],
): { readonly key: SqlColumn; readonly groups: readonly RowBatch[] } | null {
  const { table } = target
  const key = table.key === null ? undefined : table.columnOf.get(table.key)
  if (key === undefined) return null
  if (rows.some(({ isKeyGenerated }) => isKeyGenerated) && !mayUseSequence(target, key)) return null
  const groups = groupByColumns(table, rows)
  const isPossible = groups.every(
    ({ columns }) => columns.length > 0 && columns.every((column) => !isParsedDifferently(table, column)),
  )
  return isPossible ? { key, groups } : null
}

/** Returns whether the database may generate ascending keys. The insert reports whether it really used a sequence. */
function mayUseSequence({ table, dialect }: StatementTarget, key: SqlColumn): boolean {
  const column = liveColumn(table, key)
  return column?.hasDefault === true && dialect.schema.mayCountKeys(table.live, column, key.type)
}

/**
 * PostgreSQL reads a number without a unit as hours in an `interval hour` of a JSON row, but as seconds in a parameter.
 */
function isParsedDifferently(table: SqlTable, column: SqlColumn): boolean {
  return /^interval [a-z]/.test(liveColumn(table, column)?.databaseType ?? '')
}

/**
 * Returns the columns that all rows set, if all of them set the same ones and the database may take their keys from a
 * sequence. It is a fast path for `rowGroups()`: most batches are like this, and need no maps. Returns `null` for other rows.
 */
export function columnsOfAll(
  target: StatementTarget,
  rows: readonly ColumnValues[],
): { readonly key: SqlColumn; readonly columns: readonly SqlColumn[] } | null {
  const { type, table } = target
  const key = table.key === null ? undefined : table.columnOf.get(table.key)
  const names = Object.keys(rows[0] ?? {})
  if (key === undefined || names.length === 0 || !mayUseSequence(target, key)) return null
  const columns = names.map((name) => storedColumn(table, name))
  // Given keys have to be checked.
  const isGiven = columns.some((column) => column === key || column.property === type.id.column)
  if (isGiven || columns.some((column) => isParsedDifferently(table, column))) return null
  return rows.every((row) => setsAll(row, names)) ? { key, columns } : null
}

/** Returns whether a row sets exactly these properties, in this order. */
function setsAll(row: ColumnValues, names: readonly string[]): boolean {
  let index = 0
  for (const name in row) {
    if (name !== names[index] || row[name] === undefined) return false
    index += 1
  }
  return index === names.length
}

/**
 * Groups consecutive rows that one statement can insert. A column with a default is set in all rows of a group or in
 * none. Any other column is null where it is not set. The columns of a view count as columns with defaults, because the
 * table behind the view may have defaults that the view does not report.
 */
function groupByColumns(table: SqlTable, rows: readonly NewRow[]): readonly RowBatch[] {
  const { live, columns } = table
  const names = new Set(live.columns.filter(({ hasDefault }) => hasDefault || live.isView).map(({ name }) => name))
  const defaulted = new Set(columns.filter(({ name }) => names.has(name)))
  const groups: { readonly first: SetColumns; readonly set: Set<SqlColumn>; readonly sets: SetColumns[] }[] = []
  for (const { set } of rows) {
    const last = groups.at(-1)
    if (last === undefined || !setsSame(defaulted, last.first, set)) {
      groups.push({ first: set, set: new Set(set.keys()), sets: [set] })
    } else {
      last.sets.push(set)
      for (const column of set.keys()) last.set.add(column)
    }
  }
  return groups.map(({ set, sets }) => ({ table, columns: columns.filter((column) => set.has(column)), sets }))
}

function setsSame(columns: ReadonlySet<SqlColumn>, one: SetColumns, other: SetColumns): boolean {
  for (const column of columns) if (one.has(column) !== other.has(column)) return false
  return true
}
