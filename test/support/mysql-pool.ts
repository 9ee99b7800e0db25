import { createPool, type Pool } from 'mysql2'
import { inject } from 'vitest'

/** The pools of this worker, for all test files that it runs. */
const shared: { store: Pool | null; scripts: Pool | null } = { store: null, scripts: null }

/** One pool for all stores of the worker. */
export function mysqlPool(): Pool {
  shared.store ??= newPool({ connectionLimit: 10 })
  return shared.store
}

function newPool(options: object): Pool {
  // An idle connection must not keep the worker alive.
  return createPool({ uri: inject('mysqlUrl'), ...options })
}

/** Runs statements, and returns the rows of the last one. */
export function runScript<Row>(text: string): Promise<readonly Row[]> {
  shared.scripts ??= newPool({ connectionLimit: 2, multipleStatements: true, timezone: 'Z' })
  return scriptOn<Row>(shared.scripts, text)
}

export async function scriptOn<Row>(pool: Pool, text: string): Promise<readonly Row[]> {
  const [results] = await pool.promise().query(text)
  const last: unknown = Array.isArray(results) && Array.isArray(results.at(-1)) ? results.at(-1) : results
  return (Array.isArray(last) ? last : []) as readonly Row[]
}
