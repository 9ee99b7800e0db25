import { fail } from '../../../core/errors/json-api-error.js'
import type { FilterValue, RelatedQuery } from '../../operation/query-parameters.js'
import type { RelationshipPage } from '../../operation/response-value.js'
import { relationshipQueriesProfile } from '../../../declare/profiles/profile.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { ListQuery } from '../paging/list-query.js'
import { readListQuery } from '../paging/list-query.js'
import { relatedVocabulary } from '../query/query-vocabulary.js'
import { checkPageKeys, refuseCount } from './refuse-query.js'
import { queryPair } from '../../../declare/pagination/page-url.js'
import { isKnownRelation } from '../query/known-relation.js'
import type { ReadContext } from '../read-context.js'
import { linkagePaginator } from './relation-query.js'

/**
 * The queries of the relationships of the primary resources. The countable and the relationship-queries profile define
 * them.
 */
export interface PrimaryQueries {
  /** The relations to count. */
  readonly counted: readonly ServedRelation[]
  /** Whether to count the collection itself. */
  readonly countsSelf: boolean
  /** Returns the query of the members to count. */
  readonly countQuery: (relation: ServedRelation) => Pick<ListQuery, 'conditions' | 'trash'>
  /** Returns the query of the members to show; `null` if the relation is not queried. */
  readonly queryOf: (relation: ServedRelation) => QueriedRelation | null
  /** Returns the relations of a type that are read for these queries. */
  readonly relationsOf: (served: ServedType) => readonly ServedRelation[]
}

/** The query of a relation that is shown with its owner. */
export interface QueriedRelation {
  readonly query: ListQuery
  /** The query as parameters, for links to other pages, which are at the relationship's own URL; `null` if they are too long for it. */
  readonly parameters: RelationshipPage['query'] | null
}

export async function readPrimaryQueries(roots: readonly ServedType[], request: ReadContext): Promise<PrimaryQueries> {
  const { query, profiles } = request
  const negotiated = profiles.includes(relationshipQueriesProfile.uri)
  const counted = countedRelations(roots, request)
  const named = new Map<ServedRelation, QueriedRelation>()
  for (const [path, sent] of query.relatedQuery) {
    for (const relation of addressed(path, sent, roots, request)) {
      // Shown with its owner, a relation has its first page only.
      checkPageKeys(sent.page, null, request.services, sent.pageParameter)
      named.set(relation, await queriedRelation(relation, sent, request))
    }
  }
  const unnamed = new Map<ServedRelation, QueriedRelation>()
  for (const relation of roots.flatMap(({ relations }) => [...relations.values()])) {
    const isWanted = negotiated || counted.includes(relation)
    if (isWanted && isWindowable(relation) && !named.has(relation)) {
      unnamed.set(relation, await queriedRelation(relation, null, request))
    }
  }
  return {
    counted,
    countsSelf: query.withCount.includes('_self_'),
    countQuery: (relation) => {
      const { conditions = [], trash = 'hidden' } = (named.get(relation) ?? unnamed.get(relation))?.query ?? {}
      return { conditions, trash }
    },
    queryOf: (relation) => (negotiated ? (named.get(relation) ?? unnamed.get(relation) ?? null) : null),
    relationsOf: (served) => {
      const all = [...served.relations.values()]
      return all.filter((relation) => counted.includes(relation) || named.has(relation))
    },
  }
}

/**
 * Whether a relation has pages: members of several types have no common filters and sorts, and a to-one has one member.
 */
function isWindowable({ spec, readBy }: ServedRelation): boolean {
  return spec.traits.toMany && !spec.traits.polymorphic && readBy !== 'none'
}

/** https://haddowg.github.io/json-api/profiles/countable/ */
function countedRelations(roots: readonly ServedType[], request: ReadContext): readonly ServedRelation[] {
  const { query } = request
  const names = query.withCount.filter((name) => name !== '_self_')
  const found = names.map((name) => ({ name, relations: countable(name, roots, request) }))
  const refused = found.filter(({ relations }) => relations.length === 0).map(({ name }) => name)
  if (refused.length > 0) refuseCount(refused)
  // Names refer to relations of one type. If the primary resources have several types, names are accepted but not
  // counted.
  return roots.length > 1 ? [] : found.flatMap(({ relations }) => relations)
}

function countable(name: string, roots: readonly ServedType[], request: ReadContext): readonly ServedRelation[] {
  return roots.flatMap(({ relations }) => {
    const relation = relations.get(name)
    if (relation === undefined || !isKnownRelation(relation, request) || relation.readBy === 'none') return []
    return relation.spec.countable && relation.spec.traits.toMany ? [relation] : []
  })
}

/** Returns the relations that a path addresses: relations of the primary resources, with members of one type. */
function addressed(
  path: string,
  { parameter, sort, page }: RelatedQuery,
  roots: readonly ServedType[],
  request: ReadContext,
): readonly ServedRelation[] {
  const found = roots.flatMap(({ relations }) => relations.get(path) ?? [])
  const addressable = found.filter((relation) => {
    const { toMany, polymorphic } = relation.spec.traits
    const needsList = sort !== null || page.size > 0
    return isKnownRelation(relation, request) && !polymorphic && (toMany || !needsList)
  })
  if (addressable.length > 0) return addressable
  return fail('QUERY_PARAM_UNRECOGNIZED', { param: parameter, reason: '' }, { source: { parameter } })
}

/**
 * Reads the query of a relation that is shown with its owner. A page is always the first page of the relation's own
 * paginator: further pages are at the relationship's own URL.
 */
export async function queriedRelation(
  relation: ServedRelation,
  related: RelatedQuery | null,
  request: ReadContext,
): Promise<QueriedRelation> {
  const { filter = noFilter, filterParameter = '', sortParameter = '' } = related ?? {}
  const sort = related?.sort ?? []
  const sent = { filter, filterParameter, sort, sortParameter, page: null, isCounted: false }
  const query = await readListQuery(sent, relatedVocabulary(relation), linkagePaginator(relation), request)
  const parameters = [
    ...(sort.length === 0 ? [] : [['sort', sort.join(',')] as const]),
    ...[...filter].flatMap(([key, value]) => filterParameters(`filter[${key}]`, value)),
  ]
  return {
    // Linkage that is shown whole needs no count.
    query: { ...query, wantsCount: query.wantsCount && query.page !== null },
    parameters: fitsInUrl(parameters, request) ? parameters : null,
  }
}

/** The characters of a URL besides the parameters of a relation: the path, and a cursor. */
const LENGTH_OF_OTHERS = 1024

/** Returns whether a URL has room for parameters. Those of a QUERY request may be longer. */
function fitsInUrl(parameters: RelationshipPage['query'], { services }: ReadContext): boolean {
  const length = parameters.reduce((sum, [name, value]) => sum + queryPair(name, value).length + 1, LENGTH_OF_OTHERS)
  return length <= services.maxUriLength
}

const noFilter: ReadonlyMap<string, FilterValue> = new Map()

function filterParameters(name: string, value: FilterValue): readonly (readonly [name: string, value: string])[] {
  if (typeof value === 'string') return [[name, value]]
  if (value instanceof Map) {
    return [...(value as ReadonlyMap<string, FilterValue>)].flatMap(([key, inner]) =>
      filterParameters(`${name}[${key}]`, inner),
    )
  }
  return (value as readonly string[]).map((member) => [`${name}[]`, member] as const)
}
