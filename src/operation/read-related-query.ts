import type { QueryPair } from '../parse/query-string.js'
import type { FilterValue, RelatedQuery } from './query-parameters.js'
import type { QueryLimits } from './query-values.js'
import { malformed, readFilter, readPage, sortKeys } from './query-values.js'

/** What one form of the family says of one relationship; `null` for what it does not mention. */
interface RelatedDraft {
  sort: readonly string[] | null
  filter: Map<string, FilterValue> | null
  page: Map<string, string> | null
}

/** By the path of the relationship, then by the form that the client used. */
export type RelatedDrafts = Map<string, Map<string, RelatedDraft>>

/** `relatedQuery[<path>][sort]`, `[filter][<key>]`, `[page][<key>]`, and the same under the short name `rQ`. */
export function readRelatedPair(drafts: RelatedDrafts, { path, value }: QueryPair, limits: QueryLimits): void {
  const [family, relationship = '', part, ...deeper] = path
  if (relationship === '') malformed(family)
  const parameter = `${family}[${relationship}]`
  const draft = draftOf(drafts, relationship, family)
  switch (part) {
    case 'sort':
      if (deeper.length > 0) malformed(`${parameter}[sort]`)
      draft.sort = sortKeys(value, limits, `${parameter}[sort]`)
      return
    case 'filter':
      draft.filter ??= new Map()
      return readFilter(draft.filter, { path: deeper, value }, limits, `${parameter}[filter]`)
    case 'page':
      draft.page ??= new Map()
      return readPage(draft.page, { path: deeper, value }, parameter)
    default:
      malformed(parameter)
  }
}

/** Where both forms speak of the same part of one relationship, the long one wins. */
export function relatedQueries(drafts: RelatedDrafts): ReadonlyMap<string, RelatedQuery> {
  const queries = new Map<string, RelatedQuery>()
  for (const [relationship, forms] of drafts) {
    const [long, short] = [forms.get('relatedQuery'), forms.get('rQ')]
    const named = (isLong: boolean): string => `${isLong ? 'relatedQuery' : 'rQ'}[${relationship}]`
    queries.set(relationship, {
      parameter: named(long !== undefined),
      sortParameter: `${named((long?.sort ?? null) !== null)}[sort]`,
      filterParameter: `${named((long?.filter ?? null) !== null)}[filter]`,
      sort: long?.sort ?? short?.sort ?? null,
      filter: long?.filter ?? short?.filter ?? new Map(),
      page: long?.page ?? short?.page ?? new Map(),
    })
  }
  return queries
}

function draftOf(drafts: RelatedDrafts, relationship: string, family: string): RelatedDraft {
  const forms = drafts.get(relationship) ?? new Map<string, RelatedDraft>()
  drafts.set(relationship, forms)
  const draft = forms.get(family) ?? { sort: null, filter: null, page: null }
  forms.set(family, draft)
  return draft
}
