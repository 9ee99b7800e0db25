import { defineResource, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { withToken } from '../access/policies.js'
import type { GenreRow } from '../tables.js'

/** Clients choose the ids, which are words: `/genres/art-rock`. All other ids are 404. `PUT` creates a genre, or updates it. */
export const genres = defineResource('genres', {
  description: 'Kinds of music. Clients choose the ids.',
  model: table<GenreRow>('genres'),
  id: id()
    .matchAs(/[a-z0-9]+(?:-[a-z0-9]+)*/)
    .requireClientId(),
  attributes: (a) => ({ name: a.string().required().maxLength(80) }),
  upsertBy: 'id',
  policy: withToken,
})
