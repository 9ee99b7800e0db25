import { NoConnection } from './no-connection.js'
import type { SentValue } from './sent-value.js'
import type { Settle } from './settle.js'

/** What a statement is given to a client as. */
export interface PostgresQuery {
  readonly text: string
  // Arrays that may be written to, since that is what pg's own types ask for.
  readonly values?: SentValue[]
  readonly name?: string
  readonly rowMode: 'array'
  readonly types: PostgresTypes
}

/** Says how values are read, by the number that PostgreSQL gives their type. */
export interface PostgresTypes {
  getTypeParser(oid: number, format?: string): (held: string) => unknown
}

/** What a client answers with; a text of several statements is answered with several. */
export interface PostgresAnswer {
  readonly fields: readonly { readonly name: string; readonly dataTypeID?: number; readonly format?: string }[]
  readonly rows: readonly (readonly unknown[])[]
  readonly rowCount: number | null
  readonly command: string
}

/** One connection, as long as it is taken out of its pool. */
export interface PostgresClient {
  // oxlint-disable-next-line typescript/no-explicit-any -- pg's overloads take nothing narrower; `postgres-lease` narrows it
  query(query: any): Promise<any>
  on(event: 'error', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  release(broken?: boolean): void
}

/**
 * What is asked of a pool: that of `pg`, or one that does the same.
 *
 * @example
 * ```ts
 * import type { PostgresPool } from 'ashlar/sql'
 * import { Pool } from 'pg'
 *
 * const pool: PostgresPool = new Pool({ connectionString: 'postgres://localhost/music' })
 * ```
 */
export interface PostgresPool {
  connect(taken: (error: Error | undefined, client: PostgresClient | undefined) => void): void
  on(event: 'error', listener: (error: Error) => void): unknown
  listenerCount(event: 'error'): number
}

/** Whether something is a pool of connections to PostgreSQL. */
export function isPostgresPool(value: unknown): value is PostgresPool {
  if (typeof value !== 'object' || value === null) return false
  const { connect, query, on, listenerCount, totalCount } = value as Readonly<Record<string, unknown>>
  const isFunction = [connect, query, on, listenerCount].every((member) => typeof member === 'function')
  // One client has the functions too, and cannot be shared.
  return isFunction && typeof totalCount === 'number'
}

/**
 * Asks a pool for a connection. `taken` is told of it once there is one, or of `NoConnection`.
 *
 * Not as a promise: a client that fails before anybody listens to it would end the process.
 */
export function takeFrom(pool: PostgresPool, taken: Settle<PostgresClient>): void {
  pool.connect((error, client) => {
    if (client === undefined) taken(new NoConnection(error))
    else taken(null, client)
  })
}
