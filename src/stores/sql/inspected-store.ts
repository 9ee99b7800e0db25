import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { SqlDialect } from './dialect/dialect.js'
import type { SqlColumn, SqlTable, SqlTables } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'

/** The declarations and the tables that an inspection compares. */
export interface InspectedStore {
  readonly types: readonly CompiledType[]
  /** The types that the store serves. */
  readonly served: readonly CompiledType[]
  readonly tables: SqlTables
  readonly dialect: SqlDialect
}

/** A served type with its table. */
export interface ServedTable {
  readonly type: CompiledType
  readonly table: SqlTable
}

/** Returns the served types with their tables. A missing table is reported elsewhere. */
export function servedTables({ served, tables }: InspectedStore): readonly ServedTable[] {
  return served.flatMap((type) => {
    const table = type.model === null ? undefined : tables.get(type.model)
    return table === undefined ? [] : [{ type, table }]
  })
}

/** Returns the type of a column as the database spells it. */
export function databaseType({ live }: SqlTable, { name, type }: SqlColumn): string {
  return live.columns.find((column) => column.name === name)?.databaseType ?? type
}

/** Names a column at the beginning of a sentence. */
export function namedColumn(table: SqlTable, { name }: Pick<SqlColumn, 'name'>): string {
  return `The column '${name}' of the table '${tableText(table)}'`
}

/**
 * Returns the names of the columns of members. Null if one is missing, which is reported elsewhere, or is computed, so that it
 * cannot have an index.
 */
export function storedNames({ columnOf }: SqlTable, members: readonly string[]): readonly string[] | null {
  const names = members.flatMap((member) => {
    const column = columnOf.get(member)
    return column === undefined || column.expression !== null ? [] : [column.name]
  })
  return names.length === members.length ? names : null
}

export function quotedNames(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ')
}
