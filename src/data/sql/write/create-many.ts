import { sql } from 'kysely'
import type { ColumnValues } from '../../../resource/capabilities/persister.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { Row, RowSet } from '../../../rows/row-set.js'
import { rowSet } from '../../../rows/row-set.js'
import { keyText } from '../../../row-query/key-text.js'
import type { EngineName } from '../driver/sql-driver.js'
import type { SqlFault } from '../driver/sql-fault.js'
import { tableFor } from '../query/related-source.js'
import { rowDecoder } from '../query/row-decoder.js'
import { propertiesOf } from '../query/wanted-columns.js'
import { columnReference } from '../schema/column-reference.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { asOne } from './as-one.js'
import type { ManyRows } from './insert-many.js'
import { insertMany } from './insert-many.js'
import { hasOneOfKeys } from './key-condition.js'
import type { NewRow, SetColumns } from './new-row.js'
import { newRows } from './new-row.js'
import type { SqlWriting } from './sql-writing.js'
import { notedTable, runRead, writtenAlias } from './sql-writing.js'

/**
 * Inserts rows together, and answers them as stored, in their order. `null` where they are to be created one by one, and
 * nothing of them is there then: something stood against one of them, which is told of that one only; or nobody can tell
 * which of the stored rows is which of those that were given.
 */
export async function createMany(
  writing: SqlWriting,
  type: CompiledType,
  values: readonly ColumnValues[],
): Promise<RowSet | null> {
  const { engine, driver } = writing.store
  const table = tableFor(writing.tables, type)
  const key = table.key === null ? undefined : table.columnOf.get(table.key)
  const rows = values.map(newRows(type, table, engine))
  if (key === undefined || (rows.some(({ isKeyGiven }) => isKeyGiven) && !mayCount(table, key, engine))) return null
  const groups = alike(table, rows)
  if (groups.some(({ columns }) => columns.length === 0 || columns.some((column) => isReadOtherwise(table, column)))) {
    return null
  }
  const oneByOne = new Error('Rows are created one by one.')
  try {
    return await asOne(writing, true, async (inside) => {
      const stored: Row[] = []
      const decode = rowDecoder(table.stored)
      for (const group of groups) {
        for (const { columns, sets } of partsOf(group, engine)) {
          const many = { table, columns, sets, counted: sets[0]?.has(key) === true ? null : key }
          const inserted = await insertMany(inside, many)
          if (inserted === null) throw oneByOne
          // A trigger or a rule of the database has kept some of them back: which, is seen one by one.
          if (inserted.rows.length !== sets.length) throw oneByOne
          const decoded = inserted.rows.map(decode)
          if (!areInOrder(inserted.rows, decoded, many, key)) throw oneByOne
          for (const row of decoded) stored.push(row)
        }
      }
      const whole = await withComputed(inside, { table, key }, stored)
      if (whole === null) throw oneByOne
      return rowSet(propertiesOf(table.columns), whole)
    })
  } catch (thrown) {
    if (thrown === oneByOne || isOfOne(driver.faultOf(thrown))) return null
    throw thrown
  }
}

/** Adds what the database computes, by one statement for all rows; `null` where one is not found by its key. */
async function withComputed(
  writing: SqlWriting,
  { table, key }: { readonly table: SqlTable; readonly key: SqlColumn },
  rows: readonly Row[],
): Promise<readonly Row[] | null> {
  const { stored, computed } = table
  if (computed.length === 0) return rows
  const position = stored.indexOf(key)
  const found = await runRead(writing, (shape) => {
    shape.addKeyPart('what is computed of rows')
    const from = notedTable(shape, table)
    const keys = rows.map((row) => row[position])
    const matches = hasOneOfKeys(key, keys, { shape, engine: writing.store.engine })
    return () => {
      const columns = sql.join([key, ...computed].map((column) => columnReference(column, writtenAlias)))
      return sql`select ${columns} from ${from} as ${sql.id(writtenAlias)} where ${matches(writtenAlias)}`
    }
  })
  const decode = rowDecoder([key, ...computed])
  const byKey = new Map(
    found.rows.map((row) => {
      const [held, ...values] = decode(row)
      return [keyText(held), values]
    }),
  )
  const whole = rows.flatMap((row) => {
    const values = byKey.get(keyText(row[position]))
    return values === undefined ? [] : [[...row, ...values]]
  })
  return whole.length === rows.length ? whole : null
}

