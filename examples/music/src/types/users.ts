import { defineType, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { withToken } from '../access/policies.js'
import type { UserRow } from '../tables.js'

/** On this server users are only referred to: type and id. The admin server shows them in full: see `accounts.ts`. */
export const users = defineType('users', {
  description: 'The people that listen.',
  model: table<UserRow>('users'),
  fields: () => ({ id: id().numeric() }),
  selfLink: false,
  policy: withToken,
})
