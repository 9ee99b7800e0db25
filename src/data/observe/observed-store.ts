import type { Persister, WriteContext } from '../../resource/capabilities/persister.js'
import type { Provider } from '../../resource/capabilities/provider.js'
import type { Transaction, Transactions } from '../../resource/capabilities/transactions.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RelationLink } from '../../resource/relations/relation-link.js'
import { isRowSet, rowObject } from '../../rows/row-set.js'
import type { Awaitable } from '../../util/types.js'
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
