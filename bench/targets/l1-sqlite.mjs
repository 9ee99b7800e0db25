// @ts-check
/** L1 on SQLite: prepared statements, rows as objects. */
import { DatabaseSync } from '@photostructure/sqlite'
import { serverByObject } from './documents-by-object.mjs'
import { containing, insertOfTracks, memoizeByCount, sqliteValues, statements } from './statements.mjs'

/** @param {string} path */
export function l1Sqlite(path) {
  const database = new DatabaseSync(path, { timeout: 5000 })
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; pragma foreign_keys = on')
  const texts = statements('sqlite')
  const track = database.prepare(texts.track)
  const albums = database.prepare(texts.albums)
  const albumsAfter = database.prepare(texts.albumsAfter)
  const albumsFiltered = database.prepare(texts.albumsFiltered)
  const artists = database.prepare(texts.artists)
  const tracks = database.prepare(texts.tracks)
  const genres = database.prepare(texts.genres)
  const insertTrack = database.prepare(texts.insertTrack)
  const [updateTrack, deleteTrack] = [database.prepare(texts.updateTrack), database.prepare(texts.deleteTrack)]
  const joinGenre = database.prepare(texts.joinGenre)
  const batches = memoizeByCount((count) => database.prepare(insertOfTracks('sqlite', count)))
  return serverByObject({
    connection: database,
    track: (id) => track.get(id),
    albums: (limit) => albums.all(limit),
    albumsAfter: (limit, releasedAt, id) => albumsAfter.all(limit, releasedAt, id),
    albumsFiltered: (status, title, limit) => albumsFiltered.all(status, containing(title), limit),
    artists: (ids) => artists.all(JSON.stringify(ids)),
    tracks: (albumIds) => tracks.all(JSON.stringify(albumIds)),
    genres: (albumIds) => genres.all(JSON.stringify(albumIds)),
    insertTrack: (values) => insertTrack.get(...sqliteValues(values)),
    updateTrack: (id, title) => updateTrack.get(id, title),
    deleteTrack: (id) => deleteTrack.run(id).changes === 1,
    joinGenre: (albumId, genreId) => joinGenre.run(albumId, genreId),
    insertTracks: (rows) => batches(rows.length).all(...rows.flatMap(sqliteValues)),
    iso: String,
  })
}
