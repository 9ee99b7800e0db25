import type { ResourceOperation, SuccessResponse } from '../../../declare/resource/replies/responses.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

const writes: readonly { readonly member: 'create' | 'update'; readonly operation: ResourceOperation }[] = [
  { member: 'create', operation: 'Create' },
  { member: 'update', operation: 'Update' },
]

/**
 * Checks that a type that defers every write has a persister that does so: the persister of a store never defers a
 * write.
 */
export const deferredWrites: BuildRule = eachType(({ type, persister, customWrites: ownWrites, capabilityFaults }) => {
  // Faults of the persister itself are reported by other rules.
  if (persister === null || capabilityFaults.persister !== null) return []
  return writes
    .filter(({ member, operation }) => type.operations.has(operation) && isAlwaysDeferred(type.responses[member]))
    .filter(({ member }) => !ownWrites.has(member))
    .map(({ member }) => ({
      member,
      problem: 'has no response but accepted(), and the persister of the store defers no write',
      remedy: `give the type a persister that defers it, persister: (store) => ({ ...store, ${member}: … }), or add another response`,
    }))
})

/** Returns whether every write is deferred, because `accepted()` is the only response. */
export function isAlwaysDeferred(responses: readonly SuccessResponse[]): boolean {
  return responses.length > 0 && responses.every((response: unknown) => isAccepted(response))
}

/** Values that are not responses are reported by the rule successResponses. */
function isAccepted(response: unknown): boolean {
  return typeof response === 'object' && response !== null && 'kind' in response && response.kind === 'accepted'
}
