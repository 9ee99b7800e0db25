import { readMethods } from '../../core/http/request-method.js'
import { actionTemplate } from './action-routes.js'
import { actionRouteName, namePrefix, operationNames, pathTemplate, routeName } from './route-names.js'
import type { Route } from './route-table.js'

/** Returns the name of the route of a request; `null` if the server has no route with this path and method. */
export function routeNameOf(route: Route, method: string): string | null {
  switch (route.kind) {
    case 'match': {
      const { server, type, shape, methods } = route
      const effectiveMethod = readMethods.has(method) ? 'GET' : method
      const found = methods.includes(method)
        ? operationNames.find((name) => name[0] === shape && name[1] === effectiveMethod)
        : undefined
      return found === undefined ? null : routeName(server.name, type, found[2])
    }
    case 'action':
      return route.methods.includes(method) ? actionRouteName(route.server.name, route.type, route.action) : null
    case 'description':
      return route.methods.includes(method) && method !== 'OPTIONS'
        ? `${namePrefix(route.server.name)}.${route.description}.json`
        : null
    case 'extension':
      return method === 'POST' ? `${namePrefix(route.server.name)}.${route.extension.name}` : null
    default:
      return null
  }
}

/** Returns the path of a route with placeholders for its parameters; `null` if the path has no route. */
export function routeTemplateOf(route: Route): string | null {
  switch (route.kind) {
    case 'match':
      return pathTemplate(route.shape, route.type, route.server.prefix)
    case 'action':
      return actionTemplate(route.action, route.type, route.server.prefix)
    case 'extension':
      return `${route.server.prefix}${route.extension.path}`
    case 'root':
      return route.server.prefix === '' ? '/' : route.server.prefix
    default:
      return null
  }
}
