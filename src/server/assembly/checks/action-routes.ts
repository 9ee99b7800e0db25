import { isMemberName } from '../../../core/document/member-name.js'
import type { CompiledAction } from '../../../declare/resource/actions/compiled-action.js'
import { actionRouteName, operationNames, routeName } from '../../../serve/route/route-names.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, BuildContext, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType, typeLabel } from '../declared/build-rule.js'
import { isPathSegment } from './path-segment.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks that the paths of actions need no encoding, and that the route names of actions are unique. */
export const actionRoutes: BuildRule = (context) => [...pathRule(context), ...nameFaults(context)]

const pathRule = eachType(({ type }) => type.actions.flatMap((action) => pathFaults(action)))

function pathFaults({ path, asLink }: CompiledAction): readonly TypeFault[] {
  const member = `actions.${path}`
  if (!isPathSegment(path)) {
    const remedy = 'use only letters, digits, hyphens, underscores, dots and tildes'
    return [{ member, problem: `${describeValue(path)} cannot be used as a path segment`, remedy }]
  }
  if (asLink && (path === 'self' || !isMemberName(path))) {
    const problem = `a link cannot be called ${describeValue(path)}`
    return [{ member, problem, remedy: 'give the action another path, or remove asLink' }]
  }
  return []
}

interface NamedAction {
  readonly name: string
  readonly declared: DeclaredType
  readonly action: CompiledAction
}

function operationName(name: string, declared: DeclaredType, { path }: CompiledAction): BuildFault {
  return {
    type: typeLabel(declared),
    member: `actions.${path}.name`,
    problem: `the route name ${describeValue(name)} is that of an operation`,
    remedy: 'give the action another name, or leave it out',
  }
}

/** On one server, a route name belongs to one action, and on no server is it that of an operation. */
function nameFaults({ servers, typesByServer: typesOn }: BuildContext): readonly BuildFault[] {
  const ofOperations = new Set(
    servers.flatMap((server) =>
      [...(typesOn.get(server)?.values() ?? [])].flatMap(({ type }) =>
        operationNames.map(([, , operation]) => routeName(server, type, operation)),
      ),
    ),
  )
  return servers.flatMap((server) => {
    const all: readonly NamedAction[] = [...(typesOn.get(server)?.values() ?? [])].flatMap((declared) =>
      declared.type.actions.map((action) => ({
        name: actionRouteName(server, declared.type, action),
        declared,
        action,
      })),
    )
    return all.flatMap(({ name, declared, action }, index) => {
      if (action.name !== null && ofOperations.has(name)) return [operationName(name, declared, action)]
      const first = all.findIndex((other) => other.name === name)
      const other = all[first]
      // Two actions at the same path are reported by the rule softDeletes.
      const isSamePath = other?.declared === declared && other.action.path === action.path
      if (first === index || other === undefined || isSamePath) return []
      return [
        {
          type: typeLabel(declared),
          member: `actions.${action.path}.name`,
          problem: `the route name ${describeValue(name)} is already used by '${other.declared.type.type}.actions.${other.action.path}'`,
          remedy: 'give each action a unique name',
        },
      ]
    })
  })
}
