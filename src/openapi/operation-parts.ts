import { MEDIA_TYPE } from '../document/media-type.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { JsonSchema } from '../resource/json-schema.js'
import type { Api } from './described-server.js'
import type { Success } from './responses.js'
import { commonStatuses, errorResponses, successResponses } from './responses.js'
import type { Requirement } from './security.js'
import { securityOf } from './security.js'

/** The parts of an operation that differ from one to another. */
export interface OperationParts {
  readonly operationId: string
  readonly summary: string
  readonly description?: string | null
  readonly tags?: readonly string[]
  readonly parameters?: readonly JsonSchema[]
  readonly requestBody?: JsonSchema
  readonly successes: readonly Success[]
  /** The statuses of errors besides those that every request may have. */
  readonly errors: readonly number[]
  readonly requirement: Requirement
  /** Whether functions of the application may fail with other statuses. */
  readonly isOpen?: boolean
}

/** Returns an operation of a type: https://spec.openapis.org/oas/v3.1.0#operation-object */
export function operationOf(api: Api, { type }: Pick<ServedType, 'type'>, parts: OperationParts): JsonSchema {
  const { operationId, summary, description = null, tags, parameters = [], requestBody, requirement } = parts
  const isOpen = parts.isOpen === true || hasApplicationCode(api, type)
  return {
    operationId,
    summary,
    ...(description === null ? {} : { description }),
    tags: tags === undefined || tags.length === 0 ? tagsOf(type) : [...tags],
    ...(isDeprecated(api, type) ? { deprecated: true } : {}),
    ...(parameters.length === 0 ? {} : { parameters: [...parameters] }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      ...successResponses(api, type, parts.successes),
      ...errorResponses(api, [...commonStatuses(api), ...parts.errors], isOpen),
    },
    ...securityOf(api.server, requirement),
  }
}

/** Hooks, handlers and middleware of the application may fail with any status. */
function hasApplicationCode({ server: { traits } }: Api, { hooks }: CompiledType): boolean {
  return hooks !== null || traits.hasCustomCode || traits.hasOtherMiddleware
}

function isDeprecated({ server }: Api, type: CompiledType): boolean {
  return server.headersOf(type).always.includes('Deprecation')
}

/** Returns the tags of a type: as declared, or its name in words. */
export function tagsOf({ tags, type }: CompiledType): readonly string[] {
  return tags.length > 0 ? [...tags] : [inWords(type)]
}

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
