import { Logger, run, runMigrations } from 'graphile-worker'
import { importCatalogue, type WorkerContext } from './import-catalogue.js'
import type { Worker } from './worker.js'

/** The queue on PostgreSQL. On SQLite it is not loaded. */

const loggedLevels: ReadonlySet<string> = new Set(['error'])

/** Logs only errors. By default the queue logs each of its steps. */
const logger = new Logger(() => (level, message) => {
  if (loggedLevels.has(level)) console.error(message)
})

/** Creates the tables of the queue, in their own schema. */
export function prepareQueue(connectionString: string): Promise<void> {
  return runMigrations({ connectionString, logger })
}

/** Runs the jobs of the queue. */
export function workOnQueue(connectionString: string, context: WorkerContext): Promise<Worker> {
  return run({
    connectionString,
    maxPoolSize: 2,
    concurrency: 1,
    noHandleSignals: true,
    logger,
    taskList: { import: (payload) => importCatalogue((payload as { jobId: number }).jobId, context) },
  })
}
