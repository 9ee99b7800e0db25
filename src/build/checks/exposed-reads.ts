import type { ResourceOperation } from '../../resource/responses.js'
import type { BuildRule, DeclaredType } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { listed } from '../declared/shown.js'

/** What needs the stored resource: reading it, and finding what is to be changed or deleted. */
const reading: readonly ResourceOperation[] = ['FetchCollection', 'FetchOne', 'Update', 'Delete']

/** Every exposed operation that reads has a provider that can. */
export const exposedReads: BuildRule = eachType(({ type, provider, capabilityFaults }) => {
  const exposed = reading.filter((operation) => type.operations.has(operation))
  if (exposed.length === 0 || capabilityFaults.provider !== null) return []
  if (provider === null) {
    return [
      {
        member: 'provider',
        problem: `is missing, and ${listed(exposed)} cannot do without`,
        remedy: needsStore(type),
      },
    ]
  }
  if (!exposed.includes('FetchCollection') || provider.fetchCollection !== undefined) return []
  return [
    {
      member: 'provider',
      problem: "has no 'fetchCollection', and 'FetchCollection' is exposed",
      remedy: "add the function, or name the other operations: operations: ['FetchOne']",
    },
  ]
})

function needsStore({ model }: DeclaredType['type']): string {
  return model === null
    ? "give the type a provider, or a model that a store under 'data' serves"
    : `put a store that serves the model '${model.name}' under 'data', or give the type a provider`
}
