// @ts-check
/** The statements of the servers that are written by hand. */

const album = 'id, title, status, label, released_at, explicit, track_count, description, artist_id'
const track = 'id, title, position, seconds, explicit, lyrics, recorded_on, album_id'
const newTrack = 'title, position, seconds, explicit, lyrics, recorded_on, album_id'
const columns = newTrack.split(', ')
const newest = 'order by released_at desc, id desc limit'

/** @param {import('../music/tables.mjs').Engine} engine */
export function statements(engine) {
  /** @param {string} column */
  const among = (column) =>
    engine === 'postgres' ? `${column} = any($1)` : `${column} in (select value from json_each($1))`
  const like = engine === 'postgres' ? 'ilike $2' : String.raw`like $2 escape '\'`
  const written = {
    track: `select ${track} from tracks where id = $1`,
    albums: `select ${album} from albums ${newest} $1`,
    albumsAfter: `select ${album} from albums where (released_at, id) < ($2, $3) ${newest} $1`,
    albumsFiltered: `select ${album} from albums where status = $1 and title ${like} ${newest} $3`,
    artists: `select id, name, country, founded_in, biography from artists where ${among('id')}`,
    tracks: `select ${track} from tracks where ${among('album_id')} order by id`,
    genres: `select genres.id, name, album_id from album_genres join genres on genres.id = genre_id
      where ${among('album_id')} order by genres.id`,
    insertTrack: insertOfTracks(engine, 1),
    updateTrack: `update tracks set title = $2 where id = $1 returning ${track}`,
    deleteTrack: 'delete from tracks where id = $1',
    joinGenre: 'insert into album_genres (album_id, genre_id) values ($1, $2) on conflict do nothing',
  }
  // SQLite has another prefix of numbered parameters.
  if (engine === 'sqlite') for (const name of keysOf(written)) written[name] = written[name].replaceAll('$', '?')
  return written
}

/** Returns one insert of several tracks, with a parameter for each value. @param {import('../music/tables.mjs').Engine} engine @param {number} count */
export function insertOfTracks(engine, count) {
  const sign = engine === 'postgres' ? '$' : '?'
  const row = (/** @type {number} */ first) => `(${columns.map((_, column) => sign + (first + column)).join(', ')})`
  const rows = Array.from({ length: count }, (_, index) => row(1 + index * columns.length))
  return `insert into tracks (${newTrack}) values ${rows.join(', ')} returning ${track}`
}

/** Converts the values of a new track for SQLite, which has no booleans. @param {any[]} values */
export function sqliteValues([title, position, seconds, explicit, lyrics, recordedOn, albumId]) {
  return [title, position, seconds, explicit ? 1 : 0, lyrics, recordedOn, albumId]
}

/** Memoizes a function of a number. @template T @param {(count: number) => T} make @returns {(count: number) => T} */
export function memoizeByCount(make) {
  /** @type {Map<number, T>} */
  const cache = new Map()
  return (count) => {
    const made = cache.get(count) ?? make(count)
    cache.set(count, made)
    return made
  }
}

/** Returns a pattern for `like`, with escaped wildcards. @param {string} part */
export function containing(part) {
  return `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** @template {object} T @param {T} of @returns {(keyof T)[]} */
function keysOf(of) {
  return /** @type {(keyof T)[]} */ (Object.keys(of))
}
