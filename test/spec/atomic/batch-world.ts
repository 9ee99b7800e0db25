import { atomic, createServer, defineResource, id, model, type ResourceMetadata } from 'ashlar'
import type { IdDeclaration } from '../../../src/declare/resource/fields/id-declaration.js'
import type { TestClient, TestRequestOptions, TestResponse } from 'ashlar/testing'
import type { TestResult } from '../../../src/tools/testing/test-response.js'
import { catalogueTypes } from '../../support/catalogue.js'
import { catalogueData } from '../../support/catalogue-rows.js'
import { client } from '../../support/client.js'
import { storedData } from '../../support/stored-data.js'
import { storedRows } from '../../support/stored-rows.js'

export const uri = 'https://jsonapi.org/ext/atomic'
export const mediaType = `application/vnd.api+json; ext="${uri}"`

/** The headers that every request of the extension has. */
export const headers = { Accept: mediaType, 'Content-Type': mediaType }

/** A server that takes batches, and a look behind it. */
export interface BatchWorld {
  readonly api: TestClient
  /** Sends a batch. */
  readonly send: (...operations: readonly unknown[]) => Promise<TestResponse>
  /** Everything that is stored. */
  readonly rows: () => ReturnType<typeof storedRows>
}

const models = [
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
]

/** The catalogue. */
export function batchWorld(): BatchWorld {
  const data = catalogueData()
  const server = createServer({
    resources: catalogueTypes,
    data,
    servers: { admin: { prefix: '/admin' } },
    extensions: [atomic()],
  })
  const api = client(server)
  return { api, send: sender(api), rows: () => storedRows(data, models) }
}

/** Labels, which reply as the test defines. */
export function labelWorld(declared: IdDeclaration = id(), metadata: ResourceMetadata = {}): BatchWorld {
  const data = storedData({ labels: [{ id: 'ecm', name: 'ECM' }] })
  const labels = defineResource('labels', {
    model: model<{ id: string; name: string }>('labels'),
    id: declared,
    attributes: (a) => ({ name: a.string() }),
    ...metadata,
  })
  const api = client(createServer({ resources: [labels], data, extensions: [atomic()] }))
  return { api, send: sender(api), rows: () => storedRows(data, ['labels']) }
}

function sender(api: TestClient): BatchWorld['send'] {
  return (...operations) => post(api, { body: { 'atomic:operations': operations } })
}

/** Sends a document to the endpoint as a client of the extension does. */
export function post(api: TestClient, options: TestRequestOptions): Promise<TestResponse> {
  return api.post('/operations', { ...options, headers: { ...headers, ...options.headers } })
}

export const artist = (known: string) => ({ type: 'artists', id: known })
export const album = (known: string) => ({ type: 'albums', id: known })
export const track = (known: string) => ({ type: 'tracks', id: known })

/** The resource object of a new artist. */
export const newArtist = (name: string, slug = name.toLowerCase()) => ({
  type: 'artists',
  attributes: { name, slug },
})

export const renaming = (known: string, name: string) => ({
  op: 'update',
  ref: artist(known),
  data: { ...artist(known), attributes: { name } },
})

/** The id of the resource that a result shows. */
export function idIn(result: TestResult | undefined): string {
  const { data } = result ?? {}
  if (data === undefined || data === null || !('id' in data)) throw new Error('This result shows no resource.')
  return data.id
}
