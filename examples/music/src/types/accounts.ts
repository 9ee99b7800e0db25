import { randomBytes, scryptSync } from 'node:crypto'
import { defineResource, hasMany, hasOne, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { admins } from '../access/caller.js'
import type { UserRow } from '../tables.js'

/** Users with all attributes, on the admin server. On the default server they are only referenced: see `users.ts`. */
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
    // Only compared with the password, not stored.
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
  // Only the admin: no ability is declared for other callers.
  policy: () => ({ before: admins }),
  hooks: {
    beforeSave(draft) {
      if (draft.password !== undefined && draft.password !== null) draft.password = passwordHash(draft.password)
    },
  },
})

/** Hashes a password with a salt. It is slow on purpose, because weak passwords can be guessed. */
function passwordHash(password: string): string {
  const salt = randomBytes(16)
  return `scrypt:${salt.toString('hex')}:${scryptSync(password, salt, 32).toString('hex')}`
}
