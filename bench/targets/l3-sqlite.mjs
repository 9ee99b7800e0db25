// @ts-check
/** L3 on SQLite: prepared statements, rows as arrays. */
import { DatabaseSync } from '@photostructure/sqlite'
import { serverByTemplate } from './documents-by-template.mjs'
import { containing, insertOfTracks, memoizeByCount, sqliteValues, statements } from './statements.mjs'

/** @param {string} path */
export function l3Sqlite(path) {
  const database = new DatabaseSync(path, { timeout: 5000 })
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on')
  const texts = statements('sqlite')
  const [track, albums, albumsAfter, albumsFiltered] = [
    prepare(texts.track),
    prepare(texts.albums),
    prepare(texts.albumsAfter),
    prepare(texts.albumsFiltered),
  ]
  const [artists, tracks, genres] = [prepare(texts.artists), prepare(texts.tracks), prepare(texts.genres)]
  const insertTrack = prepare(texts.insertTrack)
  const [updateTrack, deleteTrack] = [prepare(texts.updateTrack), prepare(texts.deleteTrack)]
  const joinGenre = prepare(texts.joinGenre)
  const batches = memoizeByCount((count) => prepare(insertOfTracks('sqlite', count)))
  return serverByTemplate({
    connection: database,
    track: (id) => track.get(Number(id)),
    albums: (limit) => albums.all(limit),
    albumsAfter: (limit, releasedAt, id) => albumsAfter.all(limit, releasedAt, Number(id)),
    albumsFiltered: (status, title, limit) => albumsFiltered.all(status, containing(title), limit),
    artists: (ids) => artists.all(`[${ids.join(',')}]`),
    tracks: (albumIds) => tracks.all(`[${albumIds.join(',')}]`),
    genres: (albumIds) => genres.all(`[${albumIds.join(',')}]`),
    insertTrack: (values) => insertTrack.get(...sqliteValues(values)),
    updateTrack: (id, title) => updateTrack.get(id, title),
    deleteTrack: (id) => deleteTrack.run(id).changes === 1,
    joinGenre: (albumId, genreId) => joinGenre.run(albumId, genreId),
    insertTracks: (rows) => batches(rows.length).all(...rows.flatMap(sqliteValues)),
    // 2023-05-15T17:13:21.000Z
    instant: (/** @type {string} */ value) => `${value.slice(0, 19)}+00:00`,
    isTrue: (value) => value === 1,
  })

  /** @param {string} text */
  function prepare(text) {
    const statement = database.prepare(text)
    statement.setReturnArrays(true)
    return statement
  }
}
