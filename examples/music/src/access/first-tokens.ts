import type { Kysely } from 'kysely'
import type { Tables } from '../tables.js'
import { hashOf } from './tokens.js'

/** A user that the migrations create, with the token that the service accepts. */
export interface FirstUser {
  readonly name: string
  readonly email: string
  readonly token: string
  /** Whether the token is set in the environment. The default tokens are public. */
  readonly isSet: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the first users. Their default tokens are public: set `ALICE_TOKEN`, `BOB_TOKEN` and `ADMIN_TOKEN`. */
export function firstUsers(environment: Environment): readonly FirstUser[] {
  return ['alice', 'bob', 'admin'].map((name) => {
    const set = environment[`${name.toUpperCase()}_TOKEN`] || undefined
    return { name, email: `${name}@music.example`, token: set ?? `dev-${name}`, isSet: set !== undefined }
  })
}

/** Replaces the tokens of these users. Returns the users that exist. */
export async function acceptTokens(db: Kysely<Tables>, users: readonly FirstUser[]): Promise<readonly FirstUser[]> {
  const found: FirstUser[] = []
  for (const user of users) {
    const update = db.updateTable('users').set({ tokenHash: hashOf(user.token) })
    const { numUpdatedRows } = await update.where('email', '=', user.email).executeTakeFirst()
    if (numUpdatedRows > 0n) found.push(user)
  }
  return found
}

/** Returns a line for each user: name and token. Tokens from the environment are not shown. */
export function tokenLines(users: readonly FirstUser[]): readonly string[] {
  return users.map(({ name, token, isSet }) => `${name}  ${isSet ? `(${name.toUpperCase()}_TOKEN)` : token}`)
}
