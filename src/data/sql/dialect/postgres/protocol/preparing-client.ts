import { memoize } from '../../../../../util/memoize.js'
import { executionHead, MAX_PARAMETERS } from './execution-message.js'
import type { PostgresResult, PostgresClient, PostgresQuery } from '../driver/postgres-pool.js'
import { asText, postgresTypes } from '../driver/postgres-values.js'
import { clientFeatures } from './client-features.js'
import { pgClientOf } from './pg-client.js'
import type { QueryCallback, PgQuery, PreparedRun, PreparedStatement } from './prepared-query.js'
import type { SentText, SentValue } from '../driver/sent-value.js'
import type { QueryClasses } from './query-classes.js'
import type { SessionQuery, SessionQueryClass } from './session-query.js'

/** The prepared statements of one connection. */
export interface PreparingClient {
  /**
   * Checks once whether the client is connected directly or through a pooler. Call it before a statement is sent.
   */
  checkConnection(): void
  /** Returns a query that runs a prepared statement. Null for a statement that pg has to run itself. */
  queryOf(query: PostgresQuery, onResult: QueryCallback): PgQuery | null
  /**
   * Checks once whether the queries of `sessionQueryOf` reach the connection. A wrapper of the client, such as one of a
   * tracing library, may send a copy of a query instead, which lacks the values of the session.
   */
  sendsSessions(): boolean
  /** Returns a query that sets the values of a session for the statement, and runs it. */
  sessionQueryOf(query: PostgresQuery, session: SessionSending, onResult: QueryCallback): SessionQuery
  /** Caches the columns of a statement that pg has run. */
  cacheColumns(query: PostgresQuery, result: PostgresResult): void
}

/** The messages that set values for a statement. */
export interface SessionSending {
  /** The name of the prepared statement that the messages use; null if they contain the text. */
  readonly name: string | null
  /** Returns the statement of that name. */
  readonly statement: () => PostgresQuery
  readonly message: Uint8Array
}

/** The fast paths of one connection. Without one of them, statements are sent by public methods, with the same results. */
export interface ClientProtocol {
  /** Whether statements are sent without waiting for earlier results. */
  readonly pipelines: boolean
  /** Null if the client cannot run prepared statements by one message. */
  readonly preparing: PreparingClient | null
  /** Whether the values of a session can be sent together with a statement, if no wrapper of the client prevents it. */
  readonly sessions: boolean
}

export const clientProtocol: (client: PostgresClient) => ClientProtocol = memoize((client) => {
  const { pipelines, prepared, sessions } = clientFeatures(client)
  return { pipelines, preparing: prepared === null ? null : preparingClient(client, prepared, sessions), sessions }
})

function preparingClient(client: PostgresClient, classes: QueryClasses, sessionsWork: boolean): PreparingClient {
  const { PreparedQuery, SessionPreparedQuery, SessionPlainQuery } = classes
  const { connection } = pgClientOf(client)
  const statements = new Map<string, PreparedStatement>()
  let isDirect: boolean | null = null

  function preparedOf({ text, name = '', values = [] }: PostgresQuery): PreparedStatement | null {
    const statement = statements.get(name)
    if (statement === undefined || statement.parameterCount !== values.length) return null
    // pg itself handles statements that it would reject.
    if (statement.text !== text || connection?.parsedStatements?.[name] !== text || !isAllText(values)) return null
    return statement
  }

  function runOf({ values = [] }: PostgresQuery, callback: QueryCallback): PreparedRun {
    return { values: values as SentText[], describes: isDirect !== true, callback }
  }

  const checkConnection = (): void => {
    if (isDirect !== null) return
    isDirect = false
    const setDirect = (direct: boolean): void => {
      isDirect = direct
    }
    isDirectConnection(client).then(setDirect, () => undefined)
  }

  const cacheColumns = (query: PostgresQuery, result: PostgresResult): void => {
    const statement = preparedStatement(query, result)
    if (statement !== null) statements.set(statement.name, statement)
  }

  const sessions = sessionSending(client, SessionPlainQuery)
  return {
    checkConnection,
    queryOf(query, onResult) {
      const statement = preparedOf(query)
      return statement === null ? null : new PreparedQuery(statement, runOf(query, onResult))
    },
    sendsSessions: () => sessionsWork && sessions.isPossible(),
    sessionQueryOf(query, session, onResult) {
      sessions.prepare(session)
      const prepared = preparedOf(query)
      if (prepared === null && query.name !== undefined) checkConnection()
      const callback: QueryCallback = (thrown, result) => {
        if (result !== undefined && 'fields' in result) cacheColumns(query, result)
        onResult(thrown, result)
      }
      const created =
        prepared === null
          ? new SessionPlainQuery({ ...query, values: query.values ?? [], queryMode: 'extended', callback })
          : new SessionPreparedQuery(prepared, runOf(query, onResult))
      created.settings = session.message
      return created
    },
    cacheColumns,
  }
}

interface SessionSender {
  isPossible(): boolean
  /** Prepares the statement that sets values, once. Its own run has no effect, because its transaction ends with it. */
  prepare(session: SessionSending): void
}

function sessionSending(client: PostgresClient, SessionPlainQuery: SessionQueryClass): SessionSender {
  let isPossible: boolean | null = null
  const prepared = new Set<string>()
  const probe = (): boolean => {
    const query = new SessionPlainQuery({ text: 'select 1', callback: () => undefined })
    const sent: unknown = client.query(query)
    if (sent instanceof Promise) sent.catch(() => undefined)
    return query.isSubmitted
  }
  return {
    isPossible: () => (isPossible ??= probe()),
    prepare({ name, statement }) {
      if (name === null || prepared.has(name)) return
      prepared.add(name)
      // The error of a refused value is reported by the statement that runs with it.
      client.query(statement()).catch(() => undefined)
    },
  }
}

/** Returns a statement that pg has prepared; null if the fast path cannot run it. */
function preparedStatement(
  { text, name, values = [] }: PostgresQuery,
  { fields }: PostgresResult,
): PreparedStatement | null {
  if (name === undefined || values.length > MAX_PARAMETERS) return null
  if (fields.some(({ format, dataTypeID }) => format !== 'text' || typeof dataTypeID !== 'number')) return null
  return {
    text,
    name,
    columns: fields.map((field) => field.name),
    types: fields.map(({ dataTypeID = 0 }) => dataTypeID),
    readers: fields.flatMap(({ dataTypeID = 0 }, at) => {
      const read = postgresTypes.getTypeParser(dataTypeID, 'text')
      return read === asText ? [] : [{ at, read }]
    }),
    head: executionHead(name, values.length),
    parameterCount: values.length,
  }
}

/**
 * Returns whether the client is connected to PostgreSQL directly, so that the backend process that accepted the connection runs
 * its statements. Then the columns of a prepared statement cannot change: PostgreSQL rejects the statement instead. A
 * pooler in between, such as PgBouncer, has a different process id, and may prepare a statement again silently.
 */
async function isDirectConnection(client: PostgresClient): Promise<boolean> {
  const query: PostgresQuery = { text: 'select pg_backend_pid()', rowMode: 'array', types: postgresTypes }
  const { rows }: PostgresResult = await client.query(query)
  return rows[0]?.[0] === pgClientOf(client).processID
}

function isAllText(values: readonly SentValue[]): values is readonly SentText[] {
  return values.every((value) => value === null || typeof value === 'string')
}
