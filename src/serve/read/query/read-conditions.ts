import { fail, failAll, problem } from '../../../core/errors/json-api-error.js'
import { offered } from '../../../core/errors/offered.js'
import type { FilterValue } from '../../operation/query-parameters.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { RequestServices } from '../read-context.js'
import type { ConditionContext, KeyedFilter } from './condition-of-filter.js'
import { conditionOfFilter, filterTarget } from './condition-of-filter.js'
import { checkFilterLength, filterMessages } from './filter-messages.js'
import { guardConditions } from './guard-conditions.js'
import type { QueryVocabulary } from './query-vocabulary.js'
import type { FilterInput } from './filter-value.js'
import { scopeConditions } from './scope-conditions.js'
import { hidesFilter, isOfferedFilter, isVisibleFilter } from './visible-filter.js'

/** The options for reading `filter`. */
export interface FilterReadOptions {
  readonly context: RequestContext
  readonly services: RequestServices
  /** The maximum number of values in one filter. Default: that of the server. */
  readonly maxFilterValues?: number
  /** Returns the parameter name that the client used for a key: `filter[title]`. */
  readonly parameterOf: (key: string) => string
}

type SentFilters = ReadonlyMap<string, FilterValue>

/** The condition of a filter, and where the filter comes from. */
export interface FilterCondition {
  readonly key: string
  /** The parameter that the client sent; `null` for a default. */
  readonly parameter: string | null
  readonly condition: RowCondition
}

/**
 * Converts the filters of a client to conditions, all of which must hold. Filters of lists that have a default and were
 * not sent are added. Values are checked in the order of the declaration, unknown keys afterwards; the first invalid
 * key is reported.
 */
export async function readConditions(
  sent: SentFilters,
  vocabulary: QueryVocabulary,
  options: FilterReadOptions,
): Promise<readonly FilterCondition[]> {
  const { context, parameterOf } = options
  const conditionContext: ConditionContext = {
    rows: vocabulary,
    scopeConditionsOf: (served) => scopeConditions(served),
    context,
    guardsOf: null,
    rulesOf: null,
    isOfClient: true,
    checkComposed: null,
  }
  // Defaults apply to lists. A to-one relation is filtered only by what the client sent.
  const hasDefaults = vocabulary.relation?.spec.traits.toMany !== false
  const known = new Set<string>()
  const conditions: FilterCondition[] = []
  const add = (key: string, parameter: string | null, condition: RowCondition | null): void => {
    if (condition !== null) conditions.push({ key, parameter, condition })
  }
  for (const [key, spec] of Object.entries(vocabulary.filters)) {
    const filter = { key, spec }
    const value = sent.get(key)
    if (value === undefined) {
      // A default is declared by the application: it also applies to clients that cannot see the filtered field.
      if (hasDefaults && spec.default !== null) add(key, null, conditionOfFilter(filter, null, conditionContext))
    } else if (isVisibleFilter(filter, vocabulary, context)) {
      known.add(key)
      await checkValue(filter, value, vocabulary, options)
      const parameter = parameterOf(key)
      const input: FilterInput = { kind: 'sent', value, parameter }
      const checkComposed: ConditionContext['checkComposed'] = (composed, rows) => {
        if (hidesFilter(composed, rows, context)) refuseUnknown(key, vocabulary, options)
      }
      const ofClient = { ...conditionContext, checkComposed, guardsOf: guardConditions }
      add(key, parameter, conditionOfFilter(filter, input, ofClient))
    }
  }
  const unknown = [...sent.keys()].find((key) => !known.has(key))
  if (unknown !== undefined) refuseUnknown(unknown, vocabulary, options)
  return conditions
}

function refuseUnknown(key: string, vocabulary: QueryVocabulary, { context, parameterOf }: FilterReadOptions): never {
  const visible = Object.entries(vocabulary.filters).filter(([name, spec]) => {
    return isOfferedFilter({ key: name, spec }, vocabulary, context)
  })
  const details = { filter: key, offered: offered(visible.map(([name]) => name)) }
  fail('FILTERING_UNRECOGNIZED', details, { source: { parameter: parameterOf(key) } })
}

/** Whether the client sent a filter whose result is one resource or none. */
export function hasSingularFilter(sent: SentFilters, vocabulary: QueryVocabulary, context: RequestContext): boolean {
  return [...sent.keys()].some((key) => {
    const spec = Object.hasOwn(vocabulary.filters, key) ? vocabulary.filters[key] : undefined
    return spec?.singular === true && isVisibleFilter({ key, spec }, vocabulary, context)
  })
}

async function checkValue(
  filter: KeyedFilter,
  value: FilterValue,
  vocabulary: QueryVocabulary,
  options: FilterReadOptions,
): Promise<void> {
  const { context, services, maxFilterValues = services.maxFilterValues, parameterOf } = options
  const { key, spec } = filter
  const source = { parameter: parameterOf(key) }
  checkFilterLength(spec, value, { maxFilterValues, maxFilterLength: services.maxFilterLength, ...source })
  const targeted = { spec, target: filterTarget(filter, vocabulary) }
  const messages = await filterMessages(targeted, value, { context, services })
  if (messages.length > 0) {
    // A filter by something hidden is unknown, whatever its value is.
    if (!isOfferedFilter(filter, vocabulary, context)) refuseUnknown(key, vocabulary, options)
    failAll(messages.map((message) => problem('FILTER_VALUE_INVALID', { message }, { source })))
  }
}
