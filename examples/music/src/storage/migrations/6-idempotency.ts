import { idempotencyTable } from 'ashlar/sql'
import { type Kysely, type Migration, sql } from 'kysely'
import type { Tables } from '../../tables.js'
import type { Engine } from '../column-types.js'

/** The stored responses of requests with an idempotency key. */
export const keyTable = (engine: Engine): Migration => ({
  async up(db: Kysely<Tables>) {
    for (const statement of idempotencyTable(engine)) await sql.raw(statement).execute(db)
  },
})
