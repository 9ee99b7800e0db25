import { MEDIA_TYPE } from '../../core/document/media-type.js'
import { memoize } from '../../core/util/memoize.js'
import type { CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import type { RelationSpec } from '../../declare/resource/relations/relation-spec.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Api } from './described-server.js'
import { deprecatedByHeaders, deprecatedMembers, deprecationNotes } from './deprecated-members.js'
import { commonParameters } from './request-parameters.js'
import type { HeaderName } from './headers.js'
import { bodyHeaders, commonHeaders, headersMember } from './headers.js'
import type { ResourceHooks } from '../../declare/resource/events/hooks.js'
import type { Responses, Success } from './responses.js'
import { commonStatuses, errorResponses, successResponses } from './responses.js'
import type { Requirement } from './security.js'
import { securityOf } from './security.js'

/** The parts of an operation that differ from one to another. */
export interface OperationParts {
  /** The beginning of its id. The names of the type and of the relation or the action follow. */
  readonly kind: string
  /** The relation that it reads or changes. */
  readonly relation?: ServedRelation
  readonly action?: CompiledAction
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
export function operationOf(api: Api, served: ServedType, parts: OperationParts): JsonSchema {
  const { type } = served
  const { kind, relation, action, parameters = [], requestBody, requirement } = parts
  const { description, deprecation } = relation?.spec ?? action ?? { description: type.description, deprecation: null }
  const sentences = [description ?? '', ...deprecationNotes(deprecation)].filter((text) => text !== '')
  const isOpen = parts.isOpen === true || hasApplicationCode(api.server, served)
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
function replacements(api: Api, { hooks }: CompiledType, names: readonly (keyof ResourceHooks)[]): Responses {
  if (names.every((name) => hooks?.[name] === undefined)) return {}
  const headers: readonly HeaderName[] = ['Content-Location', 'Retry-After', 'Preference-Applied']
  return {
    '2XX': {
      description: 'A response of the application.',
      ...headersMember(api, [...commonHeaders(api), ...bodyHeaders(api), ...headers]),
      content: { [MEDIA_TYPE]: { schema: { type: 'object' } } },
    },
  }
}

/** Whether functions of the application may fail with any status: hooks, providers, handlers, middleware, and functions of fields. */
export function hasApplicationCode({ traits }: Api['server'], served: ServedType): boolean {
  const { type, isReadByStore, serializer, hydrator } = served
  return (
    type.hooks !== null ||
    !isReadByStore ||
    serializer !== null ||
    hydrator !== null ||
    traits.hasCustomCode ||
    traits.hasOtherMiddleware ||
    hasFieldFunctions(type)
  )
}

/** Memoized: each operation of a type asks. */
const hasFieldFunctions = memoize(({ attributes, relations }: CompiledType): boolean =>
  [...attributes, ...relations].some(({ spec }) => hasFunction(spec)),
)

function hasFunction(spec: AttributeSpec | RelationSpec): boolean {
  if (spec.extract !== null || spec.fill !== null) return true
  return spec.role === 'attribute' && (spec.serialize !== null || spec.deserialize !== null)
}

/** Returns the tags of a type: as declared, or its name as separate words. */
export const tagsOf: (type: CompiledType) => readonly string[] = memoize(({ tags, type }) =>
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
