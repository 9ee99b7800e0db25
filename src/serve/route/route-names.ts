import type { CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'

/** The four kinds of paths, named after the resource or relationship that they address. */
export type PathShape = 'collection' | 'resource' | 'related' | 'relationship'

/** The names of the operations in route names, by the kind of path and the method. */
export const operationNames: readonly (readonly [shape: PathShape, method: string, name: string])[] = Object.freeze([
  ['collection', 'GET', 'index'],
  ['collection', 'POST', 'create'],
  ['resource', 'GET', 'show'],
  ['resource', 'PATCH', 'update'],
  ['resource', 'PUT', 'upsert'],
  ['resource', 'DELETE', 'delete'],
  ['related', 'GET', 'related.show'],
  ['relationship', 'GET', 'relationship.show'],
  ['relationship', 'PATCH', 'relationship.update'],
  ['relationship', 'POST', 'relationship.add'],
  ['relationship', 'DELETE', 'relationship.remove'],
])

/** Returns the route name of an action on a server: the declared name, or one derived from its scope and path. */
export function actionRouteName(server: string, type: CompiledType, action: CompiledAction): string {
  return action.name ?? defaultActionName(server, type, action)
}

/** Returns the route name that an action has on a server if it declares none. */
export function defaultActionName(server: string, type: CompiledType, { scope, path }: CompiledAction): string {
  return routeName(server, type, `action.${scope}.${path}`)
}

/** Returns the name of a route of a type on a server. */
export function routeName(server: string, { type }: CompiledType, name: string): string {
  return `${namePrefix(server)}.${type}.${name}`
}

/** Returns the prefix of all route names of a server. */
export function namePrefix(server: string): string {
  return server === 'default' ? 'jsonapi' : `jsonapi.${server}`
}

/** Returns the path of a kind for a type, with placeholders for its parameters: `/albums/{id}/{rel}`. */
export function pathTemplate(shape: PathShape, { uriType }: CompiledType, prefix: string): string {
  const collection = `${prefix}/${uriType}`
  switch (shape) {
    case 'collection':
      return collection
    case 'resource':
      return `${collection}/{id}`
    case 'related':
      return `${collection}/{id}/{rel}`
    case 'relationship':
      return `${collection}/{id}/relationships/{rel}`
  }
}
