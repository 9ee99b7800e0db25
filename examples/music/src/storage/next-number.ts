import type { WorkContext } from 'ashlar'
import { tablesOf } from './tables-of.js'

/** The number of the next track of an album. Nobody else gets it: the album is locked until the transaction ends. */
export async function nextTrackNumber(context: WorkContext, albumId: number): Promise<number> {
  const db = tablesOf(context)
  // An update locks on both engines, also one that changes nothing.
  const locked = db.updateTable('albums').set((of) => ({ title: of.ref('title') }))
  await locked.where('id', '=', albumId).execute()
  const { last } = await db
    .selectFrom('tracks')
    .select(({ fn }) => fn.max('trackNumber').as('last'))
    .where('albumId', '=', albumId)
    .executeTakeFirstOrThrow()
  return (last ?? 0) + 1
}

/** The same for the positions of a playlist. */
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
