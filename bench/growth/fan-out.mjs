// @ts-check
/** Albums with 1, 10 and 100 tracks, in addition to the catalogue. */
import { DatabaseSync } from '@photostructure/sqlite'
import { Client } from 'pg'
import { albumCount, trackCount } from '../music/rows.mjs'

export const fans = [1, 10, 100]
export const fanAlbums = 10

/** Returns the status that identifies albums with so many tracks. @param {number} tracks of each album */
export function fanStatus(tracks) {
  return `fan-${tracks}`
}

/** @param {'postgres' | 'sqlite'} engine @param {string} location */
export async function addFans(engine, location) {
  const { albums, tracks } = rows()
  const statements = `
    insert into albums (id, title, status, label, released_at, explicit, track_count, description, artist_id)
      values ${albums.join(', ')};
    insert into tracks (id, title, position, seconds, explicit, lyrics, recorded_on, album_id) values ${tracks.join(', ')};`
  if (engine === 'sqlite') {
    const database = new DatabaseSync(location, { timeout: 5000 })
    database.exec(`begin; ${statements} commit; analyze`)
    database.close()
    return
  }
  const client = new Client({ connectionString: location })
  await client.connect()
  await client.query(statements)
  await client.query('vacuum analyze albums, tracks')
  await client.end()
}

function rows() {
  /** @type {string[]} */
  const albums = []
  /** @type {string[]} */
  const tracks = []
  for (const fan of fans) {
    for (let album = 0; album < fanAlbums; album += 1) {
      const id = albumCount + 1 + albums.length
      // Older than all albums of the catalogue, so that they sort after its last page.
      const released = `19${10 + albums.length}-01-01T00:00:00.000Z`
      albums.push(
        `(${id}, 'Fan ${id}', '${fanStatus(fan)}', null, '${released}', false, ${fan}, 'An album of ${fan}.', 1)`,
      )
      for (let position = 1; position <= fan; position += 1) {
        const key = trackCount + 1 + tracks.length
        const title = `Track ${position} of the album`
        tracks.push(
          `(${key}, '${title}', ${position}, 200, false, '${'La la la, sung twice. '.repeat(7)}', '1999-12-31', ${id})`,
        )
      }
    }
  }
  return { albums, tracks }
}
