import {
  type ActionKit,
  reply,
  belongsTo,
  createServer,
  defineResource,
  hasMany,
  id,
  metaResult,
  model,
  noContent,
  type ResourceMetadata,
} from 'ashlar'
import type { ActionDeclaration } from '../../src/declare/resource/define/action-kit.js'
import { storedData } from './stored-data.js'

/** Albums with the actions of the music catalogue, or with others. */

export interface AlbumRow {
  id: number
  title: string
  year: number
  artistId: number | null
  artwork: string | null
}

type AlbumActions = (a: ActionKit<AlbumRow>) => Readonly<Record<string, ActionDeclaration>>

type Settings = Omit<Parameters<typeof createServer>[0], 'resources' | 'data'>

const catalogueActions: AlbumActions = (a) => ({
  reissue: a.resource({
    input: 'document',
    asLink: true,
    allowed: (_album, { request }) => request?.header('authorization') !== undefined,
    handle: async ({ entity: { id: _id, ...copied }, input, context }) =>
      reply.resource(await context.rows<AlbumRow>('albums').create({ ...copied, ...input })),
  }),
  artwork: a.resource({
    input: 'raw',
    responds: noContent(),
    handle: async ({ entity, body, context }) => {
      const artwork = `${context.request?.header('content-type')}: ${new TextDecoder().decode(body)}`
      await context.rows<AlbumRow>('albums').update(entity.id, { artwork })
      return reply.noContent()
    },
  }),
  summary: a.collection({
    responds: metaResult(),
    handle: async ({ context }) => reply.meta({ albums: (await context.rows('albums').list()).length }),
  }),
})

export function actingServer(
  actions: AlbumActions = catalogueActions,
  { over = {}, settings = {} }: { readonly over?: ResourceMetadata & object; readonly settings?: Settings } = {},
): ReturnType<typeof createServer> {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id().matchAs(/\d+/),
    attributes: (a) => ({
      title: a.string().required().maxLength(40),
      year: a.integer().min(1860),
      artwork: a.string().nullable().readOnly(),
    }),
    relations: { artist: belongsTo('artists') },
    actions,
    ...over,
  })
  const artists = defineResource('artists', {
    model: model<{ id: number; name: string }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string().required() }),
    relations: { albums: hasMany('albums') },
  })
  const seeds = {
    albums: [
      { id: 1, title: 'OK Computer', year: 1997, artistId: 1, artwork: null },
      { id: 2, title: 'Kid A', year: 2000, artistId: 1, artwork: null },
    ],
    artists: [{ id: 1, name: 'Radiohead' }],
  }
  const data = storedData(seeds, {}, { hasKeys: settings.idempotency !== undefined })
  return createServer({ ...settings, resources: [albums, artists], data })
}
