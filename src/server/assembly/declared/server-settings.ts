import type { DataSource } from '../../../stores/common/data-source.js'
import type { ErrorSettings } from '../../../core/errors/error-settings.js'
import type { RequestLogger } from '../../../core/http/request-log.js'
import type { Handler } from '../../../serve/handler/handler.js'
import type { ContentCoding } from '../../../core/http/content-coding.js'
import type { ActionCall } from '../../../serve/operation/action-call.js'
import type { ExtensionCall } from '../../../serve/operation/extension-call.js'
import type { Operation } from '../../../serve/operation/operation.js'
import type { AnyPaginator } from '../../../declare/pagination/paginator.js'
import type { filterTreeProfile, Profile } from '../../../declare/profiles/profile.js'
import type { AnyResource, CheckedResources } from '../../../declare/resource/define/resource-types.js'
import type { Awaitable } from '../../../core/util/types.js'
import type { Middleware } from '../../../declare/resource/request/middleware.js'
import type { CompressionSettings } from './compression-settings.js'
import type { CorsSettings } from './cors-settings.js'
import type { ServerExtension } from './extension.js'
import type { IdempotencySettings } from './idempotency-settings.js'
import type { OpenApiSettings } from '../../../describe/openapi/openapi-settings.js'
import type { OverloadSettings } from './overload-settings.js'
import type { QueryCostSettings } from './query-cost-settings.js'
import type { Telemetry } from './telemetry.js'
import type { SharedPolicy } from '../../../declare/resource/policy/policy.js'
import type { CacheHeaders } from '../../../declare/resource/parts/cache-headers.js'
import type { LinkagePolicy } from '../../../declare/resource/relations/relation-spec.js'

/** Settings of the default server that a named server has too, unless it has its own. */
export interface InheritedSettings extends ErrorSettings {
  /** The base of every link. Default: the scheme and host of the request. */
  readonly baseUri?: string
  /**
   * Who may do what with the resources of all types that declare no policy of their own. Without it, everybody may do everything
   * with them: see `access`.
   */
  readonly policy?: SharedPolicy
  /** The version in the `jsonapi` object; empty to leave it out. Default: `1.1`. */
  readonly version?: string
  /** The `meta` of the `jsonapi` object. */
  readonly jsonapiMeta?: Readonly<Record<string, unknown>>
  /** The paginator of types that declare none; `null` for no pagination. */
  readonly pagination?: AnyPaginator | null
  /** The largest page size of the built-in paginator; 0 turns it off. Default: 100. */
  readonly maxPageSize?: number
  /** The depth of `include`. 0 or a negative number means no limit. Default: no limit. */
  readonly maxIncludeDepth?: number
  /** Whether unknown members of a request body are ignored or an error. Default: `ignore`. */
  readonly unknownMembers?: 'ignore' | 'reject'
  /**
   * Whether a PATCH also checks stored values that it does not send, so that one of them can make it 422. Default: false.
   */
  readonly validateStored?: boolean
  /**
   * Whether relationships show linkage in every response, or only if the related rows are read for it, as when they are
   * included. A type, and a relation by `withData()` and `withoutData()`, may override it. Default: `whenLoaded`.
   */
  readonly linkage?: LinkagePolicy
  /**
   * Whether every relationship write responds with 200 and the resulting linkage. By default it responds with 204 if the
   * members are those that the request names.
   */
  readonly respondWithLinkage?: boolean
  /**
   * The `Cache-Control` and `Vary` headers of the successful reads of all types. A directive of a type replaces the
   * default. A type with a policy, or on a server with authentication, is `private` despite the defaults.
   */
  readonly cacheHeaders?: CacheHeaders
  /** The header `Deprecation` of all responses. A type with `deprecation: false` has none of the three headers. */
  readonly deprecation?: boolean | string
  /** The header `Sunset` of all responses: an HTTP date. */
  readonly sunset?: string
  /** The URL of the `Link` header with `rel="sunset"`, which is sent with a date. */
  readonly sunsetLink?: string
  /** Whether unknown query parameters are an error. Default: true. */
  readonly strictQueryParameters?: boolean
  /**
   * Whether a key of `page` that the list does not read is an error: `page[offset]` of a list with page numbers. Otherwise it is ignored, so
   * that a client with other page keys gets the first page again and again. Default: false.
   */
  readonly strictPages?: boolean
  /** Query parameter families of the application. */
  readonly queryFamilies?: readonly string[]
  /** The profiles that clients may request. Default: `defaultProfiles`. */
  readonly profiles?: readonly Profile[]
  /**
   * The content codings that the body of a request may have, `[]` for none; another one is 415. Default: `gzip`, `deflate` and `br`.
   */
  readonly requestEncodings?: readonly ContentCoding[]
  readonly limits?: Limits
  /** How much a request may cost, which is computed before anything is read; `false` for no limit. Default: false. */
  readonly queryCost?: QueryCostSettings | false
  /**
   * Whether the server serves its OpenAPI document at `/docs.json` and its JSON Schemas at `/schemas.json`; an object sets their
   * contents. A named server serves them at `/{server}/docs.json` and `/{server}/schemas.json`. Default: false.
   */
  readonly openapi?: boolean | OpenApiSettings
}

