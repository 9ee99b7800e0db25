import type { BuildRule } from './build-rule.js'
import { declarationFaults } from './declaration-faults.js'
import { declaredServers } from './declared-servers.js'
import { oneId } from './one-id.js'

/** Every build rule. A build asks all of them and reports all that they find. */
export const buildRules: readonly BuildRule[] = Object.freeze([oneId, declaredServers, declarationFaults])
