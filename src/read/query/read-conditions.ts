import { fail, failAll, problem } from '../../errors/json-api-error.js'
import type { FilterValue } from '../../operation/query-parameters.js'
import type { RowCondition } from '../../resource/querying/row-condition.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { RequestServices } from '../request-services.js'
import type { ConditionContext, KeyedFilter } from './condition-of-filter.js'
import { conditionOfFilter, filterTarget } from './condition-of-filter.js'
import { checkFilterLength, filterMessages } from './filter-messages.js'
import type { QueryVocabulary } from './query-vocabulary.js'
import { scopeConditions } from './scope-conditions.js'
import { isVisibleFilter } from './visible-filter.js'

/** What `filter` is read with. */
export interface FilterReadOptions {
  readonly context: RequestContext
  readonly services: RequestServices
  /** The name under which the client sent a key: `filter[title]`. */
  readonly parameterOf: (key: string) => string
}

type SentFilters = ReadonlyMap<string, FilterValue>

/**
 * What a client's filters ask of rows, all of which must hold, and what the filters of lists ask that have a default and
 * were not sent. Values are looked at in the order of the declaration, unknown keys afterwards; the first offending key
 * is told.
 */
export async function readConditions(
  sent: SentFilters,
  vocabulary: QueryVocabulary,
  reading: FilterReadOptions,
): Promise<readonly RowCondition[]> {
  const { context, parameterOf } = reading
  const asking: ConditionContext = { rows: vocabulary, scopeConditionsOf: (served) => scopeConditions(served) }
  // A default narrows lists: one resource is asked only what the client asks it.
  const hasDefaults = vocabulary.relation?.spec.traits.toMany !== false
  const known = new Set<string>()
  const conditions: (RowCondition | null)[] = []
  for (const [key, spec] of Object.entries(vocabulary.filters)) {
    const filter = { key, spec }
    const value = sent.get(key)
    if (value === undefined) {
      // The author's own: it holds for those too who cannot see what it looks at.
      if (hasDefaults && spec.default !== null) conditions.push(conditionOfFilter(filter, null, asking))
    } else if (isVisibleFilter(filter, vocabulary, context)) {
      known.add(key)
      await checkValue(filter, value, vocabulary, reading)
      conditions.push(conditionOfFilter(filter, { kind: 'sent', value, parameter: parameterOf(key) }, asking))
    }
  }
  const unknown = [...sent.keys()].find((key) => !known.has(key))
  if (unknown !== undefined) {
    fail('FILTERING_UNRECOGNIZED', { filter: unknown }, { source: { parameter: parameterOf(unknown) } })
  }
  return conditions.filter((condition) => condition !== null)
}

/** Whether the client sent a filter whose answer is one resource or none. */
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
  const aimed = { spec, target: filterTarget(filter, vocabulary) }
  const messages = await filterMessages(aimed, value, { context, services })
  if (messages.length > 0) {
    failAll(messages.map((message) => problem('FILTER_VALUE_INVALID', { message }, { source })))
  }
}
