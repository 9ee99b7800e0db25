import type { CollectionCriteria, CollectionResult } from '../../resource/capabilities/provider.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import { isRowSet } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import { checkedFacts } from './checked-facts.js'
import { checkedList, isObject } from './checked-rows.js'
import type { RowList } from './query-rows.js'
import { queryRows } from './query-rows.js'
import { criteriaFor } from './fill-scopes.js'

/** Reads a collection. Plain rows of a provider are filtered, sorted and paginated here. */
export async function readCollection(served: ServedType, criteria: CollectionCriteria): Promise<RowList> {
  const { type, provider } = served
  invariant(provider?.fetchCollection !== undefined, `'${type.type}' is listed, but its provider has no collections`)
  const providerCriteria = criteriaFor(provider.fetchCollection, criteria)
  const found = await provider.fetchCollection(type, providerCriteria)
  if (!isObject(found)) throw new TypeError(`The provider of '${type.type}' returned no rows.`)
  if (Array.isArray(found) || isRowSet(found)) return queryRows(served, checkedList(served, found), providerCriteria)
  const { rows: returned, isVerified, total, more = false, edges = null } = found as CollectionResult
  const isList = Array.isArray(returned) || (isObject(returned) && isRowSet(returned))
  if (!isList) throw new TypeError(`The provider of '${type.type}' returned no rows.`)
  // Rows that the store has verified are not checked again.
  if (isVerified === true && !Array.isArray(returned)) return { rows: returned, total, more, edges }
  const rows = checkedList(served, returned)
  const returnedFacts = { total, more, edges }
  const facts = checkedFacts(`the collection of '${type.type}'`, returnedFacts, rows.rows.length, criteria)
  return { rows, total: facts.total, more: facts.more, edges: facts.edges }
}
