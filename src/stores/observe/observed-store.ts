import type { Persister, WriteContext } from '../../declare/resource/capabilities/persister.js'
import type { Provider } from '../../declare/resource/capabilities/provider.js'
import type { Transaction, Transactions } from '../../declare/resource/request/transactions.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import type { RelationLink } from '../../declare/resource/compiled/relation-link.js'
import { isRowSet, rowObject } from '../../core/rows/row-set.js'
import type { Awaitable } from '../../core/util/types.js'
import type { StoreListeners } from './store-events.js'

/** The parts of a store that its observation needs. */
export interface ObservedStore {
  readonly provider: Provider
  readonly persister: Persister
  readonly transactions: Transactions
  /** Returns the transaction that the running code is part of. */
  current(): Transaction | null
  /** Returns the join rows of an owner. */
  joinRows(relation: RelationLink, owner: RowObject, write: WriteContext): Awaitable<readonly RowObject[]>
  readonly listeners: StoreListeners
}

/** A write inside a transaction. */
export interface ObservedWrite extends WriteContext {
  readonly transaction: Transaction
}

/** Returns the rows that a store has returned, in any of its forms, as objects. */
export function objectsIn(found: object): readonly RowObject[] {
  if (isRowSet(found)) return found.rows.map((row) => rowObject(found.columns, row))
  return Array.isArray(found) ? (found as readonly RowObject[]) : [found as RowObject]
}
