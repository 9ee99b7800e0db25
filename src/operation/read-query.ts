import { fail } from '../errors/json-api-error.js'
import type { QueryPair, QueryPairs } from '../parse/query-string.js'
import type { FilterValue, QueryParameters } from './query-parameters.js'
import { noQuery } from './query-parameters.js'

export interface QueryRules {
  /** Whether a family that nobody knows is an error. */
  readonly strict: boolean
  /** Families of the application. */
  readonly families: ReadonlySet<string>
  readonly maxIncludePaths: number
  readonly maxSortKeys: number
  readonly maxFilterValues: number
}

interface Draft {
  readonly fields: Map<string, ReadonlySet<string>>
  include: readonly string[] | null
  sort: readonly string[]
  readonly filter: Map<string, FilterValue>
  readonly page: Map<string, string>
  readonly custom: Map<string, string[]>
}

/** Sorts the pairs of a query string into families, each of the shape that it must have. A repeated name counts once: the last wins. */
export function readQuery(pairs: QueryPairs, rules: QueryRules): QueryParameters {
  if (pairs.length === 0) return noQuery
  const draft: Draft = {
    fields: new Map(),
    include: null,
    sort: [],
    filter: new Map(),
    page: new Map(),
    custom: new Map(),
  }
  for (const pair of pairs) readPair(pair, draft, rules)
  return Object.freeze(draft)
}

function readPair({ path, value }: QueryPair, draft: Draft, rules: QueryRules): void {
  const [family, key, ...deeper] = path
  switch (family) {
    case 'fields':
      if (key === undefined) return malformed(family)
      // Within the families `fields` and `include`, a value of the wrong shape is skipped.
      if (key !== '' && deeper.length === 0) draft.fields.set(key, new Set(split(value)))
      return
    case 'include':
      if (key === undefined) draft.include = limited(split(value), rules.maxIncludePaths, 'include paths', family)
      return
    case 'sort':
      if (key !== undefined) return malformed(family)
      draft.sort = value === '' ? [] : limited(value.split(','), rules.maxSortKeys, 'sort keys', family)
      return
    case 'filter':
      if (key === undefined || key === '') return malformed(family)
      draft.filter.set(key, filterValue(draft.filter.get(key), deeper, value, rules, `filter[${key}]`))
      return
    case 'page':
      if (key === undefined) return malformed(family)
      // Garbage inside `page` is never an error: what cannot be read counts as absent.
      if (key !== '' && deeper.length === 0) draft.page.set(key, value)
      return
    // A relic of a release candidate: harmless, and without meaning.
    case 'profile':
      return
    default:
      if (rules.families.has(family)) draft.custom.set(family, [...(draft.custom.get(family) ?? []), value])
      else if (rules.strict || /^[a-z]*$/.test(family)) unrecognized(family)
  }
}

/** `[]` gathers a list, other keys a map; a text in the place of either is replaced. */
function filterValue(
  known: FilterValue | undefined,
  path: readonly string[],
  value: string,
  rules: QueryRules,
  parameter: string,
): FilterValue {
  const [key, ...deeper] = path
  if (key === undefined) return value
  if (key === '' && deeper.length === 0) {
    const members = Array.isArray(known) ? [...(known as readonly string[]), value] : [value]
    return limited(members, rules.maxFilterValues, 'values of one filter', parameter)
  }
  const members = known instanceof Map ? (known as ReadonlyMap<string, FilterValue>) : new Map<string, FilterValue>()
  return new Map([...members, [key, filterValue(members.get(key), deeper, value, rules, parameter)]])
}

/** Empty entries say nothing, as in `include=` or a stray comma. */
function split(value: string): readonly string[] {
  return value.split(',').filter((name) => name !== '')
}

function limited(list: readonly string[], limit: number, subject: string, parameter: string): readonly string[] {
  if (list.length > limit) fail('LIMIT_EXCEEDED', { limit, subject }, { source: { parameter } })
  return list
}

function malformed(param: string): never {
  fail('QUERY_PARAM_MALFORMED', { param }, { source: { parameter: param } })
}

function unrecognized(param: string): never {
  fail('QUERY_PARAM_UNRECOGNIZED', { param }, { source: { parameter: param } })
}
