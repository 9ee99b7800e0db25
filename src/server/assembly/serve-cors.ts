import { ignoreRejection } from '../../core/errors/ignore-rejection.js'
import type { ServerSettings } from './declared/server-settings.js'
import type { CorsSettings } from './declared/cors-settings.js'
import { corsByServer } from './declared/cors-settings.js'

/** The setting `cors` of one server: https://fetch.spec.whatwg.org/#http-cors-protocol */
export interface ServedCors {
  /** Whether a response depends on the header `Origin`. */
  readonly varies: boolean
  /** The headers of every response to a page of an allowed origin: name, value, name, value. */
  readonly response: readonly string[]
  /** The additional headers of the response to a preflight request, without the methods of the path. */
  readonly preflight: readonly string[]
  /** Returns the value of `Access-Control-Allow-Origin`; `null` for an origin that is not allowed. */
  allowedOrigin(origin: string | undefined): string | null
}

/** The headers that the service reads, without those of middleware. */
const readHeaders = ['Accept', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'Prefer', 'Read-After']

/** The headers that the service sends, without those that pages may always read. */
const sentHeaders = [
  'Accept-Query',
  'Allow',
  'Content-Location',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'Read-After',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
]

interface MiddlewareHeaders {
  /** The request headers that it reads. */
  readonly vary: readonly string[]
  /** The response headers that it adds. */
  readonly exposes: readonly string[]
}

/**
 * Returns the setting `cors` of each server that has it, by its name.
 *
 * @param middleware by the name of the server
 */
export function serveCors(
  settings: Pick<ServerSettings, 'cors' | 'servers' | 'requestIds' | 'requestLog'>,
  middleware: ReadonlyMap<string, MiddlewareHeaders>,
): ReadonlyMap<string, ServedCors> {
  const usesIds = settings.requestIds === true || (settings.requestLog ?? null) !== null
  const [readIds, sentIds] = [usesIds ? requestIdHeader : [], settings.requestIds === true ? requestIdHeader : []]
  return new Map(
    [...corsByServer(settings)].map(([server, cors]) => {
      const { vary = [], exposes = [] } = middleware.get(server) ?? {}
      return [server, served(cors, { read: [...vary, ...readIds], sent: [...exposes, ...sentIds] })]
    }),
  )
}

const requestIdHeader: readonly string[] = Object.freeze(['X-Request-Id'])

/** The headers of a server that depend on its settings. */
interface FurtherHeaders {
  readonly read: readonly string[]
  readonly sent: readonly string[]
}

function served(
  { origins, credentials = false, requestHeaders = [], exposedHeaders = [], maxAge = 600 }: CorsSettings,
  { read, sent }: FurtherHeaders,
): ServedCors {
  const allowCredentials = credentials ? ['Access-Control-Allow-Credentials', 'true'] : []
  const accepted = [...new Set([...readHeaders, ...read, ...requestHeaders])]
  const exposed = [...new Set([...sentHeaders, ...sent, ...exposedHeaders])]
  const isAllowed = typeof origins === 'function' ? checked(origins) : originMatcher(origins === '*' ? [] : origins)
  return Object.freeze<ServedCors>({
    varies: origins !== '*',
    response: [...allowCredentials, 'Access-Control-Expose-Headers', exposed.join(', ')],
    preflight: [
      ...allowCredentials,
      'Access-Control-Allow-Headers',
      accepted.join(', '),
      'Access-Control-Max-Age',
      String(maxAge),
    ],
    allowedOrigin(origin) {
      if (origin === undefined) return null
      if (origins === '*') return '*'
      return isAllowed(origin) ? origin : null
    },
  })
}

/** Throws unless the function returns a boolean: a promise would count as true. */
function checked(isAllowed: (origin: string) => unknown): (origin: string) => boolean {
  return (origin) => {
    const result = isAllowed(origin)
    if (typeof result === 'boolean') return result
    ignoreRejection(result)
    throw new TypeError("The function 'origins' of the setting 'cors' must return a boolean.")
  }
}

/** A browser sends origins in lower case, without a default port. */
function originMatcher(patterns: readonly string[]): (origin: string) => boolean {
  const named = patterns.map((pattern) => pattern.toLowerCase().replace(/^(https:.*):443$|^(http:.*):80$/, '$1$2'))
  const exact = new Set(named.filter((pattern) => !pattern.includes('://*.')))
  const wild = named
    .filter((pattern) => pattern.includes('://*.'))
    .map((pattern) => ({ start: pattern.slice(0, pattern.indexOf('*')), end: pattern.slice(pattern.indexOf('*') + 1) }))
  return (origin) =>
    exact.has(origin) ||
    wild.some(({ start, end }) => {
      return origin.length > start.length + end.length && origin.startsWith(start) && origin.endsWith(end)
    })
}
