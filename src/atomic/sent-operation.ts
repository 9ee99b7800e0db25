import type { LocalIds } from './local-ids.js'

/** What an operation does to what it addresses. */
export type OperationCode = 'add' | 'update' | 'remove'

/** What an operation addresses: a resource, one of its relationships, or the collection that a resource is added to. */
export interface SentTarget {
  readonly type: string
  /** `null` for a collection, and where the resource is named by a local id. */
  readonly id: string | null
  readonly lid: string | null
  readonly relationship: string | null
  /** Where it is said which type is meant. */
  readonly typePointer: string
}

/** An operation of a batch as it was sent, its structure checked. */
export interface SentOperation {
  readonly op: OperationCode
  readonly target: SentTarget
  /** `undefined` where there is none. */
  readonly data: unknown
  /** Where the operation stands. */
  readonly pointer: string
  readonly localIds: LocalIds
}
