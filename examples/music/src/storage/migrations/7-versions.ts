import type { Kysely, Migration } from 'kysely'
import type { ColumnTypes } from '../column-types.js'

/** The versions of albums. Existing albums get version 1, as new albums do. */
export const versionColumn = (types: ColumnTypes): Migration => ({
  async up({ schema }: Kysely<unknown>) {
    await schema
      .alterTable('albums')
      .addColumn('version', types.integer, (c) => c.notNull().defaultTo(1))
      .execute()
  },
})
