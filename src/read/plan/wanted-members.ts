import type { RelationshipPage } from '../../operation/response-value.js'
import type { RelatedCriteria, WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { ListQuery } from '../paging/list-query.js'
import { isScoped } from '../query/passes-scope.js'
import type { Reading } from '../reading.js'
import { anyonesCriteria, scopesOf } from './relation-query.js'

/** What is asked of the members of a relation. */
export interface WantedMembers {
  readonly query: ListQuery
  /** What links to other pages carry besides the page. */
  readonly parameters: RelationshipPage['query']
  /** What the store is asked. */
  readonly criteria: Omit<RelatedCriteria, 'transaction' | 'context'>
}

interface AskedMembers extends Pick<WantedMembers, 'query' | 'parameters'> {
  readonly columnsOf: (served: ServedType) => WantedColumns
}

export function wantedMembers(
  relation: ServedRelation,
  { query, parameters, columnsOf }: AskedMembers,
  { context }: Reading,
): WantedMembers {
  return { query, parameters, criteria: anyonesCriteria(relation, query, columnsOf, context) }
}

/** The same, asked by somebody else: which members are there may be for scopes to say. */
export function askedAgain(wanted: WantedMembers, relation: ServedRelation, { context }: Reading): WantedMembers {
  if (!isScoped(relation)) return wanted
  const conditionsOf = scopesOf(relation, context, wanted.query.trash)
  return { ...wanted, criteria: { ...wanted.criteria, conditionsOf } }
}

/** What is asked so that it can be kept: without what scopes have said; where they have no say, it can stand for itself. */
export function keepable(wanted: WantedMembers, relation: ServedRelation): WantedMembers {
  const apart = isScoped(relation) ? { conditionsOf: noConditions } : { recurring: {} }
  return { ...wanted, criteria: { ...wanted.criteria, ...apart } }
}

const noConditions: RelatedCriteria['conditionsOf'] = new Map()
