import type { Kysely, Migration } from 'kysely'
import type { ColumnTypes } from '../column-types.js'

/** Users and the rows that belong to them, which are deleted with them. Join rows are deleted with either side. */
export const libraryTables = (types: ColumnTypes): Migration => ({
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('users')
      .addColumn('id', types.key)
      .addColumn('email', types.text, (c) => c.notNull().unique())
      .addColumn('display_name', types.text, (c) => c.notNull())
      .execute()
    await schema
      .createTable('playlists')
      .addColumn('id', types.uuid, (c) => c.primaryKey().notNull())
      .addColumn('title', types.text, (c) => c.notNull())
      .addColumn('public', types.boolean, (c) => c.notNull().defaultTo(types.false))
      .addColumn('external_id', types.text)
      .addColumn('owner_id', types.integer, (c) => c.references('users.id').onDelete('cascade'))
      .execute()
    await schema
      .createTable('playlist_tracks')
      .addColumn('playlist_id', types.uuid, (c) => c.notNull().references('playlists.id').onDelete('cascade'))
      .addColumn('track_id', types.integer, (c) => c.notNull().references('tracks.id').onDelete('cascade'))
      .addColumn('position', types.integer, (c) => c.notNull())
      .addColumn('weight', types.integer, (c) => c.notNull())
      .addColumn('added_at', types.timestamp, (c) => c.notNull().defaultTo(types.now))
      .addPrimaryKeyConstraint('playlist_track', ['playlist_id', 'track_id'])
      .execute()
    await schema
      .createTable('libraries')
      .addColumn('id', types.key)
      .addColumn('owner_id', types.integer, (c) => c.references('users.id').onDelete('cascade'))
      .execute()
    await schema
      .createTable('library_items')
      .addColumn('library_id', types.integer, (c) => c.notNull().references('libraries.id').onDelete('cascade'))
      .addColumn('item_type', types.text, (c) => c.notNull())
      .addColumn('item_id', types.integer, (c) => c.notNull())
      .addPrimaryKeyConstraint('library_item', ['library_id', 'item_type', 'item_id'])
      .execute()
    await schema
      .createTable('favorites')
      .addColumn('id', types.key)
      .addColumn('favorited_at', types.timestamp, (c) => c.notNull().defaultTo(types.now))
      .addColumn('user_id', types.integer, (c) => c.references('users.id').onDelete('cascade'))
      .addColumn('favoritable_id', types.integer)
      .addColumn('favoritable_type', types.text)
      .execute()
    await schema.createIndex('users_by_name').on('users').columns(['display_name', 'id']).execute()
    await schema.createIndex('playlists_of_owner').on('playlists').column('owner_id').execute()
    await schema.createIndex('playlists_of_track').on('playlist_tracks').column('track_id').execute()
    await schema.createIndex('libraries_of_owner').on('libraries').column('owner_id').execute()
    await schema.createIndex('favorites_of_user').on('favorites').column('user_id').execute()
  },
})