/** Whether one of the rows may be to blame, which is found where each is created by itself. Anything else is told as it is. */
function isOfOne(fault: SqlFault | null): boolean {
  switch (fault?.kind) {
    case 'unique':
    case 'foreignKey':
    case 'notNull':
    case 'check':
    case 'value':
    case 'other':
      return true
    default:
      return false
  }
}

/** Whether the database may give keys by counting: what PostgreSQL does, it says with the rows. */
function mayCount({ live }: SqlTable, { name, type }: SqlColumn, engine: EngineName): boolean {
  const column = live.columns.find((each) => each.name === name)
  if (column === undefined || !column.hasDefault) return false
  if (engine === 'postgres') {
    // Rows are numbered under this name.
    return (type === 'integer' || type === 'bigint') && live.columns.every((each) => each.name !== 'ordinality')
  }
  return live.primaryKey.length === 1 && live.primaryKey[0] === name && column.databaseType.toUpperCase() === 'INTEGER'
}

/** Of `interval hour`, PostgreSQL takes a number without a unit for hours where it reads a row, and for seconds elsewhere. */
function isReadOtherwise({ live }: SqlTable, { name }: SqlColumn): boolean {
  return live.columns.some((column) => column.name === name && /^interval [a-z]/.test(column.databaseType))
}

interface Alike {
  readonly columns: readonly SqlColumn[]
  readonly sets: readonly SetColumns[]
}

/**
 * Rows that follow each other and are written together. A column that has a default is set in all of them or in none; any
 * other is null where it is not set. What lies behind a view may have defaults that the view does not tell.
 */
function alike({ live, columns }: SqlTable, rows: readonly NewRow[]): readonly Alike[] {
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
  return groups.map(({ set, sets }) => ({ columns: columns.filter((column) => set.has(column)), sets }))
}

function setsSame(columns: ReadonlySet<SqlColumn>, one: SetColumns, other: SetColumns): boolean {
  for (const column of columns) if (one.has(column) !== other.has(column)) return false
  return true
}

/** As many values as SQLite has places for in a statement. */
const mostPlaces = 32_766

/** PostgreSQL takes any number of rows. Of SQLite's statements there is a text for each number, so that there are but few. */
function partsOf({ columns, sets }: Alike, engine: EngineName): readonly Alike[] {
  if (engine === 'postgres') return [{ columns, sets }]
  const parts: Alike[] = []
  let size = mostTogether
  for (let start = 0; start < sets.length; start += size) {
    while (size > 1 && (size > sets.length - start || size * columns.length > mostPlaces)) size /= 2
    parts.push({ columns, sets: sets.slice(start, start + size) })
  }
  return parts
}

/** A power of two: what is left over is written by halves of it. */
const mostTogether = 64

/** Whether the rows that came back are those that were given, one by one: by their keys, or since those were counted. */
function areInOrder(
  inserted: readonly Row[],
  decoded: readonly Row[],
  { table: { stored: columns }, sets, counted }: ManyRows,
  key: SqlColumn,
): boolean {
  const position = columns.indexOf(key)
  if (counted === null) {
    return decoded.every((row, index) => keyText(row[position]) === keyText(sets[index]?.get(key)))
  }
  return inserted.every((row, index) => {
    const [own, before] = [row[position], inserted[index - 1]?.[position]]
    if (typeof own !== 'number' && typeof own !== 'bigint') return false
    if (row.length > columns.length && row.at(-1) !== true) return false
    return index === 0 || own > (before as number | bigint)
  })
}
