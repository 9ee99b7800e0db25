import type { DatabaseSchema, SchemaColumn, SchemaTable } from '../../../stores/sql/schema/database-schema.js'
import type { JoinTable } from './join-tables.js'
import type { PolymorphicKey } from './plan-polymorphic.js'
import type { RelationKey } from './plan-relations.js'
import type { ServedTable } from './served-tables.js'
import type { TableNames } from './type-names.js'
import type { Casing } from './words.js'

/** Information about all tables, for the planning of the fields of one table. */
export interface PlanContext {
  readonly schema: DatabaseSchema
  readonly casing: Casing
  readonly served: readonly ServedTable[]
  readonly joins: readonly JoinTable[]
  readonly keys: readonly RelationKey[]
  readonly polymorphic: readonly PolymorphicKey[]
  /** The names of tables in columns with the types of related rows. */
  readonly storedTypes: ReadonlyMap<ServedTable, string>
  /** The columns that look like secrets. They are not served. */
  readonly secrets: ReadonlySet<SchemaColumn>
  readonly names: ReadonlyMap<ServedTable, TableNames>
}

export function namesOf({ names }: Pick<PlanContext, 'names'>, table: ServedTable): TableNames {
  const found = names.get(table)
  if (found === undefined) throw new Error(`The table '${table.table.name}' has no names.`)
  return found
}

/** Returns whether an index finds the rows with a value in these columns, which `ashlar check --database` requires for relations. */
export function hasIndexOn({ indexes }: SchemaTable, columns: readonly SchemaColumn[]): boolean {
  return indexes.some(({ partial, columns: indexed }) => {
    const first = indexed.slice(0, columns.length)
    return !partial && columns.every(({ name }) => first.includes(name))
  })
}

/** Returns whether the values in these columns are unique. */
export function isUniqueOn({ table, key }: ServedTable, columns: readonly SchemaColumn[]): boolean {
  const names = columns.map(({ name }) => name)
  if (key.every(({ name }) => names.includes(name))) return true
  return table.indexes.some(({ unique, partial, columns: indexed }) => {
    return unique && !partial && indexed.every((column) => column !== null && names.includes(column))
  })
}
