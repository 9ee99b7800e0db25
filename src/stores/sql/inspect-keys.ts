import type { CompiledRelation, CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { FilterSpec } from '../../declare/resource/filters/filter-spec.js'
import { isComposite, keyColumns } from '../../declare/resource/parts/key-columns.js'
import { storedTexts } from '../../declare/resource/querying/stored-texts.js'
import { referenceColumn } from '../../declare/resource/compiled/relation-link.js'
import { columnsOfField } from '../../declare/resource/compiled/unique-sets.js'
import type { SqlDialect } from './dialect/dialect.js'
import type { SqlDriver } from './driver/sql-driver.js'
import type { SqlFinding } from './finding.js'
import { finding } from './finding.js'
import type { InspectedStore, ServedTable } from './inspected-store.js'
import { databaseType, namedColumn, servedTables } from './inspected-store.js'
import { comparedColumn } from './query/compared-column.js'
import type { ColumnType } from './schema/column-type.js'
import { defaultComparison } from './schema/column-type.js'
import { heldKeys } from './schema/held-keys.js'
import type { SqlColumn, SqlTable } from './schema/sql-table.js'
import { isTableModel, tableText } from './schema/table-model.js'
import { hasGeneratedKey } from './write/statement-target.js'

/** Reports ids and keys of relations whose values cannot be in their column. */
export function keyTypeProblems(served: ServedTable, store: InspectedStore): readonly SqlFinding[] {
  return [
    ...idProblems(served, store),
    ...served.type.relations.flatMap((relation) => relationProblems(relation, served.type, store)),
  ]
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
  const holdsTexts = column.type === 'json' || defaultComparison(column.type) === 'text'
  if (holdsTexts && !(format === 'ulid' && dialect.can.typeUuids && column.type === 'uuid')) return []
  const sentence = `${described(table, column)}, which holds no ${format.toUpperCase()}: remove ${format}() from the id of '${type}', or convert the ids with encodeUsing().`
  return [finding('key-kind', `${type}.id`, sentence)]
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
export function keyDigitProblems({ type, table }: ServedTable): readonly SqlFinding[] {
  return keyColumns(type.id.column)
    .filter((member) => !isDeclaredColumn(type, member))
    .flatMap((member) => table.columnOf.get(member) ?? [])
    .filter((column) => (column.type === 'instant' || column.type === 'timestamp') && column.isFiner)
    .map((column) => {
      const sentence = `${namedColumn(table, column)} may have microseconds, which the id of '${type.type}' would lose: a resource would not be found by its id. Declare { columns: { ${column.property}: 'text' } } in table(), or '${column.type}' instead of 'text' if it has milliseconds only.`
      return finding('key-digits', `${type.type}.id`, sentence)
    })
}

/**
 * Reports the types whose new resources would have no key, because neither the client, the server nor the database sets
 * one.
 */
export async function keyProblems(driver: SqlDriver, store: InspectedStore): Promise<readonly SqlFinding[]> {
  const problems: SqlFinding[] = []
  for (const { type, table } of servedTables(store)) {
    const [column] = unsetKeyColumns(type, table)
    if (column === undefined) continue
    const { live, schema } = table
    if (await store.dialect.schema.setsKeys(driver, { schema: live.schema ?? schema, name: live.name })) continue
    const sentence = `New resources of '${type.type}' would have no key: call requireClientId(), generated() or generateUsing() on its id, or give the column '${column.name}' of the table '${tableText(table)}' a default.`
    problems.push(finding('key-source', type.type, sentence))
  }
  return problems
}

/**
 * Returns the key columns of a new row that nothing sets. Returns none if that is unknown: for a view, whose tables may set them, and if
 * user-defined code changes the new row.
 */
function unsetKeyColumns(type: CompiledType, table: SqlTable): readonly SqlColumn[] {
  const { id, hooks, hydrator, operations } = type
  const isKey = id.column === table.key || isComposite(id.column)
  if (!isKey || table.live.isView || !operations.has('Create')) return []
  if (id.spec.clientIds === 'required' || id.spec.fallback.kind !== 'store') return []
  if (hydrator !== null || hooks?.beforeSave !== undefined || hooks?.beforeCreate !== undefined) return []
  const members = [...type.attributes, ...type.relations]
  const set = new Set(members.flatMap(({ name }) => columnsOfField(type, name)))
  return keyColumns(id.column)
    .filter((name) => !set.has(name))
    .flatMap((name) => table.columnOf.get(name) ?? [])
    .filter((column) => !hasGeneratedKey(type, table, column))
}

/** Reports version columns that cannot hold versions. A missing column is reported with those of attributes. */
export function versionProblems({ type, table }: ServedTable): readonly string[] {
  const { version } = type
  const column = table.columnOf.get(version?.column ?? '')
  if (column === undefined) return []
  const name = namedColumn(table, column)
  if (version?.kind === 'integer' && !integers.has(column.type)) {
    const remedy = instants.has(column.type) ? "declare as: 'instant'" : 'name a column of integers'
    return [`${name} holds no integers, so it cannot be the version of '${type.type}': ${remedy}.`]
  }
  if (version?.kind === 'instant' && !instants.has(column.type)) {
    return [`${name} holds no times with milliseconds, so it cannot be the version of '${type.type}'.`]
  }
  // PostgreSQL rounds the times of `timestamp(0) with time zone` to less than three digits.
  if (version?.kind === 'instant' && /^timestamp\([0-2]\)/.test(databaseType(table, column))) {
    return [`${name} holds no milliseconds, so it cannot be the version of '${type.type}': give it three digits.`]
  }
  return []
}

const integers: ReadonlySet<ColumnType> = new Set(['integer', 'bigint'])
const instants: ReadonlySet<ColumnType> = new Set(['instant', 'timestamp', 'epochMilliseconds'])

/** A comparison of a rule. */
interface RuleComparison {
  readonly column: string
  readonly value: unknown
  /** Whether values are compared by size, and not only for equality. */
  readonly forOrder: boolean
}

/**
 * Reports rules of policies whose values cannot be compared with their columns: no row would meet them. Rules that functions
 * of the policy return are known in requests only.
 */
export function ruleProblems(served: ServedTable, { dialect }: InspectedStore): readonly string[] {
  return [...(served.type.policy?.rules ?? [])].flatMap(([ability, { spec, value }]) =>
    comparisonsOf(spec, value ?? spec.fixed?.value).flatMap((comparison) => {
      const problem = problemOf(comparison, served, dialect)
      return problem === null ? [] : [`The rule '${ability}' of '${served.type.type}' ${problem}`]
    }),
  )
}

function problemOf(
  { column: name, value, forOrder }: RuleComparison,
  { type, table }: ServedTable,
  dialect: SqlDialect,
): string | null {
  const column = table.columnOf.get(name)
  if (column === undefined) return `needs a column for '${name}', which the table '${tableText(table)}' does not have.`
  const compared = comparedColumn(column, { kind: null, isKey: false, asStored: storedTexts(name, type) }, dialect)
  if (compared.operand(value, forOrder) !== null && !(forOrder && compared.as === 'json')) return null
  const how = forOrder ? 'by size ' : ''
  return `compares the column '${column.name}' of the table '${tableText(table)}' ${how}with ${shown(value)}, which its type '${databaseType(table, column)}' does not allow: no row meets the rule. Give a value of the column.`
}

function comparisonsOf({ test, byColumn }: FilterSpec, value: unknown): readonly RuleComparison[] {
  switch (test.kind) {
    case 'compare':
      if (byColumn !== true || test.column === null) return []
      return [{ column: test.column, value, forOrder: test.operator !== '=' }]
    case 'in': {
      const { column } = test
      if (byColumn !== true || column === null || !Array.isArray(value)) return []
      return value.map((each: unknown) => ({ column, value: each, forOrder: false }))
    }
    case 'all':
    case 'any':
      return Object.values(test.filters).flatMap((each) => comparisonsOf(each, each.fixed?.value))
    case 'not':
      return comparisonsOf(test.filter, test.filter.fixed?.value)
    default:
      return []
  }
}

function shown(value: unknown): string {
  return typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))
}
