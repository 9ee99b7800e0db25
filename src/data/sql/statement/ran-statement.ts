import type { RequestContext } from '../../../resource/request-context.js'
import type { EngineName, SqlResult, SqlStatement } from '../driver/sql-driver.js'
import type { SqlOccasion } from '../sql-store.js'

/** A statement that a store has run, for logs and tests. */
export interface RanStatement {
  readonly engine: EngineName
  readonly sql: string
  /** What stood in its places, as the driver was given it: what clients sent is among it. */
  readonly values: readonly unknown[]
  readonly milliseconds: number
  /** How many rows came, or were written; `null` where it failed. */
  readonly rows: number | null
  /** Why it failed; `null` where it did not. */
  readonly error: unknown
  /** The request that it ran for; `null` for what no request asked for. */
  readonly context: RequestContext | null
  readonly inTransaction: boolean
}

/** Runs a statement, and may tell of it. */
export type Watch = (
  statement: SqlStatement,
  occasion: SqlOccasion,
  run: () => Promise<SqlResult>,
) => Promise<SqlResult>

export const unwatched: Watch = (_statement, _occasion, run) => run()

export function watchedBy(tell: (ran: RanStatement) => void, engine: EngineName): Watch {
  return async ({ sql, values }, { context, transaction }, run) => {
    const started = performance.now()
    const ran = (rows: number | null, error: unknown): void => {
      const milliseconds = performance.now() - started
      try {
        tell({ engine, sql, values, milliseconds, rows, error, context, inTransaction: transaction !== null })
      } catch {
        // Who only listens must not decide what becomes of the statement.
      }
    }
    try {
      const result = await run()
      ran(result.rows.length === 0 ? result.changes : result.rows.length, null)
      return result
    } catch (thrown) {
      ran(null, thrown)
      throw thrown
    }
  }
}
