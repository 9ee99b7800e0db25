import type { CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import { pathTemplate } from './route-names.js'

/** The path segment before the name of a custom action. It is never an id. */
export const actionSegment = '-actions'

/** Returns the path of an action, with a placeholder for the id: `/albums/{id}/-actions/play`. */
export function actionTemplate({ scope, path }: CompiledAction, type: CompiledType, prefix: string): string {
  return `${pathTemplate(scope, type, prefix)}/${actionSegment}/${path}`
}

/** An action with the methods of its path, including `HEAD` and `OPTIONS`. */
export interface ActionRoute {
  readonly action: CompiledAction
  readonly methods: readonly string[]
}

/** The action routes of a type by path. */
export type ActionRoutes = ReadonlyMap<string, ActionRoute>

export function actionRoutes({ actions }: CompiledType): ActionRoutes {
  return new Map(actions.map((action) => [action.path, { action, methods: methodsOf(action) }]))
}

function methodsOf({ methods }: CompiledAction): readonly string[] {
  const served = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return Object.freeze([...served, 'OPTIONS'])
}

/** The action that a path addresses. */
export interface AddressedAction {
  /** The id of the resource; `null` for an action on the collection. */
  readonly id: string | null
  readonly path: string
}

/** @param segments the decoded path segments after the type; the first or the second is `-actions` */
export function addressedAction([first = '', ...rest]: readonly string[]): AddressedAction {
  if (first === actionSegment) return { id: null, path: rest.join('/') }
  return { id: first, path: rest.slice(1).join('/') }
}

/** Returns the route of an addressed action, or `undefined` if there is none. */
export function actionAt(routes: ActionRoutes, { id, path }: AddressedAction): ActionRoute | undefined {
  const found = routes.get(path)
  return found !== undefined && (found.action.scope === 'collection') === (id === null) ? found : undefined
}
