import { createServer } from 'ashlar'
import type { TestClient } from 'ashlar/testing'
import { catalogueData } from './catalogue-rows.js'
import { catalogueTypes } from './catalogue.js'
import { client } from './client.js'
import { storedRows } from './stored-rows.js'

/** Every model of the catalogue, join rows included. */
const catalogueModels = [
  'artists',
  'albums',
  'tracks',
  'playlists',
  'playlist_tracks',
  'libraries',
  'library_items',
  'devices',
  'genres',
  'products',
  'favorites',
  'users',
] as const

/** The catalogue, and a look behind it. */
export interface CatalogueWorld {
  readonly api: TestClient
  /** Everything that is stored. */
  readonly rows: () => ReturnType<typeof storedRows>
}

export function catalogueWorld(): CatalogueWorld {
  const data = catalogueData()
  const server = createServer({ resources: catalogueTypes, data, servers: { admin: { prefix: '/admin' } } })
  return { api: client(server), rows: () => storedRows(data, catalogueModels) }
}
