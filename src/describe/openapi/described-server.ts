import type { Profile } from '../../declare/profiles/profile.js'
import type { Contract, TypeContract } from '../contract/contract.js'
import type { ContractedServer } from '../contract/server-contract.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { ExtensionRoute } from '../../serve/route/route-server.js'
import type { ComponentNames } from './component-names.js'
import type { Components } from './components.js'
import type { OpenApiSettings, OpenApiVersion } from './openapi-settings.js'

/** A server with everything that its description depends on. It is computed when the server is built. */
export interface DescribedServer extends ContractedServer {
  readonly host: string | null
  /** Empty if links have the scheme and host of the request. */
  readonly baseUri: string
  /** Whether the server has a document at its root. */
  readonly hasRoot: boolean
  /** The version in the `jsonapi` object; empty if there is none. */
  readonly version: string
  readonly profiles: readonly Profile[]
  /** The query parameters of the application. */
  readonly queryFamilies: readonly string[]
  readonly extensions: readonly DescribedExtension[]
  readonly traits: ServerTraits
  readonly settings: OpenApiSettings
}

/** The features of a server that add errors, headers or parameters. */
export interface ServerTraits {
  /** The middleware that authenticates callers. */
  readonly authentication: readonly Authentication[]
  /** Whether responses may depend on the caller, and are then private. */
  readonly knowsCallers: boolean
  /** Whether every request without credentials is refused. */
  readonly requiresCredentials: boolean
  /** Whether some middleware is user-defined, so that its responses are not known. */
  readonly hasOtherMiddleware: boolean
  readonly limitsRate: boolean
  /** Whether functions of the application take part in every request: a handler, a listener, or exception mappers. */
  readonly hasCustomCode: boolean
  /** The statuses of the exception map. */
  readonly mappedStatuses: readonly number[]
  readonly hasIdempotency: boolean
  readonly hasDryRuns: boolean
  readonly hasOverload: boolean
  readonly hasQueryCost: boolean
  readonly hasReplicas: boolean
  readonly checksHosts: boolean
  readonly rejectsUnknownMembers: boolean
  readonly sendsRequestIds: boolean
  readonly isDebug: boolean
  readonly compresses: boolean
  /** The content codings that bodies of requests may have. */
  readonly requestEncodings: readonly string[]
  readonly hasCors: boolean
}

/** Middleware that authenticates callers. */
export interface Authentication {
  /** The header `WWW-Authenticate`. */
  readonly challenge: string
  /** The request header with the credentials. */
  readonly header: string
}

/** An extension that may describe its endpoint. */
export interface DescribedExtension extends ExtensionRoute {
  /** Returns the operation of the endpoint, an OpenAPI Operation Object. Default: one that does not describe bodies. */
  readonly describe?: (api: Api) => JsonSchema
  /** The names of the components that the description has. No type gets one of them. */
  readonly componentNames?: readonly string[]
}

/** A document while it is written. */
export interface Api {
  readonly server: DescribedServer
  readonly contract: Contract
  readonly version: OpenApiVersion
  readonly components: Components
  readonly names: ComponentNames
  /**
   * Whether the server has so many types that the document leaves out what repeats: see `MAX_DETAILED_TYPES`.
   */
  readonly isCompact: boolean
  /** Returns a type of the server. */
  readonly find: (type: string) => TypeContract | null
  /** Returns a type of the server, or of another server to which its relations refer. */
  readonly findReferenced: (type: string) => TypeContract | null
}
