import type { DataSource, Transaction, Transactions } from 'ashlar/store'
import { conformanceModels, type ConformanceSeeds } from 'ashlar/testing'
import type { Fault } from './faults.js'
import { smallKeys } from './keys.js'
import { meetsAll, smallProvider } from './reading.js'
import { storedRow, smallPersister } from './writing.js'
import type { StoredRow, Tables, Wrong } from './values.js'

interface OpenTransaction extends Transaction {
  readonly tables: Tables
}

/** A store as a user would write it, for the catalogue of the conformance suite: correct, or with one fault. */
export function smallStore(seeds: ConformanceSeeds, fault: Fault | null = null): DataSource {
  const wrong: Wrong = (candidate) => candidate === fault
  const committed: Tables = new Map(
    Object.entries(seeds).map(([model, rows]) => [model, rows.map((row) => storedRow(row, wrong))]),
  )
  const tablesIn = (transaction: Transaction | null): Tables =>
    transaction === null ? committed : (transaction as OpenTransaction).tables
  const provider = smallProvider(
    (model, transaction) => tablesIn(wrong('reads outside its transactions') ? null : transaction).get(model) ?? [],
    wrong,
  )
  const rowsOf = (model: string) => committed.get(model) ?? []
  const persister = smallPersister(
    tablesIn,
    (row, conditions, context) => meetsAll(row, conditions, { wrong, rows: rowsOf, context }),
    wrong,
  )
  return {
    name: 'small',
    provider: ({ model }) => (model === null ? null : provider),
    persister: ({ model }) => (model === null ? null : persister),
    transactions: smallTransactions(committed, wrong),
    idempotency: smallKeys(committed, tablesIn, wrong),
  }
}

/** One after the other: each writes to its own tables, which replace those below. */
function smallTransactions(committed: Tables, wrong: Wrong): Transactions {
  let last: Promise<unknown> = Promise.resolve()
  const isCrowded = wrong('lets others change rows that are read for update')
  const runOn = async <Result>(below: Tables, work: (transaction: Transaction) => Promise<Result>): Promise<Result> => {
    const isInside = below !== committed
    const tables: Tables = new Map(below)
    const before: Tables = new Map(below)
    const keep = (): void => {
      for (const [name, rows] of tables) {
        below.set(name, isCrowded ? merged(name, before.get(name) ?? [], rows, below.get(name) ?? []) : rows)
      }
    }
    try {
      const result = await work({ store: 'small', tables } as OpenTransaction)
      if (!isInside || !wrong('loses the writes of a nested transaction')) keep()
      return result
    } catch (thrown) {
      if (isInside && wrong('undoes all for a transaction inside'))
        for (const [name, rows] of committed) below.set(name, rows)
      if (wrong(isInside ? 'stores writes that a nested transaction rolls back' : 'stores writes that are rolled back'))
        keep()
      throw thrown
    }
  }
  return {
    run(work, outer) {
      if (outer !== undefined) return runOn((outer as OpenTransaction).tables, work)
      if (isCrowded || wrong('lets transactions run over each other')) return runOn(committed, work)
      const turn = last.then(() => runOn(committed, work))
      last = turn.catch(() => undefined)
      return turn
    },
  }
}

/** The rows that others have committed meanwhile, with the changes of this transaction. */
function merged(
  model: string,
  before: readonly StoredRow[],
  own: readonly StoredRow[],
  others: readonly StoredRow[],
): readonly StoredRow[] {
  const key = conformanceModels.find(({ name }) => name === model)?.key ?? null
  const written = own.filter((row) => !before.includes(row))
  const isOver = (row: StoredRow): boolean =>
    (before.includes(row) && !own.includes(row)) || (key !== null && written.some((each) => each[key] === row[key]))
  return [...others.filter((row) => !isOver(row)), ...written]
}
