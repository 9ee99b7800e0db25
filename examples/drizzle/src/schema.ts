import { integer, pgEnum, pgTable, primaryKey, serial, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** An ordinary Drizzle schema of an existing application. Nothing here is specific to Ashlar. */

export const albumFormat = pgEnum('album_format', ['single', 'ep', 'album'])

export const artists = pgTable('artists', {
  id: serial().primaryKey(),
  name: text().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
})

export const albums = pgTable('albums', {
  id: serial().primaryKey(),
  title: text().notNull(),
  format: albumFormat().notNull().default('album'),
  releasedAt: timestamp('released_at', { withTimezone: true }),
  artistId: integer('artist_id')
    .notNull()
    .references(() => artists.id),
})

export const playlists = pgTable('playlists', {
  id: uuid().primaryKey().defaultRandom(),
  name: text().notNull(),
})

export const playlistAlbums = pgTable(
  'playlist_albums',
  {
    playlistId: uuid('playlist_id')
      .notNull()
      .references(() => playlists.id, { onDelete: 'cascade' }),
    albumId: integer('album_id')
      .notNull()
      .references(() => albums.id, { onDelete: 'cascade' }),
    addedAt: timestamp('added_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.playlistId, t.albumId] })],
)
