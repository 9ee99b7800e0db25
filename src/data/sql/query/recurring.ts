import type { SqlTables } from '../schema/sql-table.js'

/** What a read was made ready for. */
export interface ReadyFor {
  /** What stands for all that is asked; without it, nothing is kept. */
  readonly recurring?: object | undefined
  readonly columns: object | null
  /** What is asked of the rows. Whoever passes criteria on may have changed it. */
  readonly asked: readonly unknown[]
  /** Whether rows are locked, or anything else is done that others who ask the same do not do. */
  readonly isPlain: boolean
}

/** Keeps what reads that come again were made ready with, as long as the tables stay as they are. */
export interface Recurring<Ready> {
  find(asked: ReadyFor, tables: SqlTables): Ready | undefined
  keep(asked: ReadyFor, tables: SqlTables, ready: Ready): void
}

interface Kept<Ready> {
  readonly tables: SqlTables
  readonly columns: object | null
  readonly asked: readonly unknown[]
  readonly ready: Ready
}

export function recurringReads<Ready>(): Recurring<Ready> {
  const kept = new WeakMap<object, Kept<Ready>>()
  return {
    find({ recurring, columns, asked, isPlain }, tables) {
      const known = recurring === undefined || !isPlain ? undefined : kept.get(recurring)
      if (known === undefined || known.tables !== tables || known.columns !== columns) return undefined
      return isSame(known.asked, asked) ? known.ready : undefined
    },
    keep({ recurring, columns, asked, isPlain }, tables, ready) {
      if (recurring !== undefined && isPlain) kept.set(recurring, { tables, columns, asked, ready })
    },
  }
}

function isSame(kept: readonly unknown[], asked: readonly unknown[]): boolean {
  return kept.length === asked.length && kept.every((each, index) => each === asked[index])
}
