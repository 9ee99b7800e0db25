import { reply, createServer, defineResource, hasMany, id, model, noContent } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { byName } from '../support/named-callers.js'

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number; ownerId: number }>('tracks'),
  id: id(),
  policy: 'public',
  attributes: (a) => ({ title: a.string() }),
})

/** Operations that are forbidden to all, allowed to all, depend on rows, and have no policy. */
const albums = defineResource('albums', {
  model: model<{ id: number; title: string; ownerId: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: {
    tracks: hasMany('tracks').via('albumId'),
    samples: hasMany('tracks').via('albumId').security({ read: false, mutate: 'publish' }),
  },
  policy: (p) => ({
    view: p.eq('ownerId', 1),
    create: ({ caller }) => caller !== null,
    update: ({ caller }) => caller !== null,
    custom: { publish: true },
  }),
  abilities: { FetchCollection: false },
  actions: (a) => ({
    publish: a.resource({ ability: 'publish', responds: noContent(), handle: async () => reply.noContent() }),
    ping: a.collection({ ability: false, responds: noContent(), handle: async () => reply.noContent() }),
    hide: a.resource({
      responds: noContent(),
      allowed: (_album, { caller }) => caller !== null,
      handle: async () => reply.noContent(),
    }),
  }),
})

const server = createServer({
  resources: [albums, tracks],
  data: memoryData({
    albums: [
      { id: 1, title: 'Kid A', ownerId: 1 },
      { id: 2, title: 'Amnesiac', ownerId: 2 },
    ],
  }),
  middleware: [byName],
})

const anonymous: readonly unknown[] = []
const credentials = { name: [] }

test.each<readonly [key: string, security: unknown, statuses: readonly string[]]>([
  ['get /albums', anonymous, ['401']],
  ['post /albums', [credentials], ['401', '403']],
  ['get /albums/{id}', [{}, credentials], ['401', '403']],
  ['patch /albums/{id}', [credentials], ['401', '403']],
  ['delete /albums/{id}', [credentials], ['401', '403']],
  ['get /albums/{id}/tracks', [{}, credentials], ['401', '403']],
  ['get /albums/{id}/samples', anonymous, ['401']],
  ['patch /albums/{id}/relationships/samples', anonymous, ['401', '403']],
  ['post /albums/{id}/-actions/publish', anonymous, ['401', '403']],
  ['post /albums/-actions/ping', anonymous, ['401', '403']],
  ['post /albums/{id}/-actions/hide', [{}, credentials], ['401', '403']],
  ['get /tracks', anonymous, ['401']],
])('%s requires %o', (key, security, statuses) => {
  const [method = '', path = ''] = key.split(' ')
  const operation = server.openapi().paths[path]?.[method] as {
    readonly security: unknown
    readonly responses: Readonly<Record<string, unknown>>
  }
  expect(operation.security).toEqual(security)
  expect(Object.keys(operation.responses).filter((status) => status === '401' || status === '403')).toEqual(statuses)
})

test('requests without credentials get the response that the document describes', async () => {
  const api = client(server, { isDescribed: 'always' })
  const statuses: Record<string, number> = {}
  for (const path of ['/albums', '/albums/1', '/albums/2', '/albums/1/samples', '/tracks']) {
    statuses[path] = (await api.get(path)).status
  }
  expect(statuses).toEqual({
    '/albums': 200,
    '/albums/1': 200,
    '/albums/2': 404,
    '/albums/1/samples': 200,
    '/tracks': 200,
  })
  expect((await api.delete('/albums/1')).status).toBe(401)
})
