import type { CollectionCriteria } from '../../resource/capabilities/provider.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowSet } from '../../rows/row-set.js'
import { isRowSet } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import { checkedRows } from './checked-rows.js'
import type { ReadRows } from './list-of.js'
import { listOf, totalOf } from './list-of.js'

/** Reads a collection. Of a provider that answers all it has, the service takes what was asked for. */
export async function readCollection(served: ServedType, criteria: CollectionCriteria): Promise<ReadRows> {
  const { type, provider } = served
  invariant(provider?.fetchCollection !== undefined, `'${type.type}' is listed, but its provider has no collections`)
  const found = await provider.fetchCollection(type, criteria)
  if (Array.isArray(found) || isRowSet(found)) return listOf(served, checkedRows(served, found), criteria)
  const { total, more = false, edges = null, ...list } = found as Exclude<typeof found, readonly object[] | RowSet>
  const rows = checkedRows(served, list.rows)
  const known = totalOf(total, criteria.window === null ? rows.rows.length : null)
  // A provider may count always; what nobody asked for is not told.
  return { rows, total: criteria.wantsCount ? known : null, more, edges }
}
