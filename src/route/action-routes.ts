import type { CompiledAction } from '../resource/actions/compiled-action.js'
import type { CompiledType } from '../resource/compiled-type.js'

/** The segment of custom actions, which is never an id. */
export const actionSegment = '-actions'

/** An action with the methods that its path serves, `HEAD` and `OPTIONS` included. */
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

/** What a path names as an action: which, and on which resource; `null` for the collection. */
export interface AddressedAction {
  readonly id: string | null
  readonly path: string
}

/** @param segments what follows the type, decoded; the first or the second is `-actions` */
export function addressedAction([first = '', ...rest]: readonly string[]): AddressedAction {
  if (first === actionSegment) return { id: null, path: rest.join('/') }
  return { id: first, path: rest.slice(1).join('/') }
}

/** The action at an address, `undefined` where there is none. */
export function actionAt(routes: ActionRoutes, { id, path }: AddressedAction): ActionRoute | undefined {
  const found = routes.get(path)
  return found !== undefined && (found.action.scope === 'collection') === (id === null) ? found : undefined
}
