import { belongsTo, hasMany, type RequestContext } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { recordShop } from '../support/record-shop.js'
import { relationshipLinks, shown } from '../support/shown.js'

const get = (path: string) => client(catalogueServer()).get(path)

const unrecognized = { status: 400, code: 'INCLUSION_UNRECOGNIZED', parameter: 'include' }
const notAllowed = { status: 400, code: 'INCLUSION_NOT_ALLOWED', parameter: 'include' }
const tooDeep = { status: 400, code: 'INCLUSION_DEPTH_EXCEEDED', parameter: 'include' }

describe('an unknown relationship', () => {
  test.each([
    'nonsense',
    'artist.nonsense',
    'title',
    'artist.name',
    'constructor',
    '__proto__',
    'artist..label',
    '.artist',
  ])('in %j is INCLUSION_UNRECOGNIZED', async (path) => {
    const [error] = expectErrors(await client(recordShop()).get(`/albums?include=${path}`), [unrecognized])
    expect(error?.detail).toContain(`These include paths name no relationship: ${path}. Offered: `)
  })

  test('all invalid paths are reported, and none of the others', async () => {
    const [error] = expectErrors(await get('/albums?include=label,artist,tracks.label,tracks'), [unrecognized])
    expect(error?.detail).toContain('These include paths name no relationship: label, tracks.label. Offered: ')
  })

  test('after a relation to several types is one that none of them has', async () => {
    expect((await get('/libraries/1?include=items.tracks')).status).toBe(200)
    expectErrors(await get('/libraries/1?include=items.owner'), [unrecognized])
  })

  test('is reported at every URL that shows resources', async () => {
    for (const address of ['/albums', '/albums/1', '/artists/1/albums', '/tracks/1/album', '/libraries/1/items']) {
      expectErrors(await get(`${address}?include=nonsense`), [unrecognized])
    }
  })
})

describe('an endpoint with no inclusion support', () => {
  test('refuses any path with INCLUSION_UNSUPPORTED', async () => {
    for (const address of ['/genres', '/genres/art-rock']) {
      expectErrors(await get(`${address}?include=albums`), [
        { status: 400, code: 'INCLUSION_UNSUPPORTED', parameter: 'include' },
      ])
    }
  })

  test('accepts an empty include', async () => {
    expect((await get('/genres?include=')).status).toBe(200)
  })

  test('is also one whose every relation is hidden', async () => {
    const server = recordShop({ labels: { relations: { artists: hasMany('artists').hidden() } } })
    expectErrors(await client(server).get('/labels?include=artists'), [{ code: 'INCLUSION_UNSUPPORTED' }])
  })
})

describe('a relation that cannot be included', () => {
  test('is INCLUSION_NOT_ALLOWED at each position of a path', async () => {
    const relations = { label: belongsTo('labels').cannotBeIncluded(), albums: hasMany('albums') }
    const api = client(recordShop({ artists: { relations } }))
    for (const [address, path] of [
      ['/artists/1', 'label'],
      ['/artists/1', 'label.artists'],
      ['/albums', 'artist.label'],
      ['/tracks/1/album', 'artist.label'],
    ]) {
      const [error] = expectErrors(await api.get(`${address}?include=${path}`), [notAllowed])
      expect(error?.detail).toBe(`These include paths are not allowed here: ${path}.`)
    }
    expect((await api.get('/albums?include=artist.albums')).status).toBe(200)
  })

  test('has linkage, links and endpoints', async () => {
    const relations = { label: belongsTo('labels').cannotBeIncluded(), albums: hasMany('albums') }
    const api = client(recordShop({ artists: { relations } }))
    expect((await api.get('/artists/1')).resource.relationships?.['label']).toEqual({
      links: relationshipLinks('/artists/1', 'label'),
      data: { type: 'labels', id: '1' },
    })
    expect(shown((await api.get('/artists/1/label')).resource)).toEqual(['labels 1'])
    expect((await api.get('/artists/1/relationships/label')).document?.data).toEqual({ type: 'labels', id: '1' })
  })

  test('may depend on the request, before any row is read', async () => {
    const contexts: RequestContext[] = []
    const forStrangers = (context: RequestContext): boolean => {
      contexts.push(context)
      return context.request?.header('x-staff') !== 'yes'
    }
    const relations = { label: belongsTo('labels').cannotBeIncluded(forStrangers), albums: hasMany('albums') }
    const api = client(recordShop({ artists: { relations } }))
    expectErrors(await api.get('/artists/99?include=label'), [notAllowed])
    const staff = await api.get('/artists/1?include=label', { headers: { 'x-staff': 'yes' } })
    expect(shown(staff.document?.included)).toEqual(['labels 1'])
    expect(contexts.map(({ type }) => type)).toEqual(['artists', 'artists'])
  })
})

const allowing = (allowedIncludePaths: readonly string[] | null) =>
  client(recordShop({ tracks: { allowedIncludePaths } }))

