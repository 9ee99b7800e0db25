import type { Persister } from 'ashlar'
import { tablesOf } from '../storage/tables-of.js'

/** Tracks that are added to a playlist without a position come last, and weigh as much as their position unless told. */
export function placedTracks(store: Persister): Persister {
  return {
    ...store,
    async mutateRelationship(relation, playlist, change, write) {
      let position = change.added.length === 0 ? 0 : await lastPosition(write.context, String(playlist['id']))
      const added = change.added.map((member) => {
        const place = member.values['position'] ?? ++position
        return { ...member, values: { weight: place, addedAt: new Date(), ...member.values, position: place } }
      })
      await store.mutateRelationship?.(relation, playlist, { ...change, added }, write)
    },
  }
}

type Context = Parameters<typeof tablesOf>[0]

async function lastPosition(context: Context, playlistId: string): Promise<number> {
  const { last } = await tablesOf(context)
    .selectFrom('playlistTracks')
    .select(({ fn }) => fn.max('position').as('last'))
    .where('playlistId', '=', playlistId)
    .executeTakeFirstOrThrow()
  return last ?? 0
}
