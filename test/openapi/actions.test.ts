import { actionResource, createServer, defineResource, id, model, noContent, reply } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'

/** The documents that actions return, as the OpenAPI document describes them and as they are sent. */

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  actions: (a) => ({
    shown: a.resource({ handle: ({ entity }) => reply.resource(entity) }),
    none: a.resource({ responds: actionResource(null, 'oneOrNull'), handle: () => reply.resource(null) }),
    next: a.resource({
      responds: [actionResource('tracks', 'oneOrNull'), noContent()],
      handle: () => reply.resource({ id: 7 }),
    }),
    similar: a.collection({
      responds: actionResource('albums', 'many'),
      handle: () => reply.resource([{ id: 1, title: 'Kid A' }]),
    }),
  }),
})
const tracks = defineResource('tracks', { model: model<{ id: number }>('tracks'), id: id(), operations: ['FetchOne'] })
const server = createServer({
  resources: [albums, tracks],
  data: memoryData({ albums: [{ id: 1, title: 'Kid A' }], tracks: [] }),
})

type Loose = Readonly<Record<string, any>> // oxlint-disable-line no-explicit-any -- The documents are plain JSON.
const { paths, components }: { readonly paths: Loose; readonly components: Loose } = server.openapi()

test.each([
  ['one resource', '/albums/{id}/-actions/shown', 'AlbumsDocument', { $ref: '#/components/schemas/AlbumsResource' }],
  [
    'one resource or null',
    '/albums/{id}/-actions/none',
    'AlbumsSingularDocument',
    { anyOf: [{ $ref: '#/components/schemas/AlbumsResource' }, { type: 'null' }] },
  ],
  [
    'one resource of another type, or null',
    '/albums/{id}/-actions/next',
    'TracksSingularDocument',
    { anyOf: [{ $ref: '#/components/schemas/TracksResource' }, { type: 'null' }] },
  ],
  [
    'a list',
    '/albums/-actions/similar',
    'AlbumsActionCollection',
    { type: 'array', items: { $ref: '#/components/schemas/AlbumsResource' } },
  ],
])('an action that returns %s is described so', async (_, path, document, data) => {
  const { schema } = paths[path].post.responses['200'].content['application/vnd.api+json']
  expect(schema).toEqual({ $ref: `#/components/schemas/${document}` })
  expect(components['schemas'][document].properties.data).toEqual(data)
  // The client compares the response with this description.
  expect((await client(server).post(path.replace('{id}', '1'))).status).toBe(200)
})

test('the list of an action has no links to pages', () => {
  expect(components['schemas']['AlbumsActionCollection'].properties.links).toEqual({
    $ref: '#/components/schemas/DocumentLinks',
  })
})
