import { type Client, type ClientSettings, createClient, type ErrorObject } from 'ashlar/client'

/** All that clients may do with a relation. */
type Everything =
  | 'shown'
  | 'includable'
  | 'related'
  | 'relationship'
  | 'countable'
  | 'creatable'
  | 'replaceable'
  | 'addable'
  | 'removable'

/** A contract as `ashlar types` writes it, with paths that are not the names. */
export interface Api {
  types: {
    albums: {
      path: 'records'
      operations: 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete'
      clientIds: 'optional'
      attributes: { title: string }
      create: { title: string }
      update: { title?: string }
      relations: {
        artist: {
          type: 'artists'
          many: false
          path: 'artist'
          is: Everything
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
        tracks: {
          type: 'albums'
          many: true
          path: 'songs'
          is: Everything
          pivot: { attributes: { position: number }; create: { position: number }; update: { position?: number } }
          filters: {}
          sorts: never
          page: 'inherited'
        }
      }
      filters: { id: readonly string[]; rating: { min?: number; max?: number }; slug: string }
      singular: 'slug'
      sorts: 'id'
      page: { number?: number }
      countable: true
      actions: {
        rename: {
          on: 'resource'
          methods: 'PUT' | 'PATCH'
          input: { document: 'albums' }
          result: { resource: 'albums' }
        }
      }
      results: {
        create: { resource: 'albums' } | { job: 'jobs' }
        update: { resource: 'albums' }
        delete: 'none'
        fetchOne: { resource: 'albums' }
      }
    }
    artists: {
      path: 'artists'
      operations: 'FetchOne'
      clientIds: 'never'
      attributes: { name: string }
      create: {}
      update: {}
      relations: {
        albums: {
          type: 'albums'
          many: true
          path: 'albums'
          is: Everything
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
      }
      filters: {}
      singular: never
      sorts: never
      page: null
      countable: false
      actions: {}
      results: { create: never; update: never; delete: never; fetchOne: { resource: 'artists' } }
    }
    jobs: {
      path: 'jobs'
      operations: 'FetchOne'
      clientIds: 'never'
      attributes: { status: string }
      create: {}
      update: {}
      relations: {}
      filters: {}
      singular: never
      sorts: never
      page: null
      countable: false
      actions: {}
      results: { create: never; update: never; delete: never; fetchOne: { resource: 'jobs' } | 'redirect' }
    }
  }
  page: null
  atomic: '/batch'
  idempotency: true
  dryRun: true
}

/** A request, as `fetch` got it. Its headers have lower-case names. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** A response, an error that `fetch` throws, or a function that behaves as `fetch` does with a signal. */
export type Reply = Response | Error | ((signal: AbortSignal) => Promise<Response>)

/** Returns a response with a document. */
export const json = (document: object, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(document), {
    ...init,
    headers: { 'Content-Type': 'application/vnd.api+json', ...(init.headers as object) },
  })

/** Returns a response with errors. */
export const failure = (status: number, errors: readonly ErrorObject[] = [], headers = {}): Response =>
  json({ errors }, { status, headers })

export const lost: Error = new TypeError('fetch failed')

/** Behaves as `fetch` does if a server does not respond. */
export const silence = (signal: AbortSignal): Promise<Response> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })

export const kidA = { data: { type: 'albums', id: '1', attributes: { title: 'Kid A' } } }

interface Scripted {
  readonly client: Client<Api>
  readonly albums: Client<Api>['types']['albums']
  readonly jobs: Client<Api>['types']['jobs']
  /** The requests so far. */
  readonly sent: readonly Sent[]
}

/** Returns a client whose requests get these responses, one after the other. */
export function scriptedServer(replies: readonly Reply[], settings: Partial<ClientSettings<Api>> = {}): Scripted {
  const sent: Sent[] = []
  const waiting = [...replies]
  const client = createClient<Api>({
    url: 'https://music.example/',
    paths: { albums: 'records', 'albums.tracks': 'songs' },
    atomic: '/batch',
    retry: { delay: 1 },
    ...settings,
    async fetch(url, { method = '', headers, body, signal }) {
      sent.push({ method, url, headers: Object.fromEntries(new Headers(headers)), body })
      const reply = waiting.shift()
      if (reply === undefined) throw new Error('There is no response for this request.')
      signal?.throwIfAborted()
      if (reply instanceof Error) throw reply
      return typeof reply === 'function' ? reply(signal as AbortSignal) : reply
    },
  })
  return { client, albums: client.types.albums, jobs: client.types.jobs, sent }
}

/** Returns what a call throws; `null` if it does not. */
export const thrownBy = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  )

/** Returns all that an iterable has. */
export async function allOf<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
