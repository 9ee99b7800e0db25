import { isPlainObject } from '../../../core/util/deep-freeze.js'
import { persisterContract, providerContract } from '../declared/choose-capability.js'
import type { BuildRule, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
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

/** Returns whether two names differ by at most two letters, so that one may be a misspelling of the other. */
function areAlike(one: string, other: string): boolean {
  return Math.abs(one.length - other.length) <= 2 && distance(one, other) <= 2
}

/** The number of letters to insert, delete or replace. https://en.wikipedia.org/wiki/Levenshtein_distance */
function distance(one: string, other: string): number {
  let previousRow = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const currentRow = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (previousRow[column - 1] ?? 0) + (other[column - 1] === one[row - 1] ? 0 : 1)
      currentRow.push(Math.min(replaced, (previousRow[column] ?? 0) + 1, (currentRow[column - 1] ?? 0) + 1))
    }
    previousRow = currentRow
  }
  return previousRow[other.length] ?? 0
}
