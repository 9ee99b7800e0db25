import type { CompiledType } from '../../resource/compiled-type.js'
import type { ColumnType } from './schema/column-type.js'
import type { SqlColumn, SqlTable, SqlTables } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'

/** Reports version columns that cannot hold versions. A missing column is reported with those of attributes. */
export function versionProblems(types: readonly CompiledType[], tables: SqlTables): readonly string[] {
  return types.flatMap((type) => {
    const { version, model } = type
    const table = model === null ? undefined : tables.get(model)
    const column = version?.column === undefined ? undefined : table?.columnOf.get(version.column ?? '')
    if (table === undefined || column === undefined) return []
    const name = `The column '${column.name}' of the table '${tableText({ schema: table.schema, name: table.name })}'`
    if (version?.kind === 'integer' && !integers.has(column.type)) {
      const remedy = instants.has(column.type) ? "declare as: 'instant'" : 'name a column of integers'
      return [`${name} holds no integers, so it cannot be the version of '${type.type}': ${remedy}.`]
    }
    if (version?.kind === 'instant' && !instants.has(column.type)) {
      return [`${name} holds no times with milliseconds, so it cannot be the version of '${type.type}'.`]
    }
    if (version?.kind === 'instant' && isCoarse(table, column)) {
      return [`${name} holds no milliseconds, so it cannot be the version of '${type.type}': give it three digits.`]
    }
    return []
  })
}

const integers: ReadonlySet<ColumnType> = new Set(['integer', 'bigint'])
const instants: ReadonlySet<ColumnType> = new Set(['instant', 'timestamp', 'epochMilliseconds'])

/** Returns whether PostgreSQL rounds the times of a column to less than three digits: `timestamp(0) with time zone`. */
function isCoarse({ live }: SqlTable, { name }: SqlColumn): boolean {
  const databaseType = live.columns.find((each) => each.name === name)?.databaseType ?? ''
  return /^timestamp\([0-2]\)/.test(databaseType)
}
