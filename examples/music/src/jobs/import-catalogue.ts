import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { JsonApiError } from 'ashlar'
import type { Kysely } from 'kysely'
import type { ImportRow, JobRow, Tables } from '../tables.js'
import { addSongs } from './add-songs.js'
import { readSongs } from './read-songs.js'

/** What a worker needs for its work. */
export interface Workplace {
  readonly db: Kysely<Tables>
  /** The folder of the files that can be imported. */
  readonly inbox: string
}

/**
 * Does a job. What it adds, and that it is done, is kept together or not at all: a worker that dies on the way, and two that
 * are at the same job, add nothing twice. What cannot be imported makes a failed import; the job is done all the same.
 */
export async function importCatalogue(jobId: number, { db, inbox }: Workplace): Promise<void> {
  const job = await db
    .selectFrom('jobs')
    .innerJoin('imports', 'imports.id', 'jobs.importId')
    .select(['jobs.id', 'importId', 'source'])
    .where('jobs.id', '=', jobId)
    .executeTakeFirst()
  if (job === undefined || !(await noteAlone(db, job, ['running', 10, 'running']))) return
  const text = await readFile(join(inbox, basename(job.source)), 'utf8').catch(() => null)
  const songs = text === null ? null : readSongs(text)
  try {
    await db.transaction().execute(async (transaction) => {
      const isOurs = await note(transaction, job, ['done', 100, songs === null ? 'failed' : 'done'])
      if (isOurs && songs !== null) await addSongs(transaction, songs)
    })
  } catch (error) {
    // The database is away, or has too much to do: there will be another try.
    if (JsonApiError.is(error) && error.status === 503) throw error
    console.error(`The import of ${job.source} has failed.`, error)
    await noteAlone(db, job, ['done', 100, 'failed'])
  }
}

type Stage = readonly [job: JobRow['status'], progress: number, imported: ImportRow['status']]

/** In a transaction of its own: the job and its import always say the same. */
function noteAlone(db: Kysely<Tables>, job: Pick<JobRow, 'id' | 'importId'>, stage: Stage): Promise<boolean> {
  return db.transaction().execute((transaction) => note(transaction, job, stage))
}

/** Notes how far a job is, unless it is done: answers whether it was not. Who notes that it is done has it to itself. */
async function note(db: Kysely<Tables>, job: Pick<JobRow, 'id' | 'importId'>, stage: Stage): Promise<boolean> {
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
