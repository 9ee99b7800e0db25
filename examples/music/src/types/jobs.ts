import { defineResource, id, ok, seeOther } from 'ashlar'
import { table } from 'ashlar/sql'
import { withToken } from '../access/policies.js'
import type { JobRow } from '../tables.js'

/** The progress of an import: 200 while it runs, and 303 to the import when it is done. */
export const jobs = defineResource('jobs', {
  description: 'Work in the background. A finished job redirects to its result.',
  model: table<JobRow>('jobs'),
  id: id().numeric(),
  attributes: (a) => ({ status: a.string(), progress: a.integer() }),
  policy: withToken,
  readOnly: true,
  fetchOne: [ok(), seeOther()],
  completionLocation: ({ status, importId }) => (status === 'done' ? { type: 'imports', id: String(importId) } : null),
})
