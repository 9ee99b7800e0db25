import type { HttpRequest } from '../../../../http/request.js'
import type { SqlResult, SqlStatement } from '../sql-driver.js'
import { cancelStatement, cutOff } from './cancel-statement.js'
import { isStalePlan } from './postgres-fault.js'
import type { PostgresAnswer, PostgresClient, PostgresQuery } from './postgres-pool.js'
import { postgresTypes } from './postgres-values.js'
import type { Answered } from './prepared-query.js'
import type { PreparingClient } from './preparing-client.js'
import type { RequestBudget } from './request-budget.js'
import { sentValue } from './sent-value.js'
import type { Settle } from './settle.js'
import { settled, traced } from './settle.js'
import type { StatementNames } from './statement-names.js'
import type { StopReason } from './stopped-statement.js'
import { StoppedStatement } from './stopped-statement.js'

/** What may stop the statements of a lease. */
export interface LeaseLimits {
  /** What stands for the request that asks; `null` for what none does. */
  readonly asker: object | null
  /** Whose client may go away; `null` where that stops nothing. */
  readonly request: HttpRequest | null
  readonly budget: RequestBudget | null
}

export interface LeaseOptions {
  readonly limits: LeaseLimits
  readonly names: StatementNames
  readonly preparing: (client: PostgresClient) => PreparingClient | null
}

/** What pg's clients tell of themselves; others may not. */
interface TellingClient {
  pipeline?: boolean
  readonly readyForQuery?: boolean
  readonly _sentQueryQueue?: readonly unknown[]
  readonly connection?: { readonly stream?: { readonly destroyed?: boolean; cork?(): void; uncork?(): void } }
  getTransactionStatus?(): string | null
}

/** How long a server may take to stop a statement before the connection is given up. */
const PATIENCE = 5000

/** Timers of Node that are set for longer end at once. */
const LONGEST_TIMER = 2 ** 31 - 1

const FIRST_PAUSE = 20
const LONGEST_PAUSE = 500

/** What takes back is run even when nothing else is any more, so that the connection can be used again. */
const takesBack = /^\s*rollback\b/i

/**
 * A client that is taken out of its pool, until it is given back. Statements are sent without waiting for the answers to
 * those before, and PostgreSQL answers them in order. A class, against the house's habit, since every read makes one.
 */
