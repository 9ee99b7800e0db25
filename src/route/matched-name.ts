import { actionRouteName, namePrefix, operationNames, routeName } from './route-names.js'
import type { Route } from './route-table.js'

/** Returns the name of the route of a request; `null` if the server has no route with this path and method. */
export function routeNameOf(route: Route, method: string): string | null {
  switch (route.kind) {
    case 'match': {
      const { server, type, shape, methods } = route
      const asked = method === 'HEAD' ? 'GET' : method
      const found = methods.includes(method)
        ? operationNames.find((name) => name[0] === shape && name[1] === asked)
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
