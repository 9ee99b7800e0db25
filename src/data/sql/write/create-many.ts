import { sql } from 'kysely'
import type { ColumnValues, CreateShortcuts } from '../../../resource/capabilities/persister.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { Row, RowSet } from '../../../rows/row-set.js'
import { rowSet } from '../../../rows/row-set.js'
import { keyText } from '../../../row-query/key-text.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { SqlFault } from '../driver/sql-fault.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { isCheckedAsStored, selectedReference, tableFor } from '../schema/sql-table.js'
import { rowDecoder, propertiesOf } from '../query/wanted-columns.js'
import { atomically } from './atomically.js'
import type { ManyRows } from './insert-many.js'
import { insertMany } from './insert-many.js'
import { hasOneOfKeys } from './key-condition.js'
import type { ColumnGroup } from './row-groups.js'
import { rowGroups } from './row-groups.js'
import type { SqlWriting } from './sql-writing.js'
import { addTable, runRead, runWrite, writtenAlias } from './sql-writing.js'
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
  const { dialect, driver } = writing.store
  const table = tableFor(writing.tables, type)
  if (isCheckedAsStored(table, type)) return null
  // The insert has to return the rows as they are stored.
  if (conditions.length > 0 && (!dialect.can.returnRows || table.needsSecondRead)) return null
  const grouped = rowGroups(type, table, values, dialect)
  if (grouped === null) return null
  const { key, groups } = grouped
  const oneByOne = new Error('Rows are created one by one.')
  try {
    return await atomically(writing, true, async (inner) => {
      const stored: Row[] = []
      const decode = rowDecoder(table.stored)
      for (const group of groups) {
        for (const { columns, sets } of batchesOf(group, dialect)) {
          const many = { table, columns, sets, sequenceKey: sets[0]?.has(key) === true ? null : key }
          const unreturned = dialect.can.returnRows ? null : await insertUnreturned(inner, many, key)
          if (unreturned !== null) {
            if (unreturned.length !== sets.length) throw oneByOne
            for (const row of unreturned) stored.push(row)
            continue
          }
          const inserted = await insertMany(inner, many, { type, conditions, context })
          if (inserted === null) throw oneByOne
          // A trigger or a rule of the database skipped some rows. Creating them one by one shows which.
          if (inserted.rows.length !== sets.length) throw oneByOne
          const decoded = inserted.rows.map(decode)
          if (!areInOrder(inserted.rows, decoded, many, key)) throw oneByOne
          for (const row of decoded) stored.push(row)
        }
      }
      const complete = await asStored(inner, { table, key }, stored)
      if (complete === null) throw oneByOne
      return rowSet(propertiesOf(table.columns), complete)
    })
  } catch (thrown) {
    if (thrown === oneByOne || isFaultOfOneRow(driver.faultOf(thrown))) return null
    throw thrown
  }
}

/**
 * Inserts rows whose inserts return none, to be read by their keys. If the database generates the keys, each row is inserted by
 * its own statement, which reports its key. Returns fewer rows if one was skipped or has an unknown key.
 */
async function insertUnreturned(writing: SqlWriting, many: ManyRows, key: SqlColumn): Promise<readonly Row[]> {
  const { table, sets, sequenceKey } = many
  const rowWith = (value: unknown): Row => table.stored.map((column) => (column === key ? value : null))
  if (sequenceKey === null) {
    const inserted = await insertMany(writing, many, null)
    return inserted?.changes === sets.length ? sets.map((set) => rowWith(set.get(key))) : []
  }
  const rows: Row[] = []
  for (const set of sets) {
    const { changes, insertId } = await runWrite(writing, (shape) =>
      insertText(shape, { table, set, condition: null }, writing.store.dialect),
    )
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
  if (!table.needsSecondRead) return rows
  const position = table.stored.indexOf(key)
  const found = await runRead(writing, (shape) => {
    shape.describe('read written', table)
    shape.addKeyPart('rows as stored')
    const from = addTable(shape, table)
    const keys = rows.map((row) => row[position])
    const matches = hasOneOfKeys(key, keys, { shape, dialect: writing.store.dialect })
    return () => {
      const columns = sql.join(table.columns.map((column) => selectedReference(column, writtenAlias)))
      return sql`select ${columns} from ${from} as ${sql.id(writtenAlias)} where ${matches(writtenAlias)}`
    }
  })
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
function isFaultOfOneRow(fault: SqlFault | null): boolean {
  switch (fault?.kind) {
    case 'unique':
    case 'foreignKey':
    case 'notNull':
    case 'check':
    case 'value':
    case 'raised':
    case 'forbidden':
    case 'other':
      return true
    default:
      return false
  }
}

/**
 * Splits a group into batches. If each value is a parameter, each number of rows has its own text, so only powers of two are
 * used.
 */
function batchesOf({ columns, sets }: ColumnGroup, { spell, limits }: SqlDialect): readonly ColumnGroup[] {
  if (spell.boundRows !== null) return [{ columns, sets }]
  const batches: ColumnGroup[] = []
  let size = maxBatchSize
  for (let start = 0; start < sets.length; start += size) {
    while (size > 1 && (size > sets.length - start || size * columns.length > limits.parameters)) size /= 2
    batches.push({ columns, sets: sets.slice(start, start + size) })
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
  { table: { stored: columns }, sets, sequenceKey }: ManyRows,
  key: SqlColumn,
): boolean {
  const position = columns.indexOf(key)
  if (sequenceKey === null) {
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
