import type { HttpRequest } from '../../../../../core/http/request.js'
import { invariant } from '../../../../../core/util/invariant.js'
import type { SqlResult, SqlStatement } from '../../../driver/sql-statement.js'
import {
  cancelStatement,
  destroyConnection,
  isBusy,
  pgClientOf,
  setPipeline,
  writeOnce,
} from '../protocol/pg-client.js'
import type { QueryCallback } from '../protocol/prepared-query.js'
import type { PreparingClient } from '../protocol/preparing-client.js'
import { preparingClient } from '../protocol/preparing-client.js'
import type { SessionMessages } from '../protocol/session-statement.js'
import { mayBeSeveral, sessionError } from '../protocol/session-statement.js'
import type { StopReason } from './postgres-fault.js'
import { isDuplicatePlan, isStalePlan, StoppedStatement } from './postgres-fault.js'
import type { NodeCallback, PostgresClient, PostgresQuery, PostgresResult } from './postgres-pool.js'
import { promiseOf, withCallerStack } from './postgres-pool.js'
import { postgresTypes } from './postgres-values.js'
import type { RequestBudget } from './request-budget.js'
import { sentValue } from './sent-value.js'
import type { SessionValues } from './session-settings.js'
import { runInOwnTransaction } from './session-transaction.js'
import type { StatementNames } from './statement-names.js'

/** The limits that may stop the statements of a lease. */
export interface LeaseLimits {
  /** The object that identifies the request; null if there is none. */
  readonly requestIdentity: object | null
  /** The request whose disconnect stops statements; null if a disconnect stops nothing. */
  readonly request: HttpRequest | null
  readonly budget: RequestBudget | null
}

export interface LeaseOptions {
  readonly limits: LeaseLimits
  readonly names: StatementNames
  /** Null if no statement runs with the values of a session. */
  readonly messages: SessionMessages | null
}

/** The routine of the server that waits until a standby has a commit. Its name is the same in all languages. */
const replicationWait = 'SyncRepWaitForLSN'

/** How long a server may take to stop a statement before the connection is destroyed, in milliseconds. */
const CANCEL_TIMEOUT = 5000

/** How often the time of a running statement is counted, in milliseconds. */
const COUNTING_PERIOD = 100

const FIRST_PAUSE = 20
const LONGEST_PAUSE = 500

/** A rollback runs even after statements were stopped, so that the connection can be used again. */
export const rollbackStatement: RegExp = /^\s*rollback\b/i

/**
 * A client that is taken from its pool until it is released. Statements are pipelined: they are sent without waiting
 * for the results of the previous ones, and PostgreSQL returns the results in order. This is a class, against the house
 * style, because every read creates one.
 */
