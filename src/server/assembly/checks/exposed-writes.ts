import type { ResourceOperation } from '../../../declare/resource/replies/responses.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { quoteList } from '../declared/describe-value.js'

const writingOperations: readonly ResourceOperation[] = ['Create', 'Update', 'Delete']

/** Checks that every exposed operation that writes has a persister. */
export const exposedWrites: BuildRule = eachType(({ type, persister, capabilityFaults }) => {
  const exposed = writingOperations.filter((operation) => type.operations.has(operation))
  if (exposed.length === 0 || persister !== null || capabilityFaults.persister !== null) return []
  return [
    {
      member: 'persister',
      problem: `is missing, but is required by ${quoteList(exposed)}`,
      remedy: "give the type a persister, put a store that writes it under 'data', or make it readOnly",
    },
  ]
})
