import type { Persister, WorkContext } from 'ashlar'
import { tablesOf } from '../storage/tables-of.js'

/**
 * Of playlists and their tracks, from either side: a track that is added without a position comes last, and weighs as
 * much as its position unless told.
 */
export function placedTracks(store: Persister): Persister {
  return {
    ...store,
    async mutateRelationship(relation, owner, change, write) {
      const last = new Map<string, number>()
      const next = async (playlist: string) => {
        const position = (last.get(playlist) ?? (await lastPosition(write.context, playlist))) + 1
        last.set(playlist, position)
        return position
      }
      const added = []
      for (const { type, key, values } of change.added) {
        const position = values['position'] ?? (await next(String(type === 'playlists' ? key : owner['id'])))
        added.push({ type, key, values: { weight: position, addedAt: new Date(), ...values, position } })
      }
      await store.mutateRelationship?.(relation, owner, { ...change, added }, write)
    },
  }
}

async function lastPosition(context: WorkContext, playlistId: string): Promise<number> {
  const { last } = await tablesOf(context)
    .selectFrom('playlistTracks')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('playlistId', '=', playlistId)
    .executeTakeFirstOrThrow()
  return last ?? 0
}
