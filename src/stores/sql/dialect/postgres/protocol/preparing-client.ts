import { ignoreRejection } from '../../../../../core/errors/ignore-rejection.js'
import { memoize } from '../../../../../core/util/memoize.js'
import type { PostgresClient, PostgresQuery, PostgresResult } from '../driver/postgres-pool.js'
import { asText, bytesReader, postgresTypes } from '../driver/postgres-values.js'
import type { SentText, SentValue } from '../driver/sent-value.js'
import { pgClientOf } from './pg-client.js'
import type { PgQuery, PreparedRun, PreparedStatement, QueryCallback } from './prepared-query.js'
import { executionHead, MAX_PARAMETERS } from './prepared-query.js'
import type { QueryClasses, SessionQuery } from './query-classes.js'
import type { PgClientClass } from './rehearsal.js'
import { parseRows } from './row-messages.js'
import { rehearse } from './rehearsal.js'

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

/**
 * Returns the fast paths of a connection; null if its client does not support all of them. Then statements are sent by public methods, one
 * after the other, with the same results. The members of the client are checked, and the behavior of its class is rehearsed, once for each
 * class.
 */
export const preparingClient: (client: PostgresClient) => PreparingClient | null = memoize((client) => {
  const { pipeline, connection, binary } = pgClientOf(client)
  const { stream, parsedStatements } = connection ?? {}
  if (typeof pipeline !== 'boolean' || binary === true || typeof parsedStatements !== 'object') return null
  if (typeof stream?.write !== 'function' || typeof stream.writable !== 'boolean') return null
  const Client = pgClassOf(client)
  const classes = Client === null ? null : classesOf(Client)
  return classes === null ? null : preparingWith(client, classes)
})

const classesOf: (Client: PgClientClass) => QueryClasses | null = memoize(rehearse)

/**
 * Returns pg's own class of clients, which has the class of queries as a static member. A class of the application that extends it is
 * skipped, because its constructor may have effects.
 */
function pgClassOf(client: PostgresClient): PgClientClass | null {
  let prototype: unknown = Object.getPrototypeOf(client)
  while (typeof prototype === 'object' && prototype !== null) {
    const { constructor } = prototype
    if (typeof constructor === 'function' && Object.hasOwn(constructor, 'Query')) return constructor as PgClientClass
    prototype = Object.getPrototypeOf(prototype)
  }
  return null
}

function preparingWith(client: PostgresClient, classes: QueryClasses): PreparingClient {
  const { PreparedQuery, SessionPreparedQuery, SessionPlainQuery } = classes
  const pgClient = pgClientOf(client)
  const { connection } = pgClient
  parseRows(pgClient)
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

  let sendsSessions: boolean | null = null
  const probe = (): boolean => {
    const query = new SessionPlainQuery({ text: 'select 1', callback: () => undefined })
    ignoreRejection(client.query(query))
    return query.isSubmitted
  }
  const settings = new Set<string>()
  /** Prepares the statement that sets values, once. Its own run has no effect, because its transaction ends with it. */
  const prepareSettings = ({ name, statement }: SessionSending): void => {
    if (name === null || settings.has(name)) return
    settings.add(name)
    // The error of a refused value is reported by the statement that runs with it.
    client.query(statement()).catch(() => undefined)
  }
  return {
    checkConnection,
    queryOf(query, onResult) {
      const statement = preparedOf(query)
      return statement === null ? null : new PreparedQuery(statement, runOf(query, onResult))
    },
    sendsSessions: () => (sendsSessions ??= probe()),
    sessionQueryOf(query, session, onResult) {
      prepareSettings(session)
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
    bytesReaders: fields.map(({ dataTypeID = 0 }) => bytesReader(postgresTypes.getTypeParser(dataTypeID, 'text'))),
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
