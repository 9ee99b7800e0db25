import type { CompiledRelation, CompiledType } from '../../resource/compiled-type.js'
import { keyColumns } from '../../resource/key-columns.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import type { SqlFinding } from './finding.js'
import { finding } from './finding.js'
import type { InspectedStore, ServedTable } from './inspected-store.js'
import { databaseType, namedColumn, servedTables } from './inspected-store.js'
import type { ColumnType } from './schema/column-type.js'
import { defaultComparison } from './schema/column-type.js'
import { heldKeys } from './schema/held-keys.js'
import type { SqlColumn, SqlTable } from './schema/sql-table.js'
import { isTableModel, tableText } from './schema/table-model.js'

/** Reports ids and keys of relations whose values cannot be in their column. */
export function keyTypeProblems(store: InspectedStore): readonly SqlFinding[] {
  return servedTables(store).flatMap((served) => [
    ...idProblems(served, store),
    ...served.type.relations.flatMap((relation) => relationProblems(relation, served.type, store)),
  ])
}

function idProblems(served: ServedTable, store: InspectedStore): readonly SqlFinding[] {
  const { type } = served
  const members = new Set([type.id.column, referenceColumn(type)].flatMap(keyColumns))
  const unfindable = [...members].flatMap((member) => unfindableColumn(served, member, store))
  return unfindable.length > 0 ? unfindable : formatProblems(served, store)
}

/** Reports a column of the id if rows cannot be found by its shown values, in routes, filters and cursors. */
function unfindableColumn(
  { type, table }: ServedTable,
  member: string,
  { dialect }: InspectedStore,
): readonly SqlFinding[] {
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

/** Returns whether the model of a type declares a column. */
function isDeclaredColumn({ model }: CompiledType, member: string): boolean {
  return model !== null && isTableModel(model) && model.table.columns.has(member)
}

/** Reports UUIDs and ULIDs that the column cannot hold. Ids with a codec are stored as another value. */
function formatProblems(
  { type: { type, id }, table }: ServedTable,
  { dialect }: InspectedStore,
): readonly SqlFinding[] {
  const { format, codec } = id.spec
  const column = table.columnOf.get(id.column)
  if (column === undefined || codec !== null || column.mapping !== null) return []
  if (format !== 'uuid' && format !== 'ulid') return []
  if (holdsTexts(column.type) && !(format === 'ulid' && dialect.can.typeUuids && column.type === 'uuid')) return []
  const sentence = `${described(table, column)}, which holds no ${format.toUpperCase()}: remove ${format}() from the id of '${type}', or convert the ids with encodeUsing().`
  return [finding('key-kind', `${type}.id`, sentence)]
}

/** Returns whether a column holds texts, such as UUIDs and ULIDs. */
function holdsTexts(type: ColumnType): boolean {
  return type === 'json' || defaultComparison(type) === 'text'
}

function relationProblems(
  relation: CompiledRelation,
  owner: CompiledType,
  { types, tables, dialect }: InspectedStore,
): readonly SqlFinding[] {
  // Columns without a fixed type store values unchanged that cannot be converted.
  if (!dialect.can.typeColumns) return []
  const subject = `${owner.type}.${relation.name}`
  return heldKeys(relation, owner, types).keys.flatMap(({ model, key, referred }) => {
    const table = model === null ? undefined : tables.get(model)
    return referred.flatMap((type) => {
      const referenced = type.model === null ? undefined : tables.get(type.model)
      return keyColumns(key.id).flatMap((name, index) => {
        const column = table?.columnOf.get(name)
        const other = referenced?.columnOf.get(keyColumns(referenceColumn(type))[index] ?? '')
        if (table === undefined || column === undefined || referenced === undefined || other === undefined) return []
        if (isComparable(column.type, other.type)) return []
        const sentence = `${described(table, column)}, and '${subject}' compares it with the column '${other.name}' of the table '${tableText(referenced)}', which has the type '${databaseType(referenced, other)}': name the column that holds the key of '${type.type}'.`
        return [finding('key-kind', subject, sentence)]
      })
    })
  })
}

const moments: ReadonlySet<ColumnType> = new Set(['instant', 'timestamp', 'date'])

/** Keys of any type may be stored as text. A type that only the database knows is compared as text. */
const universal: ReadonlySet<ColumnType> = new Set(['text', 'other'])

function isComparable(one: ColumnType, other: ColumnType): boolean {
  if (one === other || universal.has(one) || universal.has(other)) return true
  const areNumbers = defaultComparison(one) === 'number' && defaultComparison(other) === 'number'
  return areNumbers || (moments.has(one) && moments.has(other))
}

function described(table: SqlTable, column: SqlColumn): string {
  return `${namedColumn(table, column)} has the type '${databaseType(table, column)}'`
}

/**
 * Reports ids over instants of PostgreSQL with microseconds. A `Date` in a row has milliseconds, so the id that a response shows would not
 * be that of the row. A column that the model declares is not reported: as text it has all digits, as an instant it has milliseconds only.
 */
export function keyDigitProblems(store: InspectedStore): readonly SqlFinding[] {
  return servedTables(store).flatMap(({ type, table }) =>
    keyColumns(type.id.column)
      .filter((member) => !isDeclaredColumn(type, member))
      .flatMap((member) => table.columnOf.get(member) ?? [])
      .filter((column) => (column.type === 'instant' || column.type === 'timestamp') && column.isFiner)
      .map((column) => {
        const sentence = `${namedColumn(table, column)} may have microseconds, which the id of '${type.type}' would lose: a resource would not be found by its id. Declare { columns: { ${column.property}: 'text' } } in table(), or '${column.type}' instead of 'text' if it has milliseconds only.`
        return finding('key-digits', `${type.type}.id`, sentence)
      }),
  )
}
