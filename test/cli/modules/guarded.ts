import { createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'

interface User {
  readonly id: number
}

const albums = defineResource('albums', {
  model: model<{ id: number; ownerId: number }>('albums'),
  id: id(),
  filters: (f) => ({ owner: f.where('ownerId').usableIf(({ caller }) => (caller as User | null)?.id === 1) }),
  policy(p) {
    const own = p.signedIn(({ caller }) => p.eq('ownerId', (caller as User).id))
    return {
      viewAny: true,
      view: true,
      update: own,
      delete: () => {
        throw new Error('The policy has a fault.')
      },
    }
  },
})

export const server = createServer({ resources: [albums], data: memoryData({ albums: [{ id: 1, ownerId: 1 }] }) })
