// @ts-check
/** The statements that are written by hand, in the columns and the order that documents need. */

const album = 'id, title, status, label, released_at, explicit, track_count, description, artist_id'
const track = 'id, title, position, seconds, explicit, lyrics, recorded_on, album_id'
const newTrack = 'title, position, seconds, explicit, lyrics, recorded_on, album_id'
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
    insertTrack: `insert into tracks (${newTrack}) values ($1, $2, $3, $4, $5, $6, $7) returning ${track}`,
  }
  // SQLite counts its parameters by another sign.
  if (engine === 'sqlite') for (const name of keysOf(written)) written[name] = written[name].replaceAll('$', '?')
  return written
}

/** What `like` takes for itself is meant as it is. @param {string} part */
export function containing(part) {
  return `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}

/** @template {object} T @param {T} of @returns {(keyof T)[]} */
function keysOf(of) {
  return /** @type {(keyof T)[]} */ (Object.keys(of))
}
