import type { Awaitable } from '../../util/types.js'
import type { CompiledType } from '../compiled-type.js'
import type { RequestContext } from '../request-context.js'
import type { Transaction } from './transactions.js'

export interface WriteContext {
  readonly transaction: Transaction | null
  readonly context: RequestContext
}

/** Columns to set. */
export type ColumnValues = Readonly<Record<string, unknown>>

/**
 * Writes the rows behind a type. Every method answers only when the row is written, with the values that the store gave
 * it; within a transaction it can still be undone.
 */
export interface Persister {
  /** The columns of a blank row, before the client's values are laid over them. */
  instantiate?(type: CompiledType): ColumnValues
  /** The key is among the values when the client or the service chose it. Answers the row as stored. */
  create(type: CompiledType, values: ColumnValues, write: WriteContext): Awaitable<object>
  /** Answers the row as stored, `null` when it is gone. */
  update(type: CompiledType, key: unknown, values: ColumnValues, write: WriteContext): Awaitable<object | null>
  /** Answers whether there was such a row. */
  delete(type: CompiledType, key: unknown, write: WriteContext): Awaitable<boolean>
}

export function isPersister(value: unknown): value is Persister {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['create', 'update', 'delete'].every((method) => typeof (value as Record<string, unknown>)[method] === 'function')
  )
}
