import { setTimeout as sleep } from 'node:timers/promises'
import { MEDIA_TYPE } from '../../../core/document/media-type.js'
import { type Exchange, exchangeOf, failedExchange, type Method, type SentRequest } from './exchange.js'
import type { Transport } from './http-transport.js'

/** Thrown if the server no longer accepts connections. */
export class ServerUnreachable extends Error {
  override readonly name = 'ServerUnreachable'
}

/** A request of a check. */
export interface RequestOptions {
  readonly method?: Method
  /** Replaces headers; `null` leaves a header out. */
  readonly headers?: Readonly<Record<string, string | null>>
  /** Sent as JSON, with the media type of JSON:API. */
  readonly document?: unknown
  /** Sent as it is. */
  readonly body?: string
  /** Whether it has no headers of the run. Default: false. */
  readonly isAnonymous?: boolean
  /** Whether it is sent even if a limit of the run is reached: to remove resources that the run has created. Default: false. */
  readonly beyondLimits?: boolean
}

export interface SenderSettings {
  readonly transport: Transport
  /** Headers of every request. */
  readonly headers: Readonly<Record<string, string>>
  /** When the run has to end, in milliseconds since the epoch. */
  readonly deadline: number
  /** The maximum number of concurrent requests. */
  readonly connections: number
  /** In milliseconds. */
  readonly requestTimeout: number
  /** Called after every response. */
  readonly onExchange: (exchange: Exchange) => void
}

/** Sends the requests of a run, within its limits. */
export interface Sender {
  /** Resolves to `null` if a limit of the run is reached. */
  send(url: string, options?: RequestOptions): Promise<Exchange | null>
  readonly sent: number
  /** The number of requests that may still be sent. */
  readonly left: number
  /** The limit that has stopped a request; `null` if none has. */
  readonly reached: 'requests' | 'time' | null
  /** Sets the maximum number of requests until the next part of the run begins. */
  allow(requests: number): void
}

/** The longest `Retry-After` to wait for, in milliseconds. */
const longestWait = 5000
/** The number of requests without a connection after which the run ends. */
const maxUnconnected = 3

export function createSender(settings: SenderSettings): Sender {
  const { deadline } = settings
  const takeTurn = turns(settings.connections)
  const attempt = attempts(settings)
  let sent = 0
  let allowed = 0
  let reached: Sender['reached'] = null
  const isLate = (): boolean => Date.now() >= deadline
  const mayContinue = (): boolean => {
    if (isLate()) reached = 'time'
    else if (sent >= allowed) reached = 'requests'
    return sent < allowed && !isLate()
  }
  return {
    get sent() {
      return sent
    },
    get left() {
      return isLate() ? 0 : Math.max(0, allowed - sent)
    },
    allow(requests) {
      allowed = requests
    },
    get reached() {
      return reached
    },
    async send(url, options = {}) {
      const end = await takeTurn()
      try {
        const request = requestOf(url, options, options.isAnonymous === true ? {} : settings.headers)
        for (let tries = 0; ; tries += 1) {
          if (options.beyondLimits !== true && !mayContinue()) return null
          sent += 1
          const exchange = await attempt(request)
          settings.onExchange(exchange)
          const wait = waitAfter(exchange)
          if (wait === null || tries === 2) return exchange
          await sleep(wait)
        }
      } finally {
        end()
      }
    },
  }
}

/** Sends a request once. Throws if the server has not accepted a connection for several requests. */
function attempts({
  transport,
  deadline,
  requestTimeout,
}: SenderSettings): (request: SentRequest) => Promise<Exchange> {
  let unconnected = 0
  let lastRequest = ''
  return async (request) => {
    // Requests beyond the limits have the full timeout.
    const left = deadline - Date.now()
    try {
      const timeout = left > 0 ? Math.min(requestTimeout, left) : requestTimeout
      const exchange = exchangeOf(request, await transport.send(request, timeout))
      unconnected = 0
      lastRequest = `${request.method} ${request.url}`
      return exchange
    } catch (error) {
      unconnected += isConnectionError(error) ? 1 : 0
      if (unconnected >= maxUnconnected) throw new ServerUnreachable(unreachableMessage(request, lastRequest, error))
      return failedExchange(request, error instanceof Error ? error.message : String(error))
    }
  }
}

/** Lets a number of callers proceed at the same time. */
function turns(count: number): () => Promise<() => void> {
  const waiting: (() => void)[] = []
  let free = count
  const end = (): void => {
    const next = waiting.shift()
    if (next === undefined) free += 1
    else next()
  }
  return async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    return end
  }
}

function requestOf(
  url: string,
  { method = 'GET', headers = {}, document, body }: RequestOptions,
  common: Readonly<Record<string, string>>,
): SentRequest {
  const content = body ?? (document === undefined ? null : JSON.stringify(document))
  const defaults = content === null ? { Accept: MEDIA_TYPE } : { Accept: MEDIA_TYPE, 'Content-Type': MEDIA_TYPE }
  return { method, url, headers: mergedHeaders(defaults, common, headers), body: content }
}

/** Merges headers by name, in any case. The last one counts. */
function mergedHeaders(
  ...layers: readonly Readonly<Record<string, string | null>>[]
): Readonly<Record<string, string>> {
  const merged = new Map<string, readonly [name: string, value: string]>()
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer))) {
    if (value === null) merged.delete(name.toLowerCase())
    else merged.set(name.toLowerCase(), [name, value])
  }
  return Object.fromEntries(merged.values())
}

/** Returns the `Retry-After` of a response in milliseconds; `null` if there is none, or if it is too long. */
function waitAfter({ response: { status, headers } }: Exchange): number | null {
  if (status !== 429 && status !== 503) return null
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds * 1000 <= longestWait ? seconds * 1000 : null
}

const connectionErrors: readonly string[] = ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH', 'EAI_AGAIN']

function isConnectionError(error: unknown): boolean {
  // Several addresses of one name give an AggregateError.
  const code = (error as { readonly code?: unknown } | null)?.code
  return typeof code === 'string' && connectionErrors.includes(code)
}

function unreachableMessage({ url }: SentRequest, last: string, error: unknown): string {
  const reason =
    error instanceof Error && error.message !== '' ? error.message : String((error as { code?: unknown }).code)
  const before = last === '' ? '' : ` The last request that it responded to: ${last}.`
  return `No server responds at ${new URL(url).origin}: ${reason}.${before}`
}
