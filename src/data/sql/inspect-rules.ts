import type { FilterSpec } from '../../resource/filters/filter-spec.js'
import { storedTexts } from '../../resource/querying/stored-texts.js'
import type { SqlDialect } from './dialect/dialect.js'
import type { InspectedStore, ServedTable } from './inspected-store.js'
import { databaseType, servedTables } from './inspected-store.js'
import { comparedColumn } from './query/compared-column.js'
import { tableText } from './schema/table-model.js'

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
