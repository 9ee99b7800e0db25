import type { RequestContext } from '../../../../resource/request-context.js'
import type { HeldConnection, Occasion, SqlDriver, SqlResult, SqlStatement } from '../sql-driver.js'
import type { SqlFault } from '../sql-fault.js'
import { isStalePlan, postgresFault } from './postgres-fault.js'
import { PostgresLease } from './postgres-lease.js'
import type { PostgresPool } from './postgres-pool.js'
import { takenFrom } from './postgres-pool.js'
import { requestBudgets } from './request-budget.js'
import { StoppedStatement } from './stopped-statement.js'

export interface PostgresDriverOptions {
  /** How many milliseconds the statements of one request may run, all together. Without it, as long as the server lets them. */
  readonly statementTimeout?: number
}

/** A connection that the reads of one request share while any of them is under way. */
interface SharedLease {
  readonly lease: Promise<PostgresLease>
  readers: number
}

/** Runs statements on the connections of a pool, which stays its owner's: it is never ended here. */
export function postgresDriver(pool: PostgresPool, { statementTimeout }: PostgresDriverOptions = {}): SqlDriver {
  // A server that restarts ends idle connections too. The pool forgets them, but tells of it, and that must be heard.
  if (pool.listenerCount('error') === 0) pool.on('error', () => undefined)
  const budgetOf = statementTimeout === undefined ? null : requestBudgets(statementTimeout)
  const shared = new WeakMap<object, SharedLease>()
  const refusals = new WeakSet<object>()

  const take = async ({ context }: Occasion): Promise<PostgresLease> => {
    const limits = { request: context?.request ?? null, budget: budgetOf?.(askerOf(context)) ?? null }
    try {
      return await takenFrom(pool, (client) => new PostgresLease(client, limits))
    } catch (thrown) {
      if (typeof thrown === 'object' && thrown !== null) refusals.add(thrown)
      throw thrown
    }
  }

  const sharedBy = (asker: object | null, occasion: Occasion): SharedLease => {
    const known = asker === null ? undefined : shared.get(asker)
    if (known !== undefined) return known
    const made: SharedLease = { lease: take(occasion), readers: 0 }
    if (asker !== null) shared.set(asker, made)
    return made
  }

  const readOnce = async (statement: SqlStatement, occasion: Occasion): Promise<SqlResult> => {
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

  return {
    engine: 'postgres',
    async read(statement, occasion) {
      try {
        return await readOnce(statement, occasion)
      } catch (thrown) {
        if (!isStalePlan(thrown)) throw thrown
        return readOnce({ ...statement, name: null }, occasion)
      }
    },
    async hold(occasion): Promise<HeldConnection> {
      const lease = await take(occasion)
      return {
        raw: lease.client,
        run: (statement) => lease.run(statement),
        release: (broken) => lease.release(broken),
      }
    },
    faultOf(thrown): SqlFault | null {
      if (thrown instanceof StoppedStatement) return { kind: thrown.reason }
      const isRefusal = typeof thrown === 'object' && thrown !== null && refusals.has(thrown)
      return isRefusal ? { kind: 'unavailable' } : postgresFault(thrown)
    },
  }
}

/** What stands for the request that asks: callbacks of one request are told of it in different objects. */
function askerOf(context: RequestContext | null): object | null {
  return context === null ? null : (context.request ?? context)
}
