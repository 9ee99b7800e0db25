import { requestIdentity, hasCommitted, markCommitted } from '../committed-requests.js'
import type { HeldConnection, RunOptions, SqlDriver, SqlResult, SqlStatement } from '../sql-driver.js'
import { NoConnection, StalePlan, StoppedStatement } from './postgres-errors.js'
import { isRefusedPlan, isStalePlan, postgresFault } from './postgres-fault.js'
import type { LeaseLimits } from './postgres-lease.js'
import { PostgresLease } from './postgres-lease.js'
import type { PostgresPool } from './postgres-pool.js'
import { takeClient } from './postgres-pool.js'
import { preparingClients } from './preparing-client.js'
import { requestBudgets } from './request-budget.js'
import type { NodeCallback } from './node-callback.js'
import { promiseOf, withCallerStack } from './node-callback.js'
import type { TakeLease } from './shared-reads.js'
import { sharedReads } from './shared-reads.js'
import { statementNames } from './statement-names.js'

/** Logged once for a store: the results are the same, and nothing else tells the application. */
const slowClient =
  "ashlar/sql: the PostgreSQL client lacks what pipelining and short prepared statements need of 'pg', so all statements are sent by its public calls, which is slower. Use a version of pg that ashlar was tested with."

export interface PostgresDriverOptions {
  /** How many milliseconds the statements of one request may run in total. Default: the limit of the server. */
  readonly statementTimeout?: number
}

/** Returns a driver that runs statements on the connections of a pool. It never ends the pool: the application does. */
export function postgresDriver(pool: PostgresPool, { statementTimeout }: PostgresDriverOptions = {}): SqlDriver {
  // A server that restarts closes idle connections too. The pool drops them and emits `error`. Without a listener, that
  // event would end the process.
  if (pool.listenerCount('error') === 0) pool.on('error', () => undefined)
  const budgetOf = statementTimeout === undefined ? null : requestBudgets(statementTimeout)
  const names = statementNames()

  const limitsOf = ({ context }: RunOptions): LeaseLimits => {
    const identity = requestIdentity(context)
    const request = hasCommitted(context) ? null : (context?.request ?? null)
    return { requestIdentity: identity, request, budget: budgetOf?.(identity) ?? null }
  }

  const preparing = preparingClients()
  let isChecked = false
  const take: TakeLease = (options, callback) => {
    const limits = limitsOf(options)
    takeClient(pool, (thrown, client) => {
      if (client === undefined) {
        callback(thrown)
        return
      }
      const lease = new PostgresLease(client, { limits, names, preparing })
      if (!isChecked) {
        isChecked = true
        if (!lease.isFast) process.emitWarning(slowClient, { code: 'ASHLAR_SLOW_POSTGRES_CLIENT' })
      }
      callback(null, lease)
    })
  }

  const startRead = sharedReads(take)
  const read = (statement: SqlStatement, options: RunOptions): Promise<SqlResult> =>
    promiseOf((callback) => startRead(statement, options, callback))
  return {
    engine: 'postgres',
    database: pool,
    async read(statement, options) {
      try {
        return await read(statement, options)
      } catch (thrown) {
        // The tables have changed since it was prepared. The retry prepares it under a new name.
        if (isStalePlan(thrown)) return read(statement, options)
        throw withCallerStack(thrown)
      }
    },
    // Not an async function, because its overhead is noticeable for a create. Errors need no stack trace of the caller:
    // callers handle most of them.
    write: (statement, options) =>
      promiseOf((callback) => startWrite(take, { statement, options, callback, isRetry: false })),
    async hold(options): Promise<HeldConnection> {
      const lease = await promiseOf<PostgresLease>((callback) => take(options, callback))
      return {
        raw: lease.client,
        run: (statement, runOptions) =>
          lease.run(statement, runOptions === undefined ? undefined : limitsOf(runOptions)),
        release: (broken) => lease.release(broken),
      }
    },
    faultOf(thrown) {
      if (thrown instanceof StoppedStatement) return { kind: thrown.reason }
      return thrown instanceof NoConnection ? { kind: 'unavailable' } : postgresFault(thrown)
    },
  }
}

interface PendingWrite {
  readonly statement: SqlStatement
  readonly options: RunOptions
  readonly callback: NodeCallback<SqlResult>
  /** Whether the first attempt was rejected with a stale plan. */
  readonly isRetry: boolean
}

/** Runs a write on a connection of its own, so that the reads of the request do not wait for it. */
function startWrite(take: TakeLease, write: PendingWrite): void {
  const { statement, options, callback } = write
  take(options, (noLease, lease) => {
    if (lease === undefined) return callback(noLease)
    lease.start(statement, (thrown, result) => {
      if (result === undefined) return endFailedWrite(take, write, { lease, thrown })
      lease.release(false)
      markCommitted(options.context)
      callback(null, result)
    })
  })
}

function endFailedWrite(
  take: TakeLease,
  { statement, options, callback, isRetry }: PendingWrite,
  { lease, thrown }: { readonly lease: PostgresLease; readonly thrown: unknown },
): void {
  // The server has closed the connection, or is about to.
  lease.release(postgresFault(thrown)?.kind === 'unavailable')
  // The tables have changed since it was prepared. The retry prepares it under a new name.
  if (!isRetry && isRefusedPlan(thrown)) startWrite(take, { statement, options, callback, isRetry: true })
  else if (thrown instanceof StalePlan) {
    markCommitted(options.context)
    // Not reported as a conflict, which would be retried: the row is already written.
    callback(new Error(unreadable))
  } else callback(thrown)
}

const unreadable =
  'A row was written, but its columns cannot be read: the table has changed since the statement was prepared.'
