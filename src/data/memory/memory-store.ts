import type { Transaction, Transactions } from '../../resource/capabilities/transactions.js'
import { carried } from '../../util/carried.js'
import { invariant } from '../../util/invariant.js'
import type { LayeredRows } from './layered-rows.js'
import { allRows } from './layered-rows.js'
import type { MemoryTable } from './memory-table.js'
import { memoryTable } from './memory-table.js'

/** Tables with transactions: a transaction writes to versions of its own, which commit as one. */
export interface MemoryStore extends Transactions {
  table(model: { readonly name: string; readonly key: string }, transaction: Transaction | null): MemoryTable
  /** The rows of a model whose key is not known to those who ask, as that of join rows. */
  joinTable(model: string, transaction: Transaction | null): MemoryTable
  /** The same to be read only. */
  rows(model: string, transaction: Transaction | null): LayeredRows
  write(model: string, table: MemoryTable, transaction: Transaction): void
}

/** The tables as one transaction sees them: its own versions over those below. */
interface MemoryTransaction extends Transaction {
  readonly tables: Map<string, MemoryTable>
  /** The transaction, of whichever store, that the work began in. */
  readonly around: MemoryTransaction | null
  /** Work may leave tasks behind that outlive it: those must not join what is over. */
  open: boolean
  /** The last of the transactions inside this one, each of which waits for the one before. */
  lastInner: Promise<unknown>
}

/**
 * Leads from work to the transactions that it runs without naming theirs, as a program does that dispatches operations in
 * one; of whichever store, since the work may be part of several.
 */
const underWay = carried<MemoryTransaction>()

/** The committed tables are replaced, never changed: whoever reads one meanwhile keeps it as it was. */
export function memoryStore(seeds: Readonly<Record<string, readonly object[]>>): MemoryStore {
  const committed = new Map<string, MemoryTable>()
  const unread = new Map<string, readonly object[]>(Object.entries(seeds))
  const unkeyed = new Map<string, LayeredRows>()
  const own = new WeakSet<Transaction>()
  const root = { tables: committed, open: true, lastInner: Promise.resolve() as Promise<unknown> }

  /** What the work wrote goes to the tables below as one, or not at all. */
  async function runOn<Result>(
    below: MemoryTransaction | typeof root,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const tables = new Map(below === root ? [] : below.tables)
    const around = underWay.current() ?? null
    const transaction: MemoryTransaction = { store: 'memory', tables, around, open: true, lastInner: Promise.resolve() }
    own.add(transaction)
    try {
      const result = await underWay.run(transaction, () => work(transaction))
      if (!below.open) throw new Error('The transaction that this one was part of is over.')
      for (const [name, table] of tables) below.tables.set(name, table)
      return result
    } finally {
      transaction.open = false
    }
  }

  /** The transaction of this store that the running work belongs to. */
  function joined(): MemoryTransaction | null {
    for (let outer = underWay.current() ?? null; outer !== null; outer = outer.around) {
      if (own.has(outer) && outer.open) return outer
    }
    return null
  }

  function known(transaction: Transaction): MemoryTransaction {
    invariant(
      own.has(transaction),
      `a memory table was asked for in a transaction of another store, ${transaction.store}`,
    )
    return transaction as MemoryTransaction
  }

  function tablesOf(transaction: Transaction | null): Map<string, MemoryTable> | null {
    return transaction === null ? null : known(transaction).tables
  }

  function tableNamed(name: string, transaction: Transaction | null): MemoryTable | undefined {
    return tablesOf(transaction)?.get(name) ?? committed.get(name)
  }

  return Object.freeze<MemoryStore>({
    table({ name, key }, transaction) {
      const table = tableNamed(name, transaction)
      // Join rows may have been written before it was known that they have a key of their own.
      if (table !== undefined) return table.key === key ? table : memoryTable(key, allRows(table.rows))
      // Seeds become a table when the key is known, which the model says.
      const seeded = memoryTable(key, unread.get(name) ?? [])
      committed.set(name, seeded)
      return seeded
    },

    joinTable(name, transaction) {
      return tableNamed(name, transaction) ?? memoryTable('id', unread.get(name) ?? [])
    },

    rows(name, transaction) {
      const rows = tableNamed(name, transaction)?.rows ?? unkeyed.get(name)
      if (rows !== undefined) return rows
      // No table yet, which would settle the key: a type that stands on the same rows may have another.
      const seeded = memoryTable('id', unread.get(name) ?? []).rows
      unkeyed.set(name, seeded)
      return seeded
    },

    write(model, table, transaction) {
      known(transaction).tables.set(model, table)
    },

    // Writers queue up, so that a commit never overwrites what another has committed. Those inside a transaction queue up
    // there: waiting for a turn outside would be waiting for ever.
    run<Result>(work: (transaction: Transaction) => Promise<Result>, outer?: Transaction): Promise<Result> {
      const queue = outer === undefined ? (joined() ?? root) : known(outer)
      const turn = queue.lastInner.then(() => runOn(queue, work))
      queue.lastInner = turn.catch(() => undefined)
      return turn
    },
  })
}
