import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import type { Constraint } from '../../../declare/resource/fields/constraint.js'
import type { ItemType } from '../../../declare/resource/fields/item-types.js'
import { itemTypes } from '../../../declare/resource/fields/item-types.js'
import type { ListItem } from '../../../declare/resource/fields/list-kinds.js'
import { itemKinds } from '../../../declare/resource/fields/list-kinds.js'
import type { StorageType, TextFormat, ValueKind } from '../../../declare/resource/fields/value-kind.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { SqlFinding } from '../finding.js'
import { finding } from '../finding.js'
import type { ColumnType } from './column-type.js'
import { columnTypeSet as types } from './column-type.js'
import type { LiveColumn } from './live-schema.js'
import type { TableColumn } from './table-model.js'
import { tableText } from './table-model.js'
import type { WantedMember, WantedTable } from './wanted-tables.js'

/** The kinds to suggest for a column, each with the type that it stores. */
const suggestions: readonly (readonly [kind: string, storageType: StorageType])[] = [
  ['a.integer()', 'number'],
  ['a.bigint()', 'bigint'],
  ['a.decimal()', 'number'],
  ['a.boolean()', 'boolean'],
  ['a.dateTime()', 'instant'],
  ['a.date()', 'date'],
  ['a.time()', 'time'],
  ['a.arrayList()', 'list'],
  ['a.arrayHash()', 'json'],
  ['a.string()', 'text'],
]

/** The types of array items that fit the item type of a list. */
const fittingItems: Readonly<Record<ListItem, ReadonlySet<ColumnType>>> = {
  string: types('text', 'uuid', 'date', 'time', 'other'),
  integer: types('integer', 'bigint', 'decimal', 'number', 'real'),
  bigint: types('integer', 'bigint', 'decimal'),
  number: types('integer', 'bigint', 'decimal', 'number', 'real'),
  boolean: types('boolean'),
}

/** The types of array items that fit a list without `of()`, by the JSON type of its items: they are shown unchanged. */
const fittingPlainItems: Readonly<Record<ItemType, ReadonlySet<ColumnType>>> = {
  string: fittingItems.string,
  number: types('integer', 'bigint', 'number', 'real'),
  // Arrays of several dimensions have the type of their innermost items.
  list: types('text', 'uuid', 'date', 'time', 'other', 'integer', 'bigint', 'number', 'real', 'boolean'),
  object: types(),
}

/**
 * The column types that hold texts of a format. The text of a number or of a list never has the format, so that it
 * could not be sent back.
 */
const fittingFormats: Readonly<Record<TextFormat, ReadonlySet<ColumnType>>> = {
  uuid: types('text', 'uuid', 'other'),
  ip: types('text', 'other'),
  email: types('text', 'other'),
  url: types('text', 'other'),
}

/** A column of the database, and its declaration in the model. */
export interface FoundColumn {
  readonly live: LiveColumn
  readonly declaration: TableColumn | null
}

/**
 * Reports the attributes whose kind does not fit their column: a value that they show could not be sent back, filtered
 * or sorted by. Attributes that functions convert are not checked. Reports also the members whose values the database would refuse to
 * store in their column, whatever a client sends.
 */
export function columnFindings(
  dialect: SqlDialect,
  want: WantedTable,
  columnOf: ReadonlyMap<string, FoundColumn>,
): readonly SqlFinding[] {
  const used = want.members.flatMap((member) => {
    const column = columnOf.get(member.property)
    if (column === undefined || member.neededBy === null) return []
    return [{ member, column, named: `The column '${column.live.name}' of the table '${tableText(want.tableName)}'` }]
  })
  const unfitting = used.flatMap(({ member, column, named }) => {
    const problem = unfit(dialect, member, column)
    const sentence = `${named} has the type '${column.live.databaseType}', which does not fit ${member.neededBy}: ${problem}.`
    return problem === null ? [] : [finding('column-kind', member.subject, sentence)]
  })
  const unwritable = used.flatMap(({ member, column, named }) => [
    ...generated(member, column.live, named),
    ...foreignLabels(member, column, named),
  ])
  return [...unfitting, ...unwritable]
}

function unfit(
  dialect: SqlDialect,
  { spec, storageType }: WantedMember,
  { live, declaration }: FoundColumn,
): string | null {
  if (declaration?.mapping !== undefined) return null
  const type = declaration?.type ?? live.type
  if (spec === null) return storageType === null ? null : unfitMark(dialect, storageType, type)
  if (isConverted(spec)) return null
  if (!fits(dialect, spec.kind.storageType, type) || !holdsFormat(spec.kind, type, live))
    return kindRemedy(dialect, spec, type)
  return type === 'list' && spec.kind.storageType === 'list' ? itemRemedy(spec, live.items ?? 'other') : null
}

