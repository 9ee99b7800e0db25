import type { ServedPath } from './route-description.js'
import type { DescriptionRoute } from './description-routes.js'
import type { ExtensionRoute, RouteServer } from './route-server.js'

/** The routes of a server besides those of its types. */
export interface RouteTableOptions {
  readonly extensions?: readonly ExtensionRoute[]
  /** Whether the root of each server is a document. */
  readonly hasRoots?: boolean
  readonly descriptions?: readonly DescriptionRoute[]
}

/**
 * Returns the paths of a server.
 *
 * @param segments the path segments of its types
 */
export function servedPaths(
  { name, prefix, isPlaced }: RouteServer,
  segments: readonly string[],
  { extensions, hasRoots, descriptions }: Required<RouteTableOptions>,
): readonly ServedPath[] {
  const routing = isPlaced ? 'manual' : 'automatic'
  const at = (kind: ServedPath['kind'], path: string): ServedPath => ({
    server: name,
    kind,
    path: prefix + path || '/',
    routing,
  })
  return [
    ...segments.map((segment) => at('type', `/${segment}`)),
    ...extensions.map(({ path }) => at('extension', path)),
    // The group of the application has its own document at its root, or none.
    ...(hasRoots && !isPlaced ? [at('root', '')] : []),
    // Descriptions are outside of the prefix.
    ...descriptions
      .filter(({ server }) => server.name === name)
      .map(({ path }): ServedPath => ({ server: name, kind: 'description', path, routing })),
  ]
}
