import type { AnyPaginator } from '../../declare/pagination/paginator.js'
import type { CompiledRelation, CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import { keyColumns } from '../../declare/resource/parts/key-columns.js'
import type { Model } from '../../declare/resource/parts/model.js'
import { referenceColumn } from '../../declare/resource/compiled/relation-link.js'
import type { RelationKey } from '../../declare/resource/relations/relation-spec.js'
import { uniqueSets } from '../../declare/resource/compiled/unique-sets.js'
import type { InspectionOptions } from '../common/data-source.js'
import type { SqlFinding } from './finding.js'
import { finding } from './finding.js'
import type { InspectedStore, ServedTable } from './inspected-store.js'
import { namedColumn, quotedNames, servedTables, storedNames } from './inspected-store.js'
import { heldKeys } from './schema/held-keys.js'
import type { LiveIndex } from './schema/live-schema.js'
import type { SqlTable, SqlTables } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'

/** Reports the indexes that the declarations need and the database does not have. */
export function indexProblems(
  store: InspectedStore,
  { paginator }: InspectionOptions,
): { readonly unsound: readonly SqlFinding[]; readonly advice: readonly SqlFinding[] } {
  const indexable = servedTables(store).filter(({ table }) => !table.live.isView)
  const tableOfType = new Map(indexable.map(({ type, table }) => [type, table]))
  const unsound = store.served.flatMap((type) => {
    const table = tableOfType.get(type)
    return [
      ...(table === undefined ? [] : [...keyIndexProblems({ type, table }), ...uniqueProblems({ type, table })]),
      ...type.relations.flatMap((relation) => relationProblems(relation, type, store)),
    ]
  })
  return { unsound, advice: indexable.flatMap((served) => sortAdvice(served, store, paginator)) }
}

/** Returns the finding that a table has no index, as the end of a sentence says. */
function missingIndex(
  kind: Parameters<typeof finding>[0],
  subject: string,
  { table, lacks }: { readonly table: SqlTable; readonly lacks: string },
): SqlFinding {
  return finding(kind, subject, `The table '${tableText(table)}' has no ${lacks}`)
}

/**
 * Reports key columns without a unique index. Single rows are read by the id column, relations by the key column. An id
 * that prevents the server from being ready is reported by `uniqueKeyProblems`.
 */
function keyIndexProblems({ type, table }: ServedTable): readonly SqlFinding[] {
  return [...new Set([type.id.column, referenceColumn(type)])].flatMap((member) => {
    const columns = storedNames(table, keyColumns(member))
    if (columns === null || isUnique(table, columns)) return []
    if (member === type.id.column && uniqueKeyProblem(type, table) !== null) return []
    const lacks = `unique index on ${quotedNames(columns)}, the key of '${type.type}'.`
    return [missingIndex('key-index', type.type, { table, lacks })]
  })
}

function uniqueProblems({ type, table }: ServedTable): readonly SqlFinding[] {
  return uniqueSets(type).flatMap(({ attribute, columns: members }) => {
    const columns = storedNames(table, members)
    if (columns === null || isUnique(table, columns)) return []
    const name = `${type.type}.${attribute.name}`
    const lacks = `unique index on ${quotedNames(columns)}, which '${name}' declares unique.`
    return [missingIndex('unique-index', name, { table, lacks })]
  })
}

function relationProblems(
  relation: CompiledRelation,
  owner: CompiledType,
  { types, tables }: InspectedStore,
): readonly SqlFinding[] {
  const name = `${owner.type}.${relation.name}`
  const { storage, keys, joined } = heldKeys(relation, owner, types)
  if (storage === 'ownKey') return []
  // Join rows are found by the key of their owner, which comes first.
  const found = joined === null ? keys : keys.slice(0, 1)
  return [
    ...found.flatMap(({ model, key }) => readProblems(indexableTable(tables, model), key, name)),
    ...(joined === null ? [] : pairProblems(indexableTable(tables, joined.model), joined.pair, name)),
  ]
}

/**
 * Reports a foreign key without an index that finds the rows of an owner. The index must begin with the key column, or
 * with the type column followed by the key column.
 */
function readProblems(table: SqlTable | null, key: RelationKey, relation: string): readonly SqlFinding[] {
  const columns = table === null ? null : storedNames(table, keyColumns(key.id))
  if (table === null || columns === null) return []
  const typeColumn = key.type === null ? null : (storedNames(table, [key.type])?.[0] ?? null)
  const isFound = table.live.indexes.some((index) => {
    const [first, ...rest] = index.columns
    return !index.partial && (beginsWith(index.columns, columns) || (first === typeColumn && beginsWith(rest, columns)))
  })
  if (isFound) return []
  const lacks = `index that begins with ${quotedNames(columns)}, by which '${relation}' is read.`
  return [missingIndex('relation-index', relation, { table, lacks })]
}

/** Returns whether the first columns of an index are these, in any order: all of them are compared with equal values. */
function beginsWith(indexed: readonly (string | null)[], columns: readonly string[]): boolean {
  return indexed.length >= columns.length && columns.every((each) => indexed.slice(0, columns.length).includes(each))
}

/**
 * Reports a join table without a unique index. Only the index prevents two concurrent requests from adding the same member twice.
 */
function pairProblems(table: SqlTable | null, members: readonly string[], relation: string): readonly SqlFinding[] {
  const columns = table === null ? null : storedNames(table, members)
  if (table === null || columns === null || isUnique(table, columns)) return []
  const lacks = `unique index on ${quotedNames(columns)}: '${relation}' may hold a member twice.`
  return [missingIndex('member-index', relation, { table, lacks })]
}

/**
 * Advises an index for each sort of a type with cursor pagination. A sort by a text key may need another index than that
 * of the key, because of its collation.
 */
function sortAdvice(
  { type, table }: ServedTable,
  { dialect }: InspectedStore,
  serverDefault: AnyPaginator | null,
): readonly SqlFinding[] {
  if (!hasCursors(type.pagination(serverDefault))) return []
  return Object.entries(type.sorts).flatMap(([sortKey, sort]) => {
    if (sort.kind !== 'field') return []
    const name = sort.column ?? sortKey
    const [key = ''] = keyColumns(type.id.column)
    const member = name === 'id' ? key : (type.attributeNamed.get(name)?.column ?? name)
    const columns = storedNames(table, [member])
    const [column] = columns ?? []
    const isText = table.columnOf.get(member)?.type === 'text'
    // A key without an index is reported as unsound.
    if (member === type.id.column && !isText) return []
    const serves = (index: LiveIndex): boolean => index.columns[0] === column && (index.sortsTexts || !isText)
    if (columns === null || table.live.indexes.some(serves)) return []
    const collation = isText ? ` collate ${dialect.schema.codePoints}` : ''
    const lacks = `index that begins with ${quotedNames(columns)}${collation}, by which '${type.type}' can be sorted and is paged with cursors.`
    return [missingIndex('sort-index', `${type.type}.${sortKey}`, { table, lacks })]
  })
}

function hasCursors(paginator: AnyPaginator | null): boolean {
  if (paginator === null) return false
  return paginator.strategy === 'menu'
    ? paginator.choices.some(({ strategy }) => strategy === 'cursor')
    : paginator.strategy === 'cursor'
}

/**
 * Returns whether a unique index guarantees that no two rows have equal values in these columns, so the index may have no other
 * columns. A partial index, or one over an expression of these columns, counts too: it was created on purpose.
 */
function isUnique({ live }: SqlTable, columns: readonly string[]): boolean {
  const covers = ({ unique, columns: indexColumns, expressed }: LiveIndex): boolean =>
    unique &&
    indexColumns.every((column) => column === null || columns.includes(column)) &&
    (!indexColumns.includes(null) || columns.some((column) => expressed.includes(column)))
  return (
    live.indexes.some(covers) || (live.primaryKey.length > 0 && live.primaryKey.every((key) => columns.includes(key)))
  )
}

/** Returns the table of a model, or null for a view, which has no indexes. */
function indexableTable(tables: SqlTables, model: Model<unknown> | string | null): SqlTable | null {
  const table = model === null ? undefined : tables.get(model)
  return table === undefined || table.live.isView ? null : table
}

/**
 * Reports the types whose id may belong to several rows, because no primary key and no unique index covers it. A write
 * to such an id would change all of these rows. A type that is only read is reported if its id is a part of a wider
 * key. Views have no keys: a write that would change several rows of a view is rolled back.
 */
export function uniqueKeyProblems({ type, table }: ServedTable): readonly SqlFinding[] {
  const problem = uniqueKeyProblem(type, table)
  return problem === null ? [] : [finding('unique-key', type.type, problem)]
}

/** Returns the problem of one type; null if it has none. */
function uniqueKeyProblem(type: CompiledType, table: SqlTable): string | null {
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
