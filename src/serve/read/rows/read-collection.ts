import type {
  CollectionCriteria,
  CollectionResult,
  ListFacts,
  ReadCriteria,
} from '../../../declare/resource/capabilities/provider.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowSet } from '../../../core/rows/row-set.js'
import { isRowSet, rowObject, rowSetOf } from '../../../core/rows/row-set.js'
import { invariant } from '../../../core/util/invariant.js'
import { checkedFacts, checkedList, isObject } from './checked-rows.js'
import { withScopes } from './fill-scopes.js'
import { listRows } from '../../../stores/row-query/list-rows.js'
import { checkQueriedColumns } from './check-queried-columns.js'
import { rowsQueryContext } from './rows-query-context.js'

/** Reads a collection. Plain rows of a provider are filtered, sorted and paginated here. */
export async function readCollection(served: ServedType, criteria: CollectionCriteria): Promise<RowList> {
  const { type, provider, scopeReaders } = served
  if (provider?.fetchCollection === undefined) return noCollections(served)
  const providerCriteria = scopeReaders.fetchCollection ? criteria : withScopes(criteria)
  const found = await provider.fetchCollection(type, providerCriteria)
  if (!isObject(found)) throw new TypeError(`The provider of '${type.type}' returned no rows.`)
  if (Array.isArray(found) || isRowSet(found))
    return queryRows(served, checkedList(served, found, criteria.context), providerCriteria)
  const { rows: returned, isVerified, total, more = false, edges = null, estimate = null } = found as CollectionResult
  // Rows that the store has verified are not checked again.
  if (isVerified === true && isObject(returned) && isRowSet(returned))
    return { rows: returned, total, more, edges, estimate }
  const isList = Array.isArray(returned) || (isObject(returned) && isRowSet(returned))
  if (!isList) throw new TypeError(`The provider of '${type.type}' returned no rows.`)
  const rows = checkedList(served, returned, criteria.context)
  const returnedFacts = { total, more, edges, estimate }
  const facts = checkedFacts(`the collection of '${type.type}'`, returnedFacts, rows.rows.length, criteria)
  return { rows, ...facts }
}

function noCollections({ type }: ServedType): never {
  invariant(false, `'${type.type}' is listed, but its provider has no collections`)
}

/** The checked rows of a list. */
export interface RowList extends ListFacts {
  readonly rows: RowSet
}

type RowsQuery = Pick<ReadCriteria, 'conditions' | 'transaction' | 'context'> &
  Partial<Pick<CollectionCriteria, 'orders' | 'window' | 'wantsCount'>>

/** Filters, sorts and paginates the plain rows of a provider. */
export async function queryRows(served: ServedType, { columns, rows }: RowSet, query: RowsQuery): Promise<RowList> {
  const { conditions, orders = [], window = null, wantsCount = false } = query
  const objects = rows.map((row) => rowObject(columns, row))
  const start = { served, objects, conditions, orders }
  checkQueriedColumns(start)
  const queryContext = await rowsQueryContext([start], query)
  const candidates = objects.map((row) => ({ row, pivot: null, type: 0 }))
  const criteria = { types: [served.type], conditions, orders, window, wantsCount }
  const { candidates: listed, ...facts } = listRows(candidates, criteria, queryContext)
  return {
    ...facts,
    rows: rowSetOf(
      listed.map(({ row }) => row),
      columns,
    ),
  }
}
