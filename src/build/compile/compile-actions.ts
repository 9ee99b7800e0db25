import { answeredAtOnce } from '../../errors/ignore-rejection.js'
import type { ActionDeclaration } from '../../resource/actions/action-kit.js'
import { actionKit } from '../../resource/actions/action-kit.js'
import type { ActionInput, ActionMethod, CompiledAction } from '../../resource/actions/compiled-action.js'
import type { MemberFault } from '../../resource/compiled-type.js'
import type { SuccessResponse } from '../../resource/responses.js'
import { actionResource } from '../../resource/responses.js'
import { declaredMembers } from '../../resource/fields/declared-members.js'

interface ReadActions {
  readonly actions: readonly CompiledAction[]
  readonly faults: readonly MemberFault[]
}

/** Reads the actions of a type. What is wrong with their options, the build rules say. */
export function readActions(given: unknown, type: string): ReadActions {
  const { members, faults: found } = declaredMembers(given, actionKit(), 'actions: () => ({})')
  const faults: MemberFault[] = found.map((fault) => ({ ...fault, member: 'actions' }))
  const actions: CompiledAction[] = []
  for (const [path, declared] of members) {
    if (isActionDeclaration(declared)) actions.push(compileAction(path, declared, type))
    else {
      const remedy = 'declare it with the kit, such as a.resource({ handle: … })'
      faults.push({ member: `actions.${path}`, problem: 'is no action', remedy })
    }
  }
  return { actions, faults }
}

/** By its shape, so that two copies of the package in one process agree. */
function isActionDeclaration(declared: unknown): declared is ActionDeclaration {
  if (typeof declared !== 'object' || declared === null) return false
  const { role, scope, options } = declared as Partial<Record<keyof ActionDeclaration, unknown>>
  const isScope = scope === 'resource' || scope === 'collection'
  return role === 'action' && isScope && typeof options === 'object' && options !== null
}

export function compileAction(path: string, { scope, options }: ActionDeclaration, type: string): CompiledAction {
  const { methods, input, inputType, responds, name, tags, description } = options
  const allowed = answering(`allowed of the action '${path}'`, options['allowed'])
  const linkedWhen = answering(`linkedWhen of the action '${path}'`, options['linkedWhen'])
  return Object.freeze<CompiledAction>({
    path,
    scope,
    methods: methods === undefined ? ['POST'] : list<ActionMethod>(methods),
    input: (input ?? 'none') as ActionInput,
    inputType: typeof inputType === 'string' ? inputType : type,
    responses:
      responds === undefined
        ? [actionResource(type)]
        : list<SuccessResponse>(responds).map((response) => named(response, type)),
    allowed: allowed === null || scope === 'resource' ? allowed : (_row, context) => allowed(context),
    asLink: options['asLink'] === true,
    linkedWhen,
    linkColumns: allowed === null && linkedWhen === null ? [] : null,
    reachesTrashed: false,
    removes: false,
    name: typeof name === 'string' ? name : null,
    tags: list(tags),
    description: typeof description === 'string' ? description : null,
    handle: options['handle'] as CompiledAction['handle'],
    given: options,
  })
}

type Predicate = (...given: readonly unknown[]) => boolean

/** Whatever is no plain yes is a no; a promise is neither. */
function answering(name: string, given: unknown): Predicate | null {
  if (typeof given !== 'function') return null
  return (...told) => answeredAtOnce(name, (given as (...told: readonly unknown[]) => unknown)(...told)) === true
}

/** A document of the action's own type, by name. */
function named(response: SuccessResponse, type: string): SuccessResponse {
  const own = typeof response === 'object' && response?.kind === 'actionResource' && response.type === null
  return own ? actionResource(type) : response
}

function list<T>(given: unknown): readonly T[] {
  if (given === undefined || given === null) return Object.freeze([])
  return Object.freeze((Array.isArray(given) ? [...given] : [given]) as T[])
}
