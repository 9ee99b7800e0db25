import type { RelationshipPage } from '../../operation/response-value.js'
import type { RelatedCriteria, RowFlag, WantedColumns } from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import type { ListQuery } from '../paging/list-query.js'
import { firstPage, isCursorPage, rowWindow, withTokens } from '../paging/page-of-rows.js'
import { scopeConditions } from '../query/scope-conditions.js'
import type { ReadContext } from '../read-context.js'
import { isTypedByStore } from '../rows/members-by-object.js'
import type { QueriedRelation } from './primary-queries.js'
import { flagsOfMembers } from './row-flags.js'
import { queriedRelation } from './primary-queries.js'
import { linkagePaginator, defaultOrders, wholeRelationQuery } from './relation-query.js'

/** A read of the members of a relation. */
export interface RelationRead {
  readonly query: ListQuery
  /** The query parameters of links to other pages, besides those of the page; `null` if a URL has no room for them. */
  readonly parameters: RelationshipPage['query'] | null
  /** The criteria for the store. */
  readonly criteria: Omit<RelatedCriteria, 'transaction' | 'context'>
}

interface RelationReadOptions extends Pick<RelationRead, 'query' | 'parameters'> {
  readonly columnsOf: (served: ServedType) => WantedColumns
  /** `null` for members that are shown as identifiers only. */
  readonly flagsOf?: ((served: ServedType) => readonly RowFlag[]) | null
  /** Identifies the read for the caches of stores. */
  readonly cacheKey?: object | undefined
}

export function relationRead(
  relation: ServedRelation,
  { query, parameters, columnsOf, flagsOf = null, cacheKey }: RelationReadOptions,
): RelationRead {
  const { conditions, orders, page, wantsCount, trash } = query
  const related = [...relation.related.values()]
  return {
    query,
    parameters,
    criteria: {
      cacheKey,
      conditions,
      conditionsOf: new Map(related.map((served) => [served.type.type, scopeConditions(served, trash)])),
      columnsOf: new Map(related.map((served) => [served.type.type, columnsOf(served)])),
      flagsOf: flagsByType(relation, flagsOf),
      orders,
      window: rowWindow(page, { orders, types: relation.targets }),
      wantsCount,
      // `limitedRead` replaces it in a copy: a copy with a new member would have a new hidden class each time.
      maxMembers: undefined,
    },
  }
}

/** Returns the flags to read of members, by type. User-defined functions get all columns, and no flags. */
function flagsByType(
  relation: ServedRelation,
  flagsOf: RelationReadOptions['flagsOf'] = null,
): RelatedCriteria['flagsOf'] {
  if (flagsOf === null || usesWholeMembers(relation)) return undefined
  const flags = [...relation.related.values()].flatMap((served): readonly (readonly [string, readonly RowFlag[]])[] => {
    const ofType = flagsOfMembers(relation, served, flagsOf(served))
    return ofType.length === 0 ? [] : [[served.type.type, ofType]]
  })
  return flags.length === 0 ? undefined : new Map(flags)
}

/** Returns a read that the store may stop after one member more than the limit. */
export function limitedRead(read: RelationRead, maxMembers: number): RelationRead {
  return { ...read, criteria: { ...read.criteria, maxMembers } }
}

/** Returns a read of all members in their default order. */
export function wholeRelationRead(
  relation: ServedRelation,
  columnsOf: RelationReadOptions['columnsOf'],
  request: ReadContext,
): RelationRead {
  return relationRead(relation, { query: wholeRelationQuery(relation, request), parameters: [], columnsOf })
}

/**
 * Returns the query of a relation that is shown with its owner: all members, or the first page if it has cursor pages.
 */
export async function shownRelationQuery(relation: ServedRelation, request: ReadContext): Promise<QueriedRelation> {
  const page = withTokens(firstPage(linkagePaginator(relation)), request.services.cursors)
  if (!isCursorPage(page)) return { query: wholeRelationQuery(relation, request), parameters: [] }
  // The other pages are at the relationship's own URL, where the defaults of filters apply.
  if (relation.targets.length === 1) return queriedRelation(relation, null, request)
  const orders = defaultOrders(relation, page, request)
  return { query: { conditions: [], orders, page, wantsCount: false }, parameters: [] }
}

/** Returns the columns that linkage needs: the id, or all if user-defined code gets the members. */
export function linkageColumns(relation: ServedRelation, { type, serializer }: ServedType): WantedColumns {
  return serializer !== null || usesWholeMembers(relation) ? null : keyColumns(type.id.column)
}

/** Whether the relation needs whole rows of its members, whatever is shown of them. */
export function usesWholeMembers(relation: ServedRelation): boolean {
  return relation.spec.identifierMeta !== null || !isTypedByStore(relation)
}
