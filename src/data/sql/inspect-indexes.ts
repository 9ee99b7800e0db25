import type { AnyPaginator } from '../../pagination/paginator.js'
import type { CompiledRelation, CompiledType } from '../../resource/compiled-type.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import type { RelationKey } from '../../resource/relations/relation-spec.js'
import { resolveStorage } from '../../resource/relations/resolve-storage.js'
import { uniqueSets } from '../../resource/unique-sets.js'
import type { Inspection, InspectionOccasion } from '../data-source.js'
import type { EngineName } from './driver/sql-driver.js'
import type { LiveIndex } from './schema/live-schema.js'
import type { Model } from '../../resource/model.js'
import type { SqlTable, SqlTables } from './schema/sql-table.js'
import { joinModel } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'

interface InspectedStore {
  readonly types: readonly CompiledType[]
  /** Those of the types that the store serves. */
  readonly served: readonly CompiledType[]
  readonly tables: SqlTables
  readonly engine: EngineName
}

/** The indexes that the declarations ask for and the database does not have. */
export function indexProblems(
  store: InspectedStore,
  { paginator }: InspectionOccasion,
): Pick<Inspection, 'unsound' | 'advice'> {
  const unsound = store.served.flatMap((type) => [
    ...keyProblems(type, store),
    ...uniqueProblems(type, store),
    ...type.relations.flatMap((relation) => relationProblems(relation, type, store)),
  ])
  const advice = store.served.flatMap((type) => sortAdvice(type, store, paginator))
  return { unsound: distinct(unsound), advice: distinct(advice) }
}

/** Single rows are read by the column of the id, relations by that of the key. */
function keyProblems(type: CompiledType, { tables }: InspectedStore): readonly string[] {
  const table = tableOf(tables, type)
  return [...new Set([type.id.column, referenceColumn(type)])].flatMap((member) => {
    const columns = table === null ? null : columnNames(table, [member])
    if (table === null || columns === null || isUnique(table, columns)) return []
    return [`The table ${nameOf(table)} has no unique index on ${shown(columns)}, the key of '${type.type}'.`]
  })
}

function uniqueProblems(type: CompiledType, { tables }: InspectedStore): readonly string[] {
  const table = tableOf(tables, type)
  if (table === null) return []
  return uniqueSets(type).flatMap(({ attribute, columns: members }) => {
    const columns = columnNames(table, members)
    if (columns === null || isUnique(table, columns)) return []
    return [
      `The table ${nameOf(table)} has no unique index on ${shown(columns)}, which '${type.type}.${attribute.name}' declares unique.`,
    ]
  })
}

function relationProblems(relation: CompiledRelation, owner: CompiledType, store: InspectedStore): readonly string[] {
  const { types, tables } = store
  const targets = types.filter(({ type }) => relation.spec.targets.includes(type))
  const found = resolveStorage({ relation, owner, targets })
  if (found.kind === 'missing') return []
  const { storage } = found
  const name = `'${owner.type}.${relation.name}'`
  if (storage.kind === 'relatedKey') {
    return targets.flatMap((target) => readProblems(tableOf(tables, target), storage.key, name))
  }
  if (storage.kind !== 'join') return []
  const table = indexed(tables, joinModel(storage))
  return [...readProblems(table, storage.owner, name), ...pairProblems(table, [storage.owner, storage.member], name)]
}

/** The rows that lead to an owner are found by an index that begins with its key, or with its type and then its key. */
function readProblems(table: SqlTable | null, key: RelationKey, relation: string): readonly string[] {
  const columns = table === null ? null : columnNames(table, [key.id])
  if (table === null || columns === null) return []
  const typeColumn = key.type === null ? null : (columnNames(table, [key.type])?.[0] ?? null)
  const isFound = table.live.indexes.some((index) => {
    const [first, second] = index.columns
    return !index.partial && (first === columns[0] || (first === typeColumn && second === columns[0]))
  })
  if (isFound) return []
  return [`The table ${nameOf(table)} has no index that begins with ${shown(columns)}, by which ${relation} is read.`]
}

/** Two requests that add one member at the same time are told apart by the database only. */
function pairProblems(table: SqlTable | null, keys: readonly RelationKey[], relation: string): readonly string[] {
  const members = keys.flatMap(({ id, type }) => (type === null ? [id] : [type, id]))
  const columns = table === null ? null : columnNames(table, members)
  if (table === null || columns === null || isUnique(table, columns)) return []
  return [`The table ${nameOf(table)} has no unique index on ${shown(columns)}: ${relation} may hold a member twice.`]
}

/** Pages that begin after a row want an index in the order of the sort; so does the key, which every table has. */
function sortAdvice(
  type: CompiledType,
  { tables, engine }: InspectedStore,
  serverDefault: AnyPaginator | null,
): readonly string[] {
  const table = tableOf(tables, type)
  if (table === null || !hasCursors(type.pagination(serverDefault))) return []
  return Object.entries(type.sorts).flatMap(([key, sort]) => {
    if (sort.kind !== 'field') return []
    const name = sort.column ?? key
    const member = name === 'id' ? type.id.column : (type.attributeNamed.get(name)?.column ?? name)
    const columns = columnNames(table, [member])
    const [column] = columns ?? []
    const isText = table.columnOf.get(member)?.type === 'text'
    const serves = (index: LiveIndex): boolean => index.columns[0] === column && (index.sortsTexts || !isText)
    if (columns === null || table.live.indexes.some(serves)) return []
    const collation = isText ? ` collate ${engine === 'postgres' ? '"C"' : 'binary'}` : ''
    return [
      `The table ${nameOf(table)} has no index that begins with ${shown(columns)}${collation}, by which '${type.type}' can be sorted and is paged with cursors.`,
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
 * Whether no two rows agree in these columns: a unique index has no other columns. One over some rows, or over an expression
 * of these, was made on purpose and counts.
 */
function isUnique({ live }: SqlTable, columns: readonly string[]): boolean {
  const only = ({ unique, columns: own, expressed }: LiveIndex): boolean =>
    unique &&
    own.every((column) => column === null || columns.includes(column)) &&
    (!own.includes(null) || columns.some((column) => expressed.includes(column)))
  return (
    live.indexes.some(only) || (live.primaryKey.length > 0 && live.primaryKey.every((key) => columns.includes(key)))
  )
}

function tableOf(tables: SqlTables, { model }: CompiledType): SqlTable | null {
  return model === null ? null : indexed(tables, model)
}

/** Views have no indexes that could be missing. */
function indexed(tables: SqlTables, model: Model<unknown> | string): SqlTable | null {
  const table = tables.get(model)
  return table === undefined || table.live.isView ? null : table
}

/** The columns of members; `null` where one is missing, which is told elsewhere, or is computed: it has no index. */
function columnNames({ columnOf }: SqlTable, members: readonly string[]): readonly string[] | null {
  const names = members.flatMap((member) => {
    const column = columnOf.get(member)
    return column === undefined || column.expression !== null ? [] : [column.name]
  })
  return names.length === members.length ? names : null
}

function nameOf({ schema, name }: SqlTable): string {
  return `'${tableText({ schema, name })}'`
}

function shown(columns: readonly string[]): string {
  return columns.map((column) => `'${column}'`).join(', ')
}

function distinct(sentences: readonly string[]): readonly string[] {
  return [...new Set(sentences)]
}
