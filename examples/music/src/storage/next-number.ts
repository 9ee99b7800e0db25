import type { WorkContext } from 'ashlar'
import { tablesOf } from './tables-of.js'

/** Returns the number of the next track of an album. The album is locked until the transaction ends, so that each number is used once. */
export async function nextTrackNumber(context: WorkContext, albumId: number): Promise<number> {
  const db = tablesOf(context)
  // On both engines an update locks the row, even if it changes nothing.
  const locked = db.updateTable('albums').set((of) => ({ title: of.ref('title') }))
  await locked.where('id', '=', albumId).execute()
  const { last } = await db
    .selectFrom('tracks')
    .select(({ fn }) => fn.max('trackNumber').as('last'))
    .where('albumId', '=', albumId)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** Returns the next position in a playlist. The playlist is locked until the transaction ends. */
export async function nextPosition(context: WorkContext, playlistId: string): Promise<number> {
  const db = tablesOf(context)
  const locked = db.updateTable('playlists').set((of) => ({ title: of.ref('title') }))
  await locked.where('id', '=', playlistId).execute()
  const { last } = await db
    .selectFrom('playlistTracks')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('playlistId', '=', playlistId)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}
