import type { ResponseValue } from '../operation/response-value.js'
import type { OpenTransactions, ReadContext } from '../read/read-context.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { Awaitable } from '../../core/util/types.js'
import type { HiddenMembers } from './persist/hidden-members.js'
import type { RollBack } from './persist/in-transaction.js'

/** A write as a value: what to write of which type, its conditions, and what its response needs. */
export interface Write {
  readonly served: ServedType
  readonly request: ReadContext
}

/** The transactions in which a write runs its steps. */
export interface WriteSteps {
  readonly open: OpenTransactions
  /** Rolls back because the written row would hide members from the caller that it has sent. */
  readonly rollBack: RollBack<HiddenMembers>
}

/**
 * What a kind of write does. `Stored` is what its response needs of the rows that were written.
 */
export interface WriteKind<Of extends Write, Stored extends object> {
  /**
   * Writes by one statement that commits by itself, if `write-strategy.ts` lets it. Returns `null` if nothing was stored, for any reason: the
   * steps then find out why, and report it.
   */
  readonly byStatement: (write: Of) => Awaitable<Stored | null>
  /** The types whose rows are written: their stores take part in the transaction. */
  readonly types: (write: Of) => readonly ServedType[]
  /** Writes step by step in a transaction. */
  readonly inSteps: (write: Of, steps: WriteSteps) => Promise<Stored>
  /** Throws another error for an error of the steps, after the rollback. Returns the write to run instead; `null` to report the error. */
  readonly recover?: (thrown: unknown, write: Of) => Of | null
  /** Returns the write without the members that its row would hide from the caller. */
  readonly withMembers?: (write: Of, hidden: HiddenMembers) => Awaitable<Of>
  /** Fires the events after the commit, and responds. */
  readonly respond: (write: Of, stored: Stored) => Awaitable<ResponseValue>
}
