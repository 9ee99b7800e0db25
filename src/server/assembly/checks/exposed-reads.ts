import type { DataSource } from '../../../stores/common/data-source.js'
import type { ResourceOperation } from '../../../declare/resource/replies/responses.js'
import type { BuildRule, DeclaredType } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { quoteList } from '../declared/describe-value.js'
import { dataSourceList, isDataSource } from './data-sources.js'

/** Operations that read the stored resource, to return it or to find the resource to change or delete. */
const readingOperations: readonly ResourceOperation[] = ['FetchCollection', 'FetchOne', 'Update', 'Delete']

/** Checks that every exposed operation that reads has a provider for it. */
export const exposedReads: BuildRule = eachType(({ type, provider, capabilityFaults }, { settings }) => {
  const exposed = readingOperations.filter((operation) => type.operations.has(operation))
  if (exposed.length === 0 || capabilityFaults.provider !== null) return []
  if (provider === null) {
    return [
      {
        member: 'provider',
        problem: `is missing, but is required by ${quoteList(exposed)}`,
        remedy: storeRemedy(type, dataSourceList(settings).filter(isDataSource)),
      },
    ]
  }
  if (!exposed.includes('FetchCollection') || provider.fetchCollection !== undefined) return []
  return [
    {
      member: 'provider',
      problem: "has no 'fetchCollection', but 'FetchCollection' is exposed",
      remedy: "add the function, or list only other operations: operations: ['FetchOne']",
    },
  ]
})

function storeRemedy({ type, model }: DeclaredType['type'], sources: readonly DataSource[]): string {
  const listing = sources.find(({ types }) => types?.includes(type) === true)
  if (listing !== undefined) {
    return `the store '${listing.name}' lists the type, but has no rows for its model: give the type a model that this store serves`
  }
  if (model === null) return "give the type a provider, or a model that a store under 'data' serves"
  if (sources.some(({ types }) => types !== undefined))
    return "list the type in the option 'types' of a store, or give the type a provider"
  return `put a store that serves the model '${model.name}' under 'data', or give the type a provider`
}
