import type { DescribedRoute } from './route-description.js'
import { namePrefix } from './route-names.js'
import type { RouteServer } from './route-server.js'
import type { DescriptionTarget } from './target.js'

/** A description of a server that is served at a path of its own. */
export interface DescriptionRoute {
  readonly server: RouteServer
  readonly description: DescriptionTarget['description']
  /** The whole path; after the group of the application, if that places the routes of the server. */
  readonly path: string
}

/** A path that addresses a description. */
export interface DescriptionMatch extends DescriptionRoute {
  readonly kind: 'description'
  readonly methods: readonly string[]
}

const methods: readonly string[] = Object.freeze(['GET', 'HEAD', 'OPTIONS'])

const files = Object.freeze({ openapi: 'docs.json', schemas: 'schemas.json' })

/**
 * Returns the routes of the descriptions of a server. They are outside of its prefix: `/docs.json` for the default server,
 * `/admin/docs.json` for the server `admin`.
 */
export function descriptionRoutes(server: RouteServer): readonly DescriptionRoute[] {
  const folder = server.name === 'default' || server.isPlaced ? '' : `/${server.name}`
  return (['openapi', 'schemas'] as const).map((description) => {
    return { server, description, path: `${folder}/${files[description]}` }
  })
}

export function matchedDescription(route: DescriptionRoute): DescriptionMatch {
  return { kind: 'description', ...route, methods }
}

/** Returns the route with its name. */
export function describeDescription({ server, description, path }: DescriptionRoute): DescribedRoute {
  return {
    type: null,
    usualName: null,
    description: {
      name: `${namePrefix(server.name)}.${description}.json`,
      method: 'GET',
      path,
      server: server.name,
      target: () => ({ description }),
    },
  }
}
