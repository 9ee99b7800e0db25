import type { Persister } from 'ashlar/store'
import { nextPosition } from '../storage/next-number.js'

/**
 * Sets position and weight of new tracks in playlists, from either side of the relation. Without a position a track is added at the
 * end. The default of the weight is the position.
 */
export function placedTracks(store: Persister): Persister {
  return {
    ...store,
    async mutateRelationship(relation, owner, change, write) {
      const free = new Map<string, number>()
      const added = []
      for (const { type, key, values } of change.added) {
        const playlist = String(type === 'playlists' ? key : owner['id'])
        const next = free.get(playlist) ?? (await nextPosition(write.context, playlist))
        const position = Number(values['position'] ?? next)
        free.set(playlist, Math.max(next, position + 1))
        added.push({ type, key, values: { weight: position, addedAt: new Date(), ...values, position } })
      }
      await store.mutateRelationship?.(relation, owner, { ...change, added }, write)
    },
  }
}
