import { isPlainObject } from '../../util/deep-freeze.js'
import { persisterContract, providerContract } from '../declared/choose-capability.js'
import type { BuildRule, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { areAlike } from './are-alike.js'
import { describeValue } from '../declared/describe-value.js'

type Member = 'provider' | 'persister'

/** The functions that the server calls. */
const known: Readonly<Record<Member, readonly string[]>> = Object.freeze({
  provider: providerContract.methods,
  persister: persisterContract.methods,
})

/**
 * Checks that a provider and a persister that the declaration gives, as objects or as functions, have valid functions.
 */
export const customCapabilities: BuildRule = eachType((declared): readonly TypeFault[] =>
  (['provider', 'persister'] as const).flatMap((member) => {
    const fault = declared.capabilityFaults[member]
    if (fault !== null) return [{ member, ...fault }]
    const custom = declared.rawMembers[member]
    if (custom === undefined || custom === null) return []
    return [...functionFaults(declared, member), ...spellingFaults(declared, member)]
  }),
)

function functionFaults(declared: DeclaredType, member: Member): readonly TypeFault[] {
  const capability = declared[member] as Readonly<Record<string, unknown>> | null
  return known[member]
    .filter((method) => !['undefined', 'function'].includes(typeof capability?.[method]))
    .map((method) => ({ member, problem: `has a '${method}' that is not a function`, remedy: 'make it a function' }))
}

/**
 * A function whose name is similar to a known one is probably misspelt, and would never be called. Instances of classes
 * may have other functions of any name.
 */
function spellingFaults(declared: DeclaredType, member: Member): readonly TypeFault[] {
  const capability: unknown = declared[member]
  if (!isPlainObject(capability)) return []
  return Object.keys(capability).flatMap((name) => {
    const similar = known[member].find((method) => areAlike(method, name))
    if (known[member].includes(name) || similar === undefined || typeof capability[name] !== 'function') return []
    const problem = `has a function ${describeValue(name)}, which is never called`
    return [{ member, problem, remedy: `rename it to '${similar}', or give it a less similar name` }]
  })
}
