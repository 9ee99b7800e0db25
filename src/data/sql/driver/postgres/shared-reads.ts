import { askerOf } from '../asking-request.js'
import type { Occasion, SqlResult, SqlStatement } from '../sql-driver.js'
import type { PostgresLease } from './postgres-lease.js'

/** A connection that the reads of one request share while any of them is under way. */
interface SharedLease {
  readonly lease: Promise<PostgresLease>
  readers: number
}

/**
 * Runs reads. Those of one request that are under way at the same time take one connection together, so that requests do
 * not wait for each other's connections however much each of them reads.
 */
export function sharedReads(
  take: (occasion: Occasion) => Promise<PostgresLease>,
): (statement: SqlStatement, occasion: Occasion) => Promise<SqlResult> {
  const shared = new WeakMap<object, SharedLease>()

  const sharedBy = (asker: object | null, occasion: Occasion): SharedLease => {
    const known = asker === null ? undefined : shared.get(asker)
    if (known !== undefined) return known
    const made: SharedLease = { lease: take(occasion), readers: 0 }
    if (asker !== null) shared.set(asker, made)
    return made
  }

  return async (statement, occasion) => {
    const asker = askerOf(occasion.context)
    const sharing = sharedBy(asker, occasion)
    const leave = (): void => {
      // Whoever comes now needs another one: this is given back, or cannot be used.
      if (asker !== null && shared.get(asker) === sharing) shared.delete(asker)
    }
    sharing.readers += 1
    try {
      return await (await sharing.lease).run(statement)
    } catch (thrown) {
      leave()
      throw thrown
    } finally {
      sharing.readers -= 1
      if (sharing.readers === 0) {
        leave()
        void sharing.lease.then(
          (lease) => lease.release(false),
          () => undefined,
        )
      }
    }
  }
}
