import { type Client, type ClientSettings, createClient, type ErrorObject } from '@ashlar/client'
import type { RecordApi } from './record-api.js'

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
  readonly client: Client<RecordApi>
  readonly albums: Client<RecordApi>['types']['albums']
  readonly jobs: Client<RecordApi>['types']['jobs']
  /** The requests so far. */
  readonly sent: readonly Sent[]
}

/** Returns a client whose requests get these responses, one after the other. */
export function scriptedServer(replies: readonly Reply[], settings: Partial<ClientSettings<RecordApi>> = {}): Scripted {
  const sent: Sent[] = []
  const waiting = [...replies]
  const client = createClient<RecordApi>({
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

/** Returns the error that a call throws; `null` if it does not. */
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
