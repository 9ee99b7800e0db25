import { hasCommitted, markCommitted, requestIdentity } from '../../../driver/committed-requests.js'
import type { LimitedDriver } from '../../../driver/sql-driver.js'
import type { HeldConnection, RunOptions, SqlResult, SqlStatement } from '../../../driver/sql-statement.js'
import { unnamed } from '../../../driver/sql-statement.js'
import { postgresDialect } from '../postgres-dialect.js'
import { sessionMessages } from '../protocol/session-statement.js'
import { heldWithSession } from './held-session.js'
import type { OnCommit } from './log-position.js'
import { positionRecorder, startWithPosition } from './log-position.js'
import {
  isRefusedPlan,
  isStalePlan,
  NoConnection,
  postgresFault,
  SessionRefused,
  StalePlan,
  StoppedStatement,
} from './postgres-fault.js'
import type { LeaseLimits, LeaseOptions } from './postgres-lease.js'
import { PostgresLease } from './postgres-lease.js'
import type { NodeCallback, PostgresPool } from './postgres-pool.js'
import { poolState, promiseOf, takeClient, withCallerStack } from './postgres-pool.js'
import { requestBudgets } from './request-budget.js'
import type { SessionOf, SessionValues } from './session-settings.js'
import { sessionValues } from './session-settings.js'
import type { TakeLease } from './shared-reads.js'
import { sharedReads } from './shared-reads.js'
import type { StatementNames } from './statement-names.js'
import { statementNames } from './statement-names.js'

/** Logged once for each store, because nothing else shows it: the results are the same. */
const slowClient =
  "ashlar/sql: the PostgreSQL client differs from the versions of 'pg' that ashlar was tested with, so statements are sent by its public methods, which is slower."

export interface PostgresDriverOptions {
  /** How many milliseconds the statements of one request may run in total. Default: the limit of the server. */
  readonly statementTimeout?: number
  /** Returns the role and the settings that the statements of a request run with. Default: none. */
  readonly session?: SessionOf
  /** Whether connections may prepare statements. Default: true. */
  readonly prepare?: boolean
  /** Called after each commit of a request, with the position of the log. Default: the position is not queried. */
  readonly onCommit?: OnCommit
}

/** Returns a driver that runs statements on the connections of a pool. It never ends the pool: the application does. */
export function postgresDriver(pool: PostgresPool, options: PostgresDriverOptions = {}): LimitedDriver {
  const { statementTimeout, session, prepare = true, onCommit = null } = options
  // A server that restarts closes idle connections too. The pool drops them and emits `error`. Without a listener, that
  // event would end the process.
  if (pool.listenerCount('error') === 0) pool.on('error', () => undefined)
  const budgetOf = statementTimeout === undefined ? null : requestBudgets(statementTimeout)
  const names = statementNames()
  const valuesOf = session === undefined ? null : sessionValues(session)
  const messages = valuesOf === null ? null : sessionMessages(names, prepare)

  const limitsOf = ({ context }: RunOptions): LeaseLimits => {
    const identity = requestIdentity(context)
    const request = hasCommitted(context) ? null : (context?.request ?? null)
    return { requestIdentity: identity, request, budget: budgetOf?.(identity) ?? null }
  }

  const take = leaseTaker(pool, { limitsOf, names, messages })
  const startRead = sharedReads(take)
  const runWithin = limitedRuns(pool, names)
  return {
    dialect: postgresDialect,
    database: pool,
    async read(statement, runOptions) {
      const values = valuesOf === null ? null : valuesOf(runOptions.context)
      const start = (callback: NodeCallback<SqlResult>): void =>
        startRead({ statement, callback, session: values }, runOptions)
      try {
        return await promiseOf(start)
      } catch (thrown) {
        // The tables have changed since it was prepared. The retry prepares it under a new name.
        if (isStalePlan(thrown)) return promiseOf(start)
        throw withCallerStack(thrown)
      }
    },
    // Not an async function, because its overhead is noticeable for a create. Errors need no stack trace of the caller:
    // callers handle most of them.
    write: (statement, runOptions) =>
      promiseOf((callback) => {
        const values = valuesOf === null ? null : valuesOf(runOptions.context)
        startWrite(take, { statement, options: runOptions, callback, session: values, isRetry: false, onCommit })
      }),
    async hold(holdOptions): Promise<HeldConnection> {
      const lease = await promiseOf<PostgresLease>((callback) => take(holdOptions, callback))
      const positions = onCommit === null ? null : { recordPosition: positionRecorder(lease, onCommit) }
      if (valuesOf !== null) return { ...heldWithSession(lease, { ...holdOptions, limitsOf, valuesOf }), ...positions }
      return {
        raw: lease.client,
        run: (statement, runOptions) =>
          lease.run(statement, runOptions === undefined ? undefined : limitsOf(runOptions)),
        release: (broken) => lease.release(broken),
        ...positions,
      }
    },
    runWithin,
    ping: (limit) => runWithin(unnamed('select 1'), limit).then(() => undefined),
    pool: () => poolState(pool),
    faultOf(thrown) {
      if (thrown instanceof StoppedStatement) return { kind: thrown.reason }
      if (thrown instanceof SessionRefused) return { kind: 'other' }
      return thrown instanceof NoConnection ? { kind: 'unavailable' } : postgresFault(thrown)
    },
  }
}

