import {
  accepted,
  created,
  createServer,
  defineResource,
  defineType,
  id,
  metaResult,
  model,
  noContent,
  ok,
} from 'ashlar'
import { openTelemetry } from 'ashlar/opentelemetry'
import type { SqlDataOptions } from 'ashlar/sql'
import { album } from './albums.js'

export const responses = defineResource('albums', {
  ...album,
  // refuses: create responds with created(), noContent() or accepted().
  create: ok(),
  // refuses: update responds with ok(), noContent() or accepted().
  update: created(),
  // refuses: delete responds with noContent() or metaResult().
  delete: ok(),
  // refuses: fetchOne responds with ok() or seeOther().
  fetchOne: noContent(),
  // refuses: fetchCollection responds with ok().
  fetchCollection: metaResult(),
})

export const lists = defineResource('albums', {
  ...album,
  // refuses: create responds with created(), noContent() or accepted().
  create: [accepted('jobs'), ok()],
  // refuses: fetchOne responds with ok() or seeOther().
  fetchOne: [ok(), created()],
})

export const operations = defineResource('albums', {
  ...album,
  // refuses: The operations are FetchCollection, FetchOne, Create, Update and Delete.
  operations: ['FetchOne', 'FetchMany'],
})

export const elsewhere = operations.with({
  server: 'admin',
  // refuses: create responds with created(), noContent() or accepted().
  create: ok(),
})

export const unknown = defineResource('albums', {
  ...album,
  // refuses: but 'operation' does not exist in type
  operation: ['FetchOne'],
})

export const otherName = defineResource('albums', {
  ...album,
  // refuses: 'fields' does not exist in type
  fields: () => ({}),
})

export const unknownCapability = defineType('albums', {
  fields: () => ({ id: id() }),
  // refuses: 'persistor' does not exist in type
  persistor: null,
})

export const noAttribute = defineType('albums', {
  // refuses: 'name' is neither an attribute nor an id: create one with the kit, such as a.string().
  fields: () => ({ id: id(), name: 'string' }),
})

// refuses: Property 'id' is missing in type
export const noId = defineResource('albums', { model: model<{ id: number }>('albums') })

export const key = defineResource('albums', {
  // refuses: Type '"key"' is not assignable to type '"id" | "title" | readonly ["id" | "title", ...
  model: model<{ id: number; title: string }>('albums', { key: 'key' }),
  id: id(),
})

export const server = createServer({
  resources: [],
  // refuses: 'strict' does not exist in type 'ServerSettings<readonly []>
  strict: true,
})

export const versions = [
  defineResource('albums', { ...album, version: 'year' }),
  defineResource('albums', { ...album, version: 'xmin' }),
  defineResource('albums', { ...album, version: { column: 'year', required: true, inMeta: true } }),
  defineResource('albums', { ...album, version: { column: 'releasedAt', as: 'instant' } }),
  defineResource('albums', { ...album, version: { hash: true } }),
  defineResource('albums', { ...album, version: null }),
]

export const unversioned = defineResource('albums', {
  ...album,
  // refuses: Type '"title"' is not assignable to type 'Version<AlbumRow>'.
  version: 'title',
})

export const misnamedVersion = defineResource('albums', {
  ...album,
  // refuses: Name a column that holds an integer or a Date.
  version: { column: 'titel' },
})

export const timedVersion = defineResource('albums', {
  ...album,
  // refuses: The column holds a Date: set as: 'instant'.
  version: { column: 'releasedAt', as: 'integer' },
})

export const uncalledTelemetry = createServer({
  resources: [],
  // refuses: => Telemetry' is not assignable to type 'Telemetry'.
  telemetry: openTelemetry,
})

export const slowStatements: SqlDataOptions = {
  // refuses: Property 'logger' is missing
  slowStatements: { milliseconds: 100 },
}
