import { fetchAdapter, type FetchHandler } from '../../serve/adapters/fetch.js'
import { nodeAdapter, type NodeListener } from '../../serve/adapters/node.js'
import type { Profile } from '../../declare/profiles/profile.js'
import type { RemoveListener } from '../assembly/add-listener.js'
import type { ServerStats } from '../assembly/declared/server-stats.js'
import type { ServerDescription } from '../assembly/server-description.js'
import type { ServerInspection, Service } from '../assembly/service.js'
import type { ServingEvent } from '../../serve/operation/serving-event.js'
import type { AccessExplanation, AccessQuestion } from '../explain/access-explanation.js'
import type { ReadExplanation, ReadQuestion } from '../explain/read-explanation.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { HttpResponse } from '../../core/http/response.js'
import type { AnyTarget } from '../../serve/route/route-table.js'
import type { Listener, TypeEventName } from '../../declare/resource/events/type-events.js'
import { compiledCompression } from '../assembly/declared/compression-settings.js'
import type { OpenApiDocument, OpenApiSettings } from '../../describe/openapi/openapi-settings.js'
import { contractText } from '../../describe/types/contract-text.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { AnyResource, RowOfType, TypedServer } from '../../declare/resource/define/resource-types.js'
import type { RouteDescription, RouteParameters, ServedPath } from '../../serve/route/route-description.js'
import { buildService } from '../assembly/build-service.js'
import { responseCompression } from './compress-response.js'
import { explainUrl } from './explain-url.js'
import { type DispatchInput, dispatch, type Dispatched } from './dispatch.js'
import { notReady } from '../assembly/inspect-stores.js'
import { serverUrl, type UrlOptions } from './server-url.js'
import type { HandleOptions } from './handle-options.js'
import { type Health, healthOf } from './health.js'
import type { HealthOptions } from './health-options.js'
import { aroundJourney } from './around-journey.js'
import type {
  ClientSettings,
  GivenServerSettings,
  PickedServerSettings,
  ServerSettings,
} from '../assembly/declared/server-settings.js'
import type { Awaitable } from '../../core/util/types.js'

/**
 * An `HttpHandle` to which the application can pass the caller. Clients cannot: adapters of frameworks pass the caller that the
 * application has authenticated, and other adapters pass none.
 *
 * @example
 * ```ts
 * const timed = (handle: ServerHandle): ServerHandle => async (request, options) => {
 *   const start = performance.now()
 *   const response = await handle(request, options)
 *   console.log(request.path, performance.now() - start)
 *   return response
 * }
 * ```
 */
export type ServerHandle = (request: HttpRequest, options?: HandleOptions) => Promise<HttpResponse>

/** The names of the operations of a type in the names of its routes. */
type RouteAction =
  | 'index'
  | 'create'
  | 'show'
  | 'update'
  | 'upsert'
  | 'delete'
  | 'related.show'
  | `relationship.${'show' | 'update' | 'add' | 'remove'}`

/**
 * The name of a route. Editors complete the names of the default server; named servers, actions and extensions have further ones.
 */
type RouteName<Resources extends readonly AnyResource[]> =
  | `jsonapi.${Resources[number]['type']}.${RouteAction}`
  | (string & {})

/**
 * A built server, as {@link createServer} returns it. It is frozen, and has no state except its listeners and its stores.
 *
 * @example
 * ```ts
 * const addresses = (server: Server<[]>) => server.routes().map(({ method, path }) => `${method} ${path}`)
 * ```
 */