describe("the root's allowed paths", () => {
  test('null and undefined allow every path', async () => {
    expect((await allowing(null).get('/tracks?include=album.artist.label,album.tracks')).status).toBe(200)
    expect((await client(recordShop()).get('/tracks?include=album.artist.label,album.tracks')).status).toBe(200)
  })

  test('an empty list permits none, and an empty include', async () => {
    const api = allowing([])
    expectErrors(await api.get('/tracks?include=album'), [notAllowed])
    expect((await api.get('/tracks?include=')).status).toBe(200)
  })

  test('a listed path is permitted', async () => {
    const { document } = await allowing(['album']).get('/tracks/1?include=album')
    expect(shown(document?.included)).toEqual(['albums 1'])
  })

  test('a listed deep path implies its ancestors but not siblings', async () => {
    const api = allowing(['album.artist.label'])
    for (const path of ['album', 'album.artist', 'album.artist.label', 'album,album.artist.label']) {
      expect((await api.get(`/tracks?include=${path}`)).status).toBe(200)
    }
    for (const path of ['album.tracks', 'album.artist.albums']) {
      const [error] = expectErrors(await api.get(`/tracks?include=${path}`), [notAllowed])
      expect(error?.detail).toBe(`These include paths are not allowed here: ${path}.`)
    }
  })

  test('a listed path allows no longer path, nor one that only has the same prefix', async () => {
    const api = allowing(['album.artist'])
    expectErrors(await api.get('/tracks?include=album.artist.label'), [notAllowed])
    const relations = { album: belongsTo('albums'), albumArtist: belongsTo('artists').via('albumId') }
    const server = recordShop({ tracks: { relations, allowedIncludePaths: ['albumArtist.label'] } })
    expectErrors(await client(server).get('/tracks?include=album'), [notAllowed])
  })

  test('are those of the type of the primary data, whatever types the path passes', async () => {
    const server = recordShop({ albums: { allowedIncludePaths: [] } })
    expect((await client(server).get('/tracks?include=album.artist')).status).toBe(200)
    expectErrors(await client(server).get('/albums?include=artist'), [notAllowed])
    expectErrors(await client(server).get('/tracks/1/album?include=artist'), [notAllowed])
    expect((await client(server).get('/albums/1/artist?include=albums.tracks')).status).toBe(200)
  })
})

const depths = (resource: number | null | undefined, server: number | undefined) =>
  client(
    recordShop(
      resource === undefined ? {} : { tracks: { maxIncludeDepth: resource } },
      server === undefined ? {} : { maxIncludeDepth: server },
    ),
  )

describe('the effective maximum depth', () => {
  const deepest = 'album.artist.label.artists'

  test.each([
    [2, undefined, 2],
    [2, 3, 2],
    [3, 1, 3],
    [undefined, 2, 2],
  ] as const)('is the resource value %s, else the server value %s', async (resource, server, limit) => {
    const api = depths(resource, server)
    const names = deepest.split('.')
    expect((await api.get(`/tracks?include=${names.slice(0, limit).join('.')}`)).status).toBe(200)
    const path = names.slice(0, limit + 1).join('.')
    const [error] = expectErrors(await api.get(`/tracks?include=${path}`), [tooDeep])
    expect(error?.detail).toBe(`These include paths are deeper than the ${limit} relationships allowed here: ${path}.`)
  })

  test.each([
    [undefined, undefined],
    [undefined, 0],
    [undefined, -1],
    [0, 1],
    [-5, 1],
    [null, 1],
  ] as const)('is unlimited for the values %s and %s', async (resource, server) => {
    const { status } = await depths(resource, server).get(`/tracks?include=${deepest}.albums.tracks.album.artist`)
    expect(status).toBe(200)
  })

  test('counts the relationship hops from the primary resources of the document', async () => {
    const api = client(recordShop({ albums: { maxIncludeDepth: 1 }, tracks: { maxIncludeDepth: 3 } }))
    expect((await api.get('/tracks?include=album.artist.label')).status).toBe(200)
    expect((await api.get('/tracks/1/album?include=artist')).status).toBe(200)
    expectErrors(await api.get('/tracks/1/album?include=artist.label'), [tooDeep])
  })
})

describe('several violations', () => {
  test('are reported together, each kind with its offending paths', async () => {
    const relations = {
      artist: belongsTo('artists'),
      tracks: hasMany('tracks').cannotBeIncluded(),
    }
    const api = client(recordShop({ albums: { relations, maxIncludeDepth: 2 } }))
    const paths = ['nonsense', 'tracks', 'artist', 'artist.label.artists', 'artist.nothing', 'tracks.album']
    const errors = expectErrors(await api.get(`/albums?include=${paths.join(',')}`), [
      unrecognized,
      notAllowed,
      tooDeep,
    ])
    expect(errors.map(({ detail }) => detail)).toEqual([
      'These include paths name no relationship: nonsense, artist.nothing. Offered: artist, artist.label, artist.albums.',
      'These include paths are not allowed here: tracks, tracks.album.',
      'These include paths are deeper than the 2 relationships allowed here: artist.label.artists.',
    ])
  })
})