interface TakerOptions extends Pick<LeaseOptions, 'names' | 'messages'> {
  readonly limitsOf: (options: RunOptions) => LeaseLimits
}

/** Returns a function that takes a connection from the pool. The first one shows whether the client is fast. */
function leaseTaker(pool: PostgresPool, { limitsOf, names, messages }: TakerOptions): TakeLease {
  let isChecked = false
  return (options, callback) => {
    const limits = limitsOf(options)
    takeClient(pool, (thrown, client) => {
      if (client === undefined) {
        callback(thrown)
        return
      }
      const lease = new PostgresLease(client, { limits, names, messages })
      if (!isChecked) {
        isChecked = true
        if (!lease.isFast) process.emitWarning(slowClient, { code: 'ASHLAR_SLOW_POSTGRES_CLIENT' })
      }
      callback(null, lease)
    })
  }
}

interface PendingWrite {
  readonly statement: SqlStatement
  readonly options: RunOptions
  readonly callback: NodeCallback<SqlResult>
  /** The values that it runs with; null for none. */
  readonly session: SessionValues | null
  /** Whether the first attempt was rejected with a stale plan. */
  readonly isRetry: boolean
  readonly onCommit: OnCommit | null
}

/** Runs a write on a separate connection, so that the reads of the request do not wait for it. */
function startWrite(take: TakeLease, write: PendingWrite): void {
  const { statement, options, callback, session, onCommit } = write
  take(options, (noLease, lease) => {
    if (lease === undefined) return callback(noLease)
    const end: NodeCallback<SqlResult> = (thrown, result) => {
      if (result === undefined) return endFailedWrite(take, write, { lease, thrown })
      lease.release(false)
      markCommitted(options.context)
      callback(null, result)
    }
    if (onCommit === null) lease.start(statement, end, session)
    else startWithPosition(lease, { statement, session, context: options.context, onCommit }, end)
  })
}

function endFailedWrite(
  take: TakeLease,
  write: PendingWrite,
  { lease, thrown }: { readonly lease: PostgresLease; readonly thrown: unknown },
): void {
  const { options, callback, isRetry } = write
  // The server has closed the connection, or is about to.
  lease.release(postgresFault(thrown)?.kind === 'unavailable')
  // The tables have changed since it was prepared. The retry prepares it under a new name.
  if (!isRetry && isRefusedPlan(thrown)) startWrite(take, { ...write, isRetry: true })
  else if (thrown instanceof StalePlan) {
    markCommitted(options.context)
    // Not reported as a conflict, which would be retried: the row is already written.
    callback(new Error(unreadable))
  } else callback(thrown)
}

const unreadable =
  'A row was written, but its columns cannot be read: the table has changed since the statement was prepared.'

/**
 * Runs a cheap statement on a connection of the pool. If the server does not respond within the limit, the statement is cancelled; if that
 * fails, the connection is destroyed and not used again.
 *
 * @param limit how many milliseconds the statement may run; waiting for a connection has the limit of the pool
 */
function limitedRuns(pool: PostgresPool, names: StatementNames): LimitedDriver['runWithin'] {
  return (statement, limit) =>
    promiseOf((callback) =>
      takeClient(pool, (noClient, client) => {
        if (client === undefined) return callback(noClient)
        const limits = { requestIdentity: null, request: null, budget: requestBudgets(limit)(null) }
        const lease = new PostgresLease(client, { limits, names, messages: null })
        lease.start(statement, (thrown, result) => {
          lease.release(result === undefined && postgresFault(thrown)?.kind === 'unavailable')
          callback(thrown, result)
        })
      }),
    )
}
