import type { PostgresClient } from '../driver/postgres-pool.js'
import type { QueryConnection } from './prepared-query.js'

/**
 * The members of pg's clients and connections that pg does not document, except `getTransactionStatus`. Clients of other libraries, and of
 * other versions, may lack any of them. All are read here and in the other files of this folder only.
 */
export interface PgClient {
  /** Documented as a setting. pg reads this member for each statement. */
  pipeline?: unknown
  /** Whether values are requested in binary format. */
  readonly binary?: unknown
  /** The process id that the server or a pooler sent when it accepted the connection. */
  readonly processID?: unknown
  /** Whether the server has ended its response to the last statement. */
  readonly readyForQuery?: unknown
  /** The statements that are sent, without the one whose response is being read. */
  readonly _sentQueryQueue?: readonly unknown[]
  readonly connection?: {
    /** The texts of the prepared statements, by name. */
    readonly parsedStatements?: Readonly<Record<string, unknown>>
    readonly stream?: Partial<QueryConnection['stream']> & { readonly destroyed?: boolean }
  }
  getTransactionStatus?(): string | null
  on(event: 'notice', listener: (message: object) => void): unknown
  off(event: 'notice', listener: (message: object) => void): unknown
}

export function pgClientOf(client: PostgresClient): PgClient {
  return client as unknown as PgClient
}

/** Sets whether a client pipelines statements, and returns whether it did before. pg reads the flag for each statement. */
export function setPipeline(client: PostgresClient, pipelines: boolean): boolean {
  const pgClient = pgClientOf(client)
  const before = pgClient.pipeline === true
  pgClient.pipeline = pipelines
  return before
}

/** Returns how many statements are sent, without the one whose response is being read. Null if the client does not tell. */
export function sentCount({ _sentQueryQueue: sent }: PgClient): number | null {
  return sent?.length ?? null
}

/** Sends the statements that the work starts to the server in one write. */
export function writeOnce(client: PostgresClient, work: () => void): void {
  const { stream } = pgClientOf(client).connection ?? {}
  stream?.cork?.()
  try {
    work()
  } finally {
    stream?.uncork?.()
  }
}

/** Returns whether a transaction is still open, or a result is pending, which the next user of the client would get. */
export function isBusy(client: PostgresClient): boolean {
  const pgClient = pgClientOf(client)
  const { readyForQuery, connection } = pgClient
  // pg destroys the socket of a query that exceeds the time limit of the pool.
  if ((sentCount(pgClient) ?? 0) > 0 || connection?.stream?.destroyed === true) return true
  const status = pgClient.getTransactionStatus?.()
  return readyForQuery !== false && (status === 'T' || status === 'E')
}

/** Destroys a connection whose server does not respond. Everything that waits for it fails. */
export function destroyConnection(client: PostgresClient): void {
  pgClientOf(client).connection?.stream?.destroy?.()
}
