import type { CompiledType } from '../resource/compiled-type.js'
import type { JsonSchema } from '../resource/json-schema.js'
import type { Api } from './described-server.js'

type Parameters = readonly JsonSchema[]

function header(api: Api, key: string, parameter: JsonSchema): JsonSchema {
  return api.components.ref('parameters', key, () => ({ in: 'header', ...parameter }))
}

const text: JsonSchema = Object.freeze({ type: 'string' })

/** The headers that all requests may have. */
export function commonParameters(api: Api, hasBody: boolean): Parameters {
  const { hasReplicas, sendsRequestIds, requestEncodings } = api.server.traits
  const key = header.bind(null, api)
  return [
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
    ...(hasBody && requestEncodings.length > 0
      ? [
          key('ContentEncoding', {
            name: 'Content-Encoding',
            description: 'How the body is compressed.',
            schema: { type: 'string', enum: requestEncodings },
          }),
        ]
      : []),
  ]
}

/** The headers of reads whose responses have an entity tag. */
export function readHeaderParameters(api: Api, isTagged: boolean): Parameters {
  if (!isTagged) return []
  return [
    header(api, 'IfNoneMatch', {
      name: 'If-None-Match',
      description: 'The entity tags that the client has. The response is 304 if one of them is current.',
      schema: text,
    }),
  ]
}

/** The header that names the version that a write is about. */
export function versionParameters(api: Api, { version }: CompiledType): Parameters {
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

/** The headers of all writes. */
export function writeHeaderParameters(api: Api, { isKeyed }: { readonly isKeyed: boolean }): Parameters {
  const { hasIdempotency, hasDryRuns } = api.server.traits
  const key = header.bind(null, api)
  return [
    key('Prefer', {
      name: 'Prefer',
      description: `\`return=minimal\` or \`return=representation\`${hasDryRuns ? '; `tx=rollback` changes nothing' : ''}; \`handling=strict\` refuses other preferences.`,
      schema: text,
    }),
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
