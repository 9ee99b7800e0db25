import type { CompiledType } from '../../resource/compiled-type.js'
import { keyColumns } from '../../resource/key-columns.js'
import type { SqlFinding } from './finding.js'
import { finding } from './finding.js'
import type { InspectedStore } from './inspected-store.js'
import { namedColumn, quotedNames, servedTables, storedNames } from './inspected-store.js'
import type { LiveIndex } from './schema/live-schema.js'
import type { SqlTable } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'

/**
 * Reports the types whose id may belong to several rows, because no primary key and no unique index covers it. A write
 * to such an id would change all of these rows. A type that is only read is reported if its id is a part of a wider
 * key. Views have no keys: a write that would change several rows of a view is rolled back.
 */
export function uniqueKeyProblems(store: InspectedStore): readonly SqlFinding[] {
  return servedTables(store).flatMap(({ type, table }) => {
    const problem = uniqueKeyProblem(type, table)
    return problem === null ? [] : [finding('unique-key', type.type, problem)]
  })
}

/** Returns the problem of one type; null if it has none. */
export function uniqueKeyProblem(type: CompiledType, table: SqlTable): string | null {
  const columns = storedNames(table, keyColumns(type.id.column))
  if (table.live.isView || columns === null) return null
  const name = tableText(table)
  const [empty] = isWritten(type) ? nullableColumns(table, columns) : []
  if (empty !== undefined) {
    const use = columns.length === 1 ? 'the' : 'a part of the'
    return `${namedColumn(table, { name: empty })} is ${use} id of '${type.type}', but may be null: such a row would have no id. Declare it not null.`
  }
  if (isGuaranteedUnique(table, columns)) return null
  const wider = uniqueColumns(table).find((key) => columns.every((column) => key.includes(column)))
  if (wider !== undefined && (isWritten(type) || type.operations.has('FetchOne'))) {
    return `The id of '${type.type}' is only a part of the key of the table '${name}', which is ${quotedNames(wider)}: several rows may have the same id. Declare the whole key: ${declaration(table, wider)}.`
  }
  if (!isWritten(type)) return null
  const [key] = uniqueColumns(table)
  const other = key === undefined ? '' : `, or declare the key of the table as id: ${declaration(table, key)}`
  return `The database does not keep the id of '${type.type}' unique: the table '${name}' has no primary key and no unique index on ${quotedNames(columns)} that covers every row and allows no nulls. Create one${other}.`
}

/** Returns whether a primary key or a unique index guarantees that no two rows have the same values in these columns. */
function isGuaranteedUnique(table: SqlTable, columns: readonly string[]): boolean {
  const isCovered = (key: readonly string[]): boolean => key.every((column) => columns.includes(column))
  return uniqueColumns(table).some(isCovered) || table.live.indexes.some((index) => isExpressed(table, index, columns))
}

/** Returns the columns of the primary key, then those of each unique index that covers every row and has no nulls. */
function uniqueColumns(table: SqlTable): readonly (readonly string[])[] {
  const { primaryKey, indexes } = table.live
  return [
    ...(primaryKey.length === 0 ? [] : [primaryKey]),
    ...indexes.flatMap(({ unique, partial, columns }) => {
      const names = columns.flatMap((column) => column ?? [])
      return unique && !partial && names.length === columns.length && !hasNulls(table, names) ? [names] : []
    }),
  ]
}

/** Returns whether an index is unique over expressions of only these columns: different results imply different values. */
function isExpressed(table: SqlTable, index: LiveIndex, columns: readonly string[]): boolean {
  const { unique, partial, expressed, columns: parts } = index
  if (!unique || partial || expressed.length === 0) return false
  const used = [...expressed, ...parts.flatMap((part) => part ?? [])]
  return used.every((column) => columns.includes(column)) && !hasNulls(table, used)
}

/**
 * Returns the columns of an id that may be null: parts of a composite id, and a primary key of SQLite, which may be null
 * unless it is an integer or declared not null. Another single column has no unique index without nulls, which is
 * reported as such.
 */
function nullableColumns({ live: { columns, primaryKey } }: SqlTable, names: readonly string[]): readonly string[] {
  const isReported = names.length > 1 || names.every((name) => primaryKey.includes(name))
  return columns.flatMap(({ name, nullable }) => (isReported && nullable && names.includes(name) ? [name] : []))
}

function hasNulls({ live }: SqlTable, names: readonly string[]): boolean {
  return live.columns.some(({ name, nullable }) => nullable && names.includes(name))
}

export function isWritten({ operations }: CompiledType): boolean {
  return operations.has('Create') || operations.has('Update') || operations.has('Delete')
}

/** Returns the declaration of an id over these columns, for messages. */
function declaration({ columnNamed }: SqlTable, columns: readonly string[]): string {
  const members = columns.map((column) => columnNamed.get(column)?.property ?? column)
  return members.length === 1 ? `id(${quotedNames(members)})` : `id([${quotedNames(members)}])`
}
