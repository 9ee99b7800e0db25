import { isMemberName } from '../../document/member-name.js'
import type { CompiledAction } from '../../resource/actions/compiled-action.js'
import { actionRouteName } from '../../route/route-description.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, BuildWorld, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType, nameOf } from '../declared/build-rule.js'
import { isPathSegment } from './path-segment.js'
import { shown } from '../declared/shown.js'

/** Actions have paths that stand as they are, and names of their own. */
export const actionRoutes: BuildRule = (world) => [...paths(world), ...names(world)]

const paths = eachType(({ type }) => type.actions.flatMap((action) => pathFaults(action)))

function pathFaults({ path, asLink }: CompiledAction): readonly TypeFault[] {
  const member = `actions.${path}`
  if (!isPathSegment(path)) {
    const remedy = 'call it by letters, digits, hyphens, underscores, dots and tildes'
    return [{ member, problem: `${shown(path)} cannot be a segment of a path as it is`, remedy }]
  }
  if (asLink && (path === 'self' || !isMemberName(path))) {
    const problem = `a link cannot be called ${shown(path)}`
    return [{ member, problem, remedy: 'give the action another path, or take asLink away' }]
  }
  return []
}

interface Named {
  readonly name: string
  readonly declared: DeclaredType
  readonly action: CompiledAction
}

/** On one server, a name leads to one action. */
function names({ servers, typesOn }: BuildWorld): readonly BuildFault[] {
  return servers.flatMap((server) => {
    const all: readonly Named[] = [...(typesOn.get(server)?.values() ?? [])].flatMap((declared) =>
      declared.type.actions.map((action) => ({
        name: actionRouteName(server, declared.type, action),
        declared,
        action,
      })),
    )
    return all.flatMap(({ name, declared, action }, index) => {
      const first = all.findIndex((other) => other.name === name)
      const other = all[first]
      // Two at one path are for the rule that says so.
      const isSamePath = other?.declared === declared && other.action.path === action.path
      if (first === index || other === undefined || isSamePath) return []
      return [
        {
          type: nameOf(declared),
          member: `actions.${action.path}.name`,
          problem: `the route name ${shown(name)} is that of '${other.declared.type.type}.actions.${other.action.path}' too`,
          remedy: 'give each action a name of its own',
        },
      ]
    })
  })
}
