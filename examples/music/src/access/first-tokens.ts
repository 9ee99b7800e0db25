import type { Kysely } from 'kysely'
import type { Tables } from '../tables.js'
import { hashOf } from './tokens.js'

/** A user of the first rows, with the token that the service accepts. */
export interface FirstUser {
  readonly name: string
  readonly email: string
  readonly token: string
  /** Whether the token is yours, from the environment, and not the one that everybody can read here. */
  readonly isOwn: boolean
}

type Environment = Readonly<Record<string, string | undefined>>

/** The users of the first rows. Everybody knows their tokens, unless you set `ALICE_TOKEN`, `BOB_TOKEN` and `ADMIN_TOKEN`. */
export function firstUsers(environment: Environment): readonly FirstUser[] {
  return ['alice', 'bob', 'admin'].map((name) => {
    const own = environment[`${name.toUpperCase()}_TOKEN`] || undefined
    return { name, email: `${name}@music.example`, token: own ?? `dev-${name}`, isOwn: own !== undefined }
  })
}

/** Lets the service accept these tokens, and no earlier ones of these users. Answers who of them is there. */
export async function acceptTokens(db: Kysely<Tables>, users: readonly FirstUser[]): Promise<readonly FirstUser[]> {
  const found: FirstUser[] = []
  for (const user of users) {
    const update = db.updateTable('users').set({ tokenHash: hashOf(user.token) })
    const { numUpdatedRows } = await update.where('email', '=', user.email).executeTakeFirst()
    if (numUpdatedRows > 0n) found.push(user)
  }
  return found
}

/** A line for each user: the name, two spaces, the token. Tokens of yours are not shown. */
export function tokenLines(users: readonly FirstUser[]): readonly string[] {
  return users.map(({ name, token, isOwn }) => `${name}  ${isOwn ? `(${name.toUpperCase()}_TOKEN)` : token}`)
}
