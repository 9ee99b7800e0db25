import type { Kysely, Migration } from 'kysely'
import { acceptTokens, firstUsers } from '../../access/first-tokens.js'
import type { Tables } from '../../tables.js'
import type { ColumnTypes } from '../column-types.js'
import { camelCase } from '../tables-of.js'

/** What the admin knows of users, who of them is one, and the hashes of their tokens. */
export const accessColumns = (is: ColumnTypes): Migration => ({
  async up(db: Kysely<Tables>) {
    const users = db.schema.alterTable('users')
    await users.addColumn('birth_date', is.day).execute()
    await users.addColumn('preferences', is.json, (c) => c.notNull().defaultTo(is.emptyObject)).execute()
    await users.addColumn('last_seen_ip', is.text).execute()
    await users.addColumn('password', is.text).execute()
    await users.addColumn('is_admin', is.truth, (c) => c.notNull().defaultTo(is.no)).execute()
    await users.addColumn('token_hash', is.text).execute()
    await db.schema.createIndex('users_by_token').on('users').column('token_hash').unique().execute()
    const tables = camelCase(db)
    const admin = { email: 'admin@music.example', displayName: 'Admin', isAdmin: is.yes as never }
    await tables.insertInto('users').values(admin).execute()
    await acceptTokens(tables, firstUsers({}))
  },
})
