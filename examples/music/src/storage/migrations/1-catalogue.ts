import type { Kysely, Migration } from 'kysely'
import type { ColumnTypes } from '../column-types.js'

/** Artists, their albums, the tracks on those. */
export const catalogueTables = (is: ColumnTypes): Migration => ({
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('artists')
      .addColumn('id', is.key)
      .addColumn('name', is.text, (c) => c.notNull())
      .addColumn('slug', is.text, (c) => c.notNull().unique())
      .addColumn('website', is.text)
      .addColumn('bio', is.text)
      .addColumn('created_at', is.moment, (c) => c.notNull().defaultTo(is.now))
      .execute()
    await schema
      .createTable('albums')
      .addColumn('id', is.key)
      .addColumn('title', is.text, (c) => c.notNull())
      .addColumn('average_rating', is.number)
      .addColumn('artwork', is.text)
      .addColumn('released_at', is.moment, (c) => c.notNull().defaultTo(is.now))
      .addColumn('explicit', is.truth, (c) => c.notNull().defaultTo(is.no))
      .addColumn('status', is.text, (c) => c.notNull().defaultTo('upcoming'))
      .addColumn('available_from', is.day)
      .addColumn('available_until', is.day)
      .addColumn('label', is.text)
      .addColumn('catalogue_number', is.text)
      .addColumn('artist_id', is.integer, (c) => c.references('artists.id'))
      .execute()
    await schema
      .createTable('tracks')
      .addColumn('id', is.key)
      .addColumn('title', is.text, (c) => c.notNull())
      .addColumn('track_number', is.integer, (c) => c.notNull())
      .addColumn('duration_seconds', is.integer, (c) => c.notNull().defaultTo(0))
      .addColumn('explicit', is.truth, (c) => c.notNull().defaultTo(is.no))
      .addColumn('genres', is.list, (c) => c.notNull().defaultTo(is.unknownGenre))
      .addColumn('preview_offset', is.time)
      .addColumn('album_id', is.integer, (c) => c.references('albums.id'))
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
