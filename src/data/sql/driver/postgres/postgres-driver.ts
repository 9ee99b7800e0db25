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
    // Without an async function, as little else is done for a create. Why it failed is mostly found out by others.
    write: (statement, occasion) =>
      settled((settle) => startWrite(take, { statement, occasion, settle, isAgain: false })),
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
  /** Whether it was refused before. */
  readonly isAgain: boolean
}

/** On a connection that nobody shares, so that the reads of a request do not wait for what it writes. */
function startWrite(take: Take, write: Write): void {
  const { statement, occasion, settle } = write
  take(occasion, (untaken, lease) => {
    if (lease === undefined) return settle(untaken)
    lease.start(statement, (thrown, result) => {
      if (result === undefined) return endUnwritten(take, write, { lease, thrown })
      lease.release(false)
      noteKept(occasion.context)
      settle(null, result)
    })
  })
}

function endUnwritten(
  take: Take,
  { statement, occasion, settle, isAgain }: Write,
  { lease, thrown }: { readonly lease: PostgresLease; readonly thrown: unknown },
): void {
  // The server has ended it, or is about to.
  lease.release(postgresFault(thrown)?.kind === 'unavailable')
  // The tables have changed since it was prepared; now it goes by another name.
  if (!isAgain && isRefusedPlan(thrown)) startWrite(take, { statement, occasion, settle, isAgain: true })
  else if (thrown instanceof StalePlan) {
    noteKept(occasion.context)
    // Not told as a conflict, for which it would be tried again: it is written.
    settle(new Error(unreadable))
  } else settle(thrown)
}

const unreadable =
  'A row was written, and cannot be read: the columns of its table are others than when the statement was prepared.'
