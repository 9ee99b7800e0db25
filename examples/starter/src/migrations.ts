import type { Kysely, Migration } from 'kysely'

/** The migrations, in the order of their names. Add new migrations at the end, and do not change the others. */
export const migrations: Record<string, Migration> = {
  '001_catalogue': {
    async up({ schema }: Kysely<unknown>) {
      await schema
        .createTable('artists')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('country', 'text')
        .execute()
      await schema
        .createTable('albums')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('title', 'text', (column) => column.notNull())
        .addColumn('released_on', 'date', (column) => column.notNull())
        .addColumn('artist_id', 'integer', (column) => column.notNull().references('artists.id'))
        .execute()
      await schema.createIndex('albums_artist_id').on('albums').column('artist_id').execute()
    },
  },
}