/**
 * A named server: the prefix and host of its routes, and the settings in which it differs from the default server.
 *
 * @example
 * ```ts
 * const admin: NamedServer = { prefix: '/admin', host: 'staff.music.example', maxPageSize: 1000 }
 * const adminAlbums = albums.with({ server: 'admin' })
 * const adminArtists = artists.with({ server: 'admin' })
 * createServer({ resources: [adminAlbums, adminArtists], data: memoryData(), servers: { admin } })
 * ```
 */
export interface NamedServer extends InheritedSettings {
  /** The prefix of every path of the server: `/admin`. */
  readonly prefix?: string
  /** The only host that the server responds to. */
  readonly host?: string
  /**
   * `manual` leaves the routes to the application, which places them in a group of its router by `placeRoutes()` of
   * `ashlar/express`, `ashlar/fastify`, `ashlar/hono` or `ashlar/nest`. The group has the prefix and the host. Default: `automatic`.
   */
  readonly routing?: 'automatic' | 'manual'
  /** Runs in front of the routes of the server, in this order. */
  readonly middleware?: readonly Middleware[]
  /** Whether a repeated request with the same `Idempotency-Key` gets the response of the first one. Default: false. */
  readonly idempotency?: boolean | IdempotencySettings
  /** Which web pages of other origins may use the server; `false` for none. Default: as the default server. */
  readonly cors?: CorsSettings | false
}

/**
 * Limits for requests and error responses. A request beyond a limit gets an error response.
 *
 * @example
 * ```ts
 * const limits: ServerSettings['limits'] = { bodyBytes: 64 * 1024, includePaths: 10 }
 * createServer({ resources: [albums, artists], data: memoryData(), limits })
 * ```
 */
export interface Limits {
  /** Bytes of a request body. Default: 1 MiB. */
  readonly bodyBytes?: number
  /** Levels of nested JSON. Default: 64. */
  readonly jsonDepth?: number
  /** Characters of path and query. Default: 16,384. */
  readonly uriLength?: number
  /** Paths of `include`. Default: 100. */
  readonly includePaths?: number
  /** Keys of `sort`. Default: 100. */
  readonly sortKeys?: number
  /** Values of one filter. Default: 1,000. */
  readonly filterValues?: number
  /** Values of one filter in the body of a QUERY request. Default: 10,000, or `filterValues` if that is more. */
  readonly queryFilterValues?: number
  /** Nested `and`, `or` and `not` in the filters of a QUERY request in JSON. Default: 8. */
  readonly filterDepth?: number
  /** Filters in a QUERY request in JSON. Default: 100. */
  readonly filterLeaves?: number
  /** Characters in one value of a filter. Default: 1,000. */
  readonly filterValueLength?: number
  /** Items of lists and objects in the attributes of one resource of a request body. Default: 5,000. */
  readonly attributeItems?: number
  /** Identifiers in one relationship of a request body. Default: 10,000. */
  readonly identifiers?: number
  /** Resources of a list without pages. Default: 50,000. */
  readonly resources?: number
  /** Included resources of a document. Default: 10,000. */
  readonly includedResources?: number
  /** Identifiers in the linkage of a document, without the first one of each included resource. Default: 10,000. */
  readonly linkage?: number
  /** Bytes of a document that is read. Default: 16 MiB. */
  readonly documentBytes?: number
  /** Errors in one response. Default: 100. */
  readonly errors?: number
}

