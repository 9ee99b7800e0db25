import { type Kysely, sql } from 'kysely'
import type { Engine } from '../storage/column-types.js'
import type { Tables } from '../tables.js'
import type { Enqueue } from '../types/imports.js'

/** In the transaction of the request: there is a job for the queue if, and only if, there is one in the table. */
export const enqueueOn: Readonly<Record<Engine, Enqueue>> = {
  async postgres({ db }, jobId) {
    const payload = JSON.stringify({ jobId })
    await sql`select graphile_worker.add_job('import', ${payload}::json)`.execute(db as Kysely<Tables>)
  },
  // The worker looks into the table of jobs.
  sqlite: async () => undefined,
}
