import type { Kysely, Migration } from 'kysely'
import type { ColumnTypes } from '../column-types.js'

/** Artists, albums and tracks. */
export const catalogueTables = (types: ColumnTypes): Migration => ({
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('artists')
      .addColumn('id', types.key)
      .addColumn('name', types.text, (c) => c.notNull())
      .addColumn('slug', types.text, (c) => c.notNull().unique())
      .addColumn('website', types.text)
      .addColumn('bio', types.text)
      .addColumn('created_at', types.timestamp, (c) => c.notNull().defaultTo(types.now))
      .execute()
    await schema
      .createTable('albums')
      .addColumn('id', types.key)
      .addColumn('title', types.text, (c) => c.notNull())
      .addColumn('average_rating', types.number)
      .addColumn('artwork', types.text)
      .addColumn('released_at', types.timestamp, (c) => c.notNull().defaultTo(types.now))
      .addColumn('explicit', types.boolean, (c) => c.notNull().defaultTo(types.false))
      .addColumn('status', types.text, (c) => c.notNull().defaultTo('upcoming'))
      .addColumn('available_from', types.date)
      .addColumn('available_until', types.date)
      .addColumn('label', types.text)
      .addColumn('catalogue_number', types.text)
      .addColumn('artist_id', types.integer, (c) => c.references('artists.id'))
      .execute()
    await schema
      .createTable('tracks')
      .addColumn('id', types.key)
      .addColumn('title', types.text, (c) => c.notNull())
      .addColumn('track_number', types.integer, (c) => c.notNull())
      .addColumn('duration_seconds', types.integer, (c) => c.notNull().defaultTo(0))
      .addColumn('explicit', types.boolean, (c) => c.notNull().defaultTo(types.false))
      .addColumn('genres', types.list, (c) => c.notNull().defaultTo(types.unknownGenre))
      .addColumn('preview_offset', types.time)
      .addColumn('album_id', types.integer, (c) => c.references('albums.id'))
      .execute()
    await schema.createIndex('albums_of_artist').on('albums').columns(['artist_id', 'id']).execute()
    await schema.createIndex('albums_by_release').on('albums').columns(['released_at', 'id']).execute()
    await schema.createIndex('albums_by_title').on('albums').columns(['title', 'id']).execute()
    await schema.createIndex('tracks_of_album').on('tracks').columns(['album_id', 'id']).execute()
    await schema.createIndex('tracks_by_title').on('tracks').columns(['title', 'id']).execute()
    await schema.createIndex('tracks_by_number').on('tracks').columns(['track_number', 'id']).execute()
    await schema.createIndex('artists_by_name').on('artists').columns(['name', 'id']).execute()
  },
})
