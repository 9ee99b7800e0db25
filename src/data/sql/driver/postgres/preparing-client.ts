import { executionHead, MAX_PARAMETERS } from './execution-message.js'
import type { PostgresResult, PostgresClient, PostgresQuery } from './postgres-pool.js'
import { asText, postgresTypes } from './postgres-values.js'
import type {
  QueryCallback,
  PgQuery,
  PgQueryClass,
  PreparedQueryClass,
  PreparedStatement,
  QueryConnection,
} from './prepared-query.js'
import { preparedQueryClass } from './prepared-query.js'
import type { SentText, SentValue } from './sent-value.js'

/** The prepared statements of one connection. */
export interface PreparingClient {
  /**
   * Checks once whether the client is connected directly or through a pooler. To be called before a statement is sent.
   */
  checkConnection(): void
  /** Returns a query that runs a prepared statement. Null for a statement that pg has to run itself. */
  queryOf(query: PostgresQuery, onResult: QueryCallback): PgQuery | null
  /** Remembers the columns of a statement that pg has run. */
  remember(query: PostgresQuery, result: PostgresResult): void
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
  const classes = new WeakMap<PgQueryClass, PreparedQueryClass>()
  const classOf = (Query: PgQueryClass): PreparedQueryClass => {
    const known = classes.get(Query)
    if (known !== undefined) return known
    const created = preparedQueryClass(Query)
    classes.set(Query, created)
    return created
  }
  return (client) => {
    const known = clients.get(client)
    if (known !== undefined) return known
    const Query = queryClassOf(client)
    const created = Query === null ? null : preparingClient(client, classOf(Query))
    clients.set(client, created)
    return created
  }
}

function preparingClient(client: PostgresClient, PreparedQuery: PreparedQueryClass): PreparingClient | null {
  const { connection, binary } = client as ClientInternals
  if (binary === true || typeof connection?.parsedStatements !== 'object') return null
  if (typeof connection.stream?.write !== 'function' || typeof connection.stream.writable !== 'boolean') return null
  const statements = new Map<string, PreparedStatement>()
  let isDirect: boolean | null = null
  return {
    checkConnection() {
      if (isDirect !== null) return
      isDirect = false
      const setDirect = (direct: boolean): void => {
        isDirect = direct
      }
      isDirectConnection(client).then(setDirect, () => undefined)
    },
    queryOf({ text, name = '', values = [] }, onResult) {
      const statement = statements.get(name)
      if (statement === undefined || statement.parameterCount !== values.length) return null
      // pg itself handles statements that it would reject.
      if (statement.text !== text || connection.parsedStatements?.[name] !== text || !isAllText(values)) return null
      return new PreparedQuery(statement, { values, describes: isDirect !== true, callback: onResult })
    },
    remember({ text, name, values = [] }, { fields }) {
      if (name === undefined || values.length > MAX_PARAMETERS || fields.some(({ format }) => format !== 'text')) return
      statements.set(name, {
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
      })
    },
  }
}

/**
 * Whether the client is connected to PostgreSQL directly, so that the backend process that accepted the connection runs
 * its statements. Then the columns of a prepared statement cannot change: PostgreSQL rejects the statement instead. A
 * pooler in between, such as PgBouncer, has a process id of its own, and may prepare a statement again silently.
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
