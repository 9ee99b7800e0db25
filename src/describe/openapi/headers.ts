import type { TypeContract } from '../contract/contract.js'
import type { ReadShape } from '../../declare/resource/parts/cache-headers.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { memoize } from '../../core/util/memoize.js'
import type { Components } from './components.js'
import type { Api } from './described-server.js'

/** The headers that responses may have, with their descriptions. */
const descriptions = {
  Vary: 'The request headers that the response depends on.',
  'X-Content-Type-Options': 'Browsers must not guess another media type.',
  Location: 'The URL of the resource.',
  'Content-Location': 'The URL where the state of the work can be read.',
  ETag: 'The version of the representation.',
  'Last-Modified': 'The time of the last change.',
  'Cache-Control': 'Which caches may store the response, and how long.',
  'Retry-After': 'When to send the request again: seconds, or a date.',
  'WWW-Authenticate': 'How to authenticate.',
  'Content-Disposition': 'The name under which the bytes are saved.',
  'Content-Security-Policy': 'Browsers must not run scripts of the bytes.',
  'Accept-Ranges': 'Whether parts of the bytes can be read.',
  'Preference-Applied': 'The preferences of the request that were applied.',
  'Idempotency-Replayed': 'The response is that of an earlier request with the same key.',
  Deprecation: 'The endpoint is deprecated.',
  Sunset: 'The date after which the endpoint may be removed.',
  Link: 'The URL of a page about the removal of the endpoint.',
  RateLimit: 'How many requests are left.',
  'RateLimit-Policy': 'How many requests are allowed in which time.',
  'X-Request-Id': 'The id of the request in logs.',
  'Read-After': 'The position of the writes of the request. Later requests send it to see them, on any replica.',
  'Content-Encoding': 'How the body is compressed.',
  'Accept-Query': 'The media types that bodies of QUERY requests may have.',
  'Accept-Encoding': 'How bodies of requests may be compressed.',
  'Server-Timing': 'How long the parts of the request took. Sent in debug mode.',
  'Query-Cost': 'The cost of the request, and its budget. Sent in debug mode.',
  'Access-Control-Allow-Origin': 'The origin whose pages may read the response.',
  'Access-Control-Allow-Credentials': 'Whether pages may send credentials.',
  'Access-Control-Expose-Headers': 'The headers that pages may read.',
} as const

export type HeaderName = keyof typeof descriptions

/** The headers that every response of a certain kind has. */
const always: readonly HeaderName[] = Object.freeze(['Vary', 'Location', 'WWW-Authenticate'])

/** Returns the member `headers` of a response. Most responses have the same headers as others: these share one object. */
export function headersMember(api: Api, names: readonly HeaderName[]): { readonly headers?: JsonSchema } {
  if (names.length === 0) return {}
  const shared = sharedMembers(api.components)
  const key = names.join()
  const known = shared.get(key)
  if (known !== undefined) return known
  const member = { headers: Object.fromEntries([...new Set(names)].map((name) => [name, headerRef(api, name)])) }
  shared.set(key, member)
  return member
}

const sharedMembers = memoize((_components: Components) => new Map<string, { readonly headers: JsonSchema }>())

function headerRef({ components }: Api, name: HeaderName): JsonSchema {
  return components.ref('headers', name, () => ({
    description: descriptions[name],
    ...(always.includes(name) ? { required: true } : {}),
    schema: { type: 'string' },
  }))
}

/** Returns the headers that all responses of a server may have. */
export function commonHeaders({ server: { traits } }: Api): readonly HeaderName[] {
  return [
    'Vary',
    ...(traits.knowsCallers ? (['Cache-Control'] as const) : []),
    ...(traits.limitsRate ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
    ...(traits.sendsRequestIds ? (['X-Request-Id'] as const) : []),
    ...(traits.hasReplicas ? (['Read-After'] as const) : []),
    ...(traits.isDebug ? (['Server-Timing'] as const) : []),
    ...(traits.isDebug && traits.hasQueryCost ? (['Query-Cost'] as const) : []),
    ...(traits.hasCors ? corsHeaders : []),
  ]
}

/** Returns the headers of responses with a body. */
export function bodyHeaders({ server: { traits } }: Api): readonly HeaderName[] {
  return ['X-Content-Type-Options', ...(traits.compresses ? (['Content-Encoding'] as const) : [])]
}

const corsHeaders: readonly HeaderName[] = [
  'Access-Control-Allow-Origin',
  'Access-Control-Allow-Credentials',
  'Access-Control-Expose-Headers',
]

/** Returns the headers that all responses of a type have. */
export function typeHeaderNames({ contract }: Api, type: TypeContract | null): readonly HeaderName[] {
  const sent = type === null ? contract.headers : type.headers.always
  return sent.filter((_, index) => index % 2 === 0).filter(isKnownHeader)
}

/** Returns the headers of deprecation that some response of the server has: error responses are shared. */
export function deprecationHeaders(api: Api): readonly HeaderName[] {
  return [...typeHeaderNames(api, null), ...api.contract.types.flatMap((type) => typeHeaderNames(api, type))]
}

/** Returns the headers of successful reads of a type. */
export function readHeaders({ headers }: TypeContract, shape: ReadShape): readonly HeaderName[] {
  return headers.cacheControl[shape] === null ? [] : ['Cache-Control']
}

function isKnownHeader(name: string): name is HeaderName {
  return Object.hasOwn(descriptions, name)
}
