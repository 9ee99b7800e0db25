import type { Kysely, Migration } from 'kysely'
import type { ColumnTypes } from '../column-types.js'

/** What stands by itself, what is counted, what is worked on. */
export const workTables = (is: ColumnTypes): Migration => ({
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('devices')
      .addColumn('id', is.text, (c) => c.primaryKey().notNull())
      .addColumn('label', is.text, (c) => c.notNull())
      .addColumn('deleted_at', is.moment)
      .execute()
    await schema
      .createTable('genres')
      .addColumn('id', is.text, (c) => c.primaryKey().notNull())
      .addColumn('name', is.text, (c) => c.notNull())
      .execute()
    await schema
      .createTable('products')
      .addColumn('id', is.text, (c) => c.primaryKey().notNull())
      .addColumn('name', is.text, (c) => c.notNull())
      .addColumn('parent_id', is.text, (c) => c.references('products.id'))
      .execute()
    await schema
      .createTable('plays')
      .addColumn('track_id', is.integer, (c) => c.notNull().references('tracks.id').onDelete('cascade'))
      .addColumn('month', is.text, (c) => c.notNull())
      .addColumn('times', is.integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('play', ['month', 'track_id'])
      .execute()
    await schema
      .createTable('artworks')
      .addColumn('album_id', is.integer, (c) => c.primaryKey().references('albums.id').onDelete('cascade'))
      .addColumn('media_type', is.text, (c) => c.notNull())
      .addColumn('content', is.bytes, (c) => c.notNull())
      .execute()
    await schema
      .createTable('imports')
      .addColumn('id', is.key)
      .addColumn('source', is.text, (c) => c.notNull())
      .addColumn('status', is.text, (c) => c.notNull())
      .execute()
    await schema
      .createTable('jobs')
      .addColumn('id', is.key)
      .addColumn('status', is.text, (c) => c.notNull().defaultTo('queued'))
      .addColumn('progress', is.integer, (c) => c.notNull().defaultTo(0))
      .addColumn('import_id', is.integer, (c) => c.notNull().references('imports.id').onDelete('cascade'))
      .execute()
    await schema.createIndex('plays_of_track').on('plays').column('track_id').execute()
    await schema.createIndex('children_of_product').on('products').column('parent_id').execute()
    await schema.createIndex('jobs_of_import').on('jobs').column('import_id').execute()
    await schema.createIndex('jobs_by_status').on('jobs').columns(['status', 'id']).execute()
  },
})
