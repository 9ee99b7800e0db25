import { fail } from '../../../core/errors/json-api-error.js'
import type { ResponseValue } from '../../operation/response-value.js'
import { identifierResponse } from '../../operation/response-value.js'
import type { ListFacts } from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import { containsLinkage, idReader, rowLinkage } from '../../../declare/resource/reading/row-linkage.js'
import { appliedProfiles, estimatedTotal, showsEstimateOnly } from '../paging/list-extras.js'
import { isUnfiltered } from '../paging/list-query.js'
import type { ChosenPage } from '../paging/page-of-rows.js'
import { isCursorPage } from '../paging/page-of-rows.js'
import type { ReadContext } from '../read-context.js'
import { pauses } from '../../../core/util/time-slices.js'
import type { GraphNode } from './graph-node.js'
import type { RelationRead } from '../plan/relation-read.js'
import { limitedRead } from '../plan/relation-read.js'
import { readRelation } from './read-relation.js'

/** Returns a document with the linkage of one resource. Fails if there is more than the limit permits. */
export async function linkageResponse(
  relation: ServedRelation,
  parent: GraphNode,
  members: RelationRead,
  request: ReadContext,
): Promise<Extract<ResponseValue, { kind: 'identifier' }>> {
  const { query } = members
  const related = relatedPath(relation, parent, request)
  if (containsLinkage(relation, parent.rows.columns) && isUnfiltered(query)) {
    return identifierResponse(rowLinkage(relation, parent.rows.columns)(parent.row), { related })
  }
  const pause = pauses()
  const { maxLinkage: limit } = request.services
  const read = await readRelation(relation, [parent], limitedRead(members, limit), request)
  if (read.related.beyondLimit !== undefined) {
    fail('LIMIT_EXCEEDED', { limit, subject: 'identifiers in linkage' }, { source: { parameter: 'page' } })
  }
  await pause()
  const { data = null, page } = read.relationship(parent, 0)
  await pause()
  return identifierResponse(data, {
    related,
    meta: linkageMeta(read.related.groups[0] ?? { total: null }, query.page, request),
    page: page?.links ?? null,
    profiles: appliedProfiles(isCursorPage(query.page), request),
  })
}

function linkageMeta(
  facts: ListFacts,
  page: ChosenPage | null,
  request: ReadContext,
): Readonly<Record<string, unknown>> | null {
  const { total } = facts
  if (total === null) return null
  if (page === null || page.estimate === null) return { total }
  const counted = showsEstimateOnly(page, request) ? null : { total }
  return { ...counted, page: { estimatedTotal: estimatedTotal(page, facts, 0) } }
}

function relatedPath(
  { hasRelatedEndpoint, uriName }: ServedRelation,
  { rows, row }: GraphNode,
  { context }: ReadContext,
): readonly string[] | null {
  const { served, columns } = rows
  return hasRelatedEndpoint ? [served.type.uriType, idReader(served, columns)(row, context), uriName] : null
}
