import type { Kysely, Migration } from 'kysely'
import { acceptTokens, firstUsers } from '../../access/first-tokens.js'
import type { Tables } from '../../tables.js'
import type { ColumnTypes } from '../column-types.js'
import { camelCase } from '../tables-of.js'

/** Columns of users that only the admin sees, and the hashes of tokens. Adds the admin. */
export const accessColumns = (types: ColumnTypes): Migration => ({
  async up(db: Kysely<Tables>) {
    const users = db.schema.alterTable('users')
    await users.addColumn('birth_date', types.date).execute()
    await users.addColumn('preferences', types.json, (c) => c.notNull().defaultTo(types.emptyObject)).execute()
    await users.addColumn('last_seen_ip', types.text).execute()
    await users.addColumn('password', types.text).execute()
    await users.addColumn('is_admin', types.boolean, (c) => c.notNull().defaultTo(types.false)).execute()
    await users.addColumn('token_hash', types.text).execute()
    await db.schema.createIndex('users_by_token').on('users').column('token_hash').unique().execute()
    const tables = camelCase(db)
    const admin = { email: 'admin@music.example', displayName: 'Admin', isAdmin: types.true as never }
    await tables.insertInto('users').values(admin).execute()
    await acceptTokens(tables, firstUsers({}))
  },
})