export class PostgresLease {
  readonly client: PostgresClient
  readonly #names: StatementNames
  /** Whether the client sends without waiting; others are given one statement after the other. */
  readonly #pipelines: boolean
  readonly #preparing: PreparingClient | null
  readonly #wasPipelined: boolean
  #limits: LeaseLimits
  #last: Promise<unknown> = Promise.resolve()
  #unanswered = 0
  /** Those of the unanswered ones that can be stopped. */
  #running = 0
  #isBroken = false
  #stopped: StopReason | null = null
  #stopping: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined
  #unlisten: (() => void) | null = null
  #wake: (() => void) | null = null
  readonly #onError = (): void => {
    this.#isBroken = true
  }

  constructor(client: PostgresClient, { limits, names, preparing }: LeaseOptions) {
    const telling = client as TellingClient
    this.client = client
    this.#limits = limits
    this.#names = names
    this.#pipelines = typeof telling.pipeline === 'boolean'
    this.#preparing = this.#pipelines ? preparing(client) : null
    this.#wasPipelined = telling.pipeline === true
    // pg reads it whenever it is given a statement. Nothing is under way on a client that comes from its pool.
    if (this.#pipelines) telling.pipeline = true
    // Without a listener, a connection that the server ends would end this process.
    client.on('error', this.#onError)
  }

  /** @param limits those of the request, where it was not known when the client was taken */
  async run(statement: SqlStatement, limits?: LeaseLimits): Promise<SqlResult> {
    const isTakenBack = takesBack.test(statement.sql)
    if (isTakenBack && this.#stopping !== null) await this.#stopping
    if (!isTakenBack && limits !== undefined) this.#adopt(limits)
    try {
      return await settled<SqlResult>((settle) =>
        isTakenBack ? this.#send(statement, settle) : this.start(statement, settle),
      )
    } catch (thrown) {
      throw traced(thrown)
    }
  }

  /** Runs a statement that takes nothing back: it may be stopped. */
  start(statement: SqlStatement, settle: Settle<SqlResult>): void {
    const { budget } = this.#limits
    const left = budget?.start()
    this.#running += 1
    if (this.#running === 1) this.#watch(left)
    const end: Settle<SqlResult> = (thrown, result) => {
      budget?.end()
      this.#running -= 1
      if (this.#running === 0) this.#unwatch()
      const reason = thrown instanceof StoppedStatement || result !== undefined ? null : this.#stopped
      settle(reason === null ? thrown : new StoppedStatement(reason, thrown), result)
    }
    if (this.#stopped === null) this.#send(statement, end)
    else end(new StoppedStatement(this.#stopped))
  }

  /** Lets what is asked for meanwhile go to the server in one piece. */
  together(work: () => void): void {
    const { stream } = (this.client as TellingClient).connection ?? {}
    stream?.cork?.()
    try {
      work()
    } finally {
      stream?.uncork?.()
    }
  }

  /** Gives the client back, once nothing that was asked of the server can hit whoever gets it next. */
  release(broken: boolean): void {
    if (this.#stopping === null) this.#giveBack(broken)
    else void this.#stopping.then(() => this.#giveBack(broken))
  }

  #send(statement: SqlStatement, settle: Settle<SqlResult>): void {
    const { renewals } = this.#names
    this.#unanswered += 1
    const end = (thrown: unknown, result?: SqlResult): void => {
      this.#unanswered -= 1
      this.#wake?.()
      if (result === undefined && isStalePlan(thrown)) this.#names.renewAfter(renewals)
      settle(thrown, result)
    }
    const answered: Answered = (thrown, answer) => {
      if (answer !== undefined) end(null, resultOf(answer))
      // pg has more to do when it tells of an error: whoever is told must not give the client back before.
      else queueMicrotask(() => end(thrown))
    }
    try {
      this.#ask(queryOf(statement, this.#names), answered)
    } catch (thrown) {
      end(thrown)
    }
  }

  #ask(query: PostgresQuery, answered: Answered): void {
    const prepared = this.#preparing?.queryOf(query, answered) ?? null
    if (prepared !== null) {
      // It answers itself, not by a promise.
      void this.client.query(prepared)
      return
    }
    const told = (answer: PostgresAnswer | readonly PostgresAnswer[]): void => {
      if (!isSeveral(answer)) this.#preparing?.learn(query, answer)
      answered(null, answer)
    }
    this.#askPlainly(query).then(told, answered)
  }

  #askPlainly(query: PostgresQuery): Promise<PostgresAnswer | readonly PostgresAnswer[]> {
    if (this.#pipelines) {
      // It is answered first, so that nothing is left without an answer when the client is given back.
      if (query.name !== undefined) this.#preparing?.meet()
      return this.client.query(query)
    }
    const asked = this.#last.then(() => {
      if (this.#stopped !== null && !takesBack.test(query.text)) throw new StoppedStatement(this.#stopped)
      return this.client.query(query)
    })
    this.#last = asked.catch(() => undefined)
    return asked
  }

  #adopt(limits: LeaseLimits): void {
    if (this.#limits.asker !== null || limits.asker === null) return
    this.#limits = limits
    if (this.#running === 0) return
    this.#unwatch()
    this.#watch(limits.budget?.start())
    limits.budget?.end()
  }

  /**
   * Watches over the statements from the first that runs to the last.
   *
   * @param left milliseconds
   */
  #watch(left: number | undefined): void {
    if (left !== undefined) this.#timer = setTimeout(() => this.#stop('timeout'), Math.min(left, LONGEST_TIMER))
    this.#unlisten = this.#limits.request?.whenGone?.(() => this.#stop('cancelled')) ?? null
    if (left !== undefined && left <= 0) this.#stop('timeout')
  }

  #unwatch(): void {
    clearTimeout(this.#timer)
    this.#unlisten?.()
  }

  #stop(reason: StopReason): void {
    if (this.#stopped !== null) return
    this.#stopped = reason
    this.#stopping = this.#cancel()
  }

  /**
   * Cancels until nothing runs: what was sent after the cancelled statement starts when that ends. A server that does not
   * stop is not waited for.
   */
  async #cancel(): Promise<void> {
    const end = performance.now() + PATIENCE
    for (let pause = FIRST_PAUSE; this.#unanswered > 0 && !this.#isBroken; pause = Math.min(pause * 2, LONGEST_PAUSE)) {
      const left = end - performance.now()
      const isTold = left > 0 && (await cancelStatement(this.client, left))
      if (!isTold) {
        this.#isBroken = true
        cutOff(this.client)
      } else if (this.#unanswered > 0) await this.#nextAnswer(pause)
    }
  }

  #nextAnswer(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        this.#wake = null
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #giveBack(broken: boolean): void {
    const { client } = this
    const isBroken = broken || this.#isBroken || this.#isAtWork()
    if (this.#pipelines && !isBroken) (client as TellingClient).pipeline = this.#wasPipelined
    client.release(isBroken)
    client.off('error', this.#onError)
    // pg waits for the answers before it ends a connection, and they may never come.
    if (isBroken && this.#unanswered > 0) cutOff(client)
  }

  /** Whether a transaction was left open, or statements without an answer, which whoever comes next would get. */
  #isAtWork(): boolean {
    const client = this.client as TellingClient
    const { _sentQueryQueue: sent = [], readyForQuery, connection } = client
    // pg destroys the socket of a query that takes longer than the pool's owner allows.
    if (this.#unanswered > 0 || sent.length > 0 || connection?.stream?.destroyed === true) return true
    const status = client.getTransactionStatus?.()
    return readyForQuery === true && (status === 'T' || status === 'E')
  }
}

function queryOf({ sql: text, values, name }: SqlStatement, names: StatementNames): PostgresQuery {
  const sent = values.map(sentValue)
  if (name !== null) return { text, rowMode: 'array', types: postgresTypes, values: sent, name: names.nameOf(name) }
  // pg asks the server in another way for what has no values.
  if (sent.length === 0) return { text, rowMode: 'array', types: postgresTypes }
  return { text, rowMode: 'array', types: postgresTypes, values: sent }
}

function resultOf(answer: SqlResult | PostgresAnswer | readonly PostgresAnswer[]): SqlResult {
  if ('columns' in answer) return answer
  const { fields, rows, rowCount, command } = isSeveral(answer) ? (answer.at(-1) ?? noAnswer) : answer
  return { columns: fields.map(({ name }) => name), rows, changes: rowCount ?? 0, command }
}

const noAnswer: PostgresAnswer = { fields: [], rows: [], rowCount: 0, command: '' }

function isSeveral(answer: PostgresAnswer | readonly PostgresAnswer[]): answer is readonly PostgresAnswer[] {
  return Array.isArray(answer)
}
