import { fetchAdapter, type FetchHandler } from '../adapters/fetch.js'
import { nodeAdapter, type NodeListener } from '../adapters/node.js'
import type { Inspection } from '../data/data-source.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpHandle, HttpResponse } from '../http/response.js'
import type { ExtensionTarget, Target } from '../route/target.js'
import type { AnyResource, TypedServer } from '../resource/resource-types.js'
import type { RouteDescription } from '../route/route-description.js'
import { buildService } from '../build/build-service.js'
import { type DispatchInput, dispatch, type Dispatched } from './dispatch.js'
import { notReady } from '../build/inspect-stores.js'
import { journey, placedJourney } from './journey.js'
import type { ServerSettings } from '../build/declared/server-settings.js'

/** A built server: frozen, with no state but what its stores keep. */
export interface Server<Resources extends readonly AnyResource[]> extends TypedServer<Resources> {
  /** For `node:http`: `http.createServer(server.node)`. */
  readonly node: NodeListener
  /** For whatever speaks Web `Request` and `Response`. */
  readonly fetch: FetchHandler
  /** For adapters: the one internal request shape in, the one response shape out. Never rejects. */
  readonly handle: HttpHandle
  /** For a router of the caller's own, which has found the target. `null` is a wiring fault, answered as 500. */
  handleAt(request: HttpRequest, target: Target | ExtensionTarget | null, server?: string): Promise<HttpResponse>
  /** Runs an operation without HTTP; answers the unrendered response value, and rejects with what went wrong. */
  dispatch<const Asked extends DispatchInput>(operation: Asked): Promise<Dispatched<Asked>>
  /** Every route with its name. */
  readonly routes: readonly RouteDescription[]
  /** The names of the declared types. */
  readonly types: readonly string[]
  /**
   * Connects to every store and holds the declarations against it. Rejects with an error whose message is a sentence for each
   * thing that is missing: no server there, no such table, no such column. Worth waiting for before listening.
   */
  ready(): Promise<void>
  /** What the stores have against the declarations, missing indexes included. Rejects where one cannot be reached. */
  inspect(): Promise<Inspection>
}

/**
 * Builds a server from declarations. Throws a `BuildError` that names every fault at once.
 *
 * @example
 * ```ts
 * const server = createServer({ resources: [albums, artists], data: memoryData() })
 * http.createServer(server.node).listen(3000)
 * ```
 */
export function createServer<const Resources extends readonly AnyResource[]>(
  settings: ServerSettings<Resources>,
): Server<Resources> {
  const service = buildService(settings)
  const handle: HttpHandle = (request) => journey(service, request)
  const options = { trustProxy: settings.trustProxy === true }
  return Object.freeze({
    node: nodeAdapter(handle, options),
    fetch: fetchAdapter(handle, options),
    handle,
    handleAt: (request: HttpRequest, target: Target | ExtensionTarget | null, server = 'default') =>
      placedJourney(service, request, { target, server }),
    dispatch: <const Asked extends DispatchInput>(operation: Asked) =>
      dispatch(service, operation) as Promise<Dispatched<Asked>>,
    routes: service.routes.descriptions,
    types: service.types,
    ready: async () => {
      const problem = notReady(await service.inspect())
      if (problem !== null) throw problem
    },
    inspect: () => service.inspect(),
  })
}
