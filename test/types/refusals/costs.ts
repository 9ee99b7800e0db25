import { belongsTo, createServer, defineResource, hasMany, morphToMany, rateLimit } from 'ashlar'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { album } from './albums.js'

const albums = defineResource('albums', { ...album, expectedRows: 20 })
const limiter = new RateLimiterMemory({ points: 100, duration: 60 })

export const right = createServer({
  resources: [albums],
  queryCost: { budget: ({ caller, server }) => (caller === null && server === 'default' ? 500 : Infinity), join: 5 },
  middleware: [rateLimit({ limiter, unit: 'cost' }), rateLimit({ limiter, points: () => 2 })],
  servers: { staff: { prefix: '/staff', queryCost: false } },
})

export const relations = {
  tracks: hasMany('tracks').expectedMembers(12),
  items: morphToMany(['albums', 'tracks']).expectedMembers(3),
  // refuses: expectedMembers() is for to-many relations: there is one member at most.
  artist: belongsTo('artists').expectedMembers(1),
}

export const misspelt = createServer({
  resources: [albums],
  // refuses: 'limit' does not exist in type 'QueryCostSettings'
  queryCost: { limit: 500 },
})

export const wrongValues = createServer({
  resources: [albums],
  // refuses: Type 'string' is not assignable to type 'number'.
  queryCost: { expectedMembers: '10' },
})

export const notAwaited = createServer({
  resources: [albums],
  // refuses: Type 'Promise<number>' is not assignable to type 'number'.
  queryCost: { budget: async () => 500 },
})

export const on = createServer({
  resources: [albums],
  // refuses: Type 'true' is not assignable to type 'false | QueryCostSettings'.
  queryCost: true,
})

// refuses: Type '() => number' is not assignable to type 'undefined'.
export const twoUnits = rateLimit({ limiter, unit: 'cost', points: () => 2 })

export const explained = async (): Promise<readonly unknown[]> => [
  await right.explain({ url: '/albums' }),
  await right.explain({ as: null, type: 'albums', ability: 'view' }),
  // refuses: No overload matches this call.
  await right.explain({ path: '/albums' }),
]
