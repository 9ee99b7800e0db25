// @ts-check
/** L3 on PostgreSQL: an ordinary pool, named statements, rows as arrays of the texts that the server sends. */
import { Pool } from 'pg'
import { serverByTemplate } from './documents-by-template.mjs'
import { containing, insertOfTracks, memoizeByCount, statements } from './statements.mjs'

/** @param {string} location */
export function l3Postgres(location) {
  const url = new URL(location)
  // PostgreSQL sends instants as text in the time zone of the session.
  url.searchParams.set('options', `${url.searchParams.get('options') ?? ''} -c timezone=UTC`)
  const pool = new Pool({ connectionString: url.href, types: { getTypeParser: () => asItIs } })
  const texts = statements('postgres')
  /** @param {keyof typeof texts} name @param {unknown[]} values */
  const query = (name, values) => pool.query({ name, text: texts[name], values, rowMode: 'array' })
  /** @param {keyof typeof texts} name @param {unknown[]} values @returns {Promise<any[][]>} */
  const rows = async (name, values) => (await query(name, values)).rows
  const batches = memoizeByCount((count) => {
    return {
      name: `insertTracks${count}`,
      text: insertOfTracks('postgres', count),
      rowMode: /** @type {const} */ ('array'),
    }
  })
  return serverByTemplate({
    track: async (id) => (await rows('track', [id]))[0],
    albums: (limit) => rows('albums', [limit]),
    albumsAfter: (limit, releasedAt, id) => rows('albumsAfter', [limit, releasedAt, id]),
    albumsFiltered: (status, title, limit) => rows('albumsFiltered', [status, containing(title), limit]),
    artists: (ids) => rows('artists', [`{${ids.join(',')}}`]),
    tracks: (albumIds) => rows('tracks', [`{${albumIds.join(',')}}`]),
    genres: (albumIds) => rows('genres', [`{${albumIds.join(',')}}`]),
    insertTrack: async (values) => /** @type {any[]} */ ((await rows('insertTrack', values))[0]),
    updateTrack: async (id, title) => (await rows('updateTrack', [id, title]))[0],
    deleteTrack: async (id) => (await query('deleteTrack', [id])).rowCount === 1,
    joinGenre: (albumId, genreId) => query('joinGenre', [albumId, genreId]),
    insertTracks: async (all) => (await pool.query({ ...batches(all.length), values: all.flat() })).rows,
    // 2023-05-15 17:13:21+00
    instant: (/** @type {string} */ value) => `${value.slice(0, 10)}T${value.slice(11, 19)}+00:00`,
    isTrue: (value) => value === 't',
  })
}

/** @param {any} value */
function asItIs(value) {
  return value
}
