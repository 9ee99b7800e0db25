import { cursorPage, defineResource, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { withToken } from '../access/policies.js'
import type { UserRow } from '../tables.js'

/** The part of a user that all callers may read. */
export const publicProfiles = defineResource('public-profiles', {
  description: 'The public part of a user.',
  model: table<UserRow>('users'),
  id: id().numeric(),
  attributes: (a) => ({ displayName: a.string().maxLength(120).sortable() }),
  policy: withToken,
  readOnly: true,
  pagination: cursorPage(),
  tags: ['Library'],
})
