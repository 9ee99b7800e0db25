import type { Kysely } from 'kysely'
import { slugOf } from '../slug.js'
import type { Tables } from '../tables.js'
import type { Song } from './read-songs.js'

/** Adds albums with their tracks, and the artists that are not there yet. */
export async function addSongs(db: Kysely<Tables>, songs: readonly Song[]): Promise<void> {
  for (const [artist, ofArtist] of groupBy(songs, (song) => song.artist)) {
    const artistId = await artistNamed(db, artist)
    for (const [title, ofAlbum] of groupBy(ofArtist, (song) => song.album)) {
      const album = await db
        .insertInto('albums')
        .values({ title, artistId, status: 'released' })
        .returning('id')
        .executeTakeFirstOrThrow()
      const tracks = ofAlbum.map((song, index) => ({
        title: song.title,
        trackNumber: index + 1,
        durationSeconds: song.seconds,
        albumId: album.id,
      }))
      await db.insertInto('tracks').values(tracks).execute()
    }
  }
}

async function artistNamed(db: Kysely<Tables>, name: string): Promise<number> {
  const slug = slugOf(name)
  await db
    .insertInto('artists')
    .values({ name, slug })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .execute()
  const { id } = await db.selectFrom('artists').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()
  return id
}

function groupBy(songs: readonly Song[], nameOf: (song: Song) => string): ReadonlyMap<string, readonly Song[]> {
  const groups = new Map<string, Song[]>()
  for (const song of songs) groups.set(nameOf(song), [...(groups.get(nameOf(song)) ?? []), song])
  return groups
}
