import { setTimeout as pause } from 'node:timers/promises'
import type { Storage } from '../storage/storage.js'
import { importCatalogue, type WorkerContext } from './import-catalogue.js'

/** Runs the jobs that requests have created. */
export interface Worker {
  /** Finishes the current job, and starts no other. */
  stop(): Promise<void>
}

/** Starts a worker: on PostgreSQL for a queue, on SQLite for the table of jobs. */
export async function startWorker({ db, url }: Storage, inbox: string): Promise<Worker> {
  if (url === null) return inProcess({ db, inbox })
  const { workOnQueue } = await import('./queue.js')
  return workOnQueue(url, { db, inbox })
}

function inProcess(context: WorkerContext): Worker {
  const stopping = new AbortController()
  const { signal } = stopping
  const working = (async () => {
    while (!signal.aborted) {
      const isDone = await nextJob(context).catch((error: unknown) => console.error(error))
      if (isDone !== true) await pause(200, null, { signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await working
    },
  }
}

/** Runs the next job, also one that an earlier process has started. Returns whether there was one. */
async function nextJob(context: WorkerContext): Promise<boolean> {
  const jobs = context.db.selectFrom('jobs').select('id').where('status', '!=', 'done').orderBy('id').limit(1)
  const job = await jobs.executeTakeFirst()
  if (job !== undefined) await importCatalogue(job.id, context)
  return job !== undefined
}
