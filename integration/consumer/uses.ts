// What a user's own code looks like to the compiler, from the outside of the package.
import {
  belongsTo,
  type CreateAttributes,
  createServer,
  defineResource,
  hasMany,
  id,
  type IncludePath,
  model,
  type ReadAttributes,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { listen, type Listening } from 'ashlar/node'
import { type Provider, rowSet } from 'ashlar/store'

interface AlbumRow {
  id: number
  title: string
  releasedAt: Date | null
  artistId: number | null
}

export const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().required() }),
  relations: { albums: hasMany('albums') },
})

export const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string().required().maxLength(200).sortable(),
    releasedAt: a.dateTime().nullable(),
    shouted: a.string().computed((row) => row.title.toUpperCase()),
  }),
  relations: { artist: belongsTo('artists') },
})

export const misspelt = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  // @ts-expect-error -- the row has no such column
  attributes: (a) => ({ titel: a.string() }),
})

export const server = createServer({ resources: [albums, artists], data: memoryData() })

export const path: IncludePath<typeof server, 'albums'> = 'artist.albums'
export const read: ReadAttributes<typeof albums> = { title: 'Kid A', releasedAt: null, shouted: 'KID A' }
export const create: CreateAttributes<typeof albums> = { title: 'Kid A' }

export const provider: Provider = {
  fetchOne: () => null,
  fetchCollection: () => rowSet(['id', 'name'], [[1, 'Radiohead']]),
}

export function start(): Promise<Listening> {
  return listen(server, { port: 0 })
}
