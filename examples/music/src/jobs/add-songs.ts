import type { Insertable, Kysely } from 'kysely'
import { freeSlug, slugOf } from '../slug.js'
import type { Tables } from '../tables.js'
import type { Song } from './read-songs.js'

/** The number of rows of one statement, which both engines accept. */
const batchSize = 1000

/** Adds albums with their tracks, and artists that do not exist yet. */
export async function addSongs(db: Kysely<Tables>, songs: readonly Song[]): Promise<void> {
  const tracks: Insertable<Tables['tracks']>[] = []
  for (const [artist, ofArtist] of groupBy(songs, (song) => song.artist)) {
    const artistId = await artistNamed(db, artist)
    for (const [title, ofAlbum] of groupBy(ofArtist, (song) => song.album)) {
      const album = db.insertInto('albums').values({ title, artistId, status: 'released' }).returning('id')
      const { id: albumId } = await album.executeTakeFirstOrThrow()
      for (const [index, { title: name, seconds }] of ofAlbum.entries()) {
        tracks.push({ title: name, trackNumber: index + 1, durationSeconds: seconds, albumId })
      }
    }
  }
  for (let start = 0; start < tracks.length; start += batchSize) {
    await db
      .insertInto('tracks')
      .values(tracks.slice(start, start + batchSize))
      .execute()
  }
}

async function artistNamed(db: Kysely<Tables>, name: string): Promise<number> {
  const known = await db.selectFrom('artists').select('id').where('name', '=', name).orderBy('id').executeTakeFirst()
  if (known !== undefined) return known.id
  const slug = await freeSlug(slugOf(name), db)
  const added = await db.insertInto('artists').values({ name, slug }).returning('id').executeTakeFirstOrThrow()
  return added.id
}

function groupBy(songs: readonly Song[], nameOf: (song: Song) => string): ReadonlyMap<string, readonly Song[]> {
  const groups = new Map<string, Song[]>()
  for (const song of songs) {
    const group = groups.get(nameOf(song)) ?? []
    groups.set(nameOf(song), group)
    group.push(song)
  }
  return groups
}
