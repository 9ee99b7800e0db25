import { MEDIA_TYPE } from '../../core/document/media-type.js'
import { memoize } from '../../core/util/memoize.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { ActionContract, RelationContract, Requirement, TypeContract } from '../contract/contract.js'
import type { Api } from './described-server.js'
import { deprecatedMembers, deprecationNotes } from '../contract/deprecated-members.js'
import { deprecatedByHeaders } from './deprecated-by-headers.js'
import { commonParameters } from './request-parameters.js'
import type { HeaderName } from './headers.js'
import { bodyHeaders, commonHeaders, headersMember } from './headers.js'
import type { ResourceHooks } from '../../declare/resource/events/hooks.js'
import type { Responses, Success } from './responses.js'
import { commonStatuses, errorResponses, successResponses } from './responses.js'
import { securityOf } from './security.js'

/** The parts of an operation that differ from one to another. */
export interface OperationParts {
  /** The beginning of its id. The names of the type and of the relation or the action follow. */
  readonly kind: string
  /** The relation that it reads or changes. */
  readonly relation?: RelationContract
  readonly action?: ActionContract
  /** The end of the id of an operation with a further method of an action. */
  readonly suffix?: string
  readonly summary: string
  readonly parameters?: readonly JsonSchema[]
  readonly requestBody?: JsonSchema
  readonly successes: readonly Success[]
  /** The statuses of errors besides those that every request may have. */
  readonly errors: readonly number[]
  readonly requirement: Requirement
  /** The hooks that may replace the response. */
  readonly replacedBy?: readonly (keyof ResourceHooks)[]
  /** Whether functions of the application may fail with other statuses. */
  readonly isOpen?: boolean
}

/** Returns an operation of a type: https://spec.openapis.org/oas/v3.1.0#operation-object */
export function operationOf(api: Api, type: TypeContract, parts: OperationParts): JsonSchema {
  const { kind, relation, action, parameters = [], requestBody, requirement } = parts
  const { description, deprecation } = relation ?? action ?? { description: type.description, deprecation: null }
  const sentences = [description ?? '', ...deprecationNotes(deprecation)].filter((text) => text !== '')
  const isOpen = parts.isOpen === true || hasApplicationCode(api, type)
  const member = relation?.name ?? action?.path
  return {
    operationId: `${kind}.${type.type}${member === undefined ? '' : `.${member}`}${parts.suffix ?? ''}`,
    ...(api.isCompact ? {} : { summary: parts.summary }),
    ...(sentences.length === 0 ? {} : { description: sentences.join('\n\n') }),
    tags: action === undefined || action.tags.length === 0 ? tagsOf(type) : [...action.tags],
    ...deprecatedByHeaders(api, type),
    ...deprecatedMembers(deprecation),
    ...parametersMember([...parameters, ...commonParameters(api, requestBody !== undefined)]),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      ...successResponses(api, type, parts.successes),
      ...replacements(api, type, parts.replacedBy ?? []),
      ...errorResponses(api, [...commonStatuses(api), ...gateStatuses(requirement), ...parts.errors], isOpen),
    },
    ...securityOf(api.server, requirement),
  }
}

/** Returns the member `parameters` of an operation, if it has any. */
export function parametersMember(parameters: readonly JsonSchema[]): { readonly parameters?: readonly JsonSchema[] } {
  return parameters.length === 0 ? {} : { parameters }
}

/** Returns the statuses of policies: 401 for anonymous requests, and 403 for other callers. */
function gateStatuses(requirement: Requirement): readonly number[] {
  return requirement === 'open' ? [] : [401, 403]
}

/** Returns the responses by which hooks may replace the response. */
function replacements(api: Api, { hooks }: TypeContract, names: readonly (keyof ResourceHooks)[]): Responses {
  if (!names.some((name) => hooks.includes(name))) return {}
  const headers: readonly HeaderName[] = ['Content-Location', 'Retry-After', 'Preference-Applied']
  return {
    '2XX': {
      description: 'A response of the application.',
      ...headersMember(api, [...commonHeaders(api), ...bodyHeaders(api), ...headers]),
      content: { [MEDIA_TYPE]: { schema: { type: 'object' } } },
    },
  }
}

/** Whether functions of the application may fail with any status: those of the type, handlers, and middleware. */
export function hasApplicationCode({ server: { traits } }: Api, type: TypeContract): boolean {
  return type.hasApplicationCode || traits.hasCustomCode || traits.hasOtherMiddleware
}

/** Returns the tags of a type: as declared, or its name as separate words. */
export const tagsOf: (type: TypeContract) => readonly string[] = memoize(({ tags, type }) =>
  tags.length > 0 ? [...tags] : [inWords(type)],
)

/** `publicProfiles` and `public-profiles` become `Public profiles`. */
function inWords(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Returns the body of a request that must have a document. */
export function documentBody(schema: JsonSchema): JsonSchema {
  return { required: true, content: { [MEDIA_TYPE]: { schema } } }
}
