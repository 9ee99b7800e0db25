import type { ViewDefinition } from './view-definition.js'
import type { Dependency, SourceColumn } from './view-joins.js'

/**
 * Returns whether each combination of values of columns is one row of a view at most: the columns are a key of each table, or its conditions find
 * the row of the table from them.
 */
export function isUnique(columns: readonly SourceColumn[], definition: ViewDefinition): boolean {
  const { rows, isKnown } = known(columns, definition)
  if (definition.groups !== null) return definition.groups.every(isKnown)
  return [...definition.tables.keys()].every((alias) => rows.has(alias))
}

/** Returns whether a column of a view is never null. */
export function isNotNull(column: SourceColumn | null, { tables }: ViewDefinition): boolean {
  const owner = column === null ? undefined : tables.get(column.alias)
  return column !== null && owner?.isOptional === false && owner.table.notNull.has(column.column)
}

export function isSameColumn(one: SourceColumn, other: SourceColumn): boolean {
  return one.alias === other.alias && one.column === other.column
}

/** What has one value only, if some columns have. */
interface Known {
  /** The aliases of the tables that have one row only. */
  readonly rows: ReadonlySet<string>
  readonly isKnown: (column: SourceColumn) => boolean
}

function known(columns: readonly SourceColumn[], { tables, dependencies }: ViewDefinition): Known {
  const rows = new Set<string>()
  const found = [...columns]
  const isKnown = (column: SourceColumn): boolean =>
    rows.has(column.alias) || found.some((each) => isSameColumn(each, column))
  const applies = ({ from, to, rows: needed }: Dependency): boolean =>
    !isKnown(to) && (from === null || isKnown(from)) && needed.every((alias) => rows.has(alias))
  for (let size = -1; size !== rows.size + found.length; ) {
    size = rows.size + found.length
    found.push(...dependencies.filter(applies).map(({ to }) => to))
    for (const [alias, { table }] of tables) {
      const hasKey = table.keys.some((key) => key.every((column) => isKnown({ alias, column })))
      if (hasKey) rows.add(alias)
    }
  }
  return { rows, isKnown }
}
