import {
  reply,
  atomic,
  belongsTo,
  createServer,
  defineResource,
  hasMany,
  id,
  metaResult,
  model,
  seeOther,
  type Server,
} from 'ashlar'
import type { IdempotencySettings } from '../../src/server/assembly/declared/idempotency-settings.js'
import type { TestClient, TestRequestOptions, TestResponse } from 'ashlar/testing'
import { client, resourceBody } from './client.js'
import { byName } from './named-callers.js'
import { storedData } from './stored-data.js'

export const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number | null }>('tracks'),
  id: id(),
  policy: 'public',
  attributes: (a) => ({ title: a.string() }),
})
export const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id().allowClientId(),
  policy: 'public',
  attributes: (a) => ({ name: a.string() }),
})
export const albums = defineResource('albums', {
  model: model<{ id: number; title: string; artistId: number | null }>('albums'),
  id: id(),
  policy: 'public',
  attributes: (a) => ({ title: a.string().required().maxLength(50) }),
  relations: { artist: belongsTo('artists').nullable(), tracks: hasMany('tracks').via('albumId') },
  actions: (a) => ({
    press: a.collection({
      responds: metaResult(),
      async handle({ context }) {
        await context.rows('albums').create({ title: 'Pressed' })
        return reply.meta({ pressed: true })
      },
    }),
    find: a.collection({ responds: seeOther(), handle: () => reply.seeOther({ type: 'albums', id: '1' }) }),
    print: a.collection({
      input: 'raw',
      responds: metaResult(),
      handle: ({ body }) => reply.meta({ bytes: body.length, at: Math.random() }),
    }),
  }),
})
interface KeyedMusic {
  readonly server: Server<readonly [typeof albums, typeof artists, typeof tracks]>
  readonly api: TestClient
}

type Settings = Parameters<typeof createServer>[0]

/** A server that takes an `Idempotency-Key`. */
export function keyedMusic(
  idempotency: boolean | IdempotencySettings = true,
  others: Pick<Settings, 'handler'> = {},
): KeyedMusic {
  const server = createServer({
    resources: [albums, artists, tracks],
    data: storedData(
      {
        albums: [{ id: 1, title: 'OK Computer', artistId: 1 }],
        artists: [{ id: 1, name: 'Radiohead' }],
        tracks: [{ id: 1, title: 'Airbag', albumId: 1 }],
      },
      {},
      { hasKeys: true },
    ),
    idempotency,
    middleware: [byName],
    extensions: [atomic()],
    logger: null,
    ...others,
  })
  return { server, api: client(server) }
}

export const keyed = (key: string, options: TestRequestOptions = {}): TestRequestOptions => ({
  ...options,
  headers: { ...options.headers, 'Idempotency-Key': key },
})
export const titled = (title: string, options: TestRequestOptions = {}): TestRequestOptions => ({
  ...options,
  body: resourceBody('albums', { title }),
})
export const isReplayed = ({ headers }: TestResponse): boolean => headers.get('idempotency-replayed') === 'true'
export const titles = async (api: TestClient): Promise<readonly unknown[]> =>
  (await api.get('/albums?fields[albums]=title')).resources.map(({ attributes }) => attributes?.['title'])

const mediaType = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
export const batch = (...operations: readonly object[]): TestRequestOptions => ({
  headers: { 'Content-Type': mediaType, Accept: mediaType },
  body: { 'atomic:operations': operations },
})
export const adding = (title: string): object => ({ op: 'add', data: { type: 'albums', attributes: { title } } })
