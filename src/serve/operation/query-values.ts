import { fail } from '../../core/errors/json-api-error.js'
import type { FilterValue } from './query-parameters.js'

/** The maximum number of entries in one query parameter. */
export interface QueryLimits {
  readonly maxIncludePaths: number
  readonly maxSortKeys: number
  readonly maxFilterValues: number
}

/** Splits a comma-separated list of names. Skips empty entries, as in `include=` or after a stray comma. */
export function splitNames(value: string): readonly string[] {
  return value.split(',').filter((name) => name !== '')
}

/**
 * Splits the value of `sort` at commas. Entries are not trimmed or skipped: only a leading `-` has a meaning. An empty
 * value has no sort keys.
 */
export function sortKeys(value: string, { maxSortKeys }: QueryLimits, parameter: string): readonly string[] {
  return value === '' ? [] : requireLimit(value.split(','), maxSortKeys, { subject: 'sort keys', parameter })
}

/** Adds one `filter[...]` pair to the filter values. */
export function readFilter(
  filter: Map<string, FilterValue>,
  { path, value }: BracketedValue,
  { maxFilterValues }: QueryLimits,
  parameter: string,
): void {
  const [key = '', ...deeper] = path
  if (key === '') failMalformed(parameter)
  const checkLength = (values: readonly string[]): readonly string[] =>
    requireLimit(values, maxFilterValues, { subject: 'values of one filter', parameter: `${parameter}[${key}]` })
  filter.set(key, filterValue(filter.get(key), { path: deeper, value }, checkLength))
}

/**
 * Adds one `page[...]` pair. A pair with an empty or nested key is ignored, unless the server is strict: then it is
 * added, because no list reads it.
 */
export function readPage(
  page: Map<string, string>,
  { path, value }: BracketedValue,
  { strictPages }: PageRules,
  parameter: string,
): void {
  const [key, ...deeper] = path
  if (key === undefined) failMalformed(parameter)
  if (strictPages || (key !== '' && deeper.length === 0)) page.set(path.join(']['), value)
}

export interface PageRules {
  /** Whether keys of `page` that the list does not read are an error. */
  readonly strictPages: boolean
}

/** The value of a query parameter, with the bracketed keys of its name. */
export interface BracketedValue {
  readonly path: readonly string[]
  readonly value: string
}

/**
 * Returns the filter value with one more pair: `[]` appends to a list, any other key adds to a map. A list or a map
 * replaces an earlier value of another kind. Lists and maps are mutated while the query is parsed, because a copy for
 * each value would make a long query quadratic.
 */
function filterValue(
  current: FilterValue | undefined,
  { path, value }: BracketedValue,
  checkLength: (values: readonly string[]) => readonly string[],
): FilterValue {
  const [key, ...deeper] = path
  if (key === undefined) return value
  if (key === '' && deeper.length === 0) {
    const list = Array.isArray(current) ? (current as string[]) : []
    list.push(value)
    return checkLength(list)
  }
  const members = current instanceof Map ? (current as Map<string, FilterValue>) : new Map<string, FilterValue>()
  return members.set(key, filterValue(members.get(key), { path: deeper, value }, checkLength))
}

/** Returns the list, or fails with `LIMIT_EXCEEDED` if it is longer than the limit. */
export function requireLimit(
  list: readonly string[],
  limit: number,
  { subject, parameter }: { readonly subject: string; readonly parameter: string },
): readonly string[] {
  if (list.length > limit) fail('LIMIT_EXCEEDED', { limit, subject }, { source: { parameter } })
  return list
}

export function failMalformed(param: string): never {
  fail('QUERY_PARAM_MALFORMED', { param }, { source: { parameter: param } })
}
