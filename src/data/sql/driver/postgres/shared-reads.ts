import { askerOf } from '../asking-request.js'
import type { Occasion, SqlResult, SqlStatement } from '../sql-driver.js'
import type { PostgresLease } from './postgres-lease.js'
import type { Settle } from './settle.js'

/** Asks for a connection; `taken` is told of it once there is one. */
export type Take = (occasion: Occasion, taken: Settle<PostgresLease>) => void

/** A connection that the reads of one request share while any of them is under way. */
interface SharedLease {
  readonly asker: object | null
  /** `null` until there is one. */
  lease: PostgresLease | null
  /** Those that came before there was one. */
  readonly waiting: Read[]
  readers: number
}

interface Read {
  readonly statement: SqlStatement
  readonly settle: Settle<SqlResult>
}

/**
 * Runs reads. Those of one request that are under way at the same time take one connection together, so that requests do
 * not wait for each other's connections however much each of them reads.
 */
export function sharedReads(
  take: Take,
): (statement: SqlStatement, occasion: Occasion, settle: Settle<SqlResult>) => void {
  // Not a weak one, which costs more: all that comes in goes out again.
  const shared = new Map<object, SharedLease>()

  /** Whoever comes now needs another one: this is given back, or cannot be used. */
  const leave = (sharing: SharedLease): void => {
    if (sharing.asker !== null && shared.get(sharing.asker) === sharing) shared.delete(sharing.asker)
  }

  const start = (sharing: SharedLease, lease: PostgresLease, { statement, settle }: Read): void =>
    lease.start(statement, (thrown, result) => {
      sharing.readers -= 1
      if (result === undefined || sharing.readers === 0) leave(sharing)
      if (sharing.readers === 0) lease.release(false)
      settle(thrown, result)
    })

  const startAll = (sharing: SharedLease, lease: PostgresLease): void => {
    const reads = sharing.waiting.splice(0)
    sharing.lease = lease
    const [first] = reads
    if (first !== undefined && reads.length === 1) start(sharing, lease, first)
    else lease.together(() => reads.forEach((read) => start(sharing, lease, read)))
  }

  return (statement, occasion, settle) => {
    const asker = askerOf(occasion.context)
    const known = asker === null ? undefined : shared.get(asker)
    const sharing: SharedLease = known ?? { asker, lease: null, waiting: [], readers: 0 }
    const read = { statement, settle }
    sharing.readers += 1
    if (sharing.lease !== null) return start(sharing, sharing.lease, read)
    sharing.waiting.push(read)
    if (known !== undefined) return
    if (asker !== null) shared.set(asker, sharing)
    take(occasion, (thrown, lease) => {
      if (lease !== undefined) return startAll(sharing, lease)
      leave(sharing)
      for (const waiting of sharing.waiting.splice(0)) waiting.settle(thrown)
    })
  }
}
