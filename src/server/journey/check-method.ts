import type { Service } from '../assembly/service.js'
import { fail } from '../../core/errors/json-api-error.js'
import type { HttpRequest } from '../../core/http/request.js'
import { QUERY } from '../../core/http/request-method.js'
import type { Target } from '../../serve/route/target.js'
import type { BodyKind } from '../../serve/parse/body.js'
import { acceptQuery } from '../../serve/parse/query-body.js'
import type { DescriptionMatch } from '../../serve/route/description-routes.js'
import type { ActionMatch, ExtensionMatch, RootMatch, Route, RouteMatch } from '../../serve/route/route-table.js'

const actionBodies = Object.freeze({ none: null, document: 'resource', raw: 'bytes' } as const)

/** Fails with 414 if the request target, path and query together, is longer than the limit. */
export function checkTargetLength({ path, query }: Pick<HttpRequest, 'path' | 'query'>, limit: number): void {
  const length = path.length + (query === '' ? 0 : query.length + 1)
  if (length > limit) fail('URI_TOO_LONG', { limit })
}

const handledMethods: readonly string[] = Object.freeze(['GET', 'HEAD', QUERY, 'POST', 'PATCH', 'PUT', 'DELETE'])

/**
 * Fails with 404 for a path that its type does not have, and with 405 for a method that the type does not serve on
 * this path. If the application's own router has found the target, a method that no operation has is an error of that
 * router: the function that creates the operation reports it.
 */
export function checkMethod(
  { method }: HttpRequest,
  route: Route,
  { queryMediaTypes }: Pick<Service, 'queryMediaTypes'>,
): void {
  if (route.kind === 'undecodable') fail('PATH_MALFORMED')
  if (route.kind === 'unknownPath') fail('PATH_NOT_FOUND')
  if (route.kind === 'unknownAction') fail('RESOURCE_NOT_FOUND')
  if (!('methods' in route) || route.methods.includes(method)) return
  if (route.kind === 'match' && route.isExternallyRouted && !handledMethods.includes(method)) return
  const methods = allowedMethods(route)
  fail('METHOD_NOT_ALLOWED', { methods: methods.join(', ') }, { headers: allowHeaders(methods, queryMediaTypes) })
}

/** Returns the headers that name methods, and the media types of QUERY requests if that is one of them. */
export function allowHeaders(methods: readonly string[], queryMediaTypes: readonly string[]): readonly string[] {
  const allow = ['Allow', methods.join(', ')]
  return methods.includes(QUERY) ? [...allow, ...acceptQuery(queryMediaTypes)] : allow
}

export function targetOfRoute(route: Route): Target | null {
  if (route.kind !== 'match') return null
  const { type, id, relationship, shape } = route
  return { type: type.type, id, relationship, isRelationshipEndpoint: shape === 'relationship' }
}

/** The route of a path that addresses a resource, a relation, an action, an extension, the root or a description of a server. */
export type FoundRoute = RouteMatch | ActionMatch | ExtensionMatch | RootMatch | DescriptionMatch

export function isFoundRoute(route: Route): route is FoundRoute {
  return 'methods' in route
}

/**
 * Returns the methods of a path. Those of a relationship depend on the relation: a read-only relation cannot be changed, a to-one
 * relation can only be replaced, and a gate may forbid more. A method that a predicate may forbid is listed: the list is the same for
 * all callers.
 */
export function allowedMethods(route: FoundRoute): readonly string[] {
  const { methods } = route
  const relation =
    route.kind === 'match' && route.shape === 'relationship' && route.relationship !== null
      ? route.type.relationNamed.get(route.relationship)
      : undefined
  // A hidden relation looks like one that does not exist.
  if (relation === undefined || relation.spec.hidden === true) return methods
  const { traits, readOnlyOnUpdate, extract, fill, cannotReplace, cannotAdd, cannotRemove } = relation.spec
  const isReadOnly = readOnlyOnUpdate === true || (extract !== null && fill === null)
  const forbidden: Readonly<Record<string, boolean>> = {
    PATCH: isReadOnly || (traits.toMany && cannotReplace === true),
    POST: isReadOnly || !traits.toMany || cannotAdd === true,
    DELETE: isReadOnly || !traits.toMany || cannotRemove === true,
  }
  return methods.filter((method) => forbidden[method] !== true)
}

/** Returns whether a body must be a JSON:API document. Actions may take other bodies, or ignore the body. */
export function takesDocuments(route: Route): boolean {
  if (route.kind === 'action') return route.action.input === 'document'
  return route.kind !== 'unknownAction'
}

/**
 * Returns how to parse the body; `null` if it is not read. Bodies are read on POST, on PATCH, on PUT, on DELETE of linkage,
 * and for actions that take one.
 */
export function bodyKind(method: string, route: Route): BodyKind | null {
  if (route.kind === 'unknownAction' || route.kind === 'root' || route.kind === 'description') return null
  if (route.kind === 'extension') return method === 'POST' ? 'extension' : null
  if (route.kind === 'action') {
    const { methods, input } = route.action
    return methods.some((served) => served === method) ? actionBodies[input] : null
  }
  const linkage = route.kind === 'match' && route.shape === 'relationship'
  if (method === 'POST' || method === 'PATCH') return linkage ? 'linkage' : 'resource'
  if (method === 'PUT') return route.kind === 'match' && route.methods.includes(method) ? 'resource' : null
  return linkage && method === 'DELETE' ? 'linkage' : null
}
