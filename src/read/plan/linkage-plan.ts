import { queryMemo } from '../../operation/query-memo.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { Reading } from '../reading.js'
import { refuseCount, refuseFamily } from '../query/refuse-query.js'
import type { PlannedQuery } from './planned-members.js'
import { isSettledQuery } from './planned-members.js'
import { linkageQuery } from './relation-endpoint-query.js'
import { checkFieldsets } from './check-fieldsets.js'

const plans = queryMemo<ServedRelation, PlannedQuery>()

/**
 * What fetching the linkage of a relation takes, worked out and checked before anything is read.
 *
 * @param owner the type whose relation it is
 */
export function planLinkage(
  owner: ServedType,
  relation: ServedRelation,
  reading: Reading,
): PlannedQuery | Promise<PlannedQuery> {
  return plans.recall(reading, relation) ?? workOut(owner, relation, reading)
}

async function workOut(owner: ServedType, relation: ServedRelation, reading: Reading): Promise<PlannedQuery> {
  checkFieldsets(reading)
  refuseQueriesOfMembers(reading)
  const query = await linkageQuery(relation, reading)
  const found = { query, isKept: isSettledQuery(owner, relation, query, reading) }
  if (found.isKept) plans.keep(reading, relation, found)
  return found
}

/** Identifiers have no relationships that could be counted or queried. */
export function refuseQueriesOfMembers({ query }: Reading): void {
  const counted = query.withCount.filter((name) => name !== '_self_')
  if (counted.length > 0) refuseCount(counted)
  for (const { parameter } of query.relatedQuery.values()) refuseFamily(parameter)
}
