import type { InspectedStore } from './inspected-store.js'
import { databaseType, namedColumn, servedTables } from './inspected-store.js'
import type { ColumnType } from './schema/column-type.js'

/** Reports version columns that cannot hold versions. A missing column is reported with those of attributes. */
export function versionProblems(store: InspectedStore): readonly string[] {
  return servedTables(store).flatMap(({ type, table }) => {
    const { version } = type
    const column = table.columnOf.get(version?.column ?? '')
    if (column === undefined) return []
    const name = namedColumn(table, column)
    if (version?.kind === 'integer' && !integers.has(column.type)) {
      const remedy = instants.has(column.type) ? "declare as: 'instant'" : 'name a column of integers'
      return [`${name} holds no integers, so it cannot be the version of '${type.type}': ${remedy}.`]
    }
    if (version?.kind === 'instant' && !instants.has(column.type)) {
      return [`${name} holds no times with milliseconds, so it cannot be the version of '${type.type}'.`]
    }
    // PostgreSQL rounds the times of `timestamp(0) with time zone` to less than three digits.
    if (version?.kind === 'instant' && /^timestamp\([0-2]\)/.test(databaseType(table, column))) {
      return [`${name} holds no milliseconds, so it cannot be the version of '${type.type}': give it three digits.`]
    }
    return []
  })
}

const integers: ReadonlySet<ColumnType> = new Set(['integer', 'bigint'])
const instants: ReadonlySet<ColumnType> = new Set(['instant', 'timestamp', 'epochMilliseconds'])
