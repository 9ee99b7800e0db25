import { usualCallerHeaders } from '../assembly/caller-headers.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { HttpResponse } from '../../core/http/response.js'
import { BuildError } from '../assembly/declared/build-fault.js'
import { missingPolicies } from '../assembly/declared/missing-policies.js'
import type { FrameworkServer, PlacementOptions } from './framework-server.js'

/** A server in an application: all servers whose routing is automatic, or one whose routes the application has placed. */
export interface MountedServer<Request> {
  /** Whether a request has a path of the server. */
  serves(request: HttpRequest): boolean
  /**
   * Handles a request, with the caller that the application has authenticated. Never rejects.
   *
   * @param original the request of the framework
   */
  handle(request: HttpRequest, original: Request): Promise<HttpResponse>
  /** Returns the error document of an error that the application has thrown in front of the server. */
  errorResponse(request: HttpRequest, thrown: unknown): HttpResponse
}

/** Mounts a server. Throws a {@link BuildError} if it gets callers, but has types without a policy. */
export function mountedServer<Request>(
  server: FrameworkServer,
  options: PlacementOptions<Request>,
): MountedServer<Request> {
  const { caller, server: name } = options
  if (caller !== undefined) refuseOpenTypes(server.typesWithoutPolicy(name))
  const { callerHeaders = caller === undefined ? [] : usualCallerHeaders } = options
  const placed = { callerHeaders, ...(name === undefined ? {} : { server: name }) }
  return {
    serves: (request) => server.serves(request, placed),
    async handle(request, original) {
      try {
        const found = caller === undefined ? placed : { ...placed, caller: await caller(original) }
        return await server.handle(request, found)
      } catch (thrown) {
        return server.errorResponse(request, thrown, placed)
      }
    },
    errorResponse: (request, thrown) => server.errorResponse(request, thrown, placed),
  }
}

function refuseOpenTypes(types: readonly string[]): void {
  if (types.length > 0)
    throw new BuildError([missingPolicies(types, "the adapter gets callers by its option 'caller'")])
}