/** Returns whether a column holds texts of the format of a kind. A `cidr` holds networks, and no addresses. */
function holdsFormat({ textFormat }: ValueKind, type: ColumnType, { databaseType }: LiveColumn): boolean {
  if (textFormat === null) return true
  return fittingFormats[textFormat].has(type) && !(textFormat === 'ip' && databaseType === 'cidr')
}

/** Soft deletes mark rows with an instant. A column without a fixed type stores it too, and it is compared with null only. */
function unfitMark(dialect: SqlDialect, storageType: StorageType, type: ColumnType): string | null {
  if (!dialect.can.typeColumns || fits(dialect, storageType, type)) return null
  const epochs = fits(dialect, 'number', type) ? ", declare it as 'epochSeconds' or 'epochMilliseconds' in table()" : ''
  return `it cannot hold the time of the deletion. Name a column of instants${epochs}, or one of texts with as: 'text'`
}

function isConverted({ extract, serialize, deserialize, fill }: AttributeSpec): boolean {
  return extract !== null || serialize !== null || deserialize !== null || fill !== null
}

function fits(dialect: SqlDialect, storageType: StorageType, type: ColumnType): boolean {
  return storageType === 'text' || dialect.schema.fitting[storageType].has(type)
}

function kindRemedy(dialect: SqlDialect, { kind }: AttributeSpec, type: ColumnType): string {
  const kinds = suggestions.filter(([, storageType]) => fits(dialect, storageType, type)).map(([name]) => name)
  const epochs =
    kind.storageType === 'instant' && fits(dialect, 'number', type)
      ? ", declare the column as 'epochSeconds' or 'epochMilliseconds' in table()"
      : ''
  return `a.${kind.name}() cannot hold its values. Declare the attribute as ${listed(kinds)}${epochs}, or convert the values with extractUsing() and fillUsing()`
}

function itemRemedy({ items, constraints }: AttributeSpec, type: ColumnType): string | null {
  const plain = items === null ? itemTypes(constraints) : null
  const isFitting =
    items === null
      ? plain === null || [...plain].every((item) => fittingPlainItems[item].has(type))
      : fittingItems[items].has(type)
  if (isFitting) return null
  const found = (Object.keys(itemKinds) as ListItem[]).filter((item) => fittingItems[item].has(type))
  const remedy = found.length === 0 ? '' : `declare the items with ${listed(found.map((item) => `of('${item}')`))}, or `
  return `its items are no values of a.arrayList()${items === null ? '' : `.of('${items}')`}. Instead, ${remedy}declare the attribute as a.string()`
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** An identity column takes a value on insert, and never on update. */
function generated(
  { subject, neededBy, writtenBy }: WantedMember,
  live: LiveColumn,
  named: string,
): readonly SqlFinding[] {
  const onCreate = writtenBy.onCreate && live.generated === 'expression'
  const onUpdate = writtenBy.onUpdate && live.generated !== undefined
  if (!onCreate && !onUpdate) return []
  const remedy = live.generated === 'identity' ? 'readOnlyOnUpdate()' : 'readOnly()'
  const sentence = `${named} is generated always, and ${neededBy} would write to it: call ${remedy}, or name another column.`
  return [finding('generated-column', subject, sentence)]
}

/** Reports values that an attribute allows and the enumeration type of its column does not have. */
function foreignLabels(member: WantedMember, { live, declaration }: FoundColumn, named: string): readonly SqlFinding[] {
  const { spec, subject, neededBy, writtenBy } = member
  const isWritten = writtenBy.onCreate || writtenBy.onUpdate
  const isMapped = spec?.deserialize !== null || declaration?.mapping !== undefined
  if (spec === null || live.labels === undefined || !isWritten || isMapped) return []
  const { labels } = live
  const others = spec.constraints.flatMap(listedValues).filter((value) => !labels.includes(String(value)))
  if (others.length === 0) return []
  const sentence = `${named} has the type '${live.databaseType}', which has no ${quoted(others)}, and ${neededBy} allows it: list only ${quoted(labels)} in in() or enum().`
  return [finding('enum-values', subject, sentence)]
}

/** Returns the values of `in()` and `enum()`. Null is stored as null, not as a label. */
function listedValues(constraint: Constraint): readonly unknown[] {
  if (constraint.kind !== 'schema' || constraint.name !== 'in') return []
  const values: unknown = constraint.schema['enum']
  return Array.isArray(values) ? values.filter((value: unknown) => value !== null) : []
}

function quoted(values: readonly unknown[]): string {
  return [...new Set(values)].map((value) => `'${String(value)}'`).join(', ')
}
