import type { PoolState } from '../../../../common/data-source.js'
import { NoConnection } from './postgres-fault.js'
import type { SentValue } from './sent-value.js'

/** A statement in the form that a client accepts. */
export interface PostgresQuery {
  readonly text: string
  // A mutable array, because pg's types require one.
  readonly values?: SentValue[]
  readonly name?: string
  readonly rowMode: 'array'
  readonly types: PostgresTypes
}

/** Returns the parser of a type, by its oid in PostgreSQL. */
export interface PostgresTypes {
  getTypeParser(oid: number, format?: string): (text: string) => unknown
}

/** The result of a client. A text with several statements has several results. */
export interface PostgresResult {
  readonly fields: readonly { readonly name: string; readonly dataTypeID?: number; readonly format?: string }[]
  readonly rows: readonly (readonly unknown[])[]
  readonly rowCount: number | null
  readonly command: string
}

/** A connection that is taken from its pool. */
export interface PostgresClient {
  // oxlint-disable-next-line typescript/no-explicit-any -- pg's overloads take nothing narrower; `postgres-lease` narrows it
  query(query: any): Promise<any>
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  release(broken?: boolean): void
}

/**
 * A connection pool: the one of `pg`, or a compatible one.
 *
 * @example
 * ```ts
 * import { Pool } from 'pg'
 *
 * const pool = new Pool({ connectionString: 'postgres://localhost/music' })
 * ```
 */
export interface PostgresPool {
  connect(taken: (error: Error | undefined, client: PostgresClient | undefined) => void): void
  on(event: 'error', listener: (error: Error) => void): unknown
  listenerCount(event: 'error'): number
}

/** Returns whether a value is a pool of connections to PostgreSQL. */
export function isPostgresPool(value: unknown): value is PostgresPool {
  if (typeof value !== 'object' || value === null) return false
  const { connect, query, on, listenerCount, totalCount } = value as Readonly<Record<string, unknown>>
  const isFunction = [connect, query, on, listenerCount].every((member) => typeof member === 'function')
  // A single client has the same functions but cannot be shared. Only a pool has `totalCount`.
  return isFunction && typeof totalCount === 'number'
}

/** Members of pg's pool. Others may lack some of them. */
interface CountedPool {
  readonly options?: { readonly max?: number }
  readonly totalCount?: number
  readonly idleCount?: number
  readonly waitingCount?: number
}

export function poolState(pool: PostgresPool): PoolState {
  const { options = {}, totalCount: open = 0, idleCount: idle = 0, waitingCount: waiting = 0 } = pool as CountedPool
  return { size: options.max ?? open, open, idle, waiting }
}

/**
 * Takes a client from a pool, and passes it to the callback, or a `NoConnection` error.
 *
 * It takes a callback because a promise resolves later: a client that fails before it has an `error` listener would end
 * the process.
 */
export function takeClient(pool: PostgresPool, callback: NodeCallback<PostgresClient>): void {
  pool.connect((error, client) => {
    if (client === undefined) callback(new NoConnection(error))
    else callback(null, client)
  })
}

/**
 * A callback that gets a result, or an error without one. It is used instead of a promise because promises slow down
 * reads.
 */
export type NodeCallback<Result> = (thrown: unknown, result?: Result) => void

/** Returns a promise for work that takes a callback. */
export function promiseOf<Result>(start: (callback: NodeCallback<Result>) => void): Promise<Result> {
  return new Promise((resolve, reject) => {
    start((thrown, result) => {
      if (result === undefined) reject(thrown)
      else resolve(result)
    })
  })
}

/**
 * Replaces the stack trace of an error with that of the caller. An error that was created when bytes arrived from the
 * socket does not show the code that ran the statement.
 */
export function withCallerStack(thrown: unknown): unknown {
  if (thrown instanceof Error) Error.captureStackTrace(thrown, withCallerStack)
  return thrown
}
