import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { invariant } from '../../../core/util/invariant.js'
import type { SqlDialect } from '../dialect/dialect.js'
import { markCommitted } from '../driver/committed-requests.js'
import type { HeldConnection, RunOptions, SqlResult, SqlStatement } from '../driver/sql-statement.js'
import type { StatementWatch } from '../statement/ran-statement.js'
import { statementWatch } from '../statement/ran-statement.js'

/** A connection that is reserved for one transaction, with the state of the transaction. */
export interface SqlSession {
  /** The connection object of the client library, for code that uses it directly. */
  readonly raw: unknown
  /** The request that the last statement ran for; null if there was none. */
  readonly context: RequestContext | null
  /** Whether the database has no other connection, so that reads within the work are part of the transaction. */
  readonly isOnlyConnection: boolean
  run(statement: SqlStatement, options?: RunOptions): Promise<SqlResult>
  /** Runs the work of the transaction. */
  runWork<Result>(work: () => Promise<Result>): Promise<Result>
  /** Quotes the name of a savepoint that user-defined code has chosen. */
  readonly quotedName: (name: string) => string
  /** Returns a savepoint name that is unique in this session. */
  newSavepointName(): string
  /**
   * Runs work that opens or ends a savepoint, one at a time: savepoints are nested, and releasing one releases all that
   * were opened after it. Must not be called from within such work: it would wait for itself.
   */
  exclusively<Result>(work: () => Promise<Result>): Promise<Result>
  /** Returns whether no such work is running or waiting. */
  isIdle(): boolean
  savepoint(name: string): Promise<unknown>
  releaseSavepoint(name: string): Promise<unknown>
  /** Releases a savepoint without waiting for the result. If that fails, the transaction cannot be committed. */
  releaseWithoutWaiting(name: string): void
  /** Rolls back to a savepoint, which stays open. */
  rollbackTo(name: string): Promise<void>
  /** Rolls back to a savepoint and removes it. If that fails, the transaction cannot be committed. */
  rollbackSavepoint(name: string): Promise<void>
  /** @param options the request that the transaction is for, if it is known already */
  begin(statement: string, options?: RunOptions): Promise<void>
  /** Commits and releases the connection. If the commit fails, it rolls back, releases the connection and throws. */
  commit(): Promise<void>
  /** Rolls back and releases the connection. */
  rollback(): Promise<void>
  /** Throws if a statement has failed after which the transaction can only be rolled back. */
  expectNotFailed(): void
  /** The errors of its statements so far, if the engine aborts a transaction whose statement fails. */
  readonly errors: readonly unknown[]
}

/**
 * Returns a session on a connection.
 *
 * @param watch counts transactions, and reports the statements that begin and end them and their savepoints
 */
