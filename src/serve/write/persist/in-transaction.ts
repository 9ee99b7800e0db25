import { fail } from '../../../core/errors/json-api-error.js'
import type { ServedType, ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import type { Transaction, Transactions } from '../../../declare/resource/request/transactions.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { AfterStep } from '../../hooks/fire-events.js'
import type { Reply } from '../../../declare/resource/replies/reply.js'
import type { OpenTransactions, RequestServices } from '../../read/read-context.js'
import { currentTransactions, runInTransactions } from '../../read/read-context.js'
import { flattenedChain } from '../../../declare/resource/reading/flattened-chain.js'
import type { ResourceDocument } from '../document/resource-document.js'

/** The request that a transaction is for. */
interface TransactionRequest {
  readonly services: RequestServices
  readonly context: RequestContext
}

/** Rolls back the transactions that it is called in: it throws, so no code in between may catch all errors. */
export type RollBack<Result> = (result: Result) => never

type Work<Result> = (open: OpenTransactions, rollBack: RollBack<Result>) => Promise<Result>

/**
 * Runs a write in one transaction of each store that it writes to. Stores without transactions are skipped. Nested
 * writes, such as the operations that hooks dispatch, join these transactions. Functions to run after commit then wait
 * for the commit of the outermost write.
 *
 * @param types the types whose rows are written
 * @param work may roll back with a result, which is then returned
 */
export async function inTransaction<Result>(
  types: readonly ServedType[],
  request: TransactionRequest,
  work: Work<Result>,
): Promise<Result> {
  // A store may retry the work, and so roll back several times.
  const results = new Map<unknown, Result>()
  const rollBack: RollBack<Result> = (result) => {
    const signal = new Error('The transaction is rolled back, and its work has a result.')
    results.set(signal, result)
    throw signal
  }
  try {
    return await committed(types, request, (open) => work(open, rollBack))
  } catch (thrown) {
    if (!results.has(thrown)) throw thrown
    return results.get(thrown) as Result
  }
}

async function committed<Result>(
  types: readonly ServedType[],
  request: TransactionRequest,
  work: (open: OpenTransactions) => Promise<Result>,
): Promise<Result> {
  const outer = currentTransactions()
  const stores = [...new Set(types.flatMap(({ transactions }) => transactions ?? []))]
  let afterCommit: OpenTransactions['afterCommit'] = []
  const runWork = (byStore: ByStore): Promise<Result> => {
    // A store may retry the work after a conflict with another transaction: only the last attempt counts.
    afterCommit = []
    const open = { byStore, afterCommit, isOpen: true }
    return runInTransactions(open, () => work(open))
  }
  const result = await runIn(stores, new Map(outer?.byStore), { work: runWork, context: request.context })
  if (outer !== null && includesAny(outer, stores)) outer.afterCommit.push(...afterCommit)
  else await runAll(afterCommit, request)
  return result
}

/**
 * Runs user-defined steps after commit. Outside a transaction they run immediately, and the last result that is not `null` is
 * returned. Inside the transaction of another write they run after the commit of that write, whether or not one of them throws.
 * Their results are ignored, and `null` is returned.
 */
export async function runAfterCommit({ transactions }: ServedType, steps: readonly AfterStep[]): Promise<Reply | null> {
  const outer = currentTransactions()
  if (outer !== null && transactions !== null && includesAny(outer, [transactions])) {
    outer.afterCommit.push(...steps)
    return null
  }
  let reply: Reply | null = null
  for (const step of steps) reply = (await step()) ?? reply
  return reply
}

function includesAny({ byStore }: OpenTransactions, stores: readonly Transactions[]): boolean {
  return stores.some((store) => byStore.has(store))
}

type ByStore = ReadonlyMap<Transactions, Transaction>

/** The maximum number of attempts of work in several stores, if one of them requires a retry. */
const maxAttempts = 5

/**
 * Nests the transactions: the first to be opened is the last to be committed. If an inner store retries its work, the
 * outer transactions still contain the writes of the first attempt. So all transactions are rolled back, and the whole
 * work is retried.
 */
async function runIn<Result>(
  stores: readonly Transactions[],
  byStore: ByStore,
  { work, context }: Pick<NestedWork<Result>, 'work' | 'context'>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    const nested: NestedWork<Result> = { isShared: stores.length > 1, wantsRetry: false, work, context }
    try {
      return await runNested(stores, byStore, nested)
    } catch (thrown) {
      if (!nested.wantsRetry) throw thrown
      if (attempt === maxAttempts) fail('STORE_UNAVAILABLE', {}, { headers: ['Retry-After', '1'] })
    }
  }
}

interface NestedWork<Result> {
  /** Whether several stores take part. */
  readonly isShared: boolean
  wantsRetry: boolean
  readonly work: (byStore: ByStore) => Promise<Result>
  readonly context: RequestContext
}

function runNested<Result>(
  stores: readonly Transactions[],
  byStore: ByStore,
  nested: NestedWork<Result>,
): Promise<Result> {
  const [store, ...others] = stores
  if (store === undefined) return nested.work(byStore)
  let hasRun = false
  let isCommitted = false
  const runInStore = async (transaction: Transaction): Promise<Result> => {
    // If an inner store has committed its part, a retry would write that part twice.
    if (isCommitted)
      throw new Error(
        'One store has committed its part, but another store could not commit, so the write cannot be retried.',
      )
    if (hasRun && nested.isShared) {
      nested.wantsRetry = true
      throw new Error('The write is retried in all of its stores.')
    }
    hasRun = true
    const result = await runNested(others, new Map(byStore).set(store, transaction), nested)
    // A store whose transaction was open before commits with that transaction, not here.
    isCommitted = others.some((other) => !byStore.has(other))
    return result
  }
  return store.run(runInStore, byStore.get(store), nested.context)
}

/**
 * Runs the steps after commit. An error can no longer change the response: it is logged, and the other steps still run.
 */
async function runAll(
  steps: OpenTransactions['afterCommit'],
  { services, context }: TransactionRequest,
): Promise<void> {
  for (const step of steps) {
    try {
      await step()
    } catch (thrown) {
      services.report(thrown, context)
    }
  }
}

/**
 * Returns the types whose rows a document may write: its own first, then the types that store its members or flattened
 * attributes.
 */
export function writtenTypes(
  served: ServedType,
  { attributes, relationships }: Pick<ResourceDocument, 'attributes' | 'relationships'>,
): readonly ServedType[] {
  const written = [served]
  for (const relation of served.relations.values()) {
    if (Object.hasOwn(relationships, relation.name)) written.push(...memberTypes(relation))
  }
  for (const attribute of served.type.attributes) {
    if (attribute.spec.on === null || !Object.hasOwn(attributes, attribute.name)) continue
    const chain = flattenedChain(served, attribute)
    if (chain !== null) written.push(chain.end)
  }
  return written
}

/** Returns the related types whose rows are written if the members of a relation change. */
export function memberTypes({ writeBy, related }: ServedRelation): readonly ServedType[] {
  return writeBy === 'targets' ? [...related.values()] : []
}
