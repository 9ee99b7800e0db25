import { executionHead, MOST_PLACES } from './execution-message.js'
import type { PostgresAnswer, PostgresClient, PostgresQuery } from './postgres-pool.js'
import { asText, postgresTypes } from './postgres-values.js'
import type {
  Answered,
  PgQuery,
  PgQueryClass,
  PreparedQueryClass,
  PreparedStatement,
  QueryConnection,
} from './prepared-query.js'
import { preparedQueryClass } from './prepared-query.js'
import type { SentText, SentValue } from './sent-value.js'

/** Knows the statements that one connection keeps prepared. */
export interface PreparingClient {
  /** Asks the client once who answers it; to be called when a statement is about to be sent. */
  meet(): void
  /** The query that runs a statement; `null` for one that is to be given to pg as it is. */
  queryOf(query: PostgresQuery, answered: Answered): PgQuery | null
  /** Notes what a statement has answered that was given to pg as it is. */
  learn(query: PostgresQuery, answer: PostgresAnswer): void
}

/** What pg's clients and their connections have of which nothing is promised: it is looked at before it is used. */
interface Insides {
  readonly binary?: unknown
  readonly processID?: unknown
  readonly connection?: QueryConnection & { readonly parsedStatements?: Readonly<Record<string, string | undefined>> }
}

/**
 * How to run prepared statements on a client. `null` for clients that are not pg's, or whose insides are not those that are
 * known: all statements are given to them as they are, and answer the same.
 */
export function preparingClients(): (client: PostgresClient) => PreparingClient | null {
  const clients = new WeakMap<PostgresClient, PreparingClient | null>()
  const classes = new WeakMap<PgQueryClass, PreparedQueryClass>()
  const classOf = (Query: PgQueryClass): PreparedQueryClass => {
    const known = classes.get(Query)
    if (known !== undefined) return known
    const made = preparedQueryClass(Query)
    classes.set(Query, made)
    return made
  }
  return (client) => {
    const known = clients.get(client)
    if (known !== undefined) return known
    const Query = queryClassOf(client)
    const made = Query === null ? null : preparingClient(client, classOf(Query))
    clients.set(client, made)
    return made
  }
}

function preparingClient(client: PostgresClient, PreparedQuery: PreparedQueryClass): PreparingClient | null {
  const { connection, binary } = client as Insides
  if (binary === true || typeof connection?.parsedStatements !== 'object') return null
  if (typeof connection.stream?.write !== 'function' || typeof connection.stream.writable !== 'boolean') return null
  const statements = new Map<string, PreparedStatement>()
  let isDirect: boolean | null = null
  return {
    meet() {
      if (isDirect !== null) return
      isDirect = false
      const told = (isSo: boolean): void => {
        isDirect = isSo
      }
      answersItself(client).then(told, () => undefined)
    },
    queryOf({ text, name = '', values = [] }, answered) {
      const statement = statements.get(name)
      if (statement === undefined || statement.places !== values.length) return null
      // What pg would refuse, it shall refuse.
      if (statement.text !== text || connection.parsedStatements?.[name] !== text || !isAllText(values)) return null
      return new PreparedQuery(statement, { values, describes: isDirect !== true, answered })
    },
    learn({ text, name, values = [] }, { fields }) {
      if (name === undefined || values.length > MOST_PLACES || fields.some(({ format }) => format !== 'text')) return
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
        places: values.length,
      })
    },
  }
}

/**
 * Whether the process that the connection was opened to is the one that runs its statements. Then a statement keeps its
 * columns for as long as it is prepared: PostgreSQL refuses to run it once they would be others. A pooler between, such as
 * PgBouncer, has its own number, and may prepare a statement anew without a word.
 */
async function answersItself(client: PostgresClient): Promise<boolean> {
  const query: PostgresQuery = { text: 'select pg_backend_pid()', rowMode: 'array', types: postgresTypes }
  const { rows }: PostgresAnswer = await client.query(query)
  return rows[0]?.[0] === (client as Insides).processID
}

/** All that clients tell queries: one that is told more does not do with what we know. */
const told: ReadonlySet<string> = new Set([
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

/** pg's `Query`, which its clients have as a member of their class. */
function queryClassOf({ constructor }: PostgresClient): PgQueryClass | null {
  const { Query } = constructor as { readonly Query?: unknown }
  if (typeof Query !== 'function') return null
  const { prototype } = Query as { readonly prototype?: unknown }
  if (typeof prototype !== 'object' || prototype === null || !('submit' in prototype)) return null
  const handlers = Object.getOwnPropertyNames(prototype).filter((name) => name.startsWith('handle'))
  const isKnown = handlers.length === told.size && handlers.every((name) => told.has(name))
  return isKnown ? (Query as PgQueryClass) : null
}

function isAllText(values: readonly SentValue[]): values is readonly SentText[] {
  return values.every((value) => value === null || typeof value === 'string')
}
