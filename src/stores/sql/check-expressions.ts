import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { DeclarationFault } from '../../declare/resource/parts/declaration-fault.js'
import type { FilterSpec } from '../../declare/resource/filters/filter-spec.js'
import { isSqlExpression } from './query/custom-expressions.js'
import type { StoreDeclarations } from './schema/wanted-tables.js'
import { wantedTables } from './schema/wanted-tables.js'

/**
 * Reports custom filters and sorts without an SQL expression. An SQL store never reads rows one by one to apply a
 * JavaScript function to them.
 */
export function checkExpressions(types: readonly CompiledType[]): readonly DeclarationFault[] {
  return types.flatMap(({ type, filters, sorts, relations }) => [
    ...faultsOf(`'${type}'`, { filters, sorts }),
    ...relations.flatMap(({ name, spec }) => faultsOf(`'${type}.${name}'`, spec)),
  ])
}

function faultsOf(
  owner: string,
  { filters, sorts }: Pick<CompiledType, 'filters' | 'sorts'>,
): readonly DeclarationFault[] {
  const unfiltered = Object.entries(filters).filter(([, spec]) => lacksExpression(spec))
  const unsorted = Object.entries(sorts).filter(
    ([, spec]) => spec.kind === 'custom' && !isSqlExpression(spec.custom.apply),
  )
  return [
    ...unfiltered.map(([key]) => ({
      problem: `cannot apply the custom filter '${key}' of ${owner}, which has no SQL expression`,
      remedy:
        'add one: { apply: sqlFilter(({ column }) => …) } from ashlar/sql, or compose it: { where: (value, f) => … }',
    })),
    ...unsorted.map(([key]) => ({
      problem: `cannot sort ${owner} by the custom sort '${key}', which has no SQL expression`,
      remedy: 'add one: { apply: sqlSort(({ column }) => …) } from ashlar/sql',
    })),
  ]
}

function lacksExpression({ test }: FilterSpec): boolean {
  switch (test.kind) {
    case 'custom':
      return !isSqlExpression(test.custom.apply)
    case 'has':
      return test.matching !== null && typeof test.matching !== 'function' && !isSqlExpression(test.matching.apply)
    case 'all':
    case 'any':
      return Object.values(test.filters).some(lacksExpression)
    default:
      return false
  }
}

/** Reports members that need a stored column but are declared as computed by the database. */
export function checkComputed(declarations: StoreDeclarations): readonly DeclarationFault[] {
  return [...wantedTables(declarations).values()].flatMap(({ columns, members }) =>
    members.flatMap(({ property, neededBy, storedFor: purpose }) => {
      if (neededBy === null || purpose === null || columns.get(property)?.computed === undefined) return []
      return [
        purpose === 'writing'
          ? {
              problem: `cannot write ${neededBy}, since the database computes '${property}'`,
              remedy: 'call readOnly() on it, or store it in another column',
            }
          : {
              problem: `cannot find rows by ${neededBy}, since the database computes '${property}'`,
              remedy: 'name a column that the table has',
            },
      ]
    }),
  )
}
