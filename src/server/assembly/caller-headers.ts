import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { ServedRoute } from '../../serve/route/route-table.js'
import type { BuildContext } from './declared/build-rule.js'
import { isPrivateType } from './declared/private-types.js'

/** The headers that usually identify a caller, if no middleware declares which ones do. */
export const usualCallerHeaders: readonly string[] = Object.freeze(['Authorization', 'Cookie'])

const none: readonly string[] = Object.freeze([])

/** The request headers that decide about the caller, on which responses depend. */
export interface CallerHeaders {
  /** Returns the headers that the middleware of a server declares; an empty list if it declares none. */
  declaredBy(server: string): readonly string[]
  /** Returns the headers for a route of a server that declares none; an empty list if its responses are the same for all callers. */
  of(route: ServedRoute): readonly string[]
  /** Whether some responses of a server depend on the caller. */
  has(server: string): boolean
}

/**
 * All responses of a server whose middleware finds callers depend on them. On other servers, to which the application may
 * pass callers, those of types with a policy do, and those of batches.
 */
export function callerHeaders(
  { types }: BuildContext,
  middleware: ReadonlyMap<string, { readonly vary: readonly string[] }>,
): CallerHeaders {
  const all = types.map(({ type }) => type)
  const ruled = new Set<CompiledType>(all.filter((type) => isPrivateType(type, types)))
  const withRules = new Set([...ruled].flatMap(({ servers }) => servers))
  const declaredBy = (server: string): readonly string[] => middleware.get(server)?.vary ?? none
  return {
    declaredBy,
    of(route) {
      const isRuled =
        'type' in route ? ruled.has(route.type) : route.kind === 'extension' && withRules.has(route.server.name)
      return isRuled ? usualCallerHeaders : none
    },
    has: (server) => declaredBy(server).length > 0 || withRules.has(server),
  }
}