/** The settings of a server: the argument of {@link createServer}. */
export interface ServerSettings<Resources extends readonly AnyResource[] = readonly AnyResource[]>
  extends InheritedSettings {
  readonly resources: Resources & CheckedResources<Resources>
  /** The stores of the types. A type's own provider and persister take precedence. */
  readonly data?: DataSource | readonly DataSource[]
  /** Named servers in addition to `default`. An entry `default` has the settings of the default server. */
  readonly servers?: Readonly<Record<string, NamedServer>>
  /** Runs in front of the routes of the default server, in this order. Named servers have their own. */
  readonly middleware?: readonly Middleware[]
  /**
   * Whether a repeated POST, PATCH or PUT request with the same `Idempotency-Key` gets the response of the first one, on the default
   * server. Named servers have their own setting. Default: false, which ignores the header.
   */
  readonly idempotency?: boolean | IdempotencySettings
  /** Which web pages of other origins may use the service. Default: none, which leaves the headers of CORS out. */
  readonly cors?: CorsSettings
  /**
   * Whether the process refuses requests beyond a limit with 503 responses; an object sets the limits. Default: false.
   */
  readonly overload?: boolean | OverloadSettings
  /**
   * The bytes of memory for all request bodies that are received, decompressed and parsed at the same time, for all servers. If it is
   * used up, the slowest clients get a 503 response; if no client is slow, new bodies do. Default: 64 MiB, or eight times the largest
   * `limits.bodyBytes` if that is more.
   */
  readonly bodyMemory?: number
  /**
   * `open` says that everybody may use types without a policy on purpose. A server that knows no callers is then silent; without
   * this setting, it logs one line when it starts. A server that knows callers does not build with a type that has no policy.
   */
  readonly access?: 'open'
  /** Gets an entry for each request, when its response is ready. A pino logger fits. Default: none. */
  readonly requestLog?: RequestLogger | null
  /**
   * Whether every response has the header `X-Request-Id`: the id that the client or a proxy has sent, or a generated one. Log entries have
   * the same id. Default: false.
   */
  readonly requestIds?: boolean
  /** Traces and metrics: `openTelemetry()` of `ashlar/opentelemetry`. Default: none, which costs nothing. */
  readonly telemetry?: Telemetry | null
  /**
   * Whether responses are compressed for clients that accept it, on all servers and by all adapters. Default: false.
   */
  readonly compression?: boolean | CompressionSettings
  /** Serializers and hydrators that declarations refer to by name. */
  readonly services?: Readonly<Record<string, unknown>>
  /**
   * `hash` gives every type that declares no `version` a hash of its stored rows as version. Default: `declared`, which
   * leaves such types without versions.
   */
  readonly versions?: 'declared' | 'hash'
  /**
   * The secret of the service, at least 16 characters, the same in all of its processes. It encrypts cursors, and makes hashes as
   * versions, for which it is required. Of a list, the first one is used, and cursors of all of them are accepted: so you can
   * replace a secret. Without a secret, cursors are valid only in the process that made them.
   */
  readonly secret?: string | readonly string[] | undefined
  /**
   * Whether clients may try a write without an effect: a request with `Prefer: tx=rollback` is rolled back, and gets the response of
   * a real one. Default: false.
   */
  readonly dryRun?: boolean
  /** Whether the root of each server is a document with links to its collections. Default: true. */
  readonly rootDocument?: boolean
  /**
   * Whether to take the URL that the client used from the headers of a proxy: `Forwarded`, or `X-Forwarded-Proto`,
   * `-Host`, `-Port` and `-Prefix`. Default: false.
   */
  readonly trustProxy?: boolean
  /**
   * The hosts that the server serves: `['music.example', '*.music.example', 'localhost:3000']`. A request to another host
   * gets a 421 response. Default: all hosts.
   */
  readonly allowedHosts?: readonly string[]
  /**
   * Runs once for every operation, every action and every call of an extension, before it is handled. An error that it
   * throws becomes the response. A batch of atomic operations is one call.
   */
  readonly serving?: (operation: Operation | ActionCall | ExtensionCall) => Awaitable<void>
  /**
   * Returns a handler that replaces the built-in one, which is its argument; `null` for a server that handles nothing.
   */
  readonly handler?: ((builtIn: Handler) => Handler) | null
  /** JSON:API extensions, each with its own path: `[atomic({ path: '/operations' })]`. */
  readonly extensions?: readonly ServerExtension[]
}

/** The names of the settings that clients depend on. */
type ClientSetting = 'dryRun' | 'extensions' | 'idempotency' | 'linkage' | 'maxPageSize' | 'pagination' | 'servers'

/** Lets the compiler infer the literal types of the settings that clients depend on, and of no others. */
export type GivenServerSettings<Settings> = { readonly [Name in keyof Settings & ClientSetting]?: Settings[Name] }

/** The settings that clients depend on. */
export type ClientSettings = Pick<ServerSettings, ClientSetting>

/**
 * The settings that clients depend on, without middleware and other functions. The type is that of a member, because declarations that
 * an application emits then show the result instead of all settings.
 */
export interface PickedServerSettings<Settings, Each = never> {
  readonly picked: FilterTrees<Each> & {
    readonly [Name in keyof Settings & ClientSetting]?: Name extends 'servers'
      ? {
          readonly [Server in keyof Settings[Name]]: PickedMembers<
            Settings[Name][Server],
            ClientSetting | 'profiles'
          >['picked']
        }
      : Name extends 'extensions'
        ? Settings[Name] extends readonly (infer Extension)[] | undefined
          ? PickedMembers<Extension, 'uri' | 'path' | 'enabled'>['picked']
          : never
        : Settings[Name]
  }
}

/** Of the profiles, clients depend on the one of filter trees. */
type FilterTrees<Each> = [Extract<Each, typeof filterTreeProfile>] extends [never]
  ? unknown
  : { readonly filterTrees: true }

interface PickedMembers<Whole, Names> {
  readonly picked: { readonly [Name in keyof Whole & Names]: Whole[Name] }
}
