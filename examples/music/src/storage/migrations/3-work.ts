import type { Kysely, Migration } from 'kysely'
import type { ColumnTypes } from '../column-types.js'

/** Devices, genres, products, plays, artworks, and the imports with their jobs. */
export const workTables = (types: ColumnTypes): Migration => ({
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('devices')
      .addColumn('id', types.text, (c) => c.primaryKey().notNull())
      .addColumn('label', types.text, (c) => c.notNull())
      .addColumn('deleted_at', types.timestamp)
      .execute()
    await schema
      .createTable('genres')
      .addColumn('id', types.text, (c) => c.primaryKey().notNull())
      .addColumn('name', types.text, (c) => c.notNull())
      .execute()
    await schema
      .createTable('products')
      .addColumn('id', types.text, (c) => c.primaryKey().notNull())
      .addColumn('name', types.text, (c) => c.notNull())
      .addColumn('parent_id', types.text, (c) => c.references('products.id'))
      .execute()
    await schema
      .createTable('plays')
      .addColumn('track_id', types.integer, (c) => c.notNull().references('tracks.id').onDelete('cascade'))
      .addColumn('month', types.text, (c) => c.notNull())
      .addColumn('times', types.integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('play', ['month', 'track_id'])
      .execute()
    await schema
      .createTable('artworks')
      .addColumn('album_id', types.integer, (c) => c.primaryKey().references('albums.id').onDelete('cascade'))
      .addColumn('media_type', types.text, (c) => c.notNull())
      .addColumn('content', types.bytes, (c) => c.notNull())
      .execute()
    await schema
      .createTable('imports')
      .addColumn('id', types.key)
      .addColumn('source', types.text, (c) => c.notNull())
      .addColumn('status', types.text, (c) => c.notNull())
      .execute()
    await schema
      .createTable('jobs')
      .addColumn('id', types.key)
      .addColumn('status', types.text, (c) => c.notNull().defaultTo('queued'))
      .addColumn('progress', types.integer, (c) => c.notNull().defaultTo(0))
      .addColumn('import_id', types.integer, (c) => c.notNull().references('imports.id').onDelete('cascade'))
      .execute()
    await schema.createIndex('plays_of_track').on('plays').column('track_id').execute()
    await schema.createIndex('children_of_product').on('products').column('parent_id').execute()
    await schema.createIndex('jobs_of_import').on('jobs').column('import_id').execute()
    await schema.createIndex('jobs_by_status').on('jobs').columns(['status', 'id']).execute()
  },
})
