import type { CompiledType } from '../../resource/compiled-type.js'
import type { FilterSpec, ValuedFilter } from '../../resource/filters/filter-spec.js'
import { storedTexts } from '../../resource/querying/stored-texts.js'
import type { SqlDialect } from './dialect/dialect.js'
import { comparedColumn } from './query/compared-column.js'
import type { SqlTable, SqlTables } from './schema/sql-table.js'
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
export function ruleProblems(
  types: readonly CompiledType[],
  tables: SqlTables,
  dialect: SqlDialect,
): readonly string[] {
  return types.flatMap((type) => {
    const table = type.model === null ? undefined : tables.get(type.model)
    if (table === undefined || type.policy === null) return []
    return [...type.policy.rules].flatMap(([ability, rule]) =>
      comparisonsIn(rule).flatMap((comparison) => {
        const problem = problemOf(comparison, { type, table, dialect })
        return problem === null ? [] : [`The rule '${ability}' of '${type.type}' ${problem}`]
      }),
    )
  })
}

interface RuledTable {
  readonly type: CompiledType
  readonly table: SqlTable
  readonly dialect: SqlDialect
}

function problemOf(
  { column: name, value, forOrder }: RuleComparison,
  { type, table, dialect }: RuledTable,
): string | null {
  const tableName = tableText({ schema: table.schema, name: table.name })
  const column = table.columnOf.get(name)
  if (column === undefined) return `needs a column for '${name}', which the table '${tableName}' does not have.`
  const compared = comparedColumn(column, { kind: null, isKey: false, asStored: storedTexts(name, type) }, dialect)
  if (compared.operand(value, forOrder) !== null && !(forOrder && compared.as === 'json')) return null
  const databaseType = table.live.columns.find((each) => each.name === column.name)?.databaseType ?? column.type
  const how = forOrder ? 'by size ' : ''
  return `compares the column '${column.name}' of the table '${tableName}' ${how}with ${shown(value)}, which its type '${databaseType}' does not allow: no row meets the rule. Give a value of the column.`
}

function comparisonsIn({ spec, value }: ValuedFilter): readonly RuleComparison[] {
  return comparisonsOf(spec, value ?? spec.fixed?.value)
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
