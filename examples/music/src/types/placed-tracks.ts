import type { Persister } from 'ashlar/store'
import { nextPosition } from '../storage/next-number.js'

/**
 * Of playlists and their tracks, from either side: a track that is added without a position comes last, and weighs as
 * much as its position unless told.
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
