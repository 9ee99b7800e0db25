import { randomBytes, scryptSync } from 'node:crypto'
import { defineResource, hasMany, hasOne, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { admins } from '../access/caller.js'
import type { UserRow } from '../tables.js'

/** Users in full, on the admin server. Elsewhere they are only referred to: see `users.ts`. */
export const accounts = defineResource('users', {
  server: 'admin',
  model: table<UserRow>('users'),
  id: id().numeric(),
  attributes: (a) => ({
    email: a.email().required().unique({ message: 'Another user has this address.' }),
    displayName: a.string().required().maxLength(120),
    birthDate: a.date().nullable(),
    preferences: a.arrayHash().maxProperties(20),
    lastSeenIp: a.ip().nullable(),
    password: a.string().required().minLength(8).maxLength(200).writeOnly(),
    // Compared, and stored nowhere.
    passwordConfirm: a
      .string()
      .computed()
      .writeOnly()
      .fillUsing(() => ({}))
      .compareWith('password', '='),
  }),
  relations: {
    playlists: hasMany('playlists').via('ownerId').withData(),
    library: hasOne('libraries').via('ownerId').withData(),
  },
  // The admin alone: no ability is declared that anybody else could have.
  policy: () => ({ before: admins }),
  hooks: {
    beforeSave(draft) {
      if (draft.password !== undefined && draft.password !== null) draft.password = passwordHash(draft.password)
    },
  },
})

/** With a salt, and slow on purpose: people choose passwords that can be guessed. */
function passwordHash(password: string): string {
  const salt = randomBytes(16)
  return `scrypt:${salt.toString('hex')}:${scryptSync(password, salt, 32).toString('hex')}`
}
