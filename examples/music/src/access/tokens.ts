import { createHash } from 'node:crypto'
import { authenticate, fail, type HttpRequest, type Middleware } from 'ashlar'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.js'
import { callerIn, type MusicCaller } from './caller.js'

/** Hashes a token. Only hashes are stored: a leaked table contains no valid token. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Returns the caller of a request; `null` without a token. A wrong token is 401. */
async function callerOf(request: HttpRequest, db: Kysely<Tables>): Promise<MusicCaller | null> {
  const header = request.header('authorization')
  if (header === undefined) return null
  const [, token] = /^Bearer +([\w.~+/-]+=*)$/i.exec(header) ?? []
  const user = token === undefined ? undefined : await userWith(token, db)
  if (user === undefined) fail('UNAUTHENTICATED')
  return { id: user.id, admin: isTrue(user.isAdmin) }
}

/** SQLite has no booleans: custom statements return 0 or 1. */
function isTrue(value: unknown): boolean {
  return value === true || value === 1
}

function userWith(token: string, db: Kysely<Tables>) {
  const users = db.selectFrom('users').select(['id', 'isAdmin'])
  return users.where('tokenHash', '=', hashOf(token)).executeTakeFirst()
}

const challenge = 'Bearer realm="music"'

/** Middleware that sets the caller of every request with a token. */
export function bearer(db: Kysely<Tables>): Middleware {
  return authenticate({ challenge, caller: (request) => callerOf(request, db) })
}

/** Middleware for a server that only the admin may use. */
export const adminsOnly: Middleware = (context, next) => {
  const caller = callerIn(context)
  if (context.request.method === 'OPTIONS' || caller?.admin === true) return next()
  fail(caller === null ? 'UNAUTHENTICATED' : 'FORBIDDEN')
}
