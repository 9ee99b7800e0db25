import type { Kysely, Migration } from 'kysely'
import type { ColumnTypes } from '../column-types.js'

/** Users, and what belongs to them: it goes with them. What only joins two others goes with either. */
export const libraryTables = (is: ColumnTypes): Migration => ({
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('users')
      .addColumn('id', is.key)
      .addColumn('email', is.text, (c) => c.notNull().unique())
      .addColumn('display_name', is.text, (c) => c.notNull())
      .execute()
    await schema
      .createTable('playlists')
      .addColumn('id', is.uuid, (c) => c.primaryKey().notNull())
      .addColumn('title', is.text, (c) => c.notNull())
      .addColumn('public', is.truth, (c) => c.notNull().defaultTo(is.no))
      .addColumn('external_id', is.text)
      .addColumn('owner_id', is.integer, (c) => c.references('users.id').onDelete('cascade'))
      .execute()
    await schema
      .createTable('playlist_tracks')
      .addColumn('playlist_id', is.uuid, (c) => c.notNull().references('playlists.id').onDelete('cascade'))
      .addColumn('track_id', is.integer, (c) => c.notNull().references('tracks.id').onDelete('cascade'))
      .addColumn('position', is.integer, (c) => c.notNull())
      .addColumn('weight', is.integer, (c) => c.notNull())
      .addColumn('added_at', is.moment, (c) => c.notNull().defaultTo(is.now))
      .addPrimaryKeyConstraint('playlist_track', ['playlist_id', 'track_id'])
      .execute()
    await schema
      .createTable('libraries')
      .addColumn('id', is.key)
      .addColumn('owner_id', is.integer, (c) => c.references('users.id').onDelete('cascade'))
      .execute()
    await schema
      .createTable('library_items')
      .addColumn('library_id', is.integer, (c) => c.notNull().references('libraries.id').onDelete('cascade'))
      .addColumn('item_type', is.text, (c) => c.notNull())
      .addColumn('item_id', is.integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('library_item', ['library_id', 'item_type', 'item_id'])
      .execute()
    await schema
      .createTable('favorites')
      .addColumn('id', is.key)
      .addColumn('favorited_at', is.moment, (c) => c.notNull().defaultTo(is.now))
      .addColumn('user_id', is.integer, (c) => c.references('users.id').onDelete('cascade'))
      .addColumn('favoritable_id', is.integer)
      .addColumn('favoritable_type', is.text)
      .execute()
    await schema.createIndex('users_by_name').on('users').columns(['display_name', 'id']).execute()
    await schema.createIndex('playlists_of_owner').on('playlists').column('owner_id').execute()
    await schema.createIndex('playlists_of_track').on('playlist_tracks').column('track_id').execute()
    await schema.createIndex('libraries_of_owner').on('libraries').column('owner_id').execute()
    await schema.createIndex('favorites_of_user').on('favorites').column('user_id').execute()
  },
})
