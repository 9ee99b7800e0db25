import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

/** A type is assigned only to servers that the settings declare. */
export const declaredServers: BuildRule = eachType(({ type }, { servers }) =>
  [...new Set<unknown>(type.servers)]
    .filter((name) => typeof name !== 'string' || !servers.includes(name))
    .map((name) => ({
      member: 'server',
      problem: `is assigned to the server ${describeValue(name)}, which is not declared`,
      remedy:
        typeof name === 'string'
          ? `declare it in the settings, servers: { ${name}: {} }, or name ${oneOf(servers)}`
          : `name ${oneOf(servers)}`,
    })),
)
