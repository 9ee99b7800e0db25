import { fail } from '../../errors/json-api-error.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { Transaction, Transactions } from '../../resource/capabilities/transactions.js'
import type { RequestServices } from '../../read/request-services.js'
import type { OpenTransactions } from '../../read/open-transactions.js'
import { currentTransactions, runInTransactions } from '../../read/open-transactions.js'

type Work<Result> = (open: OpenTransactions) => Promise<Result>

/**
 * Runs a write in a transaction of each store that it writes to, where they have them. What is embedded in it, down to the
 * operations that hooks dispatch, joins these transactions, and what waits for their end waits for that of the outermost.
 *
 * @param types the types whose rows are written
 */
export async function inTransaction<Result>(
  types: readonly ServedType[],
  services: RequestServices,
  work: Work<Result>,
): Promise<Result> {
  const outer = currentTransactions()
  const stores = [...new Set(types.flatMap(({ transactions }) => transactions ?? []))]
  let afterCommit: OpenTransactions['afterCommit'] = []
  const result = await runIn(stores, new Map(outer?.byStore), (byStore) => {
    // A store may run the work again, when it met another's.
    afterCommit = []
    const open = { byStore, afterCommit, isOpen: true }
    return runInTransactions(open, () => work(open))
  })
  if (outer !== null && waitsFor(outer, stores)) outer.afterCommit.push(...afterCommit)
  else await runAll(afterCommit, services)
  return result
}

/**
 * Runs a step of the author's once everything is kept. At once, and with its answer, where the write stands alone; inside
 * another one when that is kept, and then nobody waits for its answer.
 */
export async function runAfterCommit<Result>(
  { transactions }: ServedType,
  step: () => Promise<Result>,
): Promise<Result | null> {
  const outer = currentTransactions()
  if (outer === null || transactions === null || !waitsFor(outer, [transactions])) return step()
  outer.afterCommit.push(step)
  return null
}

function waitsFor({ byStore }: OpenTransactions, stores: readonly Transactions[]): boolean {
  return stores.some((store) => byStore.has(store))
}

type ByStore = ReadonlyMap<Transactions, Transaction>

/** How often work in several stores is run from the start because one of them wants it. */
const attempts = 5

/**
 * One inside the other: the first to be opened is the last to be kept. Where a store would run its work again, those around
 * it still hold what the first run wrote: so all of them let go of it, and all of it is run again.
 */
async function runIn<Result>(
  stores: readonly Transactions[],
  byStore: ByStore,
  work: (byStore: ByStore) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const nest: Nest<Result> = { isShared: stores.length > 1, wantsAgain: false, work }
    try {
      return await runNested(stores, byStore, nest)
    } catch (thrown) {
      if (!nest.wantsAgain) throw thrown
      if (attempt === attempts) fail('STORE_UNAVAILABLE', {}, { headers: ['Retry-After', '1'] })
    }
  }
}

interface Nest<Result> {
  /** Whether several stores take part. */
  readonly isShared: boolean
  wantsAgain: boolean
  readonly work: (byStore: ByStore) => Promise<Result>
}

function runNested<Result>(stores: readonly Transactions[], byStore: ByStore, nest: Nest<Result>): Promise<Result> {
  const [store, ...others] = stores
  if (store === undefined) return nest.work(byStore)
  let hasRun = false
  let isKept = false
  return store.run(async (transaction) => {
    // Nothing is run again of which another store has kept its part: that would be there twice.
    if (isKept) throw new Error('What one store has kept could not be kept in another, and cannot be run again.')
    if (hasRun && nest.isShared) {
      nest.wantsAgain = true
      throw new Error('What several stores take part in is run again from the start.')
    }
    hasRun = true
    const result = await runNested(others, new Map(byStore).set(store, transaction), nest)
    // What is part of a transaction that was open before is kept with that.
    isKept = others.some((other) => !byStore.has(other))
    return result
  }, byStore.get(store))
}

/** What comes too late to be answered with is logged, and keeps nothing else from running. */
async function runAll(steps: OpenTransactions['afterCommit'], { report }: RequestServices): Promise<void> {
  for (const step of steps) {
    try {
      await step()
    } catch (thrown) {
      report(thrown)
    }
  }
}
