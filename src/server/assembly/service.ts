import type { Inspection, PoolState } from '../../stores/common/data-source.js'
import type { CompiledErrorSettings } from '../../core/errors/error-settings.js'
import type { AccessExplanation, AccessQuestion } from '../explain/access-explanation.js'
import type { Handler } from '../../serve/handler/handler.js'
import type { EventTurns } from '../../core/http/event-turns.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { RequestCounter } from '../../core/http/request-counter.js'
import type { RequestLogger } from '../../core/http/request-log.js'
import type { Negotiator } from '../../serve/negotiate/negotiator.js'
import type { ActionCall } from '../../serve/operation/action-call.js'
import type { ServingEvent } from '../../serve/operation/serving-event.js'
import type { PageQuery } from '../../declare/pagination/page-url.js'
import type { QueryReader } from '../../serve/operation/query-reader.js'
import type { ResponseValue } from '../../serve/operation/response-value.js'
import type { RequestServices } from '../../serve/read/read-context.js'
import type { BodyBounds } from '../../serve/parse/body.js'
import type { Profile } from '../../declare/profiles/profile.js'
import type { ListenerList } from '../../core/util/listener-list.js'
import type { Middleware } from '../../declare/resource/request/middleware.js'
import type { TypeHeaders } from '../../declare/resource/compiled/type-headers.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { DocumentFrame } from '../../serve/render/document-frame.js'
import type { DocumentBuffer } from '../../serve/render/document-text.js'
import type { RouteTable } from '../../serve/route/route-table.js'
import type { AddListener } from './add-listener.js'
import type { CompiledCompression } from './declared/compression-settings.js'
import type { ServedExtension } from './declared/extension.js'
import type { WriteInspection } from './inspect-writes.js'
import type { ServerDescription } from './server-description.js'
import type { ServedCors } from './serve-cors.js'
import type { ServedIdempotency } from './serve-idempotency.js'
import type { ServedOverload } from './serve-overload.js'
import type { ServedReadAfter } from './serve-read-after.js'
import type { ServerStats } from './declared/server-stats.js'
import type { Telemetry } from './declared/telemetry.js'
import type { CallerHeaders } from './caller-headers.js'

/**
 * The result of `server.inspect()`.
 *
 * @example
 * ```ts
 * const { missing, writes } = await server.inspect()
 * if (missing.length > 0) throw new Error(missing.join('\n'))
 * ```
 */
export interface ServerInspection extends Inspection {
  /** How the writes of each type reach its store. */
  readonly writes: readonly WriteInspection[]
  /** The result of `server.stats()`: the state of the process. */
  readonly stats: ServerStats
}

/** The middleware of a server, and the challenge of its 401 responses. */
export interface ServerMiddleware {
  readonly list: readonly Middleware[]
  /** The value of `WWW-Authenticate`; `null` if no middleware authenticates callers. */
  readonly challenge: string | null
  /** The request headers that decide about the caller, as middleware declares them. */
  readonly vary: readonly string[]
  /** The response headers that it adds, for web pages of other origins. */
  readonly exposes: readonly string[]
}

/** The parts of a service that depend on settings which a named server may override. */
export interface ServerService {
  readonly services: RequestServices
  readonly negotiator: Negotiator
  /** The registered profiles. */
  readonly profiles: readonly Profile[]
  readonly readQuery: QueryReader
  /** The limits of a request body, and the memory that all servers share. */
  readonly bodies: BodyBounds
  readonly uriLength: number
  /** The media types of QUERY requests. */
  readonly queryMediaTypes: readonly string[]
  /** The maximum number of values in one filter of a QUERY request. */
  readonly queryFilterValues: number
  /** The maximum size of a document that is read. */
  readonly documentBytes: number
  /** The extensions by URI. */
  readonly extensions: ReadonlyMap<string, ServedExtension>
  /** Runs a request, and rolls its writes back; `null` if the setting `dryRun` is off. */
  readonly rollBack: (<Result>(call: ServingEvent['operation'], work: () => Promise<Result>) => Promise<Result>) | null
  /** `null` for a server that handles nothing. */
  readonly handler: Handler | null
  readonly runAction: (call: ActionCall) => Promise<ResponseValue>
  readonly errors: CompiledErrorSettings
  /** For errors that the application throws before the request reaches the server. They may have a status. */
  readonly errorsInFront: CompiledErrorSettings
  /** Empty if the base URI is taken from each request. */
  readonly baseUri: string
  readonly frame: DocumentFrame
  headersOf(type: CompiledType): TypeHeaders
  /** Whether some types, or responses that belong to no type, have headers. */
  readonly addsTypeHeaders: boolean
  /** Headers of responses that belong to no type: name, value, name, value. */
  readonly headersOfServer: readonly string[]
}

