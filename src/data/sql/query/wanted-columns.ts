import type { WantedColumns } from '../../../resource/capabilities/provider.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { columnOf } from '../schema/sql-table.js'

/** The columns of a table that are wanted, in the order in which they are. */
export function wantedColumns(table: SqlTable, wanted: WantedColumns): readonly SqlColumn[] {
  return wanted === null ? table.columns : wanted.map((property) => columnOf(table, property))
}

export function propertiesOf(columns: readonly SqlColumn[]): readonly string[] {
  return columns.map(({ property }) => property)
}

/** For the shape of a statement: no two lists of columns have one text, whatever their names are. */
export function namesOf(columns: readonly SqlColumn[]): string {
  return JSON.stringify(columns.map(({ name }) => name))
}
