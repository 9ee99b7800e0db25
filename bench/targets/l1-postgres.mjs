// @ts-check
/** L1 on PostgreSQL: an ordinary pool, named statements, rows as objects. */
import { Pool, types } from 'pg'
import { serverByObject } from './documents-by-object.mjs'
import { containing, insertOfTracks, memoizeByCount, statements } from './statements.mjs'

/** @param {string} url */
export function l1Postgres(url) {
  // Reads dates as text, not as instants in a time zone.
  types.setTypeParser(types.builtins.DATE, String)
  const pool = new Pool({ connectionString: url })
  const texts = statements('postgres')
  /** @param {keyof typeof texts} name @param {unknown[]} values */
  const query = (name, values) => pool.query({ name, text: texts[name], values })
  /** @param {keyof typeof texts} name @param {unknown[]} values */
  const rows = async (name, values) => (await query(name, values)).rows
  const batches = memoizeByCount((count) => ({ name: `insertTracks${count}`, text: insertOfTracks('postgres', count) }))
  return serverByObject({
    track: async (id) => (await rows('track', [id]))[0],
    albums: (limit) => rows('albums', [limit]),
    albumsAfter: (limit, releasedAt, id) => rows('albumsAfter', [limit, releasedAt, id]),
    albumsFiltered: (status, title, limit) => rows('albumsFiltered', [status, containing(title), limit]),
    artists: (ids) => rows('artists', [ids]),
    tracks: (albumIds) => rows('tracks', [albumIds]),
    genres: (albumIds) => rows('genres', [albumIds]),
    insertTrack: async (values) => (await rows('insertTrack', values))[0],
    updateTrack: async (id, title) => (await rows('updateTrack', [id, title]))[0],
    deleteTrack: async (id) => (await query('deleteTrack', [id])).rowCount === 1,
    joinGenre: (albumId, genreId) => query('joinGenre', [albumId, genreId]),
    insertTracks: async (all) => (await pool.query({ ...batches(all.length), values: all.flat() })).rows,
    iso: (/** @type {Date} */ value) => value.toISOString(),
  })
}
