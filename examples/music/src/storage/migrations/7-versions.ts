import type { Kysely, Migration } from 'kysely'
import type { ColumnTypes } from '../column-types.js'

/** The versions of albums. Those that are there begin with 1, as new ones do. */
export const versionColumn = (is: ColumnTypes): Migration => ({
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('albums')
      .addColumn('version', is.integer, (c) => c.notNull().defaultTo(1))
      .execute()
  },
})
