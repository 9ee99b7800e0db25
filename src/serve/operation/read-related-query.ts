import type { QueryPair } from '../parse/query-string.js'
import type { FilterValue, RelatedQuery } from './query-parameters.js'
import type { PageRules, QueryLimits } from './query-values.js'
import { failMalformed, readFilter, readPage, sortKeys } from './query-values.js'

/** The query of one relationship under one name of the family; `null` for each part that the request does not have. */
interface RelatedDraft {
  sort: readonly string[] | null
  filter: Map<string, FilterValue> | null
  page: Map<string, string> | null
}

/** Drafts by the path of the relationship, then by the family name that the client used: `relatedQuery` or `rQ`. */
export type RelatedDrafts = Map<string, Map<string, RelatedDraft>>

/**
 * Parses one pair of `relatedQuery[<path>][sort]`, `[filter][<key>]` or `[page][<key>]`, or of the same under the short
 * name `rQ`.
 */
export function readRelatedPair(
  drafts: RelatedDrafts,
  { path, value }: QueryPair,
  rules: QueryLimits & PageRules,
): void {
  const [family, relationship = '', part, ...deeper] = path
  if (relationship === '') failMalformed(family)
  const parameter = `${family}[${relationship}]`
  const draft = draftOf(drafts, relationship, family)
  switch (part) {
    case 'sort':
      if (deeper.length > 0) failMalformed(`${parameter}[sort]`)
      draft.sort = sortKeys(value, rules, `${parameter}[sort]`)
      return
    case 'filter':
      draft.filter ??= new Map()
      return readFilter(draft.filter, { path: deeper, value }, rules, `${parameter}[filter]`)
    case 'page':
      draft.page ??= new Map()
      return readPage(draft.page, { path: deeper, value }, rules, parameter)
    default:
      failMalformed(parameter)
  }
}

/** Returns the queries by path. If a part is sent as both `relatedQuery` and `rQ`, `relatedQuery` takes precedence. */
export function relatedQueries(drafts: RelatedDrafts): ReadonlyMap<string, RelatedQuery> {
  const queries = new Map<string, RelatedQuery>()
  for (const [relationship, byFamily] of drafts) {
    const [long, short] = [byFamily.get('relatedQuery'), byFamily.get('rQ')]
    const parameterName = (isLong: boolean): string => `${isLong ? 'relatedQuery' : 'rQ'}[${relationship}]`
    queries.set(relationship, {
      parameter: parameterName(long !== undefined),
      sortParameter: `${parameterName((long?.sort ?? null) !== null)}[sort]`,
      filterParameter: `${parameterName((long?.filter ?? null) !== null)}[filter]`,
      pageParameter: `${parameterName((long?.page ?? null) !== null)}[page]`,
      sort: long?.sort ?? short?.sort ?? null,
      filter: long?.filter ?? short?.filter ?? new Map(),
      page: long?.page ?? short?.page ?? new Map(),
    })
  }
  return queries
}

function draftOf(drafts: RelatedDrafts, relationship: string, family: string): RelatedDraft {
  const byFamily = drafts.get(relationship) ?? new Map<string, RelatedDraft>()
  drafts.set(relationship, byFamily)
  const draft = byFamily.get(family) ?? { sort: null, filter: null, page: null }
  byFamily.set(family, draft)
  return draft
}