export interface Server<Resources extends readonly AnyResource[] = readonly AnyResource[], Settings = unknown>
  extends TypedServer<Resources, Settings> {
  /** For `node:http`: `http.createServer(server.node)`. */
  readonly node: NodeListener
  /** For runtimes and frameworks that use the Web `Request` and `Response`. */
  readonly fetch: FetchHandler
  /**
   * For adapters: takes the internal form of a request and returns the internal form of the response. Never rejects.
   */
  readonly handle: ServerHandle
  /**
   * For an application with its own router, which has matched the target. A `null` target is a wiring error of the
   * application and gives a 500 response.
   */
  handleAt(request: HttpRequest, target: AnyTarget | null, server?: string): Promise<HttpResponse>
  /**
   * For adapters: whether a request has a path of this server. The application responds to other requests
   * itself.
   */
  serves(request: HttpRequest, options?: HandleOptions): boolean
  /**
   * For adapters: returns the error document of an error that the application has thrown before the request reached the server, such as
   * an error of its authentication. Exception mappers and the exception map apply.
   */
  errorResponse(request: HttpRequest, thrown: unknown, options?: HandleOptions): HttpResponse
  /** Runs an operation without HTTP. Returns the response value before rendering, and rejects with the error. */
  dispatch<const Input extends DispatchInput>(operation: Input): Promise<Dispatched<Input>>
  /** Returns every route with its name, and with a function that converts the parameters of its path to a target for {@link handleAt}. */
  routes(): readonly RouteDescription[]
  /**
   * Returns the URL of a route by its name, with the parameters of its path. Throws a `TypeError` if there is no such route, or if
   * a parameter is missing or invalid.
   */
  url(name: RouteName<Resources>, parameters?: RouteParameters, options?: UrlOptions): string
  /** The path of every type, every extension and every root, for routers that need to know which requests to pass on. */
  readonly paths: readonly ServedPath[]
  /** The names of the declared types. */
  readonly types: readonly string[]
  /**
   * For adapters: returns the names of the types without a policy, which everybody may use. An adapter that gets callers of the
   * application must refuse them, as those of the package do. Without the name of a server: of all servers whose routing is automatic.
   */
  typesWithoutPolicy(server?: string): readonly string[]
  /**
   * Returns the OpenAPI document of a server, whether it is served or not, in the version of the setting `openapi`, or in another one. It is
   * created by the first call. Throws a `TypeError` if there is no such server or version.
   */
  openapi(server?: string, options?: Pick<OpenApiSettings, 'openapiVersion'>): OpenApiDocument
  /**
   * Returns the contract of a server for typed clients, as the text of a declaration file that imports nothing. `ashlar types` writes
   * the same text.
   */
  contract(server?: string): string
  /** Returns the JSON Schemas of the types of a server by type, whether they are served or not. */
  jsonSchemas(server?: string): Readonly<Record<string, JsonSchema>>
  /**
   * Connects to every store and verifies that it matches the declarations. Rejects with an error whose message
   * has one sentence for each missing thing: the database server, a table, a column. Also rejects if this process must
   * not generate code, which validators need. Await it before listening.
   */
  ready(): Promise<void>
  /**
   * Compares the stores with the declarations, including indexes, and reports which writes are one statement and why others need a
   * transaction. Includes {@link stats}. Rejects if a store cannot be reached.
   */
  inspect(): Promise<ServerInspection>
  /**
   * Returns the current work of the server, and counts since it was created: requests, caches, connection pools, statements. It
   * queries no store, so that it can be called every second.
   */
  stats(): ServerStats
  /**
   * Returns health checks: `/health/live` and `/health/ready`, for `listen()` or for a route of the application. They are not
   * JSON:API documents, and no middleware runs in front of them. Throws a `TypeError` if an option is invalid.
   */
  health(options?: HealthOptions): Health
  /**
   * Removes the responses of the setting `idempotency` that have expired. Writes with a key remove some of them, so that this is
   * needed only if many keys expire and few new ones come. Returns their number.
   */
  removeExpiredKeys(): Promise<number>
  /**
   * Adds a listener of an event: `Serving`, or one of {@link TypeEvents} of one type or of all types. Hooks of declarations are
   * the first listeners of their type. Throws a `TypeError` if there is no such event or type.
   *
   * @returns a function that removes the listener
   */
  on(name: 'Serving', listener: (event: ServingEvent) => Awaitable<void>): RemoveListener
  on<const Name extends TypeEventName, const Type extends Resources[number]['type']>(
    name: Name,
    type: Type,
    listener: Listener<Name, RowOfType<Resources, Type>>,
  ): RemoveListener
  on<const Name extends TypeEventName>(name: Name, listener: Listener<Name>): RemoveListener
  /**
   * Evaluates the policy of a type for a caller, and returns the rule that decides. No middleware runs. Rejects if there
   * is no such type or ability.
   */
  explain(question: AccessQuestion): Promise<AccessExplanation>
  /**
   * Returns the cost of a GET request to a URL, by the rules of the setting `queryCost`, or by their defaults if the server has none. No
   * middleware runs. Nothing is read, unless the question requests the statements. Rejects with the errors of the query, if the
   * read fails with a status of the class 5xx, and if the URL is not that of a read.
   */
  explain(question: ReadQuestion): Promise<ReadExplanation>
}

