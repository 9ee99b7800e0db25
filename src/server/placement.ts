import { HttpError } from '../errors/http-error.js'
import type { HttpRequest } from '../http/request.js'
import type { Target } from '../operation/target.js'
import type { DocumentKind } from '../parse/top-level.js'
import type { Route, RouteMatch } from '../route/route-table.js'

/** 404 for a path that names nothing of its type, 405 for a method that the type does not serve there. */
export function checkMethod({ method }: HttpRequest, route: Route): void {
  if (route.kind === 'undecodable') throw new HttpError(400, 'The path is not percent-encoded text.')
  if (route.kind === 'miss') throw new HttpError(404, 'No resource has this path.')
  if (route.kind !== 'match' || route.methods === null || route.methods.includes(method)) return
  const allow = route.methods.join(', ')
  throw new HttpError(405, `This path serves ${allow}.`, { headers: ['Allow', allow] })
}

export function targetOf(route: Route): Target | null {
  if (route.kind !== 'match') return null
  const { type, id, relationship, shape } = route
  return { type: type.type, id, relationship, isRelationshipEndpoint: shape === 'relationship' }
}

export function isOptions({ method }: HttpRequest, route: Route): route is RouteMatch {
  return method === 'OPTIONS' && route.kind === 'match' && route.methods !== null
}

/** Bodies are read on POST, PATCH and the DELETE of linkage; `null` where none is. */
export function bodyKind(method: string, route: Route): DocumentKind | null {
  const linkage = route.kind === 'match' && route.shape === 'relationship'
  if (method === 'POST' || method === 'PATCH') return linkage ? 'linkage' : 'resource'
  return linkage && method === 'DELETE' ? 'linkage' : null
}
