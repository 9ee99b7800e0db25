import { defineResource, id, ok, seeOther } from 'ashlar'
import { table } from 'ashlar/sql'
import { withToken } from '../access/policies.js'
import type { JobRow } from '../tables.js'

/** How far a piece of work has come: 200 while it goes on, 303 to what came of it when it is done. */
export const jobs = defineResource('jobs', {
  description: 'Work in the background. A finished job leads to its result.',
  model: table<JobRow>('jobs'),
  id: id().numeric(),
  attributes: (a) => ({ status: a.string(), progress: a.integer() }),
  policy: withToken,
  readOnly: true,
  fetchOne: [ok(), seeOther()],
  completionLocation: ({ status, importId }) => (status === 'done' ? { type: 'imports', id: String(importId) } : null),
})
