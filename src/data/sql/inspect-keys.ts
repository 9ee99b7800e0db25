import type { CompiledType } from '../../resource/compiled-type.js'
import type { FilterSpec } from '../../resource/filters/filter-spec.js'
import { isComposite, keyColumns } from '../../resource/key-columns.js'
import { storedTexts } from '../../resource/querying/stored-texts.js'
import { columnsOfField } from '../../resource/unique-sets.js'
import type { SqlDialect } from './dialect/dialect.js'
import type { SqlDriver } from './driver/sql-driver.js'
import type { SqlFinding } from './finding.js'
import { finding } from './finding.js'
import type { InspectedStore, ServedTable } from './inspected-store.js'
import { databaseType, namedColumn, servedTables } from './inspected-store.js'
import { comparedColumn } from './query/compared-column.js'
import type { ColumnType } from './schema/column-type.js'
import type { SqlColumn, SqlTable } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'
import { hasGeneratedKey } from './write/new-row.js'

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
export function versionProblems(store: InspectedStore): readonly string[] {
  return servedTables(store).flatMap(({ type, table }) => {
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
  })
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
export function ruleProblems(store: InspectedStore): readonly string[] {
  return servedTables(store).flatMap((served) =>
    [...(served.type.policy?.rules ?? [])].flatMap(([ability, { spec, value }]) =>
      comparisonsOf(spec, value ?? spec.fixed?.value).flatMap((comparison) => {
        const problem = problemOf(comparison, served, store.dialect)
        return problem === null ? [] : [`The rule '${ability}' of '${served.type.type}' ${problem}`]
      }),
    ),
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
