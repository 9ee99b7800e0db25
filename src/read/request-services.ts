import { fail } from '../errors/json-api-error.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { RequestContext } from '../resource/request-context.js'
import type { PlanCache } from './plan-cache.js'
import type { SchemaValidator } from '../validation/schema-validator.js'

/** What the handlers need of a built server. */
export interface RequestServices {
  /** A type of a server, `null` for a name that it does not declare. */
  find(server: string, type: string): ServedType | null
  /** The most paths that one request may include, with those on the way to them. */
  readonly maxIncludePaths: number
  /** The server's limit for types that have none; 0 or less for no limit. */
  readonly maxIncludeDepth: number
  /** URIs of the registered profiles. */
  readonly profiles: ReadonlySet<string>
  /** Whether unknown members of a body are an error. */
  readonly unknownMembers: 'ignore' | 'reject'
  /** Whether unknown members of a fieldset are an error. */
  readonly strictFieldsets: boolean
  /** The most problems that one answer tells. */
  readonly maxErrors: number
  /** The most values that one filter may have. */
  readonly maxFilterValues: number
  /** Whether an update also checks stored values that were not sent. */
  readonly validateStored: boolean
  readonly schemas: SchemaValidator
  /** The cached read plans. */
  readonly plans: PlanCache
  /** Tells of a throwable that no answer tells of. */
  readonly report: (thrown: unknown) => void
}

/** The type of an operation; a program may dispatch one for a type that was never declared. */
export function servedType(services: RequestServices, { server, type }: RequestContext): ServedType {
  return services.find(server, type) ?? fail('NO_RESOURCE_REGISTERED', { type })
}
