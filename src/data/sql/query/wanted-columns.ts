import type { RowFlag, WantedColumns } from '../../../resource/capabilities/provider.js'
import type { Row } from '../../../rows/row-set.js'
import { lruCache } from '../../../util/lru-cache.js'
import { memoize } from '../../../util/memoize.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { columnOf } from '../schema/sql-table.js'

/** The columns to read of a table, with their names and their decoder. */
export interface ReadColumns {
  /** In the requested order. */
  readonly columns: readonly SqlColumn[]
  /** Their names in rows, followed by those of the flags. The same columns always have the same list, since other caches use it as a key. */
  readonly properties: readonly string[]
  /** Their names as a part of the cache key of a statement. */
  readonly names: string
  readonly decode: (row: Row) => Row
}

/** The maximum number of cached selections of a table. Clients choose columns by their fieldsets. */
const MAX_SELECTIONS = 100

const selectionsOf = memoize((_table: SqlTable) => lruCache<string, ReadColumns>(MAX_SELECTIONS))

/** Returns the requested columns of a table, with flags after them. */
export function wantedColumns(
  table: SqlTable,
  wanted: WantedColumns,
  flags: readonly RowFlag[] = noFlags,
): ReadColumns {
  const names = flags.map(({ name }) => name)
  return selectionsOf(table).getOrCreate(JSON.stringify([wanted, names]), () => readColumns(table, wanted, names))
}

const noFlags: readonly RowFlag[] = Object.freeze([])

function readColumns(table: SqlTable, wanted: WantedColumns, flags: readonly string[]): ReadColumns {
  const columns = wanted === null ? table.columns : wanted.map((property) => columnOf(table, property))
  return {
    columns,
    properties: [...propertiesOf(columns), ...flags],
    names: namesOf(columns),
    decode: rowDecoder(columns, undefined, flags.length),
  }
}

/** Returns the names and the decoder of rows that a write returns: all stored columns, with flags after them. */
export function returnedRow(table: SqlTable, flags: readonly RowFlag[]): Pick<ReadColumns, 'properties' | 'decode'> {
  return flags.length === 0 ? storedColumns(table) : wantedColumns(table, propertiesOf(table.stored), flags)
}

const storedColumns = memoize((table: SqlTable) => wantedColumns(table, propertiesOf(table.stored)))

export function propertiesOf(columns: readonly SqlColumn[]): readonly string[] {
  return columns.map(({ property }) => property)
}

/** Returns the names as a part of the cache key of a statement. Different lists always have different texts. */
export function namesOf(columns: readonly SqlColumn[]): string {
  let names = ''
  for (const column of columns) names += `${quotedName(column)},`
  return `[${names}]`
}

const quotedName = memoize(({ name }: SqlColumn) => JSON.stringify(name))

/**
 * Returns a function that converts a row of the driver to row values.
 *
 * @param positions the indexes of the columns in rows of the driver; by default, the rows contain exactly these columns
 * @param flags the number of flags after the columns
 */
export function rowDecoder(columns: readonly SqlColumn[], positions?: readonly number[], flags = 0): (row: Row) => Row {
  const length = columns.length + flags
  const decoders = columns.flatMap(({ codec: { decode } }, index) => (decode === null ? [] : [{ decode, index }]))
  const isInOrder = positions === undefined || positions.every((position, index) => position === index)
  const pick = isInOrder
    ? (row: Row): unknown[] => row.slice(0, length)
    : (row: Row): unknown[] => positions.map((position) => row[position])
  return (row) => {
    if (isInOrder && decoders.length === 0 && row.length === length) return row
    const values = pick(row)
    for (const { decode, index } of decoders) {
      const stored = values[index]
      if (stored !== null && stored !== undefined) values[index] = decode(stored)
    }
    return values
  }
}
