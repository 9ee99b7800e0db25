import { fail } from '../../core/errors/json-api-error.js'
import { offered } from '../../core/errors/offered.js'
import type { QueryPair, QueryPairs } from '../parse/query-string.js'
import type { Profile } from '../../declare/profiles/profile.js'
import type { FilterValue, QueryParameters } from './query-parameters.js'
import { noQuery } from './query-parameters.js'
import type { PageRules, QueryLimits } from './query-values.js'
import { requireLimit, failMalformed, splitNames, readFilter, readPage, sortKeys } from './query-values.js'
import type { RelatedDrafts } from './read-related-query.js'
import { readRelatedPair, relatedQueries } from './read-related-query.js'

/** The query parameter settings of a server. */
export interface QueryRules extends QueryLimits, PageRules {
  /** Whether every unknown family is an error, not only the names that JSON:API reserves. */
  readonly strict: boolean
  /** The families that the application registered. */
  readonly families: ReadonlySet<string>
  /** The registered profiles. Their families are recognized only in requests that negotiated the profile. */
  readonly profiles: readonly Profile[]
}

/** The query parameters while they are parsed. */
interface QueryDraft {
  readonly fields: Map<string, ReadonlySet<string>>
  readonly withLinkage: Map<string, ReadonlySet<string>>
  include: readonly string[] | null
  sort: readonly string[]
  readonly filter: Map<string, FilterValue>
  readonly page: Map<string, string>
  withCount: readonly string[]
  readonly related: RelatedDrafts
  readonly custom: Map<string, string[]>
}

/**
 * Parses the pairs of a query string into families. If a name is repeated, the last value is used. `profiles` are the URIs
 * that the request negotiated.
 */
export function readQuery(pairs: QueryPairs, rules: QueryRules, profiles: readonly string[]): QueryParameters {
  if (pairs.length === 0) return noQuery
  const draft: QueryDraft = {
    fields: new Map(),
    withLinkage: new Map(),
    include: null,
    sort: noQuery.sort,
    filter: new Map(),
    page: new Map(),
    withCount: noQuery.withCount,
    related: new Map(),
    custom: new Map(),
  }
  for (const pair of pairs) {
    if (!readBasePair(pair, draft, rules)) readRegisteredPair(pair, draft, rules, profiles)
  }
  const { related, ...rest } = draft
  return Object.freeze({ ...rest, relatedQuery: related.size === 0 ? noQuery.relatedQuery : relatedQueries(related) })
}

/** Parses a pair of a built-in family. Returns false for any other family. */
function readBasePair({ path, value }: QueryPair, draft: QueryDraft, rules: QueryRules): boolean {
  const [family, ...keys] = path
  const [key] = keys
  switch (family) {
    case 'fields':
      if (key === undefined) failMalformed(family)
      // In the families `fields` and `include`, a name with the wrong brackets is ignored.
      if (key !== '' && keys.length === 1) draft.fields.set(key, new Set(splitNames(value)))
      return true
    case 'include':
      if (key === undefined) {
        const inclusion = { subject: 'include paths', parameter: family }
        draft.include = requireLimit(splitNames(value), rules.maxIncludePaths, inclusion)
      }
      return true
    case 'sort':
      if (key !== undefined) failMalformed(family)
      draft.sort = sortKeys(value, rules, family)
      return true
    case 'filter':
      readFilter(draft.filter, { path: keys, value }, rules, family)
      return true
    case 'page':
      readPage(draft.page, { path: keys, value }, rules, family)
      return true
    case 'withLinkage': {
      if (key === undefined || key === '' || keys.length > 1) failMalformed(family)
      const linkage = { subject: 'names of relationships', parameter: `${family}[${key}]` }
      const names = requireLimit(splitNames(value), rules.maxIncludePaths, linkage)
      draft.withLinkage.set(key, new Set(names))
      return true
    }
    // Defined in a release candidate of JSON:API 1.1 and removed since: accepted, and ignored.
    case 'profile':
      return true
    default:
      return false
  }
}

/** Parses a pair of a family that the application or a negotiated profile registered. */
function readRegisteredPair(pair: QueryPair, draft: QueryDraft, rules: QueryRules, profiles: readonly string[]): void {
  const { path, value } = pair
  const [family, key] = path
  if (!rules.families.has(family) && !isNegotiated(family, rules, profiles)) {
    if (rules.strict || /^[a-z]*$/.test(family)) unrecognized(family, rules, profiles)
    return
  }
  switch (family) {
    case 'withCount': {
      if (key !== undefined) failMalformed(family)
      const count = { subject: 'names to count', parameter: family }
      draft.withCount = requireLimit([...new Set(splitNames(value))], rules.maxIncludePaths, count)
      return
    }
    case 'relatedQuery':
    case 'rQ':
      return readRelatedPair(draft.related, pair, rules)
    default: {
      // Mutated while the query is parsed: a copy for each value would make a long query quadratic.
      const values = draft.custom.get(family)
      if (values === undefined) draft.custom.set(family, [value])
      else values.push(value)
    }
  }
}

function isNegotiated(family: string, rules: QueryRules, profiles: readonly string[]): boolean {
  if (profiles.length === 0) return false
  return rules.profiles.some(({ uri, families }) => profiles.includes(uri) && families?.includes(family) === true)
}

/** If a registered profile defines the family, the error names the profile: the client has to request it. */
function unrecognized(param: string, rules: QueryRules, negotiated: readonly string[]): never {
  const profile = rules.profiles.find(({ families }) => families?.includes(param) === true)
  const reason =
    profile === undefined
      ? `. Offered by this server: ${offered(recognizedFamilies(rules, negotiated))}`
      : ` unless the header Accept names the profile ${profile.uri}`
  fail('QUERY_PARAM_UNRECOGNIZED', { param, reason }, { source: { parameter: param } })
}

/** The families that `readBasePair` parses, except the one that it ignores. */
const baseFamilies = ['fields', 'filter', 'include', 'page', 'sort', 'withLinkage'] as const

/** Returns the families that a request may have. An endpoint may refuse some of them. */
function recognizedFamilies({ families, profiles }: QueryRules, negotiated: readonly string[]): readonly string[] {
  const named = profiles.filter(({ uri }) => negotiated.includes(uri))
  return [...new Set([...baseFamilies, ...families, ...named.flatMap(({ families: own = [] }) => own)])]
}
