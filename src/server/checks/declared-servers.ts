import type { BuildRule } from './build-rule.js'
import { eachType } from './build-rule.js'

/** A type is assigned only to servers that the settings declare. */
export const declaredServers: BuildRule = eachType(({ type }, { servers }) =>
  type.servers
    .filter((name) => !servers.includes(name))
    .map((name) => ({
      member: 'server',
      problem: `is assigned to the server '${name}', which is not declared`,
      remedy: `declare it in the settings, servers: { ${name}: {} }, or name one of ${servers.join(', ')}`,
    })),
)
