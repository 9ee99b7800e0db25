import type { LocalIds } from './local-ids.js'
import type { SentVersion } from './sent-version.js'

/** The action of an operation on its target. */
export type OperationCode = 'add' | 'update' | 'remove'

/** The target of an operation: a resource, one of its relationships, or the collection that a resource is added to. */
export interface SentTarget {
  readonly type: string
  /** `null` for a collection, and for a resource with a local id. */
  readonly id: string | null
  readonly lid: string | null
  readonly relationship: string | null
  /** The pointer of the member that names the type. */
  readonly typePointer: string
}

/** An operation of a batch as the client sent it, with a valid structure. */
export interface SentOperation {
  readonly op: OperationCode
  readonly target: SentTarget
  /** `undefined` without data. */
  readonly data: unknown
  /** The pointer of the operation. */
  readonly pointer: string
  readonly localIds: LocalIds
  /** The version that the target must have; `null` if the operation names none. */
  readonly version: SentVersion | null
  /** The key by which an added resource may exist already: it is updated then. `null` for any other operation. */
  readonly upsertBy: string | null
}
