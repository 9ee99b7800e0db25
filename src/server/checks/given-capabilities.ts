import type { BuildRule, TypeFault } from './build-rule.js'
import { eachType } from './build-rule.js'

/** A type's own provider and persister have the functions that they are called with, whoever made them. */
export const givenCapabilities: BuildRule = eachType(({ provider, capabilityFaults, given }): readonly TypeFault[] => {
  const members = ['provider', 'persister'] as const
  const faults = members.flatMap((member) => {
    const fault = capabilityFaults[member]
    return fault === null ? [] : [{ member, ...fault }]
  })
  const isOwn = isGiven(given['provider']) && capabilityFaults.provider === null
  if (!isOwn || ['undefined', 'function'].includes(typeof provider?.fetchCollection)) return faults
  return [
    ...faults,
    { member: 'provider', problem: "has a 'fetchCollection' that is no function", remedy: 'make it one' },
  ]
})

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}
