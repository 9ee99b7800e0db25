import { requireSynchronous } from '../../../core/errors/ignore-rejection.js'
import type { ActionDeclaration } from '../../../declare/resource/define/action-kit.js'
import { actionKit } from '../../../declare/resource/define/action-kit.js'
import type { ActionMethod, CompiledAction } from '../../../declare/resource/actions/compiled-action.js'
import type { DeprecationOptions } from '../../../declare/resource/parts/deprecation.js'
import { deprecationOf } from '../../../declare/resource/parts/deprecation.js'
import type { MemberFault } from '../../../declare/resource/compiled/compiled-type.js'
import type { SuccessResponse } from '../../../declare/resource/replies/responses.js'
import { actionResource, bytes, isBytes } from '../../../declare/resource/replies/responses.js'
import { declaredMembers } from '../../../declare/resource/fields/declared-members.js'

interface ReadActions {
  readonly actions: readonly CompiledAction[]
  readonly faults: readonly MemberFault[]
}

/** Reads the actions of a type. The build rules report faults of their options. */
export function readActions(actionsOption: unknown, type: string): ReadActions {
  const { members, faults: found } = declaredMembers(actionsOption, actionKit(), 'actions: () => ({})')
  const faults: MemberFault[] = found.map((fault) => ({ ...fault, member: 'actions' }))
  const actions: CompiledAction[] = []
  for (const [path, declared] of members) {
    if (isActionDeclaration(declared)) actions.push(compileAction(path, declared, type))
    else {
      const remedy = 'declare it with the kit, such as a.resource({ handle: … })'
      faults.push({ member: `actions.${path}`, problem: 'is not an action', remedy })
    }
  }
  return { actions, faults }
}

/** Checks the shape, not the identity, so that declarations of another copy of the package are accepted. */
function isActionDeclaration(declared: unknown): declared is ActionDeclaration {
  if (typeof declared !== 'object' || declared === null) return false
  const { role, scope, options } = declared as Partial<Record<keyof ActionDeclaration, unknown>>
  const isScope = scope === 'resource' || scope === 'collection'
  return role === 'action' && isScope && typeof options === 'object' && options !== null
}

export function compileAction(path: string, { scope, options }: ActionDeclaration, type: string): CompiledAction {
  const { methods, input, inputType, responds, name, tags, description, ability, deprecated } = options
  const allowed = predicateOf(`allowed of the action '${path}'`, options['allowed'])
  const linkedWhen = predicateOf(`linkedWhen of the action '${path}'`, options['linkedWhen'])
  return Object.freeze<CompiledAction>({
    path,
    scope,
    methods: methods === undefined ? ['POST'] : list<ActionMethod>(methods),
    input: isBytes(input) ? 'raw' : ((input ?? 'none') as CompiledAction['input']),
    inputMediaTypes: isBytes(input) ? input.mediaTypes.map((each) => each.toLowerCase()) : null,
    inputType: typeof inputType === 'string' ? inputType : type,
    responses:
      responds === undefined
        ? [actionResource(type)]
        : list<SuccessResponse>(responds).map((response) => completed(response, type)),
    allowed: allowed === null || scope === 'resource' ? allowed : (_row, context) => allowed(context),
    ability: typeof ability === 'string' || ability === false ? ability : null,
    guard: null,
    asLink: options['asLink'] === true,
    linkedWhen,
    linkColumns: allowed === null && linkedWhen === null ? [] : null,
    builtIn: null,
    name: typeof name === 'string' ? name : null,
    tags: list(tags),
    description: typeof description === 'string' ? description : null,
    deprecation: (deprecated ?? false) === false ? null : deprecationOf(deprecated as DeprecationOptions | true),
    handle: options['handle'] as CompiledAction['handle'],
    given: options,
  })
}

type Predicate = (...args: readonly unknown[]) => boolean

/** Wraps a user-defined predicate: only `true` counts as true, and a promise throws. */
function predicateOf(name: string, declared: unknown): Predicate | null {
  if (typeof declared !== 'function') return null
  return (...args) => requireSynchronous(name, (declared as (...args: readonly unknown[]) => unknown)(...args)) === true
}

/** Gives an `actionResource()` without a type the type of the action. Media types are compared in lower case. */
function completed(response: SuccessResponse, type: string): SuccessResponse {
  if (typeof response !== 'object' || response === null) return response
  if (response.kind === 'actionResource' && response.type === null) return actionResource(type, response.data)
  const isValid = isBytes(response) && response.mediaTypes.every((each) => typeof each === 'string')
  return isValid ? bytes(...response.mediaTypes.map((each) => each.toLowerCase())) : response
}

function list<T>(declared: unknown): readonly T[] {
  if (declared === undefined || declared === null) return Object.freeze([])
  return Object.freeze((Array.isArray(declared) ? [...declared] : [declared]) as T[])
}
