import type { CollectionCriteria, CollectionResult } from '../../resource/capabilities/provider.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import { isRowSet } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import { checkedFacts } from './checked-facts.js'
import { checkedList, isObject } from './checked-rows.js'
import type { RowList } from './query-rows.js'
import { queryRows } from './query-rows.js'
import { criteriaFor } from './fill-scopes.js'

/** Reads a collection. Of a provider that answers all it has, the service takes what was asked for. */
export async function readCollection(served: ServedType, criteria: CollectionCriteria): Promise<RowList> {
  const { type, provider } = served
  invariant(provider?.fetchCollection !== undefined, `'${type.type}' is listed, but its provider has no collections`)
  const asked = criteriaFor(provider.fetchCollection, criteria)
  const found = await provider.fetchCollection(type, asked)
  if (!isObject(found)) throw new TypeError(`The provider of '${type.type}' answered no rows.`)
  if (Array.isArray(found) || isRowSet(found)) return queryRows(served, checkedList(served, found), asked)
  const { rows: answered, isVerified, total, more = false, edges = null } = found as CollectionResult
  const isList = Array.isArray(answered) || (isObject(answered) && isRowSet(answered))
  if (!isList) throw new TypeError(`The provider of '${type.type}' answered no rows.`)
  // What a store has verified needs no further check.
  if (isVerified === true && !Array.isArray(answered)) return { rows: answered, total, more, edges }
  const rows = checkedList(served, answered)
  const told = { total, more, edges }
  const facts = checkedFacts(`The collection of '${type.type}'`, told, rows.rows.length, criteria)
  return { rows, total: facts.total, more: facts.more, edges: facts.edges }
}
