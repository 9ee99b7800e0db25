import type { DataSource } from '../../../stores/common/data-source.js'
import type { Awaitable } from '../../../core/util/types.js'
import type { CaseDeclaration } from './case-declaration.js'
import { aggregateCases } from './cases/aggregates.js'
import { autocommitCases } from './cases/autocommit.js'
import { batchCases } from './cases/batches.js'
import { compositeKeyCases } from './cases/composite-keys.js'
import { conflictCases } from './cases/conflicts.js'
import { filterTreeCases } from './cases/filter-trees.js'
import { filterCases } from './cases/filters.js'
import { keyCases } from './cases/keys.js'
import { memberCases } from './cases/members.js'
import { orderCases } from './cases/orders.js'
import { pageCases } from './cases/pages.js'
import { relatedCases } from './cases/related.js'
import { rowCases } from './cases/rows.js'
import { scopeCases } from './cases/scopes.js'
import { searchCases } from './cases/searches.js'
import { transactionCases } from './cases/transactions.js'
import { writeCases } from './cases/writes.js'
import type { CatalogueServer } from './catalogue.js'
import { catalogueServer } from './catalogue.js'
import { catalogueTypes } from './catalogue-types.js'
import type { ConformanceSeeds } from './catalogue-seeds.js'
import { conformanceSeeds } from './catalogue-seeds.js'
import type { StoreCapabilities } from './store-capabilities.js'
import { capabilitiesOf } from './store-capabilities.js'

/** A store that was opened for one case, and a function that closes it. */
export interface OpenedStore {
  readonly data: DataSource
  close?(): Awaitable<void>
}

/** The options of the suite. Every capability that is not `false` is tested. */
export interface StoreConformanceOptions extends Partial<StoreCapabilities> {
  /** Returns a store that has exactly these rows, by the name of their model. Called for each case. */
  open(seeds: ConformanceSeeds): Awaitable<DataSource | OpenedStore>
}

/** One case of the suite, for any test runner. */
export interface StoreCase {
  /** The requirement, as a sentence. */
  readonly name: string
  /** Rejects with the expected and the actual values. */
  readonly run: () => Promise<void>
}

const allCases: readonly CaseDeclaration[] = [
  ...rowCases,
  ...filterCases,
  ...filterTreeCases,
  ...searchCases,
  ...orderCases,
  ...pageCases,
  ...relatedCases,
  ...scopeCases,
  ...writeCases,
  ...memberCases,
  ...conflictCases,
  ...transactionCases,
  ...batchCases,
  ...autocommitCases,
  ...keyCases,
  ...aggregateCases,
  ...compositeKeyCases,
]

/**
 * Returns the cases that a store must pass, for any test runner. They send requests to a server with the store, and
 * call the store directly where no request can cause the call.
 *
 * @example
 * ```ts
 * import { memoryData } from 'ashlar/memory'
 * import { storeConformance } from 'ashlar/testing'
 * import { test } from 'node:test'
 *
 * const without = { references: false, required: false, checks: false, typed: false, autocommit: false }
 * for (const { name, run } of storeConformance({ open: memoryData, ...without })) test(name, run)
 * ```
 */
export function storeConformance(options: StoreConformanceOptions): readonly StoreCase[] {
  const capabilities = capabilitiesOf(options)
  const types = catalogueTypes(capabilities)
  /** Servers that no case uses at the moment: a runner may run several cases concurrently. */
  const idleServers: CatalogueServer[] = []
  const run = async (declared: CaseDeclaration): Promise<void> => {
    const opened = await options.open(conformanceSeeds())
    const store: OpenedStore = isSource(opened) ? { data: opened } : opened
    try {
      const server = idleServers.pop() ?? built(declared, () => catalogueServer(store.data, types, capabilities))
      // A failed case has no open requests either, because each case awaits its requests.
      await runOn(declared, server, store.data).finally(() => idleServers.push(server))
    } finally {
      await store.close?.()
    }
  }
  return Object.freeze(
    allCases
      .filter(({ needs }) => needs.every((capability) => capabilities[capability]))
      .map((declared) => Object.freeze({ name: declared.name, run: () => run(declared) })),
  )
}

/** Tests for `provider`, because a data source may have a member `data` too. */
function isSource(opened: DataSource | OpenedStore): opened is DataSource {
  return 'provider' in opened
}

async function runOn(declared: CaseDeclaration, server: CatalogueServer, data: DataSource): Promise<void> {
  const logged: unknown[] = []
  try {
    await declared.run(server(data, logged))
  } catch (thrown) {
    throw failure(declared, thrown, logged)
  }
}

/** If no server can be built with a store, the first case fails. */
function built(declared: CaseDeclaration, build: () => CatalogueServer): CatalogueServer {
  try {
    return build()
  } catch (thrown) {
    throw failure(declared, thrown, [])
  }
}

function failure({ name }: CaseDeclaration, thrown: unknown, logged: readonly unknown[]): Error {
  const causes = logged.map((each) => `The server failed with: ${messageOf(each)}`)
  return new Error([`The store does not conform: ${name}.`, messageOf(thrown), ...causes].join('\n'), { cause: thrown })
}

function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  return thrown.cause === undefined ? thrown.message : `${thrown.message}\n${messageOf(thrown.cause)}`
}
