import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule, BuildContext, DeclaredType } from '../declared/build-rule.js'
import { typeLabel } from '../declared/build-rule.js'
import { missingPolicies, typesWithoutPolicy } from '../declared/missing-policies.js'

/** Checks that each type and action of a server that knows callers declares who may use it. */
export const declaredAccess: BuildRule = (context) => {
  const known = context.servers.flatMap((name) => {
    const reason = reasonFor(name, context)
    return reason === null ? [] : [{ name, reason, missing: typesWithoutPolicy(context.types, name) }]
  })
  const open = known.filter(({ missing }) => missing.length > 0)
  const types = [...new Set(open.flatMap(({ missing }) => missing))]
  const reasons = open.map(({ reason }) => reason).join(', and ')
  const actions = context.types.flatMap((declared) => {
    const server = known.find(({ name }) => declared.type.servers.includes(name))
    return server === undefined ? [] : openActions(declared, server.reason)
  })
  return types.length === 0 ? actions : [missingPolicies(types, reasons), ...actions]
}

/** Returns how a server knows callers; `null` if it knows none. */
function reasonFor(name: string, context: BuildContext): string | null {
  if (findsCallers(name, context)) return `the server '${name}' authenticates its callers`
  const ruled = context.types.find(({ type }) => type.policy !== null && type.servers.includes(name))
  return ruled === undefined ? null : `'${typeLabel(ruled)}' on the server '${name}' has a policy`
}

/** Returns the actions of a type with a policy that do not declare who may call them. */
function openActions(declared: DeclaredType, reason: string): readonly BuildFault[] {
  const { policy, actions } = declared.type
  if (policy === null) return []
  const open = actions.filter(
    ({ ability, allowed, builtIn }) => builtIn === null && ability === null && allowed === null,
  )
  return open.map(({ path }) => ({
    type: typeLabel(declared),
    member: `actions.${path}`,
    problem: `does not declare who may call it, but ${reason}`,
    remedy: 'name an ability of the policy with ability, or set ability: false if everybody may call it',
  }))
}

/** Returns whether middleware of a server declares that it finds callers. */
function findsCallers(name: string, { settings }: BuildContext): boolean {
  const servers: Readonly<Record<string, unknown>> = isPlainObject(settings.servers) ? settings.servers : {}
  const server = servers[name]
  const own = isPlainObject(server) ? server['middleware'] : undefined
  const list: unknown = own ?? (name === 'default' ? settings.middleware : undefined)
  return Array.isArray(list) && list.some(declaresCallers)
}

function declaresCallers(middleware: unknown): boolean {
  return typeof middleware === 'function' && ('challenge' in middleware || 'vary' in middleware)
}
