import type { BuildFault } from './build-fault.js'
import type { DeclaredType } from './build-rule.js'
import { settingFault, typeLabel } from './build-rule.js'

/** Returns the names of the types of a server that do not declare who may use them, and have no default policy either. */
export function typesWithoutPolicy(types: readonly DeclaredType[], server: string): readonly string[] {
  return types.flatMap((declared) => {
    const { servers, declaresAccess, operations, actions } = declared.type
    // A type that serves nothing is only named by linkage.
    const isServed = operations.size > 0 || actions.length > 0
    return servers.includes(server) && isServed && !declaresAccess ? [typeLabel(declared)] : []
  })
}

/**
 * One fault for all types without a policy of a server that knows callers.
 *
 * @param reason how the server knows callers: `the server 'default' authenticates its callers`
 */
export function missingPolicies(types: readonly string[], reason: string): BuildFault {
  const count = types.length === 1 ? 'one type' : `${types.length} types`
  return settingFault(
    'policy',
    `is missing for ${count} (${types.join(', ')}), but ${reason}`,
    'declare who may do what, in each type or for all of them in createServer(): ' +
      'policy: () => ({ viewAny: true, view: true }) lets everybody read and no caller write, ' +
      "and policy: 'public' lets everybody do everything",
  )
}
