import type { CompiledType } from '../../resource/compiled-type.js'
import type { DeclarationFault } from '../../resource/declaration-fault.js'
import type { FilterSpec, FilterSpecs } from '../../resource/filters/filter-spec.js'
import type { SortSpecs } from '../../resource/sorts/sort-spec.js'
import { isSqlExpression } from './query/custom-expressions.js'

/** Filters and sorts of the author's that say nothing to a database: rows are never read one by one to ask them. */
export function checkExpressions(types: readonly CompiledType[]): readonly DeclarationFault[] {
  return types.flatMap(({ type, filters, sorts, relations }) => [
    ...filterFaults(`'${type}'`, filters),
    ...sortFaults(`'${type}'`, sorts),
    ...relations.flatMap(({ name, spec }) => [
      ...filterFaults(`'${type}.${name}'`, spec.filters),
      ...sortFaults(`'${type}.${name}'`, spec.sorts),
    ]),
  ])
}

function filterFaults(of: string, filters: FilterSpecs): readonly DeclarationFault[] {
  return Object.entries(filters).flatMap(([key, spec]) =>
    spec !== null && isMissing(spec)
      ? [
          {
            problem: `cannot ask the custom filter '${key}' of ${of}, which has no expression`,
            remedy: 'give it one: { apply: sqlFilter(({ column }) => …) } from ashlar/sql',
          },
        ]
      : [],
  )
}

function isMissing({ test }: FilterSpec): boolean {
  switch (test.kind) {
    case 'custom':
      return !isSqlExpression(test.custom.apply)
    case 'has':
      return test.matching !== null && !isSqlExpression(test.matching.apply)
    case 'all':
    case 'any':
      return Object.values(test.filters).some(isMissing)
    default:
      return false
  }
}

function sortFaults(of: string, sorts: SortSpecs): readonly DeclarationFault[] {
  return Object.entries(sorts).flatMap(([key, spec]) =>
    spec.kind === 'custom' && !isSqlExpression(spec.custom.apply)
      ? [
          {
            problem: `cannot sort ${of} by the custom sort '${key}', which has no expression`,
            remedy: 'give it one: { apply: sqlSort(({ column }) => …) } from ashlar/sql',
          },
        ]
      : [],
  )
}