/** A built server, as the request pipeline uses it. It contains everything that can be computed at build time. */
export interface Service extends ServerService {
  readonly routes: RouteTable
  /** The names of the servers. */
  readonly servers: readonly string[]
  /** Returns a request as the client has sent it, before proxies have changed it; `null` without the setting `trustProxy`. */
  readonly clientRequest: ((request: HttpRequest) => HttpRequest) | null
  /** Returns the URL before the path of a request: of its origin and its prefix. */
  readonly baseUrl: (origin: string, prefix: string) => string
  /** The buffer that all documents use, one after the other. */
  readonly documentBuffer: DocumentBuffer
  /** Returns the query string of a link to another page. */
  readonly pageQuery: PageQuery
  /** The middleware by the name of the server. A server without middleware has no entry. */
  readonly middleware: ReadonlyMap<string, ServerMiddleware>
  /** The request headers that decide about the caller, for `Vary`. */
  readonly callerHeaders: CallerHeaders
  /** The setting `cors` by the name of the server. A server without it has no entry. */
  readonly cors: ReadonlyMap<string, ServedCors>
  /** The setting `idempotency` by the name of the server. A server without it has no entry. */
  readonly idempotency: ReadonlyMap<string, ServedIdempotency>
  /** Lets clients see what they have written; `null` if no store has read replicas. */
  readonly readAfter: ServedReadAfter | null
  /** The order of requests that the event loop emits. */
  readonly turns: EventTurns
  /** The setting `overload`; `null` if all requests are handled. */
  readonly overload: ServedOverload | null
  readonly requests: RequestCounter
  /** Whether requests are not only counted, but also logged, traced, or identified by a header. */
  readonly isObserved: boolean
  /** The setting `requestLog`. */
  readonly requestLog: RequestLogger | null
  /** The setting `telemetry`. */
  readonly telemetry: Telemetry | null
  /** Whether responses have the header `X-Request-Id`. */
  readonly sendsRequestIds: boolean
  /** The listeners that run once for each request, before it is handled. They may throw. */
  readonly serving: ListenerList<ServingEvent>
  readonly addListener: AddListener
  /** Whether a host is served; `null` if all are. */
  readonly isAllowedHost: ((host: string) => boolean) | null
  /** Returns the service with the settings of a named server. */
  forServer(name: string): Service
  /** The paths of OpenAPI documents that documents link to, by the name of the server. */
  readonly describedby: ReadonlyMap<string, string>
  /** How the files of descriptions are compressed; `null` if they are not. */
  readonly fileCompression: CompiledCompression | null
  /** Returns the descriptions of a server; `null` if there is no such server. */
  describe(server: string): ServerDescription | null
  /**
   * Returns the types of a server that have no policy, so that everybody may use them. Without a name: of all servers whose routing is
   * automatic.
   */
  typesWithoutPolicy(server?: string): readonly string[]
  /** Logs once that the service is open. Called when it becomes ready, and by each request; `null` if it is not open. */
  readonly start: (() => void) | null
  /** The names of the types without duplicates. */
  readonly types: readonly string[]
  /** Returns the reason why the server cannot check values in this process; `null` if it can. */
  readonly codeGenerationProblem: () => Error | null
  /** Returns the rule of a policy that decides about a caller. */
  explain(question: AccessQuestion): Promise<AccessExplanation>
  /** Removes the expired responses of all stores. Returns their number. */
  removeExpiredKeys(): Promise<number>
  /** Runs a cheap query on each store. Rejects if one does not respond. */
  pingStores(limit: number): Promise<void>
  /** Rejects if a read replica of a store cannot serve requests; `null` if there are none. */
  readonly pingReplicas: (() => Promise<void>) | null
  /** Returns the state of the connection pools of all stores. */
  pools(): readonly PoolState[]
  /** Returns the current work of the server, and counts since it was created. */
  stats(): ServerStats
  /** Compares the stores with the declarations, and reports how writes reach the stores. */
  inspect(): Promise<ServerInspection>
}
