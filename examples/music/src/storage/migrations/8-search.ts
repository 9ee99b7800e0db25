import { searchIndex } from 'ashlar/sql'
import { type Kysely, type Migration, sql } from 'kysely'
import type { Engine } from '../column-types.js'

/** The index of the filter `q` of albums. */
export const albumSearch = (engine: Engine): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const statement of searchIndex(engine, 'albums', ['title'])) await sql.raw(statement).execute(db)
  },
})
