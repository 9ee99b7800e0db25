import { accepted, reply, defineResource, id, type WorkContext } from 'ashlar'
import { table } from 'ashlar/sql'
import { withToken } from '../access/policies.js'
import type { ImportRow, JobRow } from '../tables.js'

/** Adds a job to the queue, in the transaction that creates the job. */
export type Enqueue = (context: WorkContext, jobId: number) => Promise<void>

/** Imports of albums from a file. An import takes longer than a request, so clients get a job whose progress they can read. */
export const imports = (enqueue: Enqueue) =>
  defineResource('imports', {
    description: 'Files with albums that are read in the background. Creating one starts a job.',
    model: table<ImportRow>('imports'),
    id: id().numeric(),
    attributes: (a) => ({ source: a.string().required().maxLength(200), status: a.string().readOnly() }),
    policy: withToken,
    operations: ['FetchCollection', 'FetchOne', 'Create'],
    create: accepted('jobs'),
    persister: (store) => ({
      ...store,
      async create(type, values, write) {
        const made = (await store.create(type, { ...values, status: 'queued' }, write)) as ImportRow
        const job = await write.context.rows<JobRow>('jobs').create({ importId: made.id })
        await enqueue(write.context, job.id)
        return reply.accepted({ job, retryAfter: 1 })
      },
    }),
  })
