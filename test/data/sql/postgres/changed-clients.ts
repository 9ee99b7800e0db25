import { EventEmitter } from 'node:events'
import { Client, Query } from 'pg'

/**
 * Clients of imagined versions of pg. Each works by its public methods, as every version must, but differs in one thing that pg does not
 * document.
 */

type Method = (...parameters: never[]) => unknown
type Methods = Readonly<Record<string, Method>>
type Fields = { readonly fields: readonly (string | null)[] }
type Callback = (error: Error | null, result?: unknown) => void

const ofQueries = Query.prototype as unknown as Methods
const ofClients = Client.prototype as unknown as Methods

function call(methods: Methods, name: string, object: object, ...parameters: unknown[]): unknown {
  return Reflect.apply(methods[name] as Method, object, parameters)
}

interface Changes {
  /** Handlers of queries that differ, and new ones. */
  readonly ofQuery?: Methods
  readonly ofClient?: Methods
  /** Sends a query. Default: as pg does. */
  readonly send?: (client: Client, query: object) => unknown
  /** Called with each new client. */
  readonly created?: (client: Client) => void
}

function changedClient({ ofQuery = {}, ofClient = {}, send, created }: Changes): typeof Client {
  class ChangedQuery extends (Query as unknown as new (settings: object) => object) {}
  const { constructor: _constructor, ...handlers } = Object.getOwnPropertyDescriptors(ofQueries)
  Object.defineProperties(ChangedQuery.prototype, handlers)
  Object.assign(ChangedQuery.prototype, ofQuery)
  class ChangedClient extends Client {
    static Query: unknown = ChangedQuery

    constructor(settings?: ConstructorParameters<typeof Client>[0]) {
      super(settings)
      created?.(this)
    }
  }
  const sent = send ?? ((client: Client, query: object) => call(ofClients, 'query', client, query))
  Object.assign(ChangedClient.prototype, ofClient, {
    // As in pg: settings become a query of the class, and an object that can be submitted stays what it is.
    query(this: Client, config: object) {
      if ('submit' in config) return sent(this, config)
      return new Promise((resolve, reject) => {
        const callback: Callback = (error, result) => {
          if (error === null) resolve(result)
          else reject(error)
        }
        sent(this, new ChangedQuery({ ...config, callback }))
      })
    },
  })
  return ChangedClient
}

/** Changes the message that clients pass to a handler of queries, and queries read it in its new form. */
function changedMessage(name: string, written: Method, read: Method): Changes {
  return {
    ofClient: {
      [`_${name}`](this: object, message: unknown, ...others: unknown[]) {
        return call(ofClients, `_${name}`, this, Reflect.apply(written, null, [message]), ...others)
      },
    },
    ofQuery: {
      [name](this: object, message: unknown, ...others: unknown[]) {
        return call(ofQueries, name, this, Reflect.apply(read, null, [message]), ...others)
      },
    },
  }
}

const rowOfBytes = changedMessage(
  'handleDataRow',
  ({ fields }: Fields) => ({ fields: fields.map((value) => (value === null ? null : Buffer.from(value))) }),
  ({ fields }: { readonly fields: readonly (Buffer | null)[] }) => ({
    fields: fields.map((value) => (value === null ? null : value.toString())),
  }),
)

function connectionOf(client: Client): object {
  return (client as unknown as { readonly connection: object }).connection
}

interface Streaming {
  readonly stream: NodeJS.ReadableStream
}

const onlyList: unknown[] = []

export const changedClients: readonly (readonly [string, typeof Client])[] = [
  [
    'names the values of a row otherwise',
    changedClient(
      changedMessage(
        'handleDataRow',
        ({ fields }: Fields) => ({ values: fields }),
        ({ values }: { readonly values: unknown }) => ({ fields: values }),
      ),
    ),
  ],
  ['passes the values of a row as bytes', changedClient(rowOfBytes)],
  [
    'listens to the bytes of its connection twice',
    changedClient({
      created: (client) => void (connectionOf(client) as Streaming).stream.on('data', () => undefined),
    }),
  ],
  [
    'passes all rows in the same list',
    changedClient(
      changedMessage(
        'handleDataRow',
        ({ fields }: Fields) => {
          onlyList.splice(0, Infinity, ...fields)
          return { fields: onlyList }
        },
        ({ fields }: Fields) => ({ fields: [...fields] }),
      ),
    ),
  ],
  [
    'names the tag of a command otherwise',
    changedClient(
      changedMessage(
        'handleCommandComplete',
        ({ text }: { readonly text: string }) => ({ tag: text }),
        ({ tag }: { readonly tag: string }) => ({ text: tag }),
      ),
    ),
  ],
  [
    'describes columns in another form',
    changedClient(
      changedMessage(
        'handleRowDescription',
        ({ fields }: { readonly fields: unknown }) => ({ columns: fields }),
        ({ columns }: { readonly columns: unknown }) => ({ fields: columns }),
      ),
    ),
  ],
  [
    'passes errors in another form',
    changedClient({
      ofClient: {
        _handleErrorMessage(this: object, error: Error) {
          return call(ofClients, '_handleErrorMessage', this, { error })
        },
      },
      ofQuery: {
        handleError(this: object, error: Error & { readonly error?: Error }) {
          return call(ofQueries, 'handleError', this, error.error ?? error)
        },
      },
    }),
  ],
  [
    'runs queries of its own class only',
    changedClient({
      send(client, query) {
        const { Query: OwnQuery } = client.constructor as unknown as { readonly Query: unknown }
        if (query.constructor === OwnQuery) return call(ofClients, 'query', client, query)
        process.nextTick(() => call(query as Methods, 'handleError', query, new Error('An unknown class of queries')))
        return query
      },
    }),
  ],
  [
    'sends statements later',
    changedClient({
      send(client, query) {
        setImmediate(() => call(ofClients, 'query', client, query))
        return query
      },
    }),
  ],
  ['passes another message to queries', changedClient({ ofQuery: { handleParseComplete: () => undefined } })],
  ['has no class of queries', Object.assign(changedClient({}), { Query: undefined })],
  [
    'lists prepared statements in another form',
    changedClient({ created: (client) => Reflect.set(connectionOf(client), 'parsedStatements', () => undefined) }),
  ],
  ['cannot pipeline', changedClient({ created: (client) => Reflect.set(client, 'pipeline', undefined) })],
  [
    'waits for each result, whatever its flag is',
    changedClient({
      created: (client) => Object.defineProperty(client, 'pipeline', { get: () => false, set: ignore }),
    }),
  ],
]

/** Clients whose connections cannot be opened a second time to cancel a statement. */
export const uncancellableClients: readonly (readonly [string, typeof Client])[] = [
  ['cannot be created', () => ignore()],
  ['has no method for it', EventEmitter],
].map(([name, Connection]) => [
  name as string,
  changedClient({ created: (client) => Reflect.set(connectionOf(client), 'constructor', Connection) }),
])

function ignore(): void {
  // Setters and constructors without an effect.
}
