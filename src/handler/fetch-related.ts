import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { relatedResponse } from '../operation/response-value.js'
import type { ServedRelation } from '../resource/capabilities/served-type.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { planDocument } from './reading/document-plan.js'
import type { GraphNode } from './reading/graph-node.js'
import { graphNode } from './reading/graph-node.js'
import { listExtras } from './reading/list-extras.js'
import { fetchParent } from './reading/parent.js'
import { pivotReader } from './reading/pivot-meta.js'
import type { ReadRelation } from './reading/read-relationship.js'
import { readRelation } from './reading/read-relationship.js'
import type { Reading } from './reading/reading.js'
import { readingOf } from './reading/reading.js'
import { toManyQuery, toOneQuery } from './reading/relation-endpoint-query.js'
import { looksAtMembers } from './reading/shown-relation.js'
import { showResources } from './reading/show-resources.js'
import { checkFieldsets } from './steps/check-query.js'
import { findRelation } from './steps/find-relation.js'

type FetchRelated = Extract<Operation, { kind: 'FetchRelated' }>

/** GET `/{type}/{id}/{rel}` */
export async function fetchRelated(operation: FetchRelated, services: HandlerServices): Promise<ResponseValue> {
  const owner = servedType(services, operation.context)
  const reading = readingOf(operation, services)
  const relation = findRelation(owner, operation.relationship, 'related', reading)
  checkFieldsets(reading)
  const { toMany } = relation.spec.traits
  const plan = await planDocument([...relation.related.values()], reading)
  const query = toMany ? await toManyQuery(relation, reading) : await toOneQuery(relation, reading)
  const parent = await fetchParent(owner, operation.id, relation, reading)

  const columnsOf = looksAtMembers(relation) ? () => null : plan.primaryColumns
  const read = await readRelation(relation, [parent], { query, columnsOf, parameters: [] }, reading)
  const nodes = memberNodes(relation, read, reading)
  const { resources, profiles } = await showResources(nodes, toMany, plan, reading)
  if (!toMany) return relatedResponse(resources, { profiles })
  const facts = read.related.groups[0] ?? { total: null }
  return relatedResponse(
    resources,
    listExtras(nodes, { ...facts, ...query, types: relation.targets, profiles }, reading),
  )
}

/** The members as primary resources; the fields of join rows are meta of the resource here. */
function memberNodes(
  { spec }: ServedRelation,
  { related: { sets, groups } }: ReadRelation,
  { context }: Reading,
): readonly GraphNode[] {
  const pivotOf = pivotReader(spec, context)
  const shared = sets.map(({ served, rows: { columns } }) => ({ served, columns }))
  return (groups[0]?.members ?? []).flatMap(({ set, row: position, pivot }) => {
    const [rows, row] = [shared[set], sets[set]?.rows.rows[position]]
    return rows === undefined || row === undefined ? [] : [graphNode(rows, row, pivotOf(pivot))]
  })
}
