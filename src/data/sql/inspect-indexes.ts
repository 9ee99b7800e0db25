import type { AnyPaginator } from '../../pagination/paginator.js'
import type { CompiledRelation, CompiledType } from '../../resource/compiled-type.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import { keyColumns } from '../../resource/key-columns.js'
import type { RelationKey } from '../../resource/relations/relation-spec.js'
import { resolveStorage } from '../../resource/relations/resolve-storage.js'
import { uniqueSets } from '../../resource/unique-sets.js'
import type { InspectionOptions } from '../data-source.js'
import type { SqlDialect } from './dialect/dialect.js'
import type { SqlFinding } from './finding.js'
import { finding } from './finding.js'
import type { LiveIndex } from './schema/live-schema.js'
import type { Model } from '../../resource/model.js'
import type { SqlTable, SqlTables } from './schema/sql-table.js'
import { joinModel } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'
import { uniqueKeyProblem } from './inspect-unique-keys.js'

interface InspectedStore {
  readonly types: readonly CompiledType[]
  /** The types that the store serves. */
  readonly served: readonly CompiledType[]
  readonly tables: SqlTables
  readonly dialect: SqlDialect
}

/** Reports the indexes that the declarations need and the database does not have. */
export function indexProblems(
  store: InspectedStore,
  { paginator }: InspectionOptions,
): { readonly unsound: readonly SqlFinding[]; readonly advice: readonly SqlFinding[] } {
  const unsound = store.served.flatMap((type) => [
    ...keyIndexProblems(type, store),
    ...uniqueProblems(type, store),
    ...type.relations.flatMap((relation) => relationProblems(relation, type, store)),
  ])
  const advice = store.served.flatMap((type) => sortAdvice(type, store, paginator))
  return { unsound, advice }
}

/**
 * Reports key columns without a unique index. Single rows are read by the id column, relations by the key column. An id
 * that prevents the server from being ready is reported by `uniqueKeyProblems`.
 */
function keyIndexProblems(type: CompiledType, { tables }: InspectedStore): readonly SqlFinding[] {
  const table = tableOfType(tables, type)
  if (table === null) return []
  return [...new Set([type.id.column, referenceColumn(type)])].flatMap((member) => {
    const columns = columnNames(table, keyColumns(member))
    if (columns === null || isUnique(table, columns)) return []
    if (member === type.id.column && uniqueKeyProblem(type, table) !== null) return []
    return [
      finding(
        'key-index',
        type.type,
        `The table ${quotedTable(table)} has no unique index on ${quotedColumns(columns)}, the key of '${type.type}'.`,
      ),
    ]
  })
}

function uniqueProblems(type: CompiledType, { tables }: InspectedStore): readonly SqlFinding[] {
  const table = tableOfType(tables, type)
  if (table === null) return []
  return uniqueSets(type).flatMap(({ attribute, columns: members }) => {
    const columns = columnNames(table, members)
    if (columns === null || isUnique(table, columns)) return []
    const name = `${type.type}.${attribute.name}`
    return [
      finding(
        'unique-index',
        name,
        `The table ${quotedTable(table)} has no unique index on ${quotedColumns(columns)}, which '${name}' declares unique.`,
      ),
    ]
  })
}

function relationProblems(
  relation: CompiledRelation,
  owner: CompiledType,
  store: InspectedStore,
): readonly SqlFinding[] {
  const { types, tables } = store
  const targets = types.filter(({ type }) => relation.spec.targets.includes(type))
  const found = resolveStorage({ relation, owner, targets })
  if (found.kind === 'missing') return []
  const { storage } = found
  const name = `${owner.type}.${relation.name}`
  if (storage.kind === 'relatedKey') {
    return targets.flatMap((target) => readProblems(tableOfType(tables, target), storage.key, name))
  }
  if (storage.kind !== 'join') return []
  const table = indexableTable(tables, joinModel(storage))
  return [...readProblems(table, storage.owner, name), ...pairProblems(table, [storage.owner, storage.member], name)]
}

/**
 * Reports a foreign key without an index that finds the rows of an owner. The index must begin with the key column, or
 * with the type column followed by the key column.
 */
