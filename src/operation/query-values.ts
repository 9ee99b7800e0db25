import { fail } from '../errors/json-api-error.js'
import type { FilterValue } from './query-parameters.js'

/** How much of a kind one parameter may hold. */
export interface QueryLimits {
  readonly maxIncludePaths: number
  readonly maxSortKeys: number
  readonly maxFilterValues: number
}

/** Empty entries say nothing, as in `include=` or a stray comma. */
export function namesIn(value: string): readonly string[] {
  return value.split(',').filter((name) => name !== '')
}

/** Split verbatim: only a leading `-` is special, and an empty value sorts by nothing. */
export function sortKeys(value: string, { maxSortKeys }: QueryLimits, parameter: string): readonly string[] {
  return value === '' ? [] : limited(value.split(','), maxSortKeys, { subject: 'sort keys', parameter })
}

/** What stands in the brackets after `parameter`, and its value, into a filter. */
export function readFilter(
  filter: Map<string, FilterValue>,
  { path, value }: BracketedValue,
  { maxFilterValues }: QueryLimits,
  parameter: string,
): void {
  const [key = '', ...deeper] = path
  if (key === '') malformed(parameter)
  const checked = (members: readonly string[]): readonly string[] =>
    limited(members, maxFilterValues, { subject: 'values of one filter', parameter: `${parameter}[${key}]` })
  filter.set(key, filterValue(filter.get(key), { path: deeper, value }, checked))
}

/** Garbage inside `page[...]` is never an error: what cannot be read counts as absent. */
export function readPage(page: Map<string, string>, { path, value }: BracketedValue, parameter: string): void {
  const [key, ...deeper] = path
  if (key === undefined) malformed(parameter)
  if (key !== '' && deeper.length === 0) page.set(key, value)
}

/** A value with what stands in the brackets of its name. */
export interface BracketedValue {
  readonly path: readonly string[]
  readonly value: string
}

/**
 * `[]` gathers a list, other keys a map; a text in the place of either is replaced. While a query is read, lists and maps
 * grow in place: copied for each value, a long query would cost its square.
 */
function filterValue(
  known: FilterValue | undefined,
  { path, value }: BracketedValue,
  checked: (members: readonly string[]) => readonly string[],
): FilterValue {
  const [key, ...deeper] = path
  if (key === undefined) return value
  if (key === '' && deeper.length === 0) {
    const list = Array.isArray(known) ? (known as string[]) : []
    list.push(value)
    return checked(list)
  }
  const members = known instanceof Map ? (known as Map<string, FilterValue>) : new Map<string, FilterValue>()
  return members.set(key, filterValue(members.get(key), { path: deeper, value }, checked))
}

export function limited(
  list: readonly string[],
  limit: number,
  { subject, parameter }: { readonly subject: string; readonly parameter: string },
): readonly string[] {
  if (list.length > limit) fail('LIMIT_EXCEEDED', { limit, subject }, { source: { parameter } })
  return list
}

export function malformed(param: string): never {
  fail('QUERY_PARAM_MALFORMED', { param }, { source: { parameter: param } })
}
