import type { DescribedRoute } from './route-description.js'
import { namePrefix } from './route-names.js'
import type { RouteServer } from './route-server.js'
import type { DescriptionTarget } from './target.js'

/** A description of a server with the path at which it is served. */
export interface DescriptionRoute {
  readonly server: RouteServer
  readonly description: DescriptionTarget['description']
  /** A file of the viewer; `null` for the viewer itself, and for any other description. */
  readonly file: ViewerFile | null
  /** The whole path; the part after the group if the application places the routes of the server. */
  readonly path: string
}

/** A path that addresses a description. */
export interface DescriptionMatch extends DescriptionRoute {
  readonly kind: 'description'
  readonly methods: readonly string[]
}

const methods: readonly string[] = Object.freeze(['GET', 'HEAD', 'OPTIONS'])

/** A file that the page of the viewer loads. */
export type ViewerFile =
  | 'overview.html'
  | 'viewer.js'
  | 'viewer.css'
  | 'swagger-ui.css'
  | 'swagger-ui-bundle.js'
  | 'favicon-32x32.png'
  | 'oauth2-redirect.html'
  | 'oauth2-redirect.js'

/** The files that the page of the viewer loads. No other file is served. */
const viewerFiles: readonly ViewerFile[] = Object.freeze<ViewerFile[]>([
  'overview.html',
  'viewer.js',
  'viewer.css',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
  'oauth2-redirect.html',
  'oauth2-redirect.js',
])

/**
 * Returns whether a route is public and skips middleware, because it shows no data of its server: the page of the viewer, and its
 * files. A browser cannot send a token when it opens a page, so the page prompts for the token, and reads the rest with it.
 */
export function isOpen({ description, file }: DescriptionMatch): boolean {
  return description === 'viewer' && file !== 'overview.html'
}

/**
 * Returns the routes of the descriptions of a server. They are outside of its prefix: `/docs.json` for the default server,
 * `/admin/docs.json` for the server `admin`.
 */
export function descriptionRoutes(server: RouteServer, hasViewer: boolean): readonly DescriptionRoute[] {
  const page = viewerPath(server)
  const viewer = { server, description: 'viewer' } as const
  return [
    { server, description: 'openapi', file: null, path: `${page}.json` },
    { server, description: 'schemas', file: null, path: `${folderOf(server)}/schemas.json` },
    ...(hasViewer ? [{ ...viewer, file: null, path: page }] : []),
    ...(hasViewer ? viewerFiles.map((file) => ({ ...viewer, file, path: `${page}/${file}` })) : []),
  ]
}

/** Returns the path of the viewer. The document that it shows is in the same folder. */
export function viewerPath(server: RouteServer): string {
  return `${folderOf(server)}/docs`
}

function folderOf({ name, isPlaced }: RouteServer): string {
  return name === 'default' || isPlaced ? '' : `/${name}`
}

export function matchedDescription(route: DescriptionRoute): DescriptionMatch {
  return { kind: 'description', ...route, methods }
}

/** Returns the route with its name. */
export function describeDescription({ server, description, file, path }: DescriptionRoute): DescribedRoute {
  return {
    type: null,
    defaultName: null,
    description: {
      name: `${namePrefix(server.name)}.${nameOf(description, file)}`,
      method: 'GET',
      path,
      server: server.name,
      target: () => (file === null ? { description } : { description, file }),
    },
  }
}

function nameOf(description: DescriptionRoute['description'], file: ViewerFile | null): string {
  if (description !== 'viewer') return `${description}.json`
  return file === null ? 'openapi.ui' : `openapi.ui.${file}`
}