export class PostgresLease {
  readonly client: PostgresClient
  readonly #names: StatementNames
  /** The fast paths; null for a client that gets one statement after the other. */
  readonly #preparing: PreparingClient | null
  readonly #messages: SessionMessages | null
  readonly #wasPipelined: boolean
  #limits: LeaseLimits
  #last: Promise<unknown> = Promise.resolve()
  #pending = 0
  /** How many of the pending statements can be stopped. */
  #running = 0
  #isBroken = false
  #stopped: StopReason | null = null
  #stopping: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #afterReads: NodeJS.Immediate | undefined
  #unlisten: (() => void) | null = null
  /** The last statement that ran in a separate transaction. */
  #lastTurn: Promise<unknown> | null = null
  #wake: (() => void) | null = null
  /** Whether a commit ended although the standby did not have it yet, because it was stopped. */
  #isUnreplicated = false
  readonly #onError = (): void => {
    this.#isBroken = true
  }
  readonly #onNotice = (notice: object): void => {
    if ('routine' in notice && notice.routine === replicationWait) this.#isUnreplicated = true
  }

  constructor(client: PostgresClient, { limits, names, messages }: LeaseOptions) {
    this.client = client
    this.#limits = limits
    this.#names = names
    this.#messages = messages
    this.#preparing = preparingClient(client)
    // A client from the pool has no running statements, so that its flag may change.
    this.#wasPipelined = this.#preparing !== null && setPipeline(client, true)
    // Without a listener, the `error` event of a connection that the server closes would end this process.
    client.on('error', this.#onError)
  }

  /** Whether the client supports the fast paths. */
  get isFast(): boolean {
    return this.#preparing !== null
  }

  /**
   * Runs a statement.
   *
   * @param limits the limits of the request, if it was not known when the client was taken
   * @param session the values that are set for the statement only
   */
  async run(statement: SqlStatement, limits?: LeaseLimits, session?: SessionValues | null): Promise<SqlResult> {
    const isRollback = rollbackStatement.test(statement.sql)
    if (isRollback && this.#stopping !== null) await this.#stopping
    if (!isRollback && limits !== undefined) this.#adopt(limits)
    try {
      return await promiseOf<SqlResult>((callback) =>
        isRollback ? this.#send(statement, callback, null) : this.start(statement, callback, session),
      )
    } catch (thrown) {
      throw withCallerStack(thrown)
    }
  }

  /**
   * Runs a statement that is not a rollback, so that it may be stopped.
   *
   * @param session the values that are set for the statement only
   */
  start(statement: SqlStatement, callback: NodeCallback<SqlResult>, session: SessionValues | null = null): void {
    if (session !== null && (mayBeSeveral(statement) || this.#preparing?.sendsSessions() !== true)) {
      this.#startInTransaction(statement, callback, session)
      return
    }
    const { budget } = this.#limits
    const left = budget?.start()
    this.#running += 1
    if (this.#running === 1) this.#watch(left)
    const end: NodeCallback<SqlResult> = (thrown, result) => {
      budget?.end()
      this.#running -= 1
      if (this.#running === 0) this.#unwatch()
      // A commit that was stopped while it waited for a standby succeeds with a warning: it may be lost with this server.
      const isDone = result !== undefined && !this.#isUnreplicated
      const reason = thrown instanceof StoppedStatement || isDone ? null : this.#stopped
      if (reason === null) callback(thrown, result)
      else callback(new StoppedStatement(reason, thrown))
    }
    if (this.#stopped === null) this.#send(statement, end, session)
    else end(new StoppedStatement(this.#stopped))
  }

  /** Runs a statement with values that cannot be sent together with it. Several of them run one after the other. */
  #startInTransaction(statement: SqlStatement, callback: NodeCallback<SqlResult>, session: SessionValues): void {
    const run = (): Promise<SqlResult> => runInOwnTransaction(this, statement, session)
    const turn = this.#lastTurn === null ? run() : this.#lastTurn.then(run)
    this.#lastTurn = turn.catch(() => undefined)
    const succeed = (result: SqlResult): void => callback(null, result)
    turn.then(succeed, callback)
  }

  /** Sets values until the end of the open transaction. */
  async set(values: SessionValues, limits?: LeaseLimits): Promise<SqlResult> {
    invariant(this.#messages !== null, 'values are set without the option that returns them')
    try {
      return await this.run(this.#messages.statementOf(values), limits)
    } catch (thrown) {
      throw sessionError(thrown)
    }
  }

  /** Excludes the client from further use, because its state is unknown. */
  abandon(): void {
    this.#isBroken = true
  }

  /** Sends the statements that the work starts to the server in one write. */
  batch(work: () => void): void {
    writeOnce(this.client, work)
  }

  /** Releases the client, after a running cancel request has ended: it could cancel a statement of the next user. */
  release(broken: boolean): void {
    if (this.#stopping === null) this.#returnToPool(broken)
    else void this.#stopping.then(() => this.#returnToPool(broken))
  }

  #send(statement: SqlStatement, callback: NodeCallback<SqlResult>, session: SessionValues | null): void {
    const { renewals } = this.#names
    this.#pending += 1
    const end = (thrown: unknown, result?: SqlResult): void => {
      this.#pending -= 1
      this.#wake?.()
      if (result === undefined && isStalePlan(thrown)) this.#names.renewAfter(renewals)
      if (result === undefined && isDuplicatePlan(thrown)) this.#names.warnOfPooler()
      callback(thrown, result)
    }
    const onResult: QueryCallback = (thrown, result) => {
      if (result !== undefined) end(null, resultOf(result))
      // pg has work left after it reports an error. The caller must not release the client before that.
      else queueMicrotask(() => end(thrown))
    }
    try {
      const query = queryOf(statement, this.#names)
      if (session === null) this.#query(query, onResult)
      else this.#queryWith(session, query, onResult)
    } catch (thrown) {
      end(thrown)
    }
  }

  #query(query: PostgresQuery, onResult: QueryCallback): void {
    const prepared = this.#preparing?.queryOf(query, onResult) ?? null
    if (prepared !== null) {
      // The result goes to the callback of the query, not to this promise.
      void this.client.query(prepared)
      return
    }
    const succeed = (result: PostgresResult | readonly PostgresResult[]): void => {
      if (!isSeveral(result)) this.#preparing?.cacheColumns(query, result)
      onResult(null, result)
    }
    this.#queryPlain(query).then(succeed, onResult)
  }

  /** Runs a statement with the values of a session, which are sent in the same write. */
  #queryWith(values: SessionValues, query: PostgresQuery, onResult: QueryCallback): void {
    const { client } = this
    const [preparing, messages] = [this.#preparing, this.#messages]
    invariant(preparing !== null && messages !== null, 'a client cannot send the values of a session')
    const session = {
      name: messages.nameOf(values),
      statement: () => queryOf(messages.statementOf(values), this.#names),
      message: messages.messageOf(values),
    }
    const sent = preparing.sessionQueryOf(query, session, onResult)
    void client.query(sent)
    // The client was wrapped in the meantime, and may have sent the statement without the values.
    if (!sent.isSubmitted) destroyConnection(client)
  }

  /** Runs a statement by a query of pg. The fast path for prepared statements is `preparedQueryClass`. */
  #queryPlain(query: PostgresQuery): Promise<PostgresResult | readonly PostgresResult[]> {
    if (this.#preparing !== null) {
      // Sent before the statement, so that its result comes first and nothing is pending when the client is released.
      if (query.name !== undefined) this.#preparing.checkConnection()
      return this.client.query(query)
    }
    const result = this.#last.then(() => {
      if (this.#stopped !== null && !rollbackStatement.test(query.text)) throw new StoppedStatement(this.#stopped)
      return this.client.query(query)
    })
    this.#last = result.catch(() => undefined)
    return result
  }

  #adopt(limits: LeaseLimits): void {
    if (this.#limits.requestIdentity !== null || limits.requestIdentity === null) return
    this.#limits = limits
    if (this.#running === 0) return
    this.#unwatch()
    this.#watch(limits.budget?.start())
    limits.budget?.end()
  }

  /**
   * Starts the timeout and listens for a disconnect, while any statement runs.
   *
   * @param left the milliseconds that are left
   */
  #watch(left: number | undefined): void {
    if (left !== undefined) this.#stopAfter(left)
    this.#unlisten = this.#limits.request?.onAbort?.(() => this.#stop('cancelled')) ?? null
  }

  /**
   * Stops the statements when no time is left. If this process was busy for that long, results may have arrived: they are read before the
   * statements are stopped.
   */
  #stopAfter(left: number): void {
    const { budget } = this.#limits
    if (budget === null || left <= 0) {
      this.#stop('timeout')
      return
    }
    this.#timer = setTimeout(
      () => {
        this.#afterReads = setImmediate(() => this.#stopAfter(budget.recordRunning()))
      },
      Math.min(left, COUNTING_PERIOD),
    )
  }

  #unwatch(): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#afterReads)
    this.#unlisten?.()
  }

  #stop(reason: StopReason): void {
    if (this.#stopped !== null) return
    this.#stopped = reason
    pgClientOf(this.client).on('notice', this.#onNotice)
    this.#stopping = this.#cancel()
  }

  /**
   * Cancels statements until none is running: a pipelined statement starts when the cancelled one ends. If the server
   * does not stop in time, the connection is destroyed.
   */
  async #cancel(): Promise<void> {
    const end = performance.now() + CANCEL_TIMEOUT
    for (let pause = FIRST_PAUSE; this.#pending > 0 && !this.#isBroken; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const left = end - performance.now()
      const isSent = left > 0 && (await cancelStatement(this.client, left))
      if (!isSent) {
        this.#isBroken = true
        destroyConnection(this.client)
      } else if (this.#pending > 0) await this.#nextResult(pause)
    }
  }

  #nextResult(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        this.#wake = null
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #returnToPool(broken: boolean): void {
    const { client } = this
    const isBroken = broken || this.#isBroken || this.#pending > 0 || isBusy(client)
    if (this.#preparing !== null && !isBroken) setPipeline(client, this.#wasPipelined)
    client.release(isBroken)
    client.off('error', this.#onError)
    if (this.#stopped !== null) pgClientOf(client).off('notice', this.#onNotice)
    // pg waits for pending results before it ends a connection, and they may never come.
    if (isBroken && this.#pending > 0) destroyConnection(client)
  }
}

function queryOf({ sql: text, values, name }: SqlStatement, names: StatementNames): PostgresQuery {
  const sent = values.map(sentValue)
  if (name !== null) return { text, rowMode: 'array', types: postgresTypes, values: sent, name: names.nameOf(name) }
  // pg uses the simple query protocol for a statement without values.
  if (sent.length === 0) return { text, rowMode: 'array', types: postgresTypes }
  return { text, rowMode: 'array', types: postgresTypes, values: sent }
}

function resultOf(result: SqlResult | PostgresResult | readonly PostgresResult[]): SqlResult {
  if ('columns' in result) return result
  const { fields, rows, rowCount, command } = isSeveral(result) ? (result.at(-1) ?? emptyResult) : result
  return { columns: fields.map(({ name }) => name), rows, changes: rowCount ?? 0, command }
}

const emptyResult: PostgresResult = { fields: [], rows: [], rowCount: 0, command: '' }

function isSeveral(result: PostgresResult | readonly PostgresResult[]): result is readonly PostgresResult[] {
  return Array.isArray(result)
}