export function sqlSession(
  held: HeldConnection,
  dialect: SqlDialect,
  watch: StatementWatch = statementWatch(dialect.name),
): SqlSession {
  let names = 0
  let isOver = false
  let lastTurn: Promise<unknown> = Promise.resolve()
  let turns = 0
  let context: RequestContext | null = null
  const { can, transactions } = dialect
  // If there is one connection, a transaction that was not begun here belongs to other code, and must not be rolled back.
  let hasBegun = can.writeConcurrently
  const errors: unknown[] = []
  /** The first failure after which the transaction cannot continue. */
  let failure: { readonly thrown: unknown; readonly isUnseen: boolean } | null = null

  /** The result of the last release that was not awaited: null if it succeeded, else the error. */
  let released: Promise<{ readonly thrown: unknown } | null> | null = null

  const plain = (sql: string): SqlStatement => ({ sql, values: [], name: transactions.isPrepared ? sql : null })
  /** Sends a statement that begins or ends the transaction or a savepoint. */
  const control = (
    sql: string,
    send: (statement: SqlStatement) => Promise<SqlResult> = (statement) => held.run(statement),
    ranFor: RequestContext | null = context,
  ): Promise<SqlResult> => {
    const statement = plain(sql)
    return watch.run(statement, { context: ranFor, transaction: held, isTransactionControl: true }, () =>
      send(statement),
    )
  }
  const execute = (sql: string): Promise<SqlResult> => recordFailure(() => control(sql))

  function run(statement: SqlStatement, options?: RunOptions): Promise<SqlResult> {
    context = options?.context ?? context
    return recordFailure(() => held.run(statement, options))
  }

  /** @param isUnseen whether the result is not awaited, so that the next statement has to throw this error instead of its own */
  function recordFailure(send: () => Promise<SqlResult>, isUnseen = false): Promise<SqlResult> {
    if (isOver) return Promise.reject(new Error(transactionHasEnded))
    const result = send()
    if (can.continueAfterErrors) return result
    return result.catch((thrown: unknown) => {
      errors.push(thrown)
      failure ??= { thrown, isUnseen }
      throw failure.isUnseen ? failure.thrown : thrown
    })
  }

  function expectSound(): void {
    if (failure !== null) throw new Error(ignoredFailure, { cause: failure.thrown })
  }

  async function expectReleased(): Promise<void> {
    const failedRelease = await released
    // No caller has seen this error yet, as when the connection is lost, so it is thrown unchanged.
    if (failedRelease !== null && failure?.thrown === failedRelease.thrown) throw failedRelease.thrown
    expectSound()
  }

  async function returnTo(name: string): Promise<void> {
    await execute(`rollback to savepoint ${name}`)
    failure = null
    errors.length = 0
  }

  async function abandon(): Promise<void> {
    isOver = true
    try {
      if (hasBegun) await control('rollback')
    } catch {
      // The state of the connection is unknown, so it must not be used again.
      held.release(true)
      return
    }
    held.release(false)
  }

  return {
    raw: held.raw,
    get context() {
      return context
    },
    isOnlyConnection: held.runWork !== undefined,
    run,
    runWork: (work) => held.runWork?.(work) ?? work(),
    quotedName: dialect.schema.quotedName,
    newSavepointName: () => `ashlar_${(names += 1)}`,
    exclusively(work) {
      turns += 1
      const turn = (turns === 1 ? work() : lastTurn.then(work)).finally(() => (turns -= 1))
      lastTurn = turn.catch(() => undefined)
      return turn
    },
    isIdle: () => turns === 0,
    savepoint: (name) => execute(`savepoint ${name}`),
    releaseSavepoint: (name) => execute(`release savepoint ${name}`),
    releaseWithoutWaiting(name) {
      released = recordFailure(() => control(`release savepoint ${name}`), true).then(
        () => null,
        (thrown: unknown) => {
          failure ??= { thrown, isUnseen: true }
          return { thrown }
        },
      )
    },
    rollbackTo: returnTo,
    async rollbackSavepoint(name) {
      try {
        await returnTo(name)
        await execute(`release savepoint ${name}`)
      } catch (thrown) {
        failure ??= { thrown, isUnseen: true }
      }
    },
    async begin(sql, options) {
      const { begin } = held
      const send = (statement: SqlStatement): Promise<SqlResult> =>
        begin === undefined || options === undefined ? held.run(statement) : begin(statement, options)
      watch.counts.transactions += 1
      await recordFailure(() => control(sql, send, options?.context))
      hasBegun = true
    },
    async commit() {
      invariant(!isOver, 'a transaction was ended twice')
      try {
        // Where a failed release also fails the commit, both are sent together.
        if (can.continueAfterErrors || failure !== null) await expectReleased()
        isOver = true
        const [{ command }] = await Promise.all([control('commit'), expectReleased(), held.recordPosition?.(context)])
        // The failed statement was run by other code, or its result was not awaited.
        if (command === 'ROLLBACK') throw new Error(ignoredFailure)
      } catch (thrown) {
        await abandon()
        throw thrown
      }
      markCommitted(context)
      held.release(false)
    },
    rollback: abandon,
    expectNotFailed: expectSound,
    errors,
  }
}

export const transactionHasEnded = 'The transaction has ended: it runs no more statements.'

const ignoredFailure =
  'A statement of the transaction has failed, and its error was ignored: the database rolls back the whole transaction.'
