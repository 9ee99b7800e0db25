import { defineType, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { withToken } from '../access/policies.js'
import type { UserRow } from '../tables.js'

/** On this server users are only referenced by type and id. The admin server has all attributes: see `accounts.ts`. */
export const users = defineType('users', {
  description: 'The users of the service.',
  model: table<UserRow>('users'),
  fields: () => ({ id: id().numeric() }),
  selfLink: false,
  policy: withToken,
})
