import type { RowSet } from '../../rows/row-set.js'
import type { Awaitable } from '../../util/types.js'
import type { CompiledType } from '../compiled-type.js'
import type { RequestContext } from '../request-context.js'
import type { Transaction } from './transactions.js'

/** What a read needs. */
export interface ReadCriteria {
  /** The columns that are wanted; `null` for all of them, because a callback looks at the whole row. */
  readonly columns: readonly string[] | null
  /** The transaction to read in, so that a write sees what it has written. */
  readonly transaction: Transaction | null
  readonly context: RequestContext
}

/** What a collection read asks for. Filters, sorts and windows join it as reading grows. */
export interface CollectionCriteria extends ReadCriteria {
  readonly wantsCount: boolean
}

export interface CollectionResult {
  /** Rows, or plain objects, which become rows at the border. */
  readonly rows: RowSet | readonly object[]
  /** The size of the whole collection, where it was asked for. */
  readonly total: number | null
}

/**
 * Reads the rows behind a type. Ids come as the client wrote them; `CompiledType.id` decodes them.
 */
export interface Provider {
  /** The row with an id, `null` when there is none. */
  fetchOne(type: CompiledType, id: string, criteria: ReadCriteria): Awaitable<RowSet | object | null>
  fetchCollection?(type: CompiledType, criteria: CollectionCriteria): Awaitable<CollectionResult>
}

export function isProvider(value: unknown): value is Provider {
  return typeof value === 'object' && value !== null && 'fetchOne' in value && typeof value.fetchOne === 'function'
}
