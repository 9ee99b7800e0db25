import type { CompiledRelation, CompiledType } from '../../resource/compiled-type.js'
import { keyColumns } from '../../resource/key-columns.js'
import type { RelationStorage } from '../../resource/relations/relation-link.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import { resolveStorage } from '../../resource/relations/resolve-storage.js'
import type { SqlDialect } from './dialect/dialect.js'
import type { SqlFinding } from './finding.js'
import { finding } from './finding.js'
import type { ColumnType } from './schema/column-type.js'
import { isDeclaredColumn } from './schema/key-column.js'
import type { SqlColumn, SqlTable, SqlTables } from './schema/sql-table.js'
import { joinModel } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'

interface InspectedKeys {
  readonly types: readonly CompiledType[]
  /** The types that the store serves. */
  readonly served: readonly CompiledType[]
  readonly tables: SqlTables
  readonly dialect: SqlDialect
}

/** Reports ids and keys of relations whose values cannot be in their column. */
export function keyTypeProblems(keys: InspectedKeys): readonly SqlFinding[] {
  return keys.served.flatMap((type) => [
    ...idProblems(type, keys),
    ...type.relations.flatMap((relation) => relationProblems(relation, type, keys)),
  ])
}

/** The types of columns that hold no texts, and so no UUIDs and ULIDs. */
const withoutTexts: ReadonlySet<ColumnType> = new Set<ColumnType>([
  ...(['integer', 'bigint', 'number', 'real', 'decimal', 'boolean'] as const),
  ...(['instant', 'timestamp', 'epochSeconds', 'epochMilliseconds', 'date', 'time', 'list'] as const),
])

function idProblems(type: CompiledType, keys: InspectedKeys): readonly SqlFinding[] {
  const table = type.model === null ? undefined : keys.tables.get(type.model)
  if (table === undefined) return []
  const members = new Set([type.id.column, referenceColumn(type)].flatMap(keyColumns))
  const unfindable = [...members].flatMap((member) => unfindableColumn(type, member, { table, dialect: keys.dialect }))
  return unfindable.length > 0 ? unfindable : formatProblems(type, table, keys.dialect)
}

/** Reports a column of the id if rows cannot be found by its shown values, in routes, filters and cursors. */
function unfindableColumn(type: CompiledType, member: string, { table, dialect }: KeyTable): readonly SqlFinding[] {
  const column = table.columnOf.get(member)
  if (column === undefined || column.mapping !== null || column.expression !== null) return []
  const remedy = dialect.schema.keyRemedy(column, {
    databaseType: databaseType(table, column),
    isDeclared: isDeclaredColumn(type, member),
    isConverted: type.id.spec.codec !== null,
  })
  if (remedy === null) return []
  const sentence = `${described(table, column)}, which does not fit ids: an id that a response shows may not find its row. Declare another unique column as the id of '${type.type}', or ${remedy}.`
  return [finding('key-kind', `${type.type}.id`, sentence)]
}

interface KeyTable {
  readonly table: SqlTable
  readonly dialect: SqlDialect
}

/** Reports UUIDs and ULIDs that the column cannot hold. Ids with a codec are stored as another value. */
function formatProblems({ type, id }: CompiledType, table: SqlTable, dialect: SqlDialect): readonly SqlFinding[] {
  const { format, codec } = id.spec
  const column = table.columnOf.get(id.column)
  if (column === undefined || codec !== null || column.mapping !== null) return []
  if (format !== 'uuid' && format !== 'ulid') return []
  const holds =
    !withoutTexts.has(column.type) && !(format === 'ulid' && dialect.can.typeUuids && column.type === 'uuid')
  if (holds) return []
  const sentence = `${described(table, column)}, which holds no ${format.toUpperCase()}: remove ${format}() from the id of '${type}', or convert the ids with encodeUsing().`
  return [finding('key-kind', `${type}.id`, sentence)]
}

type ComparedKeys = readonly [table: SqlTable | undefined, column: string, referenced: CompiledType]

function relationProblems(
  relation: CompiledRelation,
  owner: CompiledType,
  { types, tables, dialect }: InspectedKeys,
): readonly SqlFinding[] {
  // Columns without a fixed type store values unchanged that cannot be converted.
  if (!dialect.can.typeColumns) return []
  const targets = types.filter(({ type }) => relation.spec.targets.includes(type))
  const found = resolveStorage({ relation, owner, targets })
  if (found.kind === 'missing') return []
  const subject = `${owner.type}.${relation.name}`
  return comparedKeys(found.storage, { owner, targets, tables }).flatMap(([table, key, type]) => {
    const referenced = type.model === null ? undefined : tables.get(type.model)
    return keyColumns(key).flatMap((name, index) => {
      const column = table?.columnOf.get(name)
      const other = referenced?.columnOf.get(keyColumns(referenceColumn(type))[index] ?? '')
      if (table === undefined || column === undefined || referenced === undefined || other === undefined) return []
      if (isComparable(column.type, other.type)) return []
      const sentence = `${described(table, column)}, and '${subject}' compares it with the column '${other.name}' of the table '${nameOf(referenced)}', which has the type '${databaseType(referenced, other)}': name the column that holds the key of '${type.type}'.`
      return [finding('key-kind', subject, sentence)]
    })
  })
}

interface RelationTables {
  readonly owner: CompiledType
  readonly targets: readonly CompiledType[]
  readonly tables: SqlTables
}

function comparedKeys(storage: RelationStorage, { owner, targets, tables }: RelationTables): readonly ComparedKeys[] {
  const tableFor = ({ model }: CompiledType): SqlTable | undefined => (model === null ? undefined : tables.get(model))
  switch (storage.kind) {
    case 'ownKey':
      return targets.map((target) => [tableFor(owner), storage.key.id, target] as const)
    case 'relatedKey':
      return targets.map((target) => [tableFor(target), storage.key.id, owner] as const)
    case 'join': {
      const join = tables.get(joinModel(storage))
      const members = targets.map((target) => [join, storage.member.id, target] as const)
      return [[join, storage.owner.id, owner], ...members]
    }
    case 'function':
    case 'provider':
      return []
  }
}

const numbers: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'number', 'real', 'decimal'])

const moments: ReadonlySet<ColumnType> = new Set(['instant', 'timestamp', 'date'])

/** Keys of any type may be stored as text. A type that only the database knows is compared as text. */
const universal: ReadonlySet<ColumnType> = new Set(['text', 'other'])

function isComparable(one: ColumnType, other: ColumnType): boolean {
  const areBoth = (types: ReadonlySet<ColumnType>): boolean => types.has(one) && types.has(other)
  return one === other || universal.has(one) || universal.has(other) || areBoth(numbers) || areBoth(moments)
}

function described(table: SqlTable, column: SqlColumn): string {
  return `The column '${column.name}' of the table '${nameOf(table)}' has the type '${databaseType(table, column)}'`
}

function databaseType({ live }: SqlTable, { name, type }: SqlColumn): string {
  return live.columns.find((column) => column.name === name)?.databaseType ?? type
}

function nameOf({ schema, name }: SqlTable): string {
  return tableText({ schema, name })
}
