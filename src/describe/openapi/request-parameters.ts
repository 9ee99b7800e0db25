import { memoize } from '../../core/util/memoize.js'
import { defaultProfiles } from '../../declare/profiles/profile.js'
import type { TypeContract } from '../contract/contract.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Api } from './described-server.js'
import type { HeaderName } from './headers.js'

type Parameters = readonly JsonSchema[]

function header(api: Api, key: string, parameter: JsonSchema): JsonSchema {
  return api.components.ref('parameters', key, () => ({ in: 'header', ...parameter }))
}

const text: JsonSchema = Object.freeze({ type: 'string' })

/** The query parameters of the application and of its profiles. All requests may have them, several times. */
const familyParameters = memoize(({ queryFamilies, profiles }: Api['server']): Parameters => {
  const ofProfiles = profiles.flatMap(({ uri, families = [] }) => families.map((family) => [family, uri] as const))
  const families = [...queryFamilies.map((family) => [family, null] as const), ...ofProfiles]
  return families
    .filter(([family], index) => !isBuiltIn(family) && families.findIndex(([other]) => other === family) === index)
    .map(([name, profile]) => ({
      name,
      in: 'query',
      description: 'A parameter of the application.',
      style: 'form',
      explode: true,
      schema: { type: 'array', items: text },
      ...(profile === null ? {} : { 'x-profile': profile }),
    }))
})

function isBuiltIn(family: string): boolean {
  return defaultProfiles.some(({ families = [] }) => families.includes(family))
}

/** The parameters that all requests may have. */
export function commonParameters(api: Api, hasBody: boolean): Parameters {
  const { hasReplicas, sendsRequestIds } = api.server.traits
  const key = header.bind(null, api)
  if (api.isCompact) return familyParameters(api.server)
  return [
    ...familyParameters(api.server),
    ...(hasReplicas
      ? [
          key('ReadAfter', {
            name: 'Read-After',
            description:
              'The header of the same name of an earlier response: the response shows what was written then.',
            schema: { type: 'string', maxLength: 1000 },
          }),
        ]
      : []),
    ...(sendsRequestIds
      ? [key('RequestId', { name: 'X-Request-Id', description: 'The id of the request in logs.', schema: text })]
      : []),
    ...(hasBody ? bodyParameters(api) : []),
  ]
}

/** The headers of requests with a body. */
export function bodyParameters(api: Api): Parameters {
  const { requestEncodings } = api.server.traits
  if (api.isCompact || requestEncodings.length === 0) return []
  return [
    header(api, 'ContentEncoding', {
      name: 'Content-Encoding',
      description: 'How the body is compressed.',
      schema: { type: 'string', enum: requestEncodings },
    }),
  ]
}

/** The headers of reads whose responses have validators: an entity tag, or the time of the last change. */
export function readHeaderParameters(api: Api, validators: readonly HeaderName[]): Parameters {
  const key = header.bind(null, api)
  return [
    ...(validators.includes('ETag')
      ? [
          key('IfNoneMatch', {
            name: 'If-None-Match',
            description: 'The entity tags that the client has. The response is 304 if one of them is current.',
            schema: text,
          }),
        ]
      : []),
    ...(validators.includes('Last-Modified')
      ? [
          key('IfModifiedSince', {
            name: 'If-Modified-Since',
            description: 'A date. The response is 304 if nothing has changed since then. `If-None-Match` has priority.',
            schema: text,
          }),
        ]
      : []),
  ]
}

/** Returns the header of a create whose id may exist already: a client-generated id, or one that members make. */
export function createHeaderParameters(api: Api, { id }: TypeContract): Parameters {
  if (!id.mayExist) return []
  return [
    header(api, 'IfNoneExists', {
      name: 'If-None-Match',
      description:
        '`*` creates the resource only if there is none with its id. Else the response is 412 instead of 409.',
      schema: { type: 'string', const: '*' },
    }),
  ]
}

/** Returns the headers by which a request that creates or updates a resource does only one of them. */
export function upsertHeaderParameters(api: Api): Parameters {
  return [
    header(api, 'IfMatchUpsert', {
      name: 'If-Match',
      description:
        'The entity tag of the version that the client has read, or `*`: the resource is updated, and not created. The response is 412 if it does not exist, or is another version.',
      schema: text,
    }),
    header(api, 'IfNoneUpsert', {
      name: 'If-None-Match',
      description: '`*` creates the resource, and does not update it. The response is 412 if it exists.',
      schema: { type: 'string', const: '*' },
    }),
  ]
}

/** Returns the header that names the version of the written resource. */
export function versionParameters(api: Api, { version }: TypeContract): Parameters {
  if (version === null) return []
  const { required } = version
  return [
    header(api, required ? 'RequiredIfMatch' : 'IfMatch', {
      name: 'If-Match',
      required,
      description:
        'The entity tag of the version that the client has read, or `*`. The response is 412 if it is not current.',
      schema: text,
    }),
  ]
}

interface WriteHeaders {
  /** Whether a client may repeat the request with the same key. */
  readonly isKeyed: boolean
  /** Whether the client may choose what the response shows. */
  readonly isShown: boolean
}

/** The headers of writes. */
export function writeHeaderParameters(api: Api, { isKeyed, isShown }: WriteHeaders): Parameters {
  const { hasIdempotency, hasDryRuns } = api.server.traits
  const key = header.bind(null, api)
  if (api.isCompact) return []
  const preferences = [
    ...(isShown ? ['`return=minimal` or `return=representation`'] : []),
    ...(hasDryRuns ? ['`tx=rollback` changes nothing'] : []),
  ]
  return [
    ...(preferences.length === 0
      ? []
      : [
          key(isShown ? 'Prefer' : 'PreferRollback', {
            name: 'Prefer',
            description: `${preferences.join('; ')}; \`handling=strict\` refuses other preferences.`,
            schema: text,
          }),
        ]),
    ...(hasIdempotency && isKeyed
      ? [
          key('IdempotencyKey', {
            name: 'Idempotency-Key',
            description: 'A repeated request with the same key gets the response of the first one.',
            schema: { type: 'string', minLength: 1, maxLength: 255 },
          }),
        ]
      : []),
  ]
}

/** Returns the statuses of requests with a key: a caller may have too many. */
export function keyStatuses(
  { server: { traits } }: Api,
  { isKeyed }: Pick<WriteHeaders, 'isKeyed'>,
): readonly number[] {
  return traits.hasIdempotency && isKeyed ? [429] : []
}

/** Returns the response headers of writes: the applied preferences, and whether the response is an earlier one. */
export function writeHeaders(
  { server: { traits }, isCompact }: Api,
  { isKeyed, isShown }: WriteHeaders,
): readonly HeaderName[] {
  if (isCompact) return []
  return [
    ...(isShown || traits.hasDryRuns ? (['Preference-Applied'] as const) : []),
    ...(traits.hasIdempotency && isKeyed ? (['Idempotency-Replayed'] as const) : []),
  ]
}
