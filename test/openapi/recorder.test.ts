import { belongsTo, createServer, defineResource, type HttpResponse, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'

/** What the tests would not see if the recorder of their client saw nothing. */

const artists = defineResource('recordedArtists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})

const albums = defineResource('recordedAlbums', {
  model: model<{ id: number; title: string; artistId: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required().maxLength(20), year: a.integer().computed(() => 2000) }),
  relations: { artist: belongsTo('recordedArtists').via('artistId') },
})

const server = createServer({
  resources: [albums, artists],
  data: memoryData({ albums: [{ id: 1, title: 'Kid A', artistId: 1 }], artists: [{ id: 1, name: 'Radiohead' }] }),
})

type Change = (response: HttpResponse) => HttpResponse

/** Returns a client of a server whose responses are changed after the fact. */
function changedBy(change: Change) {
  const handle: typeof server.handle = async (request, options) => change(await server.handle(request, options))
  return client({ ...server, handle }, { validate: false, isDescribed: 'always' })
}

const inBody =
  (from: RegExp, to: string): Change =>
  (response) => ({ ...response, body: String(response.body).replace(from, to) })

const changes: readonly (readonly [what: string, change: Change, problem: RegExp])[] = [
  ['a wrong status', (response) => ({ ...response, status: 206 }), /the status 206 is not described/],
  ['a missing attribute', inBody(/"title":"Kid A",/, ''), /must have required property 'title'/],
  ['a missing relationship', inBody(/"artist":/, '"x":'), /required property 'artist'|additional properties/],
  ['an attribute of another type', inBody(/"Kid A"/, '7'), /\/data\/attributes\/title/],
  ['an attribute that is not described', inBody(/"title":/, '"extra":1,"title":'), /additional properties/],
  ['a top-level member that is not described', inBody(/^\{/, '{"extra":1,'), /additional properties/],
  ['a missing top-level member', inBody(/,"jsonapi":\{[^}]*\}/, ''), /required property 'jsonapi'/],
  [
    'a header that is not described',
    (response) => ({ ...response, headers: [...response.headers, 'ETag', '"1"'] }),
    /the header etag is not described/,
  ],
  [
    'a missing header',
    (response) => ({ ...response, headers: response.headers.filter((_, index) => index < 2) }),
    /the header vary is missing/,
  ],
  ['a missing body', (response) => ({ ...response, body: '' }), /the body is missing/],
]

test.each(changes)('%s is found', async (_what, change, problem) => {
  await expect(changedBy(change).get('/recordedAlbums/1')).rejects.toThrow(problem)
})

test('a response as it is passes', async () => {
  await expect(changedBy((response) => response).get('/recordedAlbums/1')).resolves.toHaveProperty('status', 200)
})

const created: Change = (response) => ({ ...response, status: 201, headers: [...response.headers, 'Location', '/x'] })
const listed: Change = (response) => ({ ...response, status: 200 })

test('a request that is accepted although it is not described is found', async () => {
  const sent = { body: resourceBody('recordedAlbums', { title: 'x'.repeat(21) }) }
  await expect(changedBy(created).post('/recordedAlbums', sent)).rejects.toThrow(/request: \/data\/attributes\/title/)
})

test('a parameter that is accepted although it is not described is found', async () => {
  await expect(changedBy(listed).get('/recordedAlbums?filter[nonsense]=1')).rejects.toThrow(
    /the parameter filter\[nonsense\] is not described/,
  )
})
