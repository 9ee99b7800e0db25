import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

/** A type is assigned only to servers that the settings declare. */
export const declaredServers: BuildRule = eachType(({ type, rawMembers }, { servers }) => [
  ...emptyList(rawMembers['server']),
  ...[...new Set<unknown>(type.servers)]
    .filter((name) => typeof name !== 'string' || !servers.includes(name))
    .map((name) => ({
      member: 'server',
      problem: `is assigned to the server ${describeValue(name)}, which is not declared`,
      remedy:
        typeof name === 'string'
          ? `declare it in the settings, servers: { ${name}: {} }, or name ${oneOf(servers)}`
          : `name ${oneOf(servers)}`,
    })),
])

/** A list that is computed may be empty by mistake: it must not open the type on the default server. */
function emptyList(declared: unknown): readonly TypeFault[] {
  if (!Array.isArray(declared) || declared.length > 0) return []
  const remedy = "name 'default', or leave the declaration out of the resources"
  return [{ member: 'server', problem: 'is an empty list, so that the type is on no server', remedy }]
}
