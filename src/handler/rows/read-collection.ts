import type { CollectionCriteria, CollectionResult } from '../../resource/capabilities/provider.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import { isRowSet } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import { checkedFacts } from './checked-facts.js'
import { checkedList, isObject } from './checked-rows.js'
import type { ReadRows } from './list-of.js'
import { listOf } from './list-of.js'

/** Reads a collection. Of a provider that answers all it has, the service takes what was asked for. */
export async function readCollection(served: ServedType, criteria: CollectionCriteria): Promise<ReadRows> {
  const { type, provider } = served
  invariant(provider?.fetchCollection !== undefined, `'${type.type}' is listed, but its provider has no collections`)
  const found = await provider.fetchCollection(type, criteria)
  if (!isObject(found)) throw new TypeError(`The provider of '${type.type}' answered no rows.`)
  if (Array.isArray(found) || isRowSet(found)) return listOf(served, checkedList(served, found), criteria)
  const { rows: answered, ...facts } = found as CollectionResult
  const isList = Array.isArray(answered) || (isObject(answered) && isRowSet(answered))
  if (!isList) throw new TypeError(`The provider of '${type.type}' answered no rows.`)
  const rows = facts.isVouched === true && !Array.isArray(answered) ? answered : checkedList(served, answered)
  return { rows, ...checkedFacts(`The collection of '${type.type}'`, facts, rows.rows.length, criteria) }
}
