import { requestIdentity } from '../../../driver/committed-requests.js'
import type { RunOptions, SqlResult, SqlStatement } from '../../../driver/sql-statement.js'
import { postgresFault } from './postgres-fault.js'
import type { PostgresLease } from './postgres-lease.js'
import type { NodeCallback } from './postgres-pool.js'
import type { SessionValues } from './session-settings.js'

/** Takes a connection from the pool, and passes it to the callback. */
export type TakeLease = (options: RunOptions, callback: NodeCallback<PostgresLease>) => void

/** A connection that the reads of one request share while any of them is running. */
interface SharedLease {
  /** The object that identifies the request; null if there is none. */
  readonly request: object | null
  /** Null until the pool provides a connection. */
  lease: PostgresLease | null
  /** The reads that wait for the connection. */
  readonly waiting: PendingRead[]
  readers: number
}

export interface PendingRead {
  readonly statement: SqlStatement
  readonly callback: NodeCallback<SqlResult>
  /** The values that it runs with; null for none. */
  readonly session: SessionValues | null
}

/**
 * Returns a function that runs reads. Concurrent reads of one request share a connection, so that a request with many
 * reads does not use up the pool and block other requests.
 */
export function sharedReads(take: TakeLease): (read: PendingRead, options: RunOptions) => void {
  // Not a WeakMap, which is slower: every entry is deleted when its reads end.
  const shared = new Map<object, SharedLease>()

  /** Stops sharing a connection, because it is released or cannot be used. Later reads take another one. */
  const stopSharing = (sharing: SharedLease): void => {
    if (sharing.request !== null && shared.get(sharing.request) === sharing) shared.delete(sharing.request)
  }

  const start = (sharing: SharedLease, lease: PostgresLease, { statement, callback, session }: PendingRead): void => {
    const end: NodeCallback<SqlResult> = (thrown, result) => {
      sharing.readers -= 1
      if (result === undefined || sharing.readers === 0) stopSharing(sharing)
      // The server has closed the connection, or is about to: the next read must not get it.
      if (result === undefined && postgresFault(thrown)?.kind === 'unavailable') lease.abandon()
      if (sharing.readers === 0) lease.release(false)
      callback(thrown, result)
    }
    lease.start(statement, end, session)
  }

  const startAll = (sharing: SharedLease, lease: PostgresLease): void => {
    const reads = sharing.waiting.splice(0)
    sharing.lease = lease
    const [first] = reads
    if (first !== undefined && reads.length === 1) start(sharing, lease, first)
    else lease.batch(() => reads.forEach((read) => start(sharing, lease, read)))
  }

  return (read, options) => {
    const request = requestIdentity(options.context)
    const known = request === null ? undefined : shared.get(request)
    const sharing: SharedLease = known ?? { request, lease: null, waiting: [], readers: 0 }
    sharing.readers += 1
    if (sharing.lease !== null) return start(sharing, sharing.lease, read)
    sharing.waiting.push(read)
    if (known !== undefined) return
    if (request !== null) shared.set(request, sharing)
    take(options, (thrown, lease) => {
      if (lease !== undefined) return startAll(sharing, lease)
      stopSharing(sharing)
      for (const waiting of sharing.waiting.splice(0)) waiting.callback(thrown)
    })
  }
}
