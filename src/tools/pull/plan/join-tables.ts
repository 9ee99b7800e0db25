import type { SchemaForeignKey, SchemaTable } from '../../../stores/sql/schema/database-schema.js'
import type { ServedTable } from './served-tables.js'

/** A table whose rows only join the rows of two other tables. */
export interface JoinTable {
  readonly served: ServedTable
  /** The foreign keys to the two sides, in the order of the key. */
  readonly sides: readonly [SchemaForeignKey, SchemaForeignKey]
  /** Whether a side has no foreign key in the database. */
  readonly isByName: boolean
}

/**
 * Finds the tables whose rows a client can create with two resource identifiers: the key consists of two foreign keys, no other table
 * refers to it, it refers to no third table, and all other columns are optional. All other tables become types.
 */
export function joinTables(tables: readonly ServedTable[]): readonly JoinTable[] {
  const referenced = new Set(tables.flatMap(({ table }) => table.foreignKeys.map((foreign) => foreign.table)))
  return tables.flatMap((served) => {
    const { table, key, readOnlyBecause } = served
    if (readOnlyBecause !== null || referenced.has(table.name)) return []
    const names = key.map(({ name }) => name)
    const [first, second, third] = table.foreignKeys.filter(({ columns }) =>
      columns.every((column) => names.includes(column)),
    )
    if (first === undefined || second === undefined || third !== undefined) return []
    if (table.foreignKeys.length !== 2 || !refersToKey(first, tables) || !refersToKey(second, tables)) return []
    const joined = [...first.columns, ...second.columns]
    if (joined.length !== names.length || new Set(joined).size !== names.length) return []
    if (hasNeeds(table, names)) return []
    const isInOrder = names.indexOf(first.columns[0] ?? '') < names.indexOf(second.columns[0] ?? '')
    const isByName = first.isByName === true || second.isByName === true
    return [{ served, sides: isInOrder ? [first, second] : [second, first], isByName }]
  })
}

/** Returns whether a foreign key refers to the key that identifies the resources of its table. */
export function refersToKey(foreign: SchemaForeignKey, tables: readonly ServedTable[]): boolean {
  const target = tables.find(({ table }) => table.name === foreign.table)
  if (target === undefined || foreign.references.length !== target.key.length) return false
  return target.key.every(({ name }) => foreign.references.includes(name))
}

/** Returns whether a new row needs more values than its key. */
function hasNeeds({ columns }: SchemaTable, key: readonly string[]): boolean {
  return columns.some(({ name, nullable, hasDefault }) => !key.includes(name) && !nullable && !hasDefault)
}
