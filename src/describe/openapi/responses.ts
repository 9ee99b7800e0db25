import { MEDIA_TYPE } from '../../core/document/media-type.js'
import type { TypeContract } from '../contract/contract.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { memoize } from '../../core/util/memoize.js'
import type { Components } from './components.js'
import { sharedComponent } from './shared-component.js'
import type { Api } from './described-server.js'
import { errorDocument } from './error-schemas.js'
import type { HeaderName } from './headers.js'
import { bodyHeaders, commonHeaders, deprecationHeaders, headersMember, typeHeaderNames } from './headers.js'
import { reasonPhrases } from './reason-phrases.js'

/** The responses of an operation by status. */
export type Responses = Readonly<Record<string, JsonSchema>>

/** A successful response. */
export interface Success {
  readonly status: number
  readonly description: string
  /** The schema of the document; `null` for a response without a body. */
  readonly schema: JsonSchema | null
  /** The media types of a response with other content than documents. */
  readonly mediaTypes?: readonly string[]
  readonly headers?: readonly HeaderName[]
  /** The name of the component if several operations have the response. Those without a body are always components. */
  readonly sharedAs?: string
}

/** Returns the successful responses of an operation. Those with the same status have one of several documents. */
export function successResponses(api: Api, type: TypeContract | null, successes: readonly Success[]): Responses {
  const byStatus = new Map<number, readonly Success[]>()
  for (const success of successes) {
    byStatus.set(success.status, [...(byStatus.get(success.status) ?? []), success])
  }
  return Object.fromEntries([...byStatus].map(([status, same]) => [String(status), successResponse(api, type, same)]))
}

function successResponse(api: Api, type: TypeContract | null, same: readonly Success[]): JsonSchema {
  const schemas = same.flatMap(({ schema }) => (schema === null ? [] : [schema]))
  const [only] = schemas
  const mediaTypes = same.flatMap((success) => success.mediaTypes ?? [])
  const hasBody = only !== undefined || mediaTypes.length > 0
  const specific = same.flatMap(({ headers = [] }) => headers)
  const response = {
    description: same.map(({ description }) => description).join(' '),
    ...headersMember(
      api,
      api.isCompact
        ? specific
        : [...commonHeaders(api), ...typeHeaderNames(api, type), ...(hasBody ? bodyHeaders(api) : []), ...specific],
    ),
    ...(hasBody
      ? {
          content: {
            ...(only === undefined
              ? {}
              : { [MEDIA_TYPE]: { schema: schemas.length === 1 ? only : { anyOf: schemas } } }),
            ...bytesContent(mediaTypes),
          },
        }
      : {}),
  }
  const [{ status, sharedAs } = { status: 0 }] = same
  const name = sharedAs ?? (hasBody ? undefined : phraseOf(status))
  return name === undefined ? response : sharedComponent(api, 'responses', name, response)
}

/** Returns the content of bodies with bytes. A schema would describe their text: https://spec.openapis.org/oas/v3.1.0#considerations-for-file-uploads */
export function bytesContent(mediaTypes: readonly string[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema: {} }]))
}

/** Returns the reason phrase of a status as the name of a component. */
function phraseOf(status: number): string {
  return (reasonPhrases[status] ?? `Status ${status}`).replaceAll(' ', '')
}

/** Returns the error responses of an operation. `default` represents errors of the application. Most operations share theirs with others. */
export function errorResponses(api: Api, statuses: readonly number[], isOpen: boolean): Responses {
  const shared = sharedErrors(api.components)
  const key = `${statuses.join()} ${isOpen}`
  const responses = shared.get(key) ?? newErrorResponses(api, statuses, isOpen)
  shared.set(key, responses)
  return responses
}

const sharedErrors = memoize((_components: Components) => new Map<string, Responses>())

function newErrorResponses(api: Api, statuses: readonly number[], isOpen: boolean): Responses {
  if (api.isCompact) return { default: anyError(api) }
  const { mappedStatuses } = api.server.traits
  const all = [...new Set([...statuses, ...mappedStatuses])].toSorted((a, b) => a - b)
  const known = all.map((status): readonly [string, JsonSchema] => [String(status), errorResponse(api, status)])
  return { ...Object.fromEntries(known), ...(isOpen ? { default: otherError(api) } : {}) }
}

/** Returns a reference to the response of a status, which all operations share. */
export function errorResponse(api: Api, status: number): JsonSchema {
  const phrase = reasonPhrases[status] ?? `Error ${status}`
  return api.components.ref('responses', phrase.replaceAll(' ', ''), () => ({
    description: phrase,
    ...headersMember(api, [
      ...commonHeaders(api),
      ...deprecationHeaders(api),
      ...bodyHeaders(api),
      ...errorHeaders(api, status),
    ]),
    content: { [MEDIA_TYPE]: { schema: errorDocument(api, status) } },
  }))
}

function errorHeaders({ server: { traits } }: Api, status: number): readonly HeaderName[] {
  switch (status) {
    case 401:
      return traits.authentication.length > 0 ? ['WWW-Authenticate'] : []
    case 409:
    case 429:
    case 503:
      return ['Retry-After']
    case 415:
      return ['Accept-Encoding']
    default:
      return []
  }
}

/** Returns a reference to the response of all errors in a document of many types. */
function anyError(api: Api): JsonSchema {
  return api.components.ref('responses', 'Failure', () => ({
    description: 'An error. The documentation of the service lists the codes.',
    content: { [MEDIA_TYPE]: { schema: errorDocument(api, null) } },
  }))
}

function otherError(api: Api): JsonSchema {
  return api.components.ref('responses', 'OtherError', () => ({
    description: 'An error of the application.',
    ...headersMember(api, [...commonHeaders(api), ...deprecationHeaders(api), ...bodyHeaders(api), 'Retry-After']),
    content: { [MEDIA_TYPE]: { schema: errorDocument(api, null) } },
  }))
}

/** Returns the statuses that every request may fail with. */
export function commonStatuses({ server: { traits } }: Api): readonly number[] {
  return [
    400,
    406,
    414,
    500,
    503,
    ...(traits.authentication.length > 0 || traits.requiresCredentials ? [401] : []),
    ...(traits.checksHosts ? [421] : []),
    ...(traits.limitsRate ? [429] : []),
  ]
}

/** The statuses of requests with a document. */
export const writeStatuses: readonly number[] = Object.freeze([403, 404, 409, 412, 413, 415, 422])
