import { fail } from '../../errors/json-api-error.js'
import type { FilterValue, RelatedQuery } from '../../operation/query-parameters.js'
import type { RelationshipPage } from '../../operation/response-value.js'
import { relationshipQueries } from '../../profiles/profile.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { ListQuery } from '../paging/list-query.js'
import { readListQuery } from '../paging/list-query.js'
import { relatedVocabulary } from '../query/query-vocabulary.js'
import { refuseCount } from '../query/refuse-query.js'
import { isKnownRelation } from '../query/known-relation.js'
import type { ReadContext } from '../read-context.js'
import { linkagePaginator } from './relation-query.js'

/** What a request asks of the relationships of its primary resources, by profile. */
export interface PrimaryQueries {
  /** Those to be counted. */
  readonly counted: readonly ServedRelation[]
  /** Whether the collection itself is to be counted. */
  readonly countsSelf: boolean
  /** What the members to be counted are asked. */
  readonly countQuery: (relation: ServedRelation) => Pick<ListQuery, 'conditions' | 'trash'>
  /** What the members to be shown are asked; `null` for relations of which nothing is. */
  readonly queryOf: (relation: ServedRelation) => QueriedRelation | null
  /** The relations that are read for these queries. */
  readonly relationsOf: (served: ServedType) => readonly ServedRelation[]
}

/** What is asked of a relation that is shown with its owner. */
export interface QueriedRelation {
  readonly query: ListQuery
  /** The same in plain form, which links to other pages carry to the relationship's own address. */
  readonly parameters: RelationshipPage['query']
}

export async function readPrimaryQueries(roots: readonly ServedType[], reading: ReadContext): Promise<PrimaryQueries> {
  const { query, profiles } = reading
  const negotiated = profiles.includes(relationshipQueries.uri)
  const counted = countedRelations(roots, reading)
  const named = new Map<ServedRelation, QueriedRelation>()
  for (const [path, asked] of query.relatedQuery) {
    for (const relation of addressed(path, asked, roots, reading)) {
      named.set(relation, await queriedRelation(relation, asked, reading))
    }
  }
  const unnamed = new Map<ServedRelation, QueriedRelation>()
  for (const relation of roots.flatMap(({ relations }) => [...relations.values()])) {
    const asked = negotiated || counted.includes(relation)
    if (asked && isWindowable(relation) && !named.has(relation)) {
      unnamed.set(relation, await queriedRelation(relation, null, reading))
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

/** Members of several types have nothing in common to ask for, and one member makes no page. */
function isWindowable({ spec, readBy }: ServedRelation): boolean {
  return spec.traits.toMany && !spec.traits.polymorphic && readBy !== 'nobody'
}

/** https://haddowg.github.io/json-api/profiles/countable/ */
function countedRelations(roots: readonly ServedType[], reading: ReadContext): readonly ServedRelation[] {
  const { query } = reading
  const names = query.withCount.filter((name) => name !== '_self_')
  const found = names.map((name) => ({ name, relations: countable(name, roots, reading) }))
  const refused = found.filter(({ relations }) => relations.length === 0).map(({ name }) => name)
  if (refused.length > 0) refuseCount(refused)
  // Names are of the relations of one type: with members of several types they are known, and not counted.
  return roots.length > 1 ? [] : found.flatMap(({ relations }) => relations)
}

function countable(name: string, roots: readonly ServedType[], reading: ReadContext): readonly ServedRelation[] {
  return roots.flatMap(({ relations }) => {
    const relation = relations.get(name)
    if (relation === undefined || !isKnownRelation(relation, reading) || relation.readBy === 'nobody') return []
    return relation.spec.countable && relation.spec.traits.toMany ? [relation] : []
  })
}

/** The relation that a path addresses: one of the primary resources' own, with members of one type. */
function addressed(
  path: string,
  { parameter, sort, page }: RelatedQuery,
  roots: readonly ServedType[],
  reading: ReadContext,
): readonly ServedRelation[] {
  const found = roots.flatMap(({ relations }) => relations.get(path) ?? [])
  const addressable = found.filter((relation) => {
    const { toMany, polymorphic } = relation.spec.traits
    const listed = sort !== null || page.size > 0
    return isKnownRelation(relation, reading) && !polymorphic && (toMany || !listed)
  })
  if (addressable.length > 0) return addressable
  return fail('QUERY_PARAM_UNRECOGNIZED', { param: parameter }, { source: { parameter } })
}

/** A page is always the first one of the relation's own paginator: further pages have the relationship's own address. */
export async function queriedRelation(
  relation: ServedRelation,
  asked: RelatedQuery | null,
  reading: ReadContext,
): Promise<QueriedRelation> {
  const { filter = noFilter, filterParameter = '', sortParameter = '' } = asked ?? {}
  const sort = asked?.sort ?? []
  const sent = { filter, filterParameter, sort, sortParameter, page: null, isCounted: false }
  const query = await readListQuery(sent, relatedVocabulary(relation), linkagePaginator(relation), reading)
  return {
    // Linkage that is shown whole says its number itself.
    query: { ...query, wantsCount: query.wantsCount && query.page !== null },
    parameters: [
      ...(sort.length === 0 ? [] : [['sort', sort.join(',')] as const]),
      ...[...filter].flatMap(([key, value]) => filterParameters(`filter[${key}]`, value)),
    ],
  }
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
