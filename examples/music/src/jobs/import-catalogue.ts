import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { JsonApiError } from 'ashlar'
import type { Kysely } from 'kysely'
import type { ImportRow, JobRow, Tables } from '../tables.js'
import { addSongs } from './add-songs.js'
import { readSongs } from './read-songs.js'

/** The resources of a worker. */
export interface WorkerContext {
  readonly db: Kysely<Tables>
  /** The folder of the files that can be imported. */
  readonly inbox: string
}

/**
 * Runs a job. One transaction adds the songs and marks the job as done: a worker that crashes, or two workers with the same job, add
 * nothing twice. If the file cannot be imported, the import is marked as failed, and the job as done.
 */
export async function importCatalogue(jobId: number, { db, inbox }: WorkerContext): Promise<void> {
  const job = await db
    .selectFrom('jobs')
    .innerJoin('imports', 'imports.id', 'jobs.importId')
    .select(['jobs.id', 'importId', 'source'])
    .where('jobs.id', '=', jobId)
    .executeTakeFirst()
  if (job === undefined || !(await commitStage(db, job, ['running', 10, 'running']))) return
  const text = await readFile(join(inbox, basename(job.source)), 'utf8').catch(() => null)
  const songs = text === null ? null : readSongs(text)
  try {
    await db.transaction().execute(async (transaction) => {
      const wasUnfinished = await setStage(transaction, job, ['done', 100, songs === null ? 'failed' : 'done'])
      if (wasUnfinished && songs !== null) await addSongs(transaction, songs)
    })
  } catch (error) {
    // The database is down or overloaded: the job is retried.
    if (JsonApiError.is(error) && error.status === 503) throw error
    console.error(`The import of ${job.source} has failed.`, error)
    await commitStage(db, job, ['done', 100, 'failed'])
  }
}

type Stage = readonly [job: JobRow['status'], progress: number, imported: ImportRow['status']]

/** Runs {@link setStage} in its own transaction, so that the job and its import always agree. */
function commitStage(db: Kysely<Tables>, job: Pick<JobRow, 'id' | 'importId'>, stage: Stage): Promise<boolean> {
  return db.transaction().execute((transaction) => setStage(transaction, job, stage))
}

/** Updates the status of a job and its import, unless the job is done. Returns whether the job was not done. */
async function setStage(db: Kysely<Tables>, job: Pick<JobRow, 'id' | 'importId'>, stage: Stage): Promise<boolean> {
  const [status, progress, imported] = stage
  const unfinished = db
    .updateTable('jobs')
    .set({ status, progress })
    .where('id', '=', job.id)
    .where('status', '!=', 'done')
  const { numUpdatedRows } = await unfinished.executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  await db.updateTable('imports').set({ status: imported }).where('id', '=', job.importId).execute()
  return true
}
