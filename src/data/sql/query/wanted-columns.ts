import type { WantedColumns } from '../../../resource/capabilities/provider.js'
import type { Row } from '../../../rows/row-set.js'
import { memoize } from '../../../util/memoize.js'
import { lruCache } from '../../../util/lru-cache.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { columnOf } from '../schema/sql-table.js'
import { rowDecoder } from './row-decoder.js'

/** Some columns of a table, with what reading them takes. */
export interface ReadColumns {
  /** In the order in which they are wanted. */
  readonly columns: readonly SqlColumn[]
  /** Their names in rows: one list, however often the same are read, since what is worked out of rows is kept by it. */
  readonly properties: readonly string[]
  /** For the shape of a statement. */
  readonly names: string
  readonly decode: (row: Row) => Row
}

/** Clients choose columns by their fieldsets: only so many choices are kept of a table. */
const KEPT_CHOICES = 100

const choicesOf = memoize((_table: SqlTable) => lruCache<string, ReadColumns>(KEPT_CHOICES))

/** The columns of a table that are wanted. */
export function wantedColumns(table: SqlTable, wanted: WantedColumns): ReadColumns {
  return choicesOf(table).getOrCreate(JSON.stringify(wanted), () => readColumns(table, wanted))
}

function readColumns(table: SqlTable, wanted: WantedColumns): ReadColumns {
  const columns = wanted === null ? table.columns : wanted.map((property) => columnOf(table, property))
  return { columns, properties: propertiesOf(columns), names: namesOf(columns), decode: rowDecoder(columns) }
}

export function propertiesOf(columns: readonly SqlColumn[]): readonly string[] {
  return columns.map(({ property }) => property)
}

/** For the shape of a statement: no two lists of columns have one text, whatever their names are. */
export function namesOf(columns: readonly SqlColumn[]): string {
  return JSON.stringify(columns.map(({ name }) => name))
}
