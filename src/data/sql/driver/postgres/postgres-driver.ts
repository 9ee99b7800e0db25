import { askerOf, hasKept, noteKept } from '../asking-request.js'
import type { HeldConnection, Occasion, SqlDriver, SqlResult, SqlStatement } from '../sql-driver.js'
import { NoConnection } from './no-connection.js'
import { isRefusedPlan, isStalePlan, postgresFault } from './postgres-fault.js'
import type { LeaseLimits } from './postgres-lease.js'
import { PostgresLease } from './postgres-lease.js'
import type { PostgresPool } from './postgres-pool.js'
import { takeFrom } from './postgres-pool.js'
import { preparingClients } from './preparing-client.js'
import { requestBudgets } from './request-budget.js'
import type { Settle } from './settle.js'
import { settled, traced } from './settle.js'
import type { Take } from './shared-reads.js'
import { sharedReads } from './shared-reads.js'
import { StalePlan } from './stale-plan.js'
import { statementNames } from './statement-names.js'
import { StoppedStatement } from './stopped-statement.js'

export interface PostgresDriverOptions {
  /** How many milliseconds the statements of one request may run, all together. Without it, as long as the server lets them. */
  readonly statementTimeout?: number
}

/** Runs statements on the connections of a pool, which stays its owner's: it is never ended here. */
export function postgresDriver(pool: PostgresPool, { statementTimeout }: PostgresDriverOptions = {}): SqlDriver {
  // A server that restarts ends idle connections too. The pool forgets them, but tells of it, and that must be heard.
  if (pool.listenerCount('error') === 0) pool.on('error', () => undefined)
  const budgetOf = statementTimeout === undefined ? null : requestBudgets(statementTimeout)
  const names = statementNames()

  const limitsOf = ({ context }: Occasion): LeaseLimits => {
    const asker = askerOf(context)
    const request = hasKept(context) ? null : (context?.request ?? null)
    return { asker, request, budget: budgetOf?.(asker) ?? null }
  }

  const preparing = preparingClients()
  const take: Take = (occasion, taken) => {
    const limits = limitsOf(occasion)
    takeFrom(pool, (thrown, client) => {
      if (client === undefined) taken(thrown)
      else taken(null, new PostgresLease(client, { limits, names, preparing }))
    })
  }

  const start = sharedReads(take)
  const read = (statement: SqlStatement, occasion: Occasion): Promise<SqlResult> =>
    settled((settle) => start(statement, occasion, settle))
  const write = (statement: SqlStatement, occasion: Occasion): Promise<SqlResult> =>
    settled((settle) => startWrite(take, { statement, occasion, settle }))
  return {
    engine: 'postgres',
    database: pool,
    async read(statement, occasion) {
      try {
        return await read(statement, occasion)
      } catch (thrown) {
        // The tables have changed since it was prepared; now it goes by another name.
        if (isStalePlan(thrown)) return read(statement, occasion)
        throw traced(thrown)
      }
    },
    async write(statement, occasion) {
      let result: SqlResult
      try {
        result = await write(statement, occasion)
      } catch (thrown) {
        if (thrown instanceof StalePlan) throw new Error(unreadable)
        if (!isRefusedPlan(thrown)) throw traced(thrown)
        result = await write(statement, occasion)
      }
      noteKept(occasion.context)
      return result
    },
    async hold(occasion): Promise<HeldConnection> {
      const lease = await settled<PostgresLease>((taken) => take(occasion, taken))
      return {
        raw: lease.client,
        run: (statement, told) => lease.run(statement, told === undefined ? undefined : limitsOf(told)),
        release: (broken) => lease.release(broken),
      }
    },
    faultOf(thrown) {
      if (thrown instanceof StoppedStatement) return { kind: thrown.reason }
      return thrown instanceof NoConnection ? { kind: 'unavailable' } : postgresFault(thrown)
    },
  }
}

interface Write {
  readonly statement: SqlStatement
  readonly occasion: Occasion
  readonly settle: Settle<SqlResult>
}

/** On a connection that nobody shares, so that the reads of a request do not wait for what it writes. */
function startWrite(take: Take, { statement, occasion, settle }: Write): void {
  take(occasion, (untaken, lease) => {
    if (lease === undefined) return settle(untaken)
    lease.start(statement, (thrown, result) => {
      // The server has ended it, or is about to.
      lease.release(result === undefined && postgresFault(thrown)?.kind === 'unavailable')
      settle(thrown, result)
    })
  })
}

/** Not told as a conflict, for which clients try again: it is written. */
const unreadable =
  'A row was written, and cannot be read: the columns of its table are others than when the statement was prepared.'
