import type { RequestContext } from '../../../../../declare/resource/request/request-context.js'
import { requestIdentity } from '../../../driver/committed-requests.js'
import type { HeldConnection, SqlResult, SqlStatement } from '../../../driver/sql-statement.js'
import { unnamed } from '../../../driver/sql-statement.js'
import { readPosition } from '../wal-position.js'
import type { PostgresLease } from './postgres-lease.js'
import type { NodeCallback } from './postgres-pool.js'
import { promiseOf } from './postgres-pool.js'
import type { SessionValues } from './session-settings.js'

/**
 * Called after a commit with the position of the write-ahead log; null if it cannot be read. A replica that has replayed the log up to that
 * position has everything that was committed.
 *
 * @param request the object that identifies the request
 */
export type OnCommit = (request: object, position: bigint | null) => void

/** The end of the log, including records that are not written yet, as after a commit with `synchronous_commit = off`. */
const statement = unnamed('select pg_current_wal_insert_lsn()::text')

/** A write in autocommit mode. */
interface PositionedWrite {
  readonly statement: SqlStatement
  readonly session: SessionValues | null
  readonly context: RequestContext | null
  readonly onCommit: OnCommit
}

/** Runs a write, and queries the position after it, in one round trip if possible. */
export function startWithPosition(lease: PostgresLease, write: PositionedWrite, end: NodeCallback<SqlResult>): void {
  const { session, onCommit } = write
  const request = requestIdentity(write.context)
  if (request === null) return lease.start(write.statement, end, session)
  const endBoth = (thrown: unknown, result?: SqlResult, position?: SqlResult): void => {
    if (result !== undefined && position !== undefined) onCommit(request, positionOf(position))
    end(thrown, result)
  }
  if (session === null) return startBoth(lease, write.statement, endBoth)
  // The values of a session may need a separate transaction, which the query of the position must not be part of.
  const queryPosition: NodeCallback<SqlResult> = (thrown, result) => {
    if (result === undefined) return end(thrown)
    lease.start(statement, (_thrown, position) => endBoth(null, result, position))
  }
  lease.start(write.statement, queryPosition, session)
}

function startBoth(
  lease: PostgresLease,
  write: SqlStatement,
  end: (thrown: unknown, result?: SqlResult, position?: SqlResult) => void,
): void {
  let pending = 2
  let written: readonly [thrown: unknown, result?: SqlResult] = [null]
  let position: SqlResult | undefined
  // An error is passed on later than a result, so the second result may arrive first.
  const endOne = (): void => {
    pending -= 1
    if (pending === 0) end(written[0], written[1], position)
  }
  lease.batch(() => {
    lease.start(write, (thrown, result) => {
      written = result === undefined ? [thrown] : [thrown, result]
      endOne()
    })
    lease.start(statement, (_error, found) => {
      position = found
      endOne()
    })
  })
}

/** Returns a function that queries and records the position. Call it when a commit was sent on the same connection. */
export function positionRecorder(
  lease: PostgresLease,
  onCommit: OnCommit,
): NonNullable<HeldConnection['recordPosition']> {
  return async (context) => {
    const request = requestIdentity(context)
    if (request === null) return
    try {
      onCommit(request, positionOf(await promiseOf<SqlResult>((callback) => lease.start(statement, callback))))
    } catch {
      // The commit is done. Without a position, the client reads as if it had written nothing.
    }
  }
}

function positionOf({ rows }: SqlResult): bigint | null {
  return readPosition(rows[0]?.[0])
}
