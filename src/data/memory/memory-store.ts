import { AsyncLocalStorage } from 'node:async_hooks'
import type { Transaction, Transactions } from '../../resource/capabilities/transactions.js'
import { invariant } from '../../util/invariant.js'
import type { MemoryTable } from './memory-table.js'
import { memoryTable } from './memory-table.js'

/** The tables as one transaction sees them: its own versions over what was committed when it began. */
interface MemoryTransaction extends Transaction {
  readonly tables: Map<string, MemoryTable>
  /** Work may leave tasks behind that outlive it: those must not join what is over. */
  open: boolean
}

/** Tables with snapshot transactions: a transaction writes to versions of its own, which commit as one. */
export interface MemoryStore extends Transactions {
  table(model: { readonly name: string; readonly key: string }, transaction: Transaction | null): MemoryTable
  write(model: string, table: MemoryTable, transaction: Transaction | null): void
}

const storeName = 'memory'

/** The committed state is replaced, never changed: whoever reads it meanwhile keeps a consistent view. */
export function memoryStore(seeds: Readonly<Record<string, readonly object[]>>): MemoryStore {
  const committed = new Map<string, MemoryTable>()
  const unread = new Map<string, readonly object[]>(Object.entries(seeds))
  const underWay = new AsyncLocalStorage<MemoryTransaction>()
  let lastWriter: Promise<unknown> = Promise.resolve()

  /** What the work wrote goes to the tables below as one, or not at all. */
  async function runOn<Result>(
    below: Map<string, MemoryTable>,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const tables = new Map(below === committed ? [] : below)
    const transaction: MemoryTransaction = { store: storeName, tables, open: true }
    try {
      const result = await underWay.run(transaction, () => work(transaction))
      for (const [name, table] of tables) below.set(name, table)
      return result
    } finally {
      transaction.open = false
    }
  }

  return Object.freeze<MemoryStore>({
    table({ name, key }, transaction) {
      const table = tablesOf(transaction)?.get(name) ?? committed.get(name)
      if (table !== undefined) return table
      // Seeds become a table when the key is known, which the model says.
      const seeded = memoryTable(key, unread.get(name) ?? [])
      committed.set(name, seeded)
      return seeded
    },

    write(model, table, transaction) {
      ;(tablesOf(transaction) ?? committed).set(model, table)
    },

    // Writers queue up, so that a commit never overwrites what another has committed since the snapshot. Work inside a
    // transaction that starts another joins it: waiting for its own turn would be waiting for ever.
    run<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
      const outer = underWay.getStore()
      if (outer?.open === true) return runOn(outer.tables, work)
      const turn = lastWriter.then(() => runOn(committed, work))
      lastWriter = turn.catch(() => undefined)
      return turn
    },
  })
}

function tablesOf(transaction: Transaction | null): Map<string, MemoryTable> | null {
  if (transaction === null) return null
  invariant(transaction.store === storeName, `a memory table was asked for in a transaction of ${transaction.store}`)
  return (transaction as MemoryTransaction).tables
}
