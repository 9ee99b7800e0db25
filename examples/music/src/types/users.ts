import { defineType, id } from 'ashlar'
import { table } from 'ashlar/sql'
import type { UserRow } from '../tables.js'

/** On this server users are only referred to: type and id. The admin server will show them in full. */
export const users = defineType('users', {
  model: table<UserRow>('users'),
  fields: () => ({ id: id().numeric() }),
  selfLink: false,
})