function readProblems(table: SqlTable | null, key: RelationKey, relation: string): readonly SqlFinding[] {
  const columns = table === null ? null : columnNames(table, keyColumns(key.id))
  if (table === null || columns === null) return []
  const typeColumn = key.type === null ? null : (columnNames(table, [key.type])?.[0] ?? null)
  const isFound = table.live.indexes.some((index) => {
    const [first, ...rest] = index.columns
    return !index.partial && (beginsWith(index.columns, columns) || (first === typeColumn && beginsWith(rest, columns)))
  })
  if (isFound) return []
  return [
    finding(
      'relation-index',
      relation,
      `The table ${quotedTable(table)} has no index that begins with ${quotedColumns(columns)}, by which '${relation}' is read.`,
    ),
  ]
}

/** Returns whether the first columns of an index are these, in any order: all of them are compared with equal values. */
function beginsWith(indexed: readonly (string | null)[], columns: readonly string[]): boolean {
  return indexed.length >= columns.length && columns.every((each) => indexed.slice(0, columns.length).includes(each))
}

/**
 * Reports a join table without a unique index. Only the index prevents two concurrent requests from adding the same member twice.
 */
function pairProblems(table: SqlTable | null, keys: readonly RelationKey[], relation: string): readonly SqlFinding[] {
  const members = keys.flatMap(({ id, type }) => [...(type === null ? [] : [type]), ...keyColumns(id)])
  const columns = table === null ? null : columnNames(table, members)
  if (table === null || columns === null || isUnique(table, columns)) return []
  return [
    finding(
      'member-index',
      relation,
      `The table ${quotedTable(table)} has no unique index on ${quotedColumns(columns)}: '${relation}' may hold a member twice.`,
    ),
  ]
}

/**
 * Advises an index for each sort of a type with cursor pagination. A sort by a text key may need another index than that
 * of the key, because of its collation.
 */
function sortAdvice(
  type: CompiledType,
  { tables, dialect }: InspectedStore,
  serverDefault: AnyPaginator | null,
): readonly SqlFinding[] {
  const table = tableOfType(tables, type)
  if (table === null || !hasCursors(type.pagination(serverDefault))) return []
  return Object.entries(type.sorts).flatMap(([sortKey, sort]) => {
    if (sort.kind !== 'field') return []
    const name = sort.column ?? sortKey
    const [key = ''] = keyColumns(type.id.column)
    const member = name === 'id' ? key : (type.attributeNamed.get(name)?.column ?? name)
    const columns = columnNames(table, [member])
    const [column] = columns ?? []
    const isText = table.columnOf.get(member)?.type === 'text'
    // A key without an index is reported as unsound.
    if (member === type.id.column && !isText) return []
    const serves = (index: LiveIndex): boolean => index.columns[0] === column && (index.sortsTexts || !isText)
    if (columns === null || table.live.indexes.some(serves)) return []
    const collation = isText ? ` collate ${dialect.schema.codePoints}` : ''
    return [
      finding(
        'sort-index',
        `${type.type}.${sortKey}`,
        `The table ${quotedTable(table)} has no index that begins with ${quotedColumns(columns)}${collation}, by which '${type.type}' can be sorted and is paged with cursors.`,
      ),
    ]
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

function tableOfType(tables: SqlTables, { model }: CompiledType): SqlTable | null {
  return model === null ? null : indexableTable(tables, model)
}

/** Returns the table of a model, or null for a view, which has no indexes. */
function indexableTable(tables: SqlTables, model: Model<unknown> | string): SqlTable | null {
  const table = tables.get(model)
  return table === undefined || table.live.isView ? null : table
}

/**
 * Returns the columns of members. Null if one is missing, which is reported elsewhere, or is computed, so that it
 * cannot have an index.
 */
function columnNames({ columnOf }: SqlTable, members: readonly string[]): readonly string[] | null {
  const names = members.flatMap((member) => {
    const column = columnOf.get(member)
    return column === undefined || column.expression !== null ? [] : [column.name]
  })
  return names.length === members.length ? names : null
}

function quotedTable({ schema, name }: SqlTable): string {
  return `'${tableText({ schema, name })}'`
}

function quotedColumns(columns: readonly string[]): string {
  return columns.map((column) => `'${column}'`).join(', ')
}
