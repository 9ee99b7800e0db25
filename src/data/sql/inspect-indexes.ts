import type { AnyPaginator } from '../../pagination/paginator.js'
import type { CompiledRelation, CompiledType } from '../../resource/compiled-type.js'
import { keyColumns } from '../../resource/key-columns.js'
import type { Model } from '../../resource/model.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import type { RelationKey } from '../../resource/relations/relation-spec.js'
import { uniqueSets } from '../../resource/unique-sets.js'
import type { InspectionOptions } from '../data-source.js'
import type { SqlFinding } from './finding.js'
import { finding } from './finding.js'
import { uniqueKeyProblem } from './inspect-unique-keys.js'
import type { InspectedStore, ServedTable } from './inspected-store.js'
import { quotedNames, servedTables, storedNames } from './inspected-store.js'
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
  const { storage, keys } = heldKeys(relation, owner, types)
  if (storage === 'ownKey') return []
  // Join rows are found by the key of their owner, which comes first.
  const found = storage === 'join' ? keys.slice(0, 1) : keys
  return [
    ...found.flatMap(({ model, key }) => readProblems(indexableTable(tables, model), key, name)),
    ...(storage === 'join' ? pairProblems(indexableTable(tables, keys[0]?.model ?? null), keys, name) : []),
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
function pairProblems(
  table: SqlTable | null,
  keys: readonly { readonly key: RelationKey }[],
  relation: string,
): readonly SqlFinding[] {
  const members = keys.flatMap(({ key: { id, type } }) => [...(type === null ? [] : [type]), ...keyColumns(id)])
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
