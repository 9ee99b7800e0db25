import type { CompiledAction } from '../resource/actions/compiled-action.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { JsonSchema } from '../resource/json-schema.js'
import { actionSegment } from '../route/action-routes.js'
import { actionDocument } from './action-schemas.js'
import type { Api } from './described-server.js'
import { singleDocument } from './document-schemas.js'
import { versionParameters, writeHeaderParameters } from './header-parameters.js'
import { documentBody, operationOf } from './operation-parts.js'
import { singleParameters } from './query-parameters.js'
import { inputRequest } from './resource-schemas.js'
import type { Success } from './responses.js'
import type { Requirement } from './security.js'
import { namedRequirement } from './security.js'
import { metaDocument } from './shared-schemas.js'
import {
  acceptedSuccess,
  collectionPath,
  idParameter,
  noContent,
  replayed,
  requiredVersion,
  seeOther,
} from './type-operations.js'

/** Returns the path items of the actions of a type. */
export function actionPaths(api: Api, served: ServedType): readonly (readonly [path: string, item: JsonSchema])[] {
  const collection = collectionPath(served)
  return served.type.actions.map((action) => {
    const isOnResource = action.scope === 'resource'
    const path = `${isOnResource ? `${collection}/{id}` : collection}/${actionSegment}/${encodeURIComponent(action.path)}`
    const operations = action.methods.map((method, index) => [
      method.toLowerCase(),
      actionOperation(api, served, action, { method, isFirst: index === 0 }),
    ])
    const parameters = isOnResource ? { parameters: [idParameter(served)] } : {}
    return [path, { ...parameters, ...(Object.fromEntries(operations) as JsonSchema) }] as const
  })
}

interface ActionMethod {
  readonly method: string
  /** The names of the operations of further methods end with the method. */
  readonly isFirst: boolean
}

function actionOperation(
  api: Api,
  served: ServedType,
  action: CompiledAction,
  { method, isFirst }: ActionMethod,
): JsonSchema {
  const { type } = served
  const isWrite = method !== 'GET'
  const isOnResource = action.scope === 'resource'
  const hasDocument = action.input === 'document'
  return operationOf(api, served, {
    operationId: `action.${type.type}.${action.path}${isFirst ? '' : `.${method.toLowerCase()}`}`,
    summary: `${action.path} ${type.type}`,
    description: action.description,
    deprecation: action.deprecation,
    tags: action.tags,
    parameters: [
      ...shownParameters(api, action),
      ...(isWrite && isOnResource ? versionParameters(api, type) : []),
      ...(isWrite ? writeHeaderParameters(api, { isKeyed: method === 'POST' || method === 'PATCH' }) : []),
    ],
    ...bodyOf(api, action),
    successes: actionSuccesses(api, action),
    errors: [
      403,
      404,
      409,
      422,
      ...(isWrite ? [412] : []),
      ...(action.input === 'none' ? [] : [413]),
      ...(hasDocument ? [415] : []),
      ...(isWrite && isOnResource ? requiredVersion(served) : []),
    ],
    replacedBy: action.builtIn === 'forceDelete' ? ['afterDelete'] : [],
    requirement: requirementOf(api, served, action),
    isOpen: action.builtIn === null,
  })
}

/** An action that responds with resources takes the parameters of their documents. */
function shownParameters(api: Api, { responses }: CompiledAction): readonly JsonSchema[] {
  const shown = responses.find((response) => response.kind === 'actionResource')
  const served = shown === undefined || shown.type === null ? null : api.find(shown.type)
  return served === null ? [] : singleParameters(api, served)
}

function bodyOf(api: Api, { input, inputType }: CompiledAction): { readonly requestBody?: JsonSchema } {
  switch (input) {
    case 'none':
      return {}
    case 'raw':
      return { requestBody: { content: { 'application/octet-stream': { schema: {} } } } }
    case 'document': {
      const served = api.find(inputType)
      return served === null ? {} : { requestBody: documentBody(inputRequest(api, served)) }
    }
  }
}

function actionSuccesses(api: Api, { responses, builtIn }: CompiledAction): readonly Success[] {
  return responses.flatMap((response): readonly Success[] => {
    switch (response.kind) {
      case 'actionResource': {
        const served = response.type === null ? null : api.find(response.type)
        if (served === null) return []
        const schema = builtIn === null ? actionDocument(api, served) : singleDocument(api, served)
        return [{ status: 200, description: 'The result.', schema, headers: actionHeaders(api, served) }]
      }
      case 'metaResult':
        return [
          {
            status: 200,
            description: 'The result.',
            schema: metaDocument(api),
            headers: ['Preference-Applied', ...replayed(api)],
          },
        ]
      case 'noContent':
        return [{ ...noContent, headers: ['Preference-Applied', ...replayed(api)] }]
      case 'accepted':
        return acceptedSuccess(api, response)
      case 'seeOther':
        return [seeOther(api)]
      default:
        return []
    }
  })
}

function actionHeaders(api: Api, { type }: ServedType): Success['headers'] & {} {
  return [
    'Preference-Applied',
    ...replayed(api),
    ...(type.version === null ? [] : (['ETag'] as const)),
    ...(type.lastModified === null ? [] : (['Last-Modified'] as const)),
  ]
}

/** A function of the application may refuse nobody, or not. */
function requirementOf({ server }: Api, served: ServedType, { ability, allowed }: CompiledAction): Requirement {
  if (typeof ability === 'string') return namedRequirement(server, served, ability)
  return allowed === null ? 'none' : 'some'
}
