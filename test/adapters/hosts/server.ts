import {
  reply,
  atomic,
  belongsTo,
  createServer,
  defineResource,
  hasMany,
  id,
  metaResult,
  model,
  numberPage,
} from 'ashlar'
import type { Middleware, NamedServer, Server } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { signal } from '../../support/signal.js'
import { Suspended } from './host.js'

/** The length of a body that is refused. */
export const BODY_LIMIT = 300_000

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().required() }),
  relations: { albums: hasMany('albums').via('artistId') },
  cacheHeaders: { max_age: 5 },
})

/** Signals for a read that has begun, and whose client has disconnected. */
export interface Watch {
  readonly begun: ReturnType<typeof signal>
  readonly disconnected: ReturnType<typeof signal>
}

function albumsWatchedBy({ begun, disconnected }: Watch) {
  return defineResource('albums', {
    model: model<{ id: number; title: string; notes: string | null; artistId: number | null }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().required(), notes: a.string().nullable() }),
    relations: { artist: belongsTo('artists').nullable() },
    actions: (a) => ({
      measure: a.collection({
        input: 'raw',
        responds: metaResult(),
        handle: async ({ body }) => reply.meta({ bytes: body?.byteLength ?? 0 }),
      }),
      wait: a.collection({
        responds: metaResult(),
        async handle({ context }) {
          begun.give()
          await new Promise<void>((resolve) => context.request?.onAbort?.(resolve))
          disconnected.give()
          return reply.meta({})
        },
      }),
    }),
    pagination: numberPage({ size: 1 }),
  })
}

/** Only callers read them, and only their own. */
const libraries = defineResource('libraries', {
  model: model<{ id: number; ownerId: number }>('libraries'),
  id: id(),
  attributes: (a) => ({ ownerId: a.integer() }),
  readOnly: true,
  policy: (p) => {
    const own = p.signedIn(({ caller }) => p.eq('ownerId', (caller as { id: number }).id))
    return { viewAny: true, view: own }
  },
})

/** The server sets a cookie, too. */
const cookie: Middleware = async (_request, next) => {
  const { headers, ...rest } = await next()
  return { ...rest, headers: [...headers, 'Set-Cookie', 'server=1'] }
}

export interface SuiteServer {
  readonly server: Server<[]>
  /** The messages of unexpected errors. */
  readonly logged: string[]
  readonly watch: Watch
}

/** A small catalogue for all hosts. The types are on the default server, and on the server `staff` if it has settings. */
export function suiteServer(
  settings: NamedServer = {},
  {
    staff,
    trustProxy = false,
    compression = false,
    bodyMemory = 64 * BODY_LIMIT,
  }: {
    readonly staff?: NamedServer
    readonly trustProxy?: boolean
    readonly compression?: boolean
    readonly bodyMemory?: number
  } = {},
): SuiteServer {
  const watch: Watch = { begun: signal(), disconnected: signal() }
  const logged: string[] = []
  const server = createServer({
    policy: 'public',
    resources: [artists, albumsWatchedBy(watch), libraries].map((type) =>
      staff === undefined ? type : type.with({ server: ['default', 'staff'] }),
    ) as [],
    data: memoryData({
      artists: [{ id: 1, name: 'Portishead' }],
      albums: [
        { id: 1, title: 'Dummy', notes: null, artistId: 1 },
        { id: 2, title: 'Third', notes: 'x'.repeat(4_000_000), artistId: 1 },
      ],
      libraries: [
        { id: 1, ownerId: 1 },
        { id: 2, ownerId: 2 },
      ],
    }),
    servers: { default: settings, ...(staff === undefined ? {} : { staff }) },
    extensions: [atomic()],
    middleware: [cookie],
    trustProxy,
    compression,
    bodyMemory,
    cors: { origins: ['https://app.example'] },
    limits: { bodyBytes: BODY_LIMIT },
    exceptionMap: [[Suspended, 410]],
    logger: { error: ({ err }) => logged.push(err instanceof Error ? err.message : String(err)) },
  })
  return { server, watch, logged }
}
