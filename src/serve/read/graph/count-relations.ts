import { fail } from '../../../core/errors/json-api-error.js'
import type { RelatedCriteria, WantedColumns } from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowSet } from '../../../core/rows/row-set.js'
import { readTransaction } from '../read-context.js'
import type { ReadContext } from '../read-context.js'
import { withScopes } from '../rows/fill-scopes.js'
import { loadRelated } from '../rows/load-related.js'
import { isTypedByStore } from '../rows/members-by-object.js'
import type { GraphNode } from './graph-node.js'
import { hidesRelation } from './graph-node.js'
import type { PrimaryQueries } from '../plan/primary-queries.js'
import { parentRows } from './read-relation.js'
import { wholeRelationQuery } from '../plan/relation-query.js'
import { linkageColumns, relationRead } from '../plan/relation-read.js'

/** The number of members of one relation, by the resource that has the relation. */
export interface CountedRelation {
  readonly relation: ServedRelation
  readonly totals: ReadonlyMap<GraphNode, number>
}

/** Counts the relations that the request names in `withCount`: one read for each relation, for all resources together. */
export function countRelations(
  nodes: readonly GraphNode[],
  { counted, countQuery }: PrimaryQueries,
  request: ReadContext,
): Promise<readonly CountedRelation[]> {
  return Promise.all(
    counted.map(async (relation) => {
      const parents = nodes.filter((node) => {
        const hasRelation = node.rows.served.relations.get(relation.name) === relation
        return hasRelation && !hidesRelation(node, relation, request.context)
      })
      const [first] = parents
      if (first === undefined) return { relation, totals: new Map() }
      const query = { ...wholeRelationQuery(relation, request), ...countQuery(relation) }
      const columnsOf = (served: ServedType): WantedColumns => linkageColumns(relation, served)
      const criteria: RelatedCriteria = {
        ...relationRead(relation, { query, parameters: [], columnsOf }).criteria,
        context: request.context,
        transaction: readTransaction(first.rows.served, request.open),
        maxMembers: request.services.maxLinkage,
      }
      const totals = await count(first.rows.served, relation, parentRows(relation, parents), criteria)
      return { relation, totals: new Map(parents.map((parent, position) => [parent, totals[position] ?? 0])) }
    }),
  )
}

/**
 * Counts the members of each parent. The members are loaded and counted here if the provider has no `countRelated()`,
 * or if it does not know which of its rows are members.
 */
async function count(
  owner: ServedType,
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<readonly number[]> {
  const { provider, scopeReaders } = owner
  if (relation.readBy === 'owner' && provider?.countRelated !== undefined && isTypedByStore(relation)) {
    const providerCriteria = scopeReaders.countRelated ? criteria : withScopes(criteria)
    const totals = await provider.countRelated(relation, parents, providerCriteria)
    if (Array.isArray(totals) && totals.length === parents.rows.length && totals.every(isCount)) return totals
    throw new TypeError(
      `The count of '${relation.owner.type}.${relation.name}' did not return one number for each parent.`,
    )
  }
  const { groups, beyondLimit } = await loadRelated(owner, relation, parents, criteria)
  if (beyondLimit !== undefined) {
    const { maxMembers: limit = 0 } = criteria
    fail('LIMIT_EXCEEDED', { limit, subject: 'members of counted relations' }, { source: { parameter: 'withCount' } })
  }
  return groups.map(({ members }) => members.length)
}

function isCount(total: unknown): boolean {
  return typeof total === 'number' && Number.isInteger(total) && total >= 0
}
