import { isPlainObject } from '../../util/deep-freeze.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, BuildContext, DeclaredType } from '../declared/build-rule.js'
import { typeLabel } from '../declared/build-rule.js'

/** Checks that each type and action of a server that authenticates its callers declares who may use it. */
export const declaredAccess: BuildRule = (context) => {
  const authenticating = context.servers.filter((name) => authenticates(name, context))
  return context.types.flatMap((declared) => {
    const { type } = declared
    const server = type.servers.find((name) => authenticating.includes(name))
    // A type that serves nothing is only named by linkage.
    const isServed = type.operations.size > 0 || type.actions.length > 0
    if (server === undefined || !isServed) return []
    if (type.declaresAccess) return openActions(declared, server)
    return [
      {
        type: typeLabel(declared),
        member: 'policy',
        problem: `is missing, but the server '${server}' authenticates its callers`,
        remedy: "declare who may do what, or policy: 'public' if everybody may do everything",
      },
    ]
  })
}

/** Returns the actions of a type with a policy that do not declare who may call them. */
function openActions(declared: DeclaredType, server: string): readonly BuildFault[] {
  const { policy, actions } = declared.type
  if (policy === null) return []
  const open = actions.filter(
    ({ ability, allowed, builtIn }) => builtIn === null && ability === null && allowed === null,
  )
  return open.map(({ path }) => ({
    type: typeLabel(declared),
    member: `actions.${path}`,
    problem: `does not declare who may call it, but the server '${server}' authenticates its callers`,
    remedy: 'name an ability of the policy with ability, or set ability: false if everybody may call it',
  }))
}

function authenticates(name: string, { settings }: BuildContext): boolean {
  const servers: Readonly<Record<string, unknown>> = isPlainObject(settings.servers) ? settings.servers : {}
  const server = servers[name]
  const own = isPlainObject(server) ? server['middleware'] : undefined
  const list: unknown = own ?? (name === 'default' ? settings.middleware : undefined)
  return Array.isArray(list) && list.some((each: unknown) => typeof each === 'function' && 'challenge' in each)
}
