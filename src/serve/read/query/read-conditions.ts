import { fail, failAll, JsonApiError, problem, type Problem } from '../../../core/errors/json-api-error.js'
import { sentence } from '../../../core/errors/sentence.js'
import { offered } from '../../../core/errors/offered.js'
import type { FilterNode, FilterTree, FilterValue } from '../../operation/query-parameters.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { RequestServices } from '../read-context.js'
import type { ConditionContext, KeyedFilter } from './condition-of-filter.js'
import { conditionOfFilter, filterTarget } from './condition-of-filter.js'
import { checkFilterLength, filterMessages } from './filter-messages.js'
import { guardConditions } from './guard-conditions.js'
import type { QueryVocabulary } from './query-vocabulary.js'
import type { FilterInput } from './filter-value.js'
import { everyRow, scopeConditions } from './scope-conditions.js'
import { hidesFilter, isOfferedFilter, isVisibleFilter } from './visible-filter.js'

/** The options for reading `filter`. */
export interface FilterReadOptions {
  readonly context: RequestContext
  readonly services: RequestServices
  /** The maximum number of values in one filter. Default: that of the server. */
  readonly maxFilterValues?: number
  /** Combined filters, which must match too. Default: none. */
  readonly filterTree?: FilterTree | undefined
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
  const { context, parameterOf, filterTree } = options
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
      const isDefault = hasDefaults && spec.default !== null && filterTree?.keys.includes(key) !== true
      if (isDefault) add(key, null, conditionOfFilter(filter, null, conditionContext))
    } else if (isVisibleFilter(filter, vocabulary, context)) {
      known.add(key)
      add(key, parameterOf(key), await sentCondition(filter, value, vocabulary, { ...options, conditionContext }))
    }
  }
  const unknown = [...sent.keys()].find((key) => !known.has(key))
  if (unknown !== undefined) refuseUnknown(unknown, vocabulary, options)
  if (filterTree === undefined) return conditions
  return [...conditions, ...(await readNodes(filterTree.nodes, vocabulary, { ...options, conditionContext }))]
}

/** The options for reading a filter, and what its condition depends on. */
interface ConditionReadOptions extends FilterReadOptions {
  readonly conditionContext: ConditionContext
}

/** Checks a filter of the client, and returns its condition; `null` if it sets none. */
async function sentCondition(
  filter: KeyedFilter,
  value: FilterValue,
  vocabulary: QueryVocabulary,
  options: ConditionReadOptions,
): Promise<RowCondition | null> {
  const { key } = filter
  const { context, parameterOf, conditionContext } = options
  await checkValue(filter, value, vocabulary, options)
  const input: FilterInput = { kind: 'sent', value, parameter: parameterOf(key) }
  const checkComposed: ConditionContext['checkComposed'] = (composed, rows) => {
    if (hidesFilter(composed, rows, context)) refuseUnknown(key, vocabulary, options)
  }
  return conditionOfFilter(filter, input, { ...conditionContext, checkComposed, guardsOf: guardConditions })
}

/** Converts combined filters to conditions, all of which must hold. Reports the faults of all of them together. */
async function readNodes(
  nodes: readonly FilterNode[],
  vocabulary: QueryVocabulary,
  options: ConditionReadOptions,
): Promise<readonly FilterCondition[]> {
  const problems: Problem[] = []
  const conditionOf = async (node: FilterNode): Promise<RowCondition> => {
    switch (node.kind) {
      case 'filter':
        try {
          return await leafCondition(node, vocabulary, options)
        } catch (thrown) {
          if (!JsonApiError.is(thrown)) throw thrown
          problems.push(...thrown.problems)
          return everyRow
        }
      case 'not':
        return { kind: 'not', condition: await conditionOf(node.node) }
      default: {
        const conditions: RowCondition[] = []
        for (const each of node.nodes) conditions.push(await conditionOf(each))
        return { kind: node.kind, conditions }
      }
    }
  }
  const found: FilterCondition[] = []
  for (const node of nodes) {
    found.push({ key: node.pointer, parameter: node.pointer, condition: await conditionOf(node) })
  }
  if (problems.length > 0) failAll(problems.slice(0, options.services.maxErrors))
  return found
}

/**
 * Returns the condition of one of the combined filters. It is the same as by itself, so that nothing can be reached by a combination.
 * Filters of soft-deleted rows cannot be combined: they are no conditions on rows.
 */
async function leafCondition(
  { key, value, pointer }: Extract<FilterNode, { kind: 'filter' }>,
  vocabulary: QueryVocabulary,
  options: ConditionReadOptions,
): Promise<RowCondition> {
  const ofLeaf = { ...options, parameterOf: () => pointer }
  const spec = Object.hasOwn(vocabulary.filters, key) ? vocabulary.filters[key] : undefined
  const isOffered = spec !== undefined && spec.test.kind !== 'trashed'
  if (!isOffered || !isVisibleFilter({ key, spec }, vocabulary, options.context)) {
    return refuseUnknown(key, vocabulary, ofLeaf)
  }
  return (await sentCondition({ key, spec }, value, vocabulary, ofLeaf)) ?? everyRow
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
  const { context, services, maxFilterValues = services.maxFilterValues, filterTree, parameterOf } = options
  const { key, spec } = filter
  const source = { parameter: parameterOf(key) }
  if (filterTree !== undefined && spec.shape === 'presence' && value !== 'true') {
    fail('FILTER_VALUE_INVALID', { message: sentence('onlyTrue') }, { source })
  }
  checkFilterLength(spec, value, { maxFilterValues, maxFilterLength: services.maxFilterLength, ...source })
  const targeted = { spec, target: filterTarget(filter, vocabulary) }
  const messages = await filterMessages(targeted, value, { context, services })
  if (messages.length > 0) {
    // A filter by something hidden is unknown, whatever its value is.
    if (!isOfferedFilter(filter, vocabulary, context)) refuseUnknown(key, vocabulary, options)
    failAll(messages.map((message) => problem('FILTER_VALUE_INVALID', { message }, { source })))
  }
}
