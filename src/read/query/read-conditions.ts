import { fail, failAll, problem } from '../../errors/json-api-error.js'
import { offered } from '../../errors/offered.js'
import type { FilterValue } from '../../operation/query-parameters.js'
import type { RowCondition } from '../../resource/querying/row-condition.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { RequestServices } from '../read-context.js'
import type { ConditionContext, KeyedFilter } from './condition-of-filter.js'
import { conditionOfFilter, filterTarget } from './condition-of-filter.js'
import { checkFilterLength, filterMessages } from './filter-messages.js'
import type { QueryVocabulary, QueriedRows } from './query-vocabulary.js'
import { scopeConditions } from './scope-conditions.js'
import { isQueryable, isVisibleTarget } from './column-target.js'
import { isVisible } from '../../resource/fields/visible-field.js'

/** The options for reading `filter`. */
export interface FilterReadOptions {
  readonly context: RequestContext
  readonly services: RequestServices
  /** Returns the parameter name that the client used for a key: `filter[title]`. */
  readonly parameterOf: (key: string) => string
}

type SentFilters = ReadonlyMap<string, FilterValue>

/**
 * Converts the filters of a client to conditions, all of which must hold. Filters of lists that have a default and were
 * not sent are added. Values are checked in the order of the declaration, unknown keys afterwards; the first invalid
 * key is reported.
 */
export async function readConditions(
  sent: SentFilters,
  vocabulary: QueryVocabulary,
  options: FilterReadOptions,
): Promise<readonly RowCondition[]> {
  const { context, parameterOf } = options
  const conditionContext: ConditionContext = {
    rows: vocabulary,
    scopeConditionsOf: (served) => scopeConditions(served),
    context,
  }
  // Defaults apply to lists. A to-one relation is filtered only by what the client sent.
  const hasDefaults = vocabulary.relation?.spec.traits.toMany !== false
  const known = new Set<string>()
  const conditions: (RowCondition | null)[] = []
  for (const [key, spec] of Object.entries(vocabulary.filters)) {
    const filter = { key, spec }
    const value = sent.get(key)
    if (value === undefined) {
      // A default is declared by the application: it also applies to clients that cannot see the filtered field.
      if (hasDefaults && spec.default !== null) conditions.push(conditionOfFilter(filter, null, conditionContext))
    } else if (isVisibleFilter(filter, vocabulary, context)) {
      known.add(key)
      await checkValue(filter, value, vocabulary, options)
      conditions.push(conditionOfFilter(filter, { kind: 'sent', value, parameter: parameterOf(key) }, conditionContext))
    }
  }
  const unknown = [...sent.keys()].find((key) => !known.has(key))
  if (unknown !== undefined) {
    const visible = Object.entries(vocabulary.filters).filter(([key, spec]) => {
      return isVisibleFilter({ key, spec }, vocabulary, context)
    })
    const details = { filter: unknown, offered: offered(visible.map(([key]) => key)) }
    fail('FILTERING_UNRECOGNIZED', details, { source: { parameter: parameterOf(unknown) } })
  }
  return conditions.filter((condition) => condition !== null)
}

/** Whether the client sent a filter whose result is one resource or none. */
export function hasSingularFilter(sent: SentFilters, { filters }: QueryVocabulary): boolean {
  return [...sent.keys()].some((key) => Object.hasOwn(filters, key) && filters[key]?.singular === true)
}

async function checkValue(
  filter: KeyedFilter,
  value: FilterValue,
  vocabulary: QueryVocabulary,
  { context, services, parameterOf }: FilterReadOptions,
): Promise<void> {
  const { key, spec } = filter
  const source = { parameter: parameterOf(key) }
  checkFilterLength(spec, value, { context, services, ...source })
  const targeted = { spec, target: filterTarget(filter, vocabulary) }
  const messages = await filterMessages(targeted, value, { context, services })
  if (messages.length > 0) {
    failAll(messages.map((message) => problem('FILTER_VALUE_INVALID', { message }, { source })))
  }
}

/**
 * Whether a request may use a filter: its target exists, and the client may see it. A group with one member that is not
 * visible is refused as a whole, because without that member it would be another condition.
 */
function isVisibleFilter(filter: KeyedFilter, rows: QueriedRows, context: RequestContext): boolean {
  const { key, spec } = filter
  const { test } = spec
  switch (test.kind) {
    case 'has': {
      const relation = rows.served.relations.get(test.relation ?? key)
      return relation !== undefined && isQueryable(relation) && isVisible(relation.spec, context)
    }
    case 'all':
    case 'any':
      return Object.entries(test.filters).every(([member, child]) =>
        isVisibleFilter({ key: member, spec: child }, rows, context),
      )
    case 'custom':
    case 'composed':
    case 'trashed':
      return true
    default: {
      const target = filterTarget(filter, rows)
      return target !== null && isVisibleTarget(target, context)
    }
  }
}
