import type { ResourceOperation, SuccessResponse } from '../../resource/responses.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

const writes: readonly { readonly member: 'create' | 'update'; readonly operation: ResourceOperation }[] = [
  { member: 'create', operation: 'Create' },
  { member: 'update', operation: 'Update' },
]

/** A store does at once what it is told: who puts every write off has a persister that says so. */
export const putOffWrites: BuildRule = eachType(({ type, persister, ownWrites, capabilityFaults }) => {
  // What is wrong with the persister itself is told by other rules.
  if (persister === null || capabilityFaults.persister !== null) return []
  return writes
    .filter(({ member, operation }) => type.operations.has(operation) && isPutOff(type.responses[member]))
    .filter(({ member }) => !ownWrites.has(member))
    .map(({ member }) => ({
      member,
      problem: 'has nothing but accepted(), and the persister of the store puts nothing off',
      remedy: `give the type a persister that does, persister: (store) => ({ ...store, ${member}: … }), or name another response too`,
    }))
})

/** Whether no write is done before it is answered. */
export function isPutOff(responses: readonly SuccessResponse[]): boolean {
  return responses.length > 0 && responses.every((response: unknown) => isAccepted(response))
}

/** What is no response at all is told by another rule. */
function isAccepted(response: unknown): boolean {
  return typeof response === 'object' && response !== null && 'kind' in response && response.kind === 'accepted'
}
