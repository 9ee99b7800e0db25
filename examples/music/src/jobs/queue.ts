import { Logger, runMigrations } from 'graphile-worker'
import { type Kysely, sql } from 'kysely'
import type { Engine } from '../storage/column-types.js'
import type { Tables } from '../tables.js'
import type { Enqueue } from '../types/imports.js'

const told: ReadonlySet<string> = new Set(['error'])

/** The queue tells of everything that it does; here only what goes wrong is worth a line. */
export const queueLogger = new Logger(() => (level, message) => {
  if (told.has(level)) console.error(message)
})

/** Makes the tables of the queue, in a schema of their own. */
export function prepareQueue(connectionString: string): Promise<void> {
  return runMigrations({ connectionString, logger: queueLogger })
}

/** In the transaction of the request: there is a job for the queue if, and only if, there is one in the table. */
export const enqueueOn: Readonly<Record<Engine, Enqueue>> = {
  async postgres({ db }, jobId) {
    const payload = JSON.stringify({ jobId })
    await sql`select graphile_worker.add_job('import', ${payload}::json)`.execute(db as Kysely<Tables>)
  },
  // The worker looks into the table of jobs.
  sqlite: async () => undefined,
}
