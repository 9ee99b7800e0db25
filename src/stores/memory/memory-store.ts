import type { Transaction, Transactions } from '../../declare/resource/request/transactions.js'
import { asyncContext } from '../../core/util/async-context.js'
import { invariant } from '../../core/util/invariant.js'
import type { LayeredRows } from './layered-rows.js'
import { allRows } from './layered-rows.js'
import type { MemoryTable } from './memory-table.js'
import { memoryTable } from './memory-table.js'

/** Tables with transactions. A transaction writes to its own versions of tables, which it commits together. */
export interface MemoryStore extends Transactions {
  table(model: { readonly name: string; readonly key: string }, transaction: Transaction | null): MemoryTable
  /** Returns the table of a model whose key column the caller does not know, such as a join table. */
  joinTable(model: string, transaction: Transaction | null): MemoryTable
  /** Returns the rows of such a model, for reading only. */
  rows(model: string, transaction: Transaction | null): LayeredRows
  write(model: string, table: MemoryTable, transaction: Transaction): void
  /** Returns the transaction that the running code is part of; `null` if there is none. */
  current(): Transaction | null
}

/** An open transaction, with its own versions of the tables that it wrote. */
interface MemoryTransaction extends Transaction {
  readonly tables: Map<string, MemoryTable>
  /** The transaction, of this or another memory store, that was active when this one began. */
  readonly enclosing: MemoryTransaction | null
  /** False after the end: a task that is still running then must not join this transaction. */
  open: boolean
  /** The last transaction in the queue of nested transactions: each waits for the one before it. */
  lastInner: Promise<unknown>
}

/**
 * The active transaction of the async context. Code that runs in a transaction may start another one without passing
 * the outer one, for example a program that dispatches operations in a transaction. All memory stores share this
 * context, because the code may run in transactions of several stores.
 */
const activeTransaction = asyncContext<MemoryTransaction>()

/** Creates the store. Committed tables are replaced and never changed, so a concurrent read sees a consistent table. */
export function memoryStore(seeds: Readonly<Record<string, readonly object[]>>): MemoryStore {
  const committed = new Map<string, MemoryTable>()
  const seedsByModel = new Map<string, readonly object[]>(Object.entries(seeds))
  const rowsOfUnknownKey = new Map<string, LayeredRows>()
  const ownTransactions = new WeakSet<Transaction>()
  const snapshots = new WeakSet<Transaction>()
  const root = { tables: committed, open: true, lastInner: Promise.resolve() as Promise<unknown> }

  /** Runs work in a new transaction inside `outer`. Commits all its tables to `outer`, or none if the work throws. */
  async function runIn<Result>(
    outer: MemoryTransaction | typeof root,
    work: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result> {
    const tables = new Map(outer === root ? [] : outer.tables)
    const enclosing = activeTransaction.current() ?? null
    const lastInner = Promise.resolve()
    const transaction: MemoryTransaction = { store: 'memory', tables, enclosing, open: true, lastInner }
    ownTransactions.add(transaction)
    try {
      const result = await activeTransaction.run(transaction, () => work(transaction))
      if (!outer.open) throw new Error('The enclosing transaction has ended.')
      for (const [name, table] of tables) outer.tables.set(name, table)
      return result
    } finally {
      transaction.open = false
    }
  }

  /** Returns the innermost open transaction of this store that the running code belongs to. */
  function openTransaction(): MemoryTransaction | null {
    for (let active = activeTransaction.current() ?? null; active !== null; active = active.enclosing) {
      if (ownTransactions.has(active) && active.open) return active
    }
    return null
  }

  function ownTransaction(transaction: Transaction): MemoryTransaction {
    invariant(
      ownTransactions.has(transaction),
      `a memory table was requested in a transaction of another store, ${transaction.store}`,
    )
    return transaction as MemoryTransaction
  }

  function tablesOf(transaction: Transaction | null): Map<string, MemoryTable> | null {
    return transaction === null ? null : ownTransaction(transaction).tables
  }

  function tableNamed(name: string, transaction: Transaction | null): MemoryTable | undefined {
    const table = tablesOf(transaction)?.get(name)
    // A table that is not in a snapshot had its seeds then.
    if (table !== undefined || (transaction !== null && snapshots.has(transaction))) return table
    return committed.get(name)
  }

  return Object.freeze<MemoryStore>({
    table({ name, key }, transaction) {
      const table = tableNamed(name, transaction)
      // Join rows may have been written before a type with a key was read from the same table.
      if (table !== undefined) return table.key === key ? table : memoryTable(key, allRows(table.rows))
      // Seeds become a table when the first model names the key.
      const seeded = memoryTable(key, seedsByModel.get(name) ?? [])
      const isSnapshot = transaction !== null && snapshots.has(transaction)
      ;(isSnapshot ? ownTransaction(transaction).tables : committed).set(name, seeded)
      return seeded
    },

    joinTable(name, transaction) {
      return tableNamed(name, transaction) ?? memoryTable('id', seedsByModel.get(name) ?? [])
    },

    rows(name, transaction) {
      const rows = tableNamed(name, transaction)?.rows ?? rowsOfUnknownKey.get(name)
      if (rows !== undefined) return rows
      // Does not create the committed table, because that would fix the key: a type with the same rows may have
      // another.
      const seeded = memoryTable('id', seedsByModel.get(name) ?? []).rows
      rowsOfUnknownKey.set(name, seeded)
      return seeded
    },

    write(model, table, transaction) {
      ownTransaction(transaction).tables.set(model, table)
    },

    current: openTransaction,

    // Committed tables are never changed, so a copy of their list is a snapshot.
    async snapshot(work) {
      const tables = new Map(committed)
      const transaction: MemoryTransaction = {
        store: 'memory',
        tables,
        enclosing: null,
        open: true,
        lastInner: Promise.resolve(),
      }
      ownTransactions.add(transaction)
      snapshots.add(transaction)
      try {
        return await work(transaction)
      } finally {
        transaction.open = false
      }
    },

    // Transactions run one after the other, so that a commit never overwrites another commit. Nested transactions wait
    // in the queue of their outer transaction: in the queue outside they would wait for that transaction, a deadlock.
    run<Result>(work: (transaction: Transaction) => Promise<Result>, outer?: Transaction): Promise<Result> {
      const queue = outer === undefined ? (openTransaction() ?? root) : ownTransaction(outer)
      const turn = queue.lastInner.then(() => runIn(queue, work))
      queue.lastInner = turn.catch(() => undefined)
      return turn
    },
  })
}
