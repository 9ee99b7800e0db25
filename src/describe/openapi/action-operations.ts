import { isKeyedMethod } from '../../serve/parse/idempotency-key.js'
import { sentMediaTypes } from '../../declare/resource/actions/compiled-action.js'
import type { Bytes } from '../../declare/resource/replies/responses.js'
import { isActiveContent } from '../../core/document/accepted-types.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { actionSegment } from '../../serve/route/action-routes.js'
import { actionDocument } from './document-schemas.js'
import type { ActionContract, TypeContract } from '../contract/contract.js'
import type { Api } from './described-server.js'
import {
  keyStatuses,
  readHeaderParameters,
  versionParameters,
  writeHeaderParameters,
  writeHeaders,
} from './request-parameters.js'
import type { HeaderName } from './headers.js'
import { documentBody, operationOf } from './operation-parts.js'
import { singleParameters } from './query-parameters.js'
import { inputRequest } from './resource-schemas.js'
import { bytesContent, type Success } from './responses.js'
import { metaDocument } from './shared-schemas.js'
import {
  acceptedSuccess,
  noContent,
  notModified,
  pathItem,
  requiredVersion,
  seeOther,
  validatorNames,
  withJobParameters,
} from './type-operations.js'

/** Returns the path items of the actions of a type. */
export function actionPaths(api: Api, type: TypeContract): readonly (readonly [path: string, item: JsonSchema])[] {
  return type.actions.flatMap((action) => {
    const operations = action.methods.map((method, index) => [
      method.toLowerCase(),
      actionOperation(api, type, action, { method, isFirst: index === 0 }),
    ])
    const below = `${action.scope === 'resource' ? '/{id}' : ''}/${actionSegment}/${encodeURIComponent(action.path)}`
    return pathItem(api, type, below, Object.fromEntries(operations) as JsonSchema, { action: action.path })
  })
}

interface ActionMethod {
  readonly method: string
  /** The names of the operations of further methods end with the method. */
  readonly isFirst: boolean
}

function actionOperation(
  api: Api,
  type: TypeContract,
  action: ActionContract,
  { method, isFirst }: ActionMethod,
): JsonSchema {
  const isWrite = method !== 'GET'
  const isOnResource = action.scope === 'resource'
  const write = { isKeyed: isKeyedMethod(method), isShown: false }
  const headers = isWrite ? writeHeaders(api, write) : []
  const validators = isWrite ? [] : validatorsOf(api, action)
  return operationOf(api, type, {
    kind: 'action',
    action,
    suffix: isFirst ? '' : `.${method.toLowerCase()}`,
    summary: `${action.path} ${type.type}`,
    parameters: [
      ...shownParameters(api, action),
      ...(isWrite && isOnResource ? versionParameters(api, type) : []),
      ...(isWrite ? writeHeaderParameters(api, write) : readHeaderParameters(api, validators)),
    ],
    ...bodyOf(api, action),
    successes: [...actionSuccesses(api, action, headers, write.isKeyed), ...notModified(validators)],
    errors: [
      403,
      404,
      409,
      422,
      ...keyStatuses(api, write),
      ...(isWrite ? [412] : []),
      // A body that is no document may have any media type, but not any content coding.
      ...(action.input === 'none' ? [] : [413, 415]),
      ...(isWrite && isOnResource ? requiredVersion(type) : []),
    ],
    replacedBy: action.builtIn === 'forceDelete' ? ['afterDelete'] : [],
    requirement: action.access,
    isOpen: action.builtIn === null,
  })
}

/** Returns the type of the resources that an action responds with; `null` if there is none. */
function shownType(api: Api, { responses }: ActionContract): TypeContract | null {
  const shown = responses.find((response) => response.kind === 'actionResource')
  return shown === undefined || shown.type === null ? null : api.find(shown.type)
}

/** Returns the parameters of the documents that an action may respond with: resources, or a job. */
function shownParameters(api: Api, action: ActionContract): readonly JsonSchema[] {
  const served = shownType(api, action)
  return withJobParameters(api, served === null ? [] : singleParameters(api, served), action.responses)
}

/** Returns the headers of the resource that an action may respond with. */
function validatorsOf(api: Api, action: ActionContract): readonly HeaderName[] {
  const served = shownType(api, action)
  if (sentMediaTypes(action) !== null) return ['ETag', 'Last-Modified']
  return served === null ? [] : validatorNames(served)
}

function bytesHeaders({ mediaTypes }: Bytes): readonly HeaderName[] {
  const policy = mediaTypes.some(isActiveContent) ? (['Content-Security-Policy'] as const) : []
  return ['Content-Disposition', 'Accept-Ranges', 'ETag', 'Last-Modified', 'Cache-Control', ...policy]
}

function bodyOf(
  api: Api,
  { input, inputType, inputMediaTypes }: ActionContract,
): { readonly requestBody?: JsonSchema } {
  switch (input) {
    case 'none':
      return {}
    case 'raw':
      return inputMediaTypes === null
        ? { requestBody: { content: bytesContent(['*/*']) } }
        : { requestBody: { required: true, content: bytesContent(inputMediaTypes) } }
    case 'document': {
      const served = api.find(inputType)
      return served === null ? {} : { requestBody: documentBody(inputRequest(api, served)) }
    }
  }
}

function actionSuccesses(
  api: Api,
  { responses, builtIn }: ActionContract,
  headers: readonly HeaderName[],
  isKeyed: boolean,
): readonly Success[] {
  return responses.flatMap((response): readonly Success[] => {
    switch (response.kind) {
      case 'actionResource': {
        const served = response.type === null ? null : api.find(response.type)
        if (served === null) return []
        const schema = actionDocument(api, served, builtIn === null ? response.data : 'one')
        return [{ status: 200, description: 'The result.', schema, headers: [...headers, ...validatorNames(served)] }]
      }
      case 'metaResult':
        return [{ status: 200, description: 'The result.', schema: metaDocument(api), headers }]
      case 'bytes':
        return [
          {
            status: 200,
            description: 'The bytes.',
            schema: null,
            mediaTypes: response.mediaTypes,
            headers: [...headers, ...bytesHeaders(response)],
          },
        ]
      case 'noContent':
        return [{ ...noContent, headers }]
      case 'accepted':
        return [acceptedSuccess(api, response, isKeyed)]
      case 'seeOther':
        return [seeOther(headers)]
      default:
        return []
    }
  })
}
