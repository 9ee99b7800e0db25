import { setTimeout as pause } from 'node:timers/promises'
import type { Storage } from '../storage/storage.js'
import { importCatalogue, type Workplace } from './import-catalogue.js'

/** Does the jobs that requests leave behind. */
export interface Worker {
  /** Finishes what it is at, and takes no more. */
  stop(): Promise<void>
}

/** On PostgreSQL a queue has the jobs; on SQLite the table of jobs is the queue. */
export async function startWorker({ db, url }: Storage, inbox: string): Promise<Worker> {
  if (url === null) return inProcess({ db, inbox })
  const { workOnQueue } = await import('./queue.js')
  return workOnQueue(url, { db, inbox })
}

function inProcess(place: Workplace): Worker {
  const stopping = new AbortController()
  const { signal } = stopping
  const working = (async () => {
    while (!signal.aborted) {
      const isDone = await nextJob(place).catch((error: unknown) => console.error(error))
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

/** Also takes up what an earlier process has begun. Answers whether there was one. */
async function nextJob(place: Workplace): Promise<boolean> {
  const jobs = place.db.selectFrom('jobs').select('id').where('status', '!=', 'done').orderBy('id').limit(1)
  const job = await jobs.executeTakeFirst()
  if (job !== undefined) await importCatalogue(job.id, place)
  return job !== undefined
}
