import { HttpError } from '../errors/http-error.js'
import type { HttpRequest } from '../http/request.js'
import type { Target } from '../route/target.js'
import type { DocumentKind } from '../parse/top-level.js'
import type { Route, RouteMatch } from '../route/route-table.js'

/** The router's own answer, which no exception map or mapper of the application is asked about. */
export class RouterRefusal extends HttpError {}

const handledMethods: readonly string[] = Object.freeze(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])

/**
 * 404 for a path that names nothing of its type, 405 for a method that the type does not serve there. Where a caller's
 * own router has placed the request, a method that nobody handles is that router's fault, which the operation answers.
 */
export function checkMethod({ method }: HttpRequest, route: Route): void {
  if (route.kind === 'undecodable') throw new RouterRefusal(400, 'The path is not percent-encoded text.')
  if (route.kind === 'miss') throw new RouterRefusal(404, 'No resource has this path.')
  if (route.kind !== 'match' || route.methods.includes(method)) return
  if (route.placed && !handledMethods.includes(method)) return
  const allow = route.methods.join(', ')
  throw new RouterRefusal(405, `This path serves ${allow}.`, { headers: ['Allow', allow] })
}

export function targetOf(route: Route): Target | null {
  if (route.kind !== 'match') return null
  const { type, id, relationship, shape } = route
  return { type: type.type, id, relationship, isRelationshipEndpoint: shape === 'relationship' }
}

export function isOptions({ method }: HttpRequest, route: Route): route is RouteMatch {
  return method === 'OPTIONS' && route.kind === 'match'
}

/** Bodies are read on POST, PATCH and the DELETE of linkage; `null` where none is. */
export function bodyKind(method: string, route: Route): DocumentKind | null {
  const linkage = route.kind === 'match' && route.shape === 'relationship'
  if (method === 'POST' || method === 'PATCH') return linkage ? 'linkage' : 'resource'
  return linkage && method === 'DELETE' ? 'linkage' : null
}