/**
 * Builds a server from declarations. Throws one `BuildError` that lists every fault.
 *
 * @example
 * ```ts
 * const server = createServer({ resources: [albums, artists], data: memoryData() })
 * http.createServer(server.node).listen(3000)
 * ```
 */
export function createServer<
  const Resources extends readonly AnyResource[],
  const Settings extends ClientSettings = Readonly<Record<never, never>>,
  EachProfile extends Profile = Profile,
>(
  settings: ServerSettings<Resources> & GivenServerSettings<Settings> & { readonly profiles?: readonly EachProfile[] },
): Server<Resources, PickedServerSettings<Settings, EachProfile>['picked']> {
  const service = buildService(settings)
  const requests = aroundJourney(service)
  const compressing = responseCompression(compiledCompression(settings.compression))
  const handle: ServerHandle = compressing(requests.handle)
  const routes = Object.freeze(service.routes.described.map(({ description }) => description))
  return Object.freeze({
    node: nodeAdapter(handle),
    fetch: fetchAdapter(handle),
    handle,
    handleAt: compressing((request: HttpRequest, target: AnyTarget | null, server: string = 'default') =>
      requests.handleAt(request, target, server),
    ),
    serves: requests.isServed,
    errorResponse: requests.failed,
    dispatch: <const Input extends DispatchInput>(operation: Input) =>
      dispatch(service, operation) as Promise<Dispatched<Input>>,
    routes: () => routes,
    url: (name: string, parameters: RouteParameters = {}, options: UrlOptions = {}) =>
      serverUrl(service, name, { ...options, parameters }),
    paths: service.routes.paths,
    types: service.types,
    typesWithoutPolicy: (name?: string) => service.typesWithoutPolicy(name),
    openapi: (name = 'default', { openapiVersion }: Pick<OpenApiSettings, 'openapiVersion'> = {}) =>
      descriptionOf(service, name).openapi(openapiVersion),
    contract: (name = 'default') => contractText(descriptionOf(service, name).contract()),
    jsonSchemas: (name = 'default') => descriptionOf(service, name).schemas(),
    ready: async () => {
      const problem = service.codeGenerationProblem() ?? notReady(await service.inspect())
      if (problem !== null) throw problem
      service.start?.()
    },
    inspect: () => service.inspect(),
    stats: () => service.stats(),
    health: (options: HealthOptions = {}) => healthOf(service, options),
    removeExpiredKeys: () => service.removeExpiredKeys(),
    on: service.addListener,
    explain: ((question: AccessQuestion | ReadQuestion) =>
      'url' in question ? explainUrl(service, question) : service.explain(question)) as Server<Resources>['explain'],
  })
}

function descriptionOf(service: Service, server: string): ServerDescription {
  const description = service.describe(server)
  if (description === null) throw new TypeError(`There is no server '${server}'.`)
  return description
}
