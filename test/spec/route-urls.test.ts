import type { HttpRequest } from 'ashlar'
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
  noContent,
  type ServerSettings,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { batchHeaders } from '../atomic/batch-client.js'
import { client } from '../support/client.js'

/** Every route has a name, from which its URL is built, and parameters, from which its target is built. */

const albums = defineResource('albums', {
  model: model<{ id: string; artistId: string }>('albums'),
  id: id(),
  relations: { artist: belongsTo('artists').withUriFieldName('made-by'), songs: hasMany('tracks').via('albumId') },
  actions: (a) => ({
    play: a.resource({ methods: ['POST', 'PUT'], responds: noContent(), handle: () => reply.noContent() }),
    count: a.collection({ name: 'count-all', responds: metaResult(), handle: () => reply.meta({ count: 1 }) }),
  }),
  server: ['default', 'staff'],
})
const artists = defineResource('artists', { model: model<{ id: string }>('artists'), id: id() })
const tracks = defineResource('tracks', {
  model: model<{ id: number; albumId: string }>('tracks'),
  id: id().numeric(),
  uriType: 'songs',
})

function music(settings: Partial<ServerSettings<readonly []>> = {}) {
  return createServer({
    resources: [albums, artists, tracks],
    data: memoryData({
      albums: [{ id: 'a b/c', artistId: '7' }],
      artists: [{ id: '7' }],
      tracks: [{ id: 1, albumId: 'a b/c' }],
    }),
    servers: { staff: { prefix: '/staff', baseUri: 'https://staff.example' } },
    extensions: [atomic()],
    ...settings,
  })
}

const album = { id: 'a b/c' }

