import { boolean, date, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

export const artists = pgTable('artists', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull(),
  country: text().notNull(),
  foundedIn: integer('founded_in'),
  biography: text().notNull(),
})

export const albums = pgTable('albums', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  title: text().notNull(),
  status: text().notNull(),
  label: text(),
  releasedAt: timestamp('released_at', { withTimezone: true, mode: 'date' }).notNull(),
  explicit: boolean().notNull(),
  trackCount: integer('track_count').notNull(),
  description: text().notNull(),
  artistId: integer('artist_id')
    .notNull()
    .references(() => artists.id),
})

export const tracks = pgTable('tracks', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  title: text().notNull(),
  position: integer().notNull(),
  seconds: integer().notNull(),
  explicit: boolean().notNull(),
  lyrics: text().notNull(),
  recordedOn: date('recorded_on', { mode: 'string' }).notNull(),
  albumId: integer('album_id')
    .notNull()
    .references(() => albums.id),
})
