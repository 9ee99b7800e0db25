import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
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
 * Does a job. What it adds, and that it is done, is kept together: a worker that dies on the way begins again, and adds
 * nothing twice. A file that cannot be read makes a failed import; the job is done all the same.
 */
export async function importCatalogue(jobId: number, { db, inbox }: Workplace): Promise<void> {
  const job = await db
    .selectFrom('jobs')
    .innerJoin('imports', 'imports.id', 'jobs.importId')
    .select(['jobs.id', 'jobs.status', 'importId', 'source'])
    .where('jobs.id', '=', jobId)
    .executeTakeFirst()
  if (job === undefined || job.status === 'done') return
  await note(db, job, ['running', 10, 'running'])
  const text = await readFile(join(inbox, basename(job.source)), 'utf8').catch(() => null)
  const songs = text === null ? null : readSongs(text)
  await note(db, job, ['running', 50, 'running'])
  await db.transaction().execute(async (transaction) => {
    if (songs !== null) await addSongs(transaction, songs)
    await note(transaction, job, ['done', 100, songs === null ? 'failed' : 'done'])
  })
}

type Stage = readonly [job: JobRow['status'], progress: number, imported: ImportRow['status']]

async function note(db: Kysely<Tables>, job: Pick<JobRow, 'id' | 'importId'>, [status, progress, imported]: Stage) {
  await db.updateTable('jobs').set({ status, progress }).where('id', '=', job.id).execute()
  await db.updateTable('imports').set({ status: imported }).where('id', '=', job.importId).execute()
}
