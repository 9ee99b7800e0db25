import { isPlainObject } from '../../util/frozen.js'
import { persisterContract, providerContract } from '../declared/choose-capability.js'
import type { BuildRule, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { areAlike } from './are-alike.js'
import { shown } from '../declared/shown.js'

type Member = 'provider' | 'persister'

/** The functions that somebody calls. */
const known: Readonly<Record<Member, readonly string[]>> = Object.freeze({
  provider: providerContract.methods,
  persister: persisterContract.methods,
})

/** A type's own provider and persister have the functions that they are called with, whoever made them. */
export const givenCapabilities: BuildRule = eachType((declared): readonly TypeFault[] =>
  (['provider', 'persister'] as const).flatMap((member) => {
    const fault = declared.capabilityFaults[member]
    if (fault !== null) return [{ member, ...fault }]
    const given = declared.given[member]
    if (given === undefined || given === null) return []
    return [...functionFaults(declared, member), ...spellingFaults(declared, member)]
  }),
)

function functionFaults(declared: DeclaredType, member: Member): readonly TypeFault[] {
  const made = declared[member] as Readonly<Record<string, unknown>> | null
  return known[member]
    .filter((method) => !['undefined', 'function'].includes(typeof made?.[method]))
    .map((method) => ({ member, problem: `has a '${method}' that is no function`, remedy: 'make it one' }))
}

/** A function that is nearly called like a known one is never called. Instances of classes may have what they like. */
function spellingFaults(declared: DeclaredType, member: Member): readonly TypeFault[] {
  const made: unknown = declared[member]
  if (!isPlainObject(made)) return []
  return Object.keys(made).flatMap((name) => {
    const meant = known[member].find((method) => areAlike(method, name))
    if (known[member].includes(name) || meant === undefined || typeof made[name] !== 'function') return []
    const problem = `has a function ${shown(name)}, which nobody calls`
    return [{ member, problem, remedy: `call it '${meant}', or give it a name that is less like that` }]
  })
}
