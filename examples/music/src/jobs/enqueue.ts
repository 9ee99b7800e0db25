import { type Kysely, sql } from 'kysely'
import type { Engine } from '../storage/column-types.js'
import type { Tables } from '../tables.js'
import type { Enqueue } from '../types/imports.js'

/** Enqueues a job in the transaction of the request, so that the queue and the table of jobs are always consistent. */
export const enqueueOn: Readonly<Record<Engine, Enqueue>> = {
  async postgres({ db }, jobId) {
    const payload = JSON.stringify({ jobId })
    await sql`select graphile_worker.add_job('import', ${payload}::json)`.execute(db as Kysely<Tables>)
  },
  // The worker reads the table of jobs.
  sqlite: async () => undefined,
}
