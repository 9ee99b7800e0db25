import type { ColumnValues, DataSource } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { seeds } from './seeds.js'
import { slugOf } from './slug.js'

/** What a new row holds where the client says nothing, as the defaults of a table would. */
const defaults: Readonly<Record<string, (values: ColumnValues) => ColumnValues>> = {
  artists: ({ name }) => ({ slug: slugOf(String(name)), website: null, bio: null, createdAt: new Date() }),
  albums: () => ({ releasedAt: new Date(), explicit: false, status: 'upcoming' }),
  playlists: () => ({ public: false, externalId: null }),
  tracks: () => ({ trackNumber: 1, durationSeconds: 0, explicit: false, genres: ['unknown'] }),
}

/** The rows of the catalogue in memory: gone when the process ends. */
export function catalogueData(): DataSource {
  const memory = memoryData(seeds)
  return {
    ...memory,
    persister(type) {
      const persister = memory.persister(type)
      if (persister === null) return null
      return {
        ...persister,
        create: (created, values, write) =>
          persister.create(created, { ...defaults[created.type]?.(values), ...values }, write),
      }
    },
  }
}
