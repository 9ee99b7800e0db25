import { executionHead, MAX_PARAMETERS } from './execution-message.js'
import type { PostgresResult, PostgresClient, PostgresQuery } from '../driver/postgres-pool.js'
import { asText, postgresTypes } from '../driver/postgres-values.js'
import type {
  QueryCallback,
  PgQuery,
  PgQueryClass,
  PreparedQueryClass,
  PreparedRun,
  PreparedStatement,
  QueryConnection,
} from './prepared-query.js'
import { preparedQueryClass } from './prepared-query.js'
import type { SentText, SentValue } from '../driver/sent-value.js'
import type { SessionQuery, SessionQueryClass } from './session-query.js'
import { sessionQueryClass } from './session-query.js'

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

interface QueryClasses {
  readonly PreparedQuery: PreparedQueryClass
  /** The classes of queries that set values first. */
  readonly SessionPreparedQuery: SessionQueryClass
  readonly SessionPlainQuery: SessionQueryClass
}

/** Internal members of pg's clients and connections. They are undocumented, so they are checked before use. */
interface ClientInternals {
  readonly binary?: unknown
  readonly processID?: unknown
  readonly connection?: QueryConnection & { readonly parsedStatements?: Readonly<Record<string, string | undefined>> }
}

/**
 * Returns a function that returns the prepared statements of a client. Null for clients that are not pg's, or whose
 * internals are unknown: they run all statements themselves, with the same results.
 */
export function preparingClients(): (client: PostgresClient) => PreparingClient | null {
  const clients = new WeakMap<PostgresClient, PreparingClient | null>()
  const classes = new WeakMap<PgQueryClass, QueryClasses>()
  const classesOf = (Query: PgQueryClass): QueryClasses => {
    const known = classes.get(Query)
    if (known !== undefined) return known
    const PreparedQuery = preparedQueryClass(Query)
    const created = {
      PreparedQuery,
      SessionPreparedQuery: sessionQueryClass(PreparedQuery, { writesOnce: true }),
      SessionPlainQuery: sessionQueryClass(Query, { writesOnce: false }),
    }
    classes.set(Query, created)
    return created
  }
  return (client) => {
    const known = clients.get(client)
    if (known !== undefined) return known
    const Query = queryClassOf(client)
    const created = Query === null ? null : preparingClient(client, classesOf(Query))
    clients.set(client, created)
    return created
  }
}

function preparingClient(client: PostgresClient, classes: QueryClasses): PreparingClient | null {
  const { PreparedQuery, SessionPreparedQuery, SessionPlainQuery } = classes
  const { connection, binary } = client as ClientInternals
  if (binary === true || typeof connection?.parsedStatements !== 'object') return null
  if (typeof connection.stream?.write !== 'function' || typeof connection.stream.writable !== 'boolean') return null
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
    sendsSessions: () => sessions.isPossible(),
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
  if (fields.some(({ format }) => format !== 'text')) return null
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
  return rows[0]?.[0] === (client as ClientInternals).processID
}

/** The handlers of pg's queries. A version of pg with other handlers is not supported by the fast path. */
const knownHandlers: ReadonlySet<string> = new Set([
  'handleRowDescription',
  'handleDataRow',
  'handlePortalSuspended',
  'handleCommandComplete',
  'handleEmptyQuery',
  'handleCopyInResponse',
  'handleCopyData',
  'handleReadyForQuery',
  'handleError',
])

/** Returns pg's `Query`, which is a static member of the class of its clients. Null if its handlers are unknown. */
function queryClassOf({ constructor }: PostgresClient): PgQueryClass | null {
  const { Query } = constructor as { readonly Query?: unknown }
  if (typeof Query !== 'function') return null
  const { prototype } = Query as { readonly prototype?: unknown }
  if (typeof prototype !== 'object' || prototype === null || !('submit' in prototype)) return null
  const handlers = Object.getOwnPropertyNames(prototype).filter((name) => name.startsWith('handle'))
  const isKnown = handlers.length === knownHandlers.size && handlers.every((name) => knownHandlers.has(name))
  return isKnown ? (Query as PgQueryClass) : null
}

function isAllText(values: readonly SentValue[]): values is readonly SentText[] {
  return values.every((value) => value === null || typeof value === 'string')
}
