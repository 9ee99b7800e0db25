import { Logger, run, runMigrations } from 'graphile-worker'
import { importCatalogue, type Workplace } from './import-catalogue.js'
import type { Worker } from './worker.js'

/** The queue of PostgreSQL. Who is on SQLite does not load it. */

const told: ReadonlySet<string> = new Set(['error'])

/** The queue tells of everything that it does; here only what goes wrong is worth a line. */
const logger = new Logger(() => (level, message) => {
  if (told.has(level)) console.error(message)
})

/** Makes the tables of the queue, in a schema of their own. */
export function prepareQueue(connectionString: string): Promise<void> {
  return runMigrations({ connectionString, logger })
}

/** Does the jobs of the queue. */
export function workOnQueue(connectionString: string, place: Workplace): Promise<Worker> {
  return run({
    connectionString,
    maxPoolSize: 2,
    concurrency: 1,
    noHandleSignals: true,
    logger,
    taskList: { import: (payload) => importCatalogue((payload as { jobId: number }).jobId, place) },
  })
}
