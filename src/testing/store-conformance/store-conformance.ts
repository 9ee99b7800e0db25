import type { DataSource } from '../../data/data-source.js'
import type { Awaitable } from '../../util/types.js'
import type { CaseDeclaration } from './case-declaration.js'
import { batchCases } from './cases/batches.js'
import { conflictCases } from './cases/conflicts.js'
import { filterCases } from './cases/filters.js'
import { memberCases } from './cases/members.js'
import { orderCases } from './cases/orders.js'
import { pageCases } from './cases/pages.js'
import { relatedCases } from './cases/related.js'
import { rowCases } from './cases/rows.js'
import { transactionCases } from './cases/transactions.js'
import { writeCases } from './cases/writes.js'
import type { CatalogueServer } from './catalogue.js'
import { catalogueServer } from './catalogue.js'
import { catalogueTypes } from './catalogue-types.js'
import type { ConformanceSeeds } from './catalogue-seeds.js'
import { conformanceSeeds } from './catalogue-seeds.js'
import type { StoreCapabilities } from './store-capabilities.js'
import { capabilitiesOf } from './store-capabilities.js'

/** A store that was opened for one case, and what is to be done when it is over. */
export interface OpenedStore {
  readonly data: DataSource
  close?(): Awaitable<void>
}

/** What the suite is told of a store. Whatever is not said to be `false` is tested. */
export interface StoreConformanceOptions extends Partial<StoreCapabilities> {
  /** Answers a store that has exactly these rows, by the name of their model. Called anew for each case. */
  open(seeds: ConformanceSeeds): Awaitable<DataSource | OpenedStore>
}

/** One case of the suite, for any test runner. */
export interface StoreCase {
  /** What the store promises, as a sentence. */
  readonly name: string
  /** Rejects with what was expected and what came. */
  readonly run: () => Promise<void>
}

const all: readonly CaseDeclaration[] = [
  ...rowCases,
  ...filterCases,
  ...orderCases,
  ...pageCases,
  ...relatedCases,
  ...writeCases,
  ...memberCases,
  ...conflictCases,
  ...transactionCases,
  ...batchCases,
]

/**
 * The cases that a store has to pass, whatever runs them. They speak to a server over the store, and to the store itself
 * where no request of a client could ask.
 *
 * @example
 * ```ts
 * import { memoryData } from 'ashlar/memory'
 * import { storeConformance } from 'ashlar/testing'
 * import { test } from 'node:test'
 *
 * const without = { references: false, required: false, checks: false, typed: false }
 * for (const { name, run } of storeConformance({ open: memoryData, ...without })) test(name, run)
 * ```
 */
export function storeConformance(options: StoreConformanceOptions): readonly StoreCase[] {
  const has = capabilitiesOf(options)
  const types = catalogueTypes(has)
  /** Those that no case speaks to: a runner may run several at once. */
  const free: CatalogueServer[] = []
  const run = async (declared: CaseDeclaration): Promise<void> => {
    const opened = await options.open(conformanceSeeds())
    const store: OpenedStore = isSource(opened) ? { data: opened } : opened
    try {
      const server = free.pop() ?? built(declared, () => catalogueServer(store.data, types, has))
      // Of a case that fails no request is left either: each waits for what it has asked for.
      await runOn(declared, server, store.data).finally(() => free.push(server))
    } finally {
      await store.close?.()
    }
  }
  return Object.freeze(
    all
      .filter(({ needs }) => needs.every((capability) => has[capability]))
      .map((declared) => Object.freeze({ name: declared.name, run: () => run(declared) })),
  )
}

/** A source may have a member `data` of its own. */
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

/** A store of which no server can be made breaks what the first case promises. */
function built(declared: CaseDeclaration, build: () => CatalogueServer): CatalogueServer {
  try {
    return build()
  } catch (thrown) {
    throw failure(declared, thrown, [])
  }
}

function failure({ name }: CaseDeclaration, thrown: unknown, logged: readonly unknown[]): Error {
  const causes = logged.map((each) => `The server failed with: ${messageOf(each)}`)
  return new Error([`The store breaks a promise: ${name}.`, messageOf(thrown), ...causes].join('\n'), { cause: thrown })
}

function messageOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  return thrown.cause === undefined ? thrown.message : `${thrown.message}\n${messageOf(thrown.cause)}`
}