describe('server.url()', () => {
  test('returns the URL of every kind of route', () => {
    const server = music({ baseUri: 'https://api.example/v1' })
    const urls = [
      server.url('jsonapi.albums.index'),
      server.url('jsonapi.albums.show', album),
      server.url('jsonapi.tracks.update', { id: '1' }),
      server.url('jsonapi.albums.related.show', { ...album, rel: 'artist' }),
      server.url('jsonapi.albums.relationship.add', { ...album, rel: 'songs' }),
      server.url('jsonapi.albums.action.resource.play', album),
      server.url('jsonapi.atomic_operations'),
    ]
    expect(urls.map((url) => url.replace('https://api.example/v1', ''))).toEqual([
      '/albums',
      '/albums/a%20b%2Fc',
      '/songs/1',
      '/albums/a%20b%2Fc/made-by',
      '/albums/a%20b%2Fc/relationships/songs',
      '/albums/a%20b%2Fc/-actions/play',
      '/operations',
    ])
  })

  test('is that of the named server', () => {
    expect(music().url('jsonapi.staff.albums.show', { id: '1' })).toBe('https://staff.example/staff/albums/1')
    expect(music().url('jsonapi.staff.atomic_operations')).toBe('https://staff.example/staff/operations')
  })

  test('of an action with a declared name is that on the default server, and the usual names exist for each server', () => {
    const server = music()
    expect(server.url('count-all')).toBe('/albums/-actions/count')
    expect(server.url('jsonapi.albums.action.collection.count')).toBe('/albums/-actions/count')
    const onStaff = 'https://staff.example/staff/albums/-actions/count'
    expect(server.url('jsonapi.staff.albums.action.collection.count')).toBe(onStaff)
    const hosted = music({
      resources: [albums.with({ server: ['other', 'staff', 'default'] }), artists, tracks] as never,
      servers: {
        other: { prefix: '/o' },
        staff: { host: 'a.example' },
        default: { host: 'b.example', prefix: '/long' },
      },
    })
    expect(hosted.url('count-all')).toBe('/long/albums/-actions/count')
    const named = music({
      resources: [albums.with({ server: ['other', 'staff'] }), artists, tracks] as never,
      servers: { other: { prefix: '/o' }, staff: { prefix: '/staff' } },
    })
    expect(named.url('count-all')).toBe('/o/albums/-actions/count')
  })

  test('is a path if neither a setting nor the call has a base URI', () => {
    expect(music().url('jsonapi.albums.show', { id: '1' })).toBe('/albums/1')
    for (const base of ['https://api.example/group', 'https://api.example/group/']) {
      expect(music().url('jsonapi.staff.albums.show', { id: '1' }, { base })).toBe(
        'https://api.example/group/staff/albums/1',
      )
    }
  })

  test('is the self link of the resource and of its relationships', async () => {
    const server = music({ baseUri: 'https://api.example' })
    const { resource } = await client(server).get('/albums/a%20b%2Fc')
    expect(resource.links).toEqual({ self: server.url('jsonapi.albums.show', album) })
    expect(resource.relationships?.['artist']).toMatchObject({
      links: {
        self: server.url('jsonapi.albums.relationship.show', { ...album, rel: 'artist' }),
        related: server.url('jsonapi.albums.related.show', { ...album, rel: 'artist' }),
      },
    })
  })

  test('throws if there is no such route', () => {
    const server = music()
    for (const [name, parameters, message] of [
      ['jsonapi.album.show', { id: '1' }, "There is no route 'jsonapi.album.show'. server.routes() lists the names."],
      [
        'jsonapi.albums.show',
        {},
        "The route 'jsonapi.albums.show' needs the parameter 'id': its path is /albums/{id}.",
      ],
      [
        'jsonapi.albums.index',
        { id: '1' },
        "The route 'jsonapi.albums.index' has no parameter 'id': its path is /albums.",
      ],
      ['jsonapi.albums.show', { id: '' }, "The type 'albums' has no resource with the id '': no path matches it."],
      ['jsonapi.tracks.show', { id: 'x' }, "The type 'tracks' has no resource with the id 'x': no path matches it."],
      ...['.', '..'].map(
        (dots) =>
          [
            'jsonapi.albums.show',
            { id: dots },
            `The type 'albums' has no resource with the id '${dots}': no path matches it.`,
          ] as const,
      ),
      [
        'jsonapi.albums.related.show',
        { id: '1', rel: 'made-by' },
        "The type 'albums' has no relation 'made-by'. Its relations are 'artist', 'songs'.",
      ],
    ] as const) {
      expect(() => server.url(name, parameters)).toThrow(new TypeError(message))
    }
  })
})

describe('server.routes()', () => {
  test('maps the parameters of each path to a target that the server handles', async () => {
    const statuses: Record<string, number> = {}
    for (const { name, method, target, server: named } of music().routes()) {
      const request = sent(method, name)
      const { status } = await music().handleAt(request, target({ id: 'a b/c', rel: 'made-by' }), named)
      statuses[`${name} ${method}`] = status
    }
    expect(statuses).toMatchObject({
      'jsonapi.albums.index GET': 200,
      'jsonapi.albums.show GET': 200,
      'jsonapi.albums.delete DELETE': 204,
      'jsonapi.albums.related.show GET': 200,
      'jsonapi.albums.relationship.show GET': 200,
      'jsonapi.albums.action.resource.play POST': 204,
      'jsonapi.albums.action.resource.play PUT': 204,
      'count-all POST': 200,
      'jsonapi.staff.albums.show GET': 200,
      'jsonapi.atomic_operations POST': 400,
    })
  })
})

/** A request whose own path matches no route: only the target counts. */
function sent(method: string, name: string): HttpRequest {
  const headers: Record<string, string> = name.endsWith('atomic_operations')
    ? Object.fromEntries(Object.entries(batchHeaders).map(([key, value]) => [key.toLowerCase(), value]))
    : {}
  return {
    method,
    path: '/elsewhere',
    query: '',
    origin: 'http://localhost',
    header: (key) => headers[key],
    hasBody: false,
    body: () => Promise.resolve(null),
  }
}
