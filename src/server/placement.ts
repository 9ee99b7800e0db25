import { HttpError } from '../errors/http-error.js'
import { fail } from '../errors/json-api-error.js'
import type { HttpRequest } from '../http/request.js'
import type { Target } from '../route/target.js'
import type { DocumentKind } from '../parse/top-level.js'
import type { ActionMatch, ExtensionMatch, Route, RouteMatch } from '../route/route-table.js'

/** The router's own answer, which no exception map or mapper of the application is asked about. */
export class RouterRefusal extends HttpError {}

const actionBodies = Object.freeze({ none: null, document: 'resource', raw: 'bytes' } as const)

const handledMethods: readonly string[] = Object.freeze(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])

/**
 * 404 for a path that names nothing of its type, 405 for a method that the type does not serve there. Where a caller's
 * own router has placed the request, a method that nobody handles is that router's fault, which the operation answers.
 */
export function checkMethod({ method }: HttpRequest, route: Route): void {
  if (route.kind === 'undecodable') throw new RouterRefusal(400, 'The path is not percent-encoded text.')
  if (route.kind === 'miss') throw new RouterRefusal(404, 'No resource has this path.')
  if (route.kind === 'unknownAction') fail('RESOURCE_NOT_FOUND')
  if (!isFound(route) || route.methods.includes(method)) return
  if (route.kind === 'match' && route.placed && !handledMethods.includes(method)) return
  const allow = route.methods.join(', ')
  throw new RouterRefusal(405, `This path serves ${allow}.`, { headers: ['Allow', allow] })
}

export function targetOf(route: Route): Target | null {
  if (route.kind !== 'match') return null
  const { type, id, relationship, shape } = route
  return { type: type.type, id, relationship, isRelationshipEndpoint: shape === 'relationship' }
}

export function isOptions({ method }: HttpRequest, route: Route): route is FoundRoute {
  return method === 'OPTIONS' && isFound(route)
}

/** A path that addresses something. */
export type FoundRoute = RouteMatch | ActionMatch | ExtensionMatch

export function isFound(route: Route): route is FoundRoute {
  return route.kind === 'match' || route.kind === 'action' || route.kind === 'extension'
}

/** Only documents have to be JSON:API: actions may take other bodies, or not look at any. */
export function takesDocuments(route: Route): boolean {
  if (route.kind === 'action') return route.action.input === 'document'
  return route.kind !== 'unknownAction'
}

/** What a body is read as. Only an extension knows what its documents have to be. */
export type BodyKind = DocumentKind | 'extension' | 'bytes'

/** Bodies are read on POST, PATCH and the DELETE of linkage, and where an action takes them; `null` where none is. */
export function bodyKind(method: string, route: Route): BodyKind | null {
  if (route.kind === 'unknownAction') return null
  if (route.kind === 'extension') return method === 'POST' ? 'extension' : null
  if (route.kind === 'action') {
    const { methods, input } = route.action
    return methods.some((served) => served === method) ? actionBodies[input] : null
  }
  const linkage = route.kind === 'match' && route.shape === 'relationship'
  if (method === 'POST' || method === 'PATCH') return linkage ? 'linkage' : 'resource'
  return linkage && method === 'DELETE' ? 'linkage' : null
}
