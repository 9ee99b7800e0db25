import { describe, expect, test } from 'vitest'
import type { RelationshipPage } from '../../src/serve/operation/response-value.js'
import { dataResponse } from '../../src/serve/operation/response-value.js'
import type { PageLinks } from '../../src/declare/pagination/page-description.js'
import { albums, albumsWith, albumsWithArtist, awardedAlbums, countries, identifier } from './music.js'
import { context, node, relationshipsOf, rendered, resources } from './rendered.js'

const okComputer = { id: 1, title: 'OK Computer', artistId: 7 }
const awarded = (awardType: string | null) => ({ id: 1, title: 'OK Computer', awardId: 4, awardType })

describe('a resource object', () => {
  test('has its relationships between its attributes and its links', () => {
    const { text } = rendered(dataResponse(resources(node(albums, okComputer))))
    expect(text).toBe(
      '{"data":{"type":"albums","id":"1","attributes":{"title":"OK Computer"},"relationships":{' +
        '"artist":{"links":{"self":"http://localhost/albums/1/relationships/artist",' +
        '"related":"http://localhost/albums/1/artist"},"data":{"type":"artists","id":"7"}},' +
        '"tracks":{"links":{"self":"http://localhost/albums/1/relationships/tracks",' +
        '"related":"http://localhost/albums/1/tracks"}}},"links":{"self":"http://localhost/albums/1"}},' +
        '"links":{"self":"http://localhost/albums"},"jsonapi":{"version":"1.1"}}',
    )
  })

  test('has no such member if no relationship is shown', () => {
    const hidden = albumsWithArtist((artist) => artist.hidden(() => true))
    expect(rendered(dataResponse(resources(node(hidden, okComputer)))).resource).not.toHaveProperty('relationships')
  })

  test('has the relationships that its fieldset names', () => {
    const query = { fields: new Map([['albums', new Set(['tracks'])]]) }
    expect(Object.keys(relationshipsOf(node(albums, okComputer), { query }) ?? {})).toEqual(['tracks'])
  })

  test('has those of a type with a serializer too, under the id that the serializer returns', () => {
    const { resource } = rendered(
      dataResponse(resources(node(countries, { code: 'is', name: 'Iceland', anthemId: 3 }))),
    )
    expect(resource).toEqual({
      type: 'countries',
      id: 'IS',
      attributes: { name: 'Iceland' },
      relationships: {
        anthem: {
          links: {
            self: 'http://localhost/countries/IS/relationships/anthem',
            related: 'http://localhost/countries/IS/anthem',
          },
          data: { type: 'tracks', id: '3' },
        },
      },
      links: { self: 'http://localhost/countries/IS' },
      meta: { own: true },
    })
  })
})

describe('the links of a relationship', () => {
  const self = 'http://localhost/albums/1/relationships/tracks'
  const related = 'http://localhost/albums/1/tracks'

  test.each([
    { endpoints: { hasRelationshipEndpoint: false }, links: { related } },
    { endpoints: { hasRelatedEndpoint: false }, links: { self } },
    { endpoints: {}, links: { self, related } },
  ])('are those of the existing endpoints: $links', ({ endpoints, links }) => {
    expect(relationshipsOf(node(albumsWith(endpoints), okComputer))).toEqual({ tracks: { links } })
  })

  test('are left out if the relation has none, and then the data is present instead', () => {
    const none = { hasRelationshipEndpoint: false, hasRelatedEndpoint: false }
    expect(relationshipsOf(node(albumsWith(none), okComputer))).toEqual({ tracks: { data: [] } })
    const silent = albumsWith({}, (tracks) => tracks.withoutLinks())
    expect(relationshipsOf(node(silent, okComputer))).toEqual({ tracks: { data: [] } })
    const silentArtist = albumsWithArtist((artist) => artist.withoutLinks())
    expect(relationshipsOf(node(silentArtist, { id: 1 }))).toEqual({ artist: { data: null } })
  })

  test('are left out if the resource has no id', () => {
    const { resource } = rendered(dataResponse(resources(node(albums, { ...okComputer, id: '' }))))
    expect(resource.relationships).toEqual({ artist: { data: { type: 'artists', id: '7' } }, tracks: { data: [] } })
  })

  test('have the id percent-encoded, and the path segment of the relation', () => {
    const served = albumsWith({ uriName: 'album-tracks' })
    const [id, encoded] = ['a/b "ä"\ud800', 'a%2Fb%20%22%C3%A4%22%EF%BF%BD']
    expect(relationshipsOf(node(served, { ...okComputer, id }))?.['tracks']?.links).toEqual({
      self: `http://localhost/albums/${encoded}/relationships/album-tracks`,
      related: `http://localhost/albums/${encoded}/album-tracks`,
    })
  })

  test('are present even if the resource has no self link', () => {
    const served = { ...albums, type: { ...albums.type, selfLink: false } }
    const { resource } = rendered(dataResponse(resources(node(served, okComputer))))
    expect(resource.links).toBeUndefined()
    expect(resource.relationships?.['artist']?.links).toHaveProperty(
      'self',
      'http://localhost/albums/1/relationships/artist',
    )
  })
})

describe('the data of a relationship', () => {
  test('is the result of the read, rather than the key in the row', () => {
    const read = { artist: { data: identifier('artists', '8') } }
    expect(relationshipsOf(node(albums, okComputer, read))?.['artist']?.data).toEqual({ type: 'artists', id: '8' })
    const nothing = { artist: { data: null } }
    expect(relationshipsOf(node(albums, okComputer, nothing))?.['artist']?.data).toBeNull()
  })

  test('is the key in the row if only the count was read', () => {
    const counted = { artist: { total: 1 } }
    expect(relationshipsOf(node(albums, okComputer, counted))?.['artist']?.data).toEqual({ type: 'artists', id: '7' })
  })

  test('is null if the row has no key', () => {
    expect(relationshipsOf(node(albums, { ...okComputer, artistId: null }))?.['artist']?.data).toBeNull()
  })

  test('is the list of members of a to-many that was read, empty or not, and absent if nothing was read', () => {
    const data = [identifier('tracks', '1'), identifier('tracks', '2', { pivot: { position: 3 } })]
    expect(relationshipsOf(node(albums, okComputer, { tracks: { data } }))?.['tracks']?.data).toEqual([
      { type: 'tracks', id: '1' },
      { type: 'tracks', id: '2', meta: { pivot: { position: 3 } } },
    ])
    expect(relationshipsOf(node(albums, okComputer, { tracks: { data: [] } }))?.['tracks']?.data).toEqual([])
    expect(relationshipsOf(node(albums, okComputer))?.['tracks']).not.toHaveProperty('data')
  })

  test('has identifiers without meta if there is none', () => {
    const read = { tracks: { data: [identifier('tracks', '1', {})] } }
    expect(relationshipsOf(node(albums, okComputer, read))?.['tracks']?.data).toEqual([{ type: 'tracks', id: '1' }])
  })

  test('of a polymorphic relation has the type that the row names, and is null for a type outside of the relation', () => {
    expect(relationshipsOf(node(awardedAlbums, awarded('tracks')))?.['award']?.data).toEqual({
      type: 'tracks',
      id: '4',
    })
    expect(relationshipsOf(node(awardedAlbums, awarded('artists')))?.['award']?.data).toEqual({
      type: 'artists',
      id: '4',
    })
    expect(relationshipsOf(node(awardedAlbums, awarded('labels')))?.['award']?.data).toBeNull()
    expect(relationshipsOf(node(awardedAlbums, awarded(null)))?.['award']?.data).toBeNull()
  })
})

describe('the meta of a relationship', () => {
  test('is its total if it was counted', () => {
    expect(relationshipsOf(node(albums, okComputer, { tracks: { total: 0 } }))?.['tracks']).toEqual({
      links: expect.anything(),
      meta: { total: 0 },
    })
  })

  test('makes a relationship without links and data possible', () => {
    const silent = albumsWith({}, (tracks) => tracks.withoutLinks())
    expect(relationshipsOf(node(silent, okComputer, { tracks: { total: 12 } }))).toEqual({
      tracks: { meta: { total: 12 } },
    })
  })
})

describe('the pages of a relationship', () => {
  const links: PageLinks = new Map([
    ['self', new Map([['number', '1']])],
    ['first', new Map()],
    ['next', new Map([['after', 'a+b/c=']])],
  ])
  const page: RelationshipPage = {
    links,
    query: [
      ['sort', '-title,id'],
      ['filter[title]', 'a&b=[c] "é"\ud800'],
    ],
  }
  const pageQuery = 'sort=-title%2Cid&filter%5Btitle%5D=a%26b%3D%5Bc%5D%20%22%C3%A9%22%EF%BF%BD'
  const linksOf = (served: Parameters<typeof node>[0], given = page) =>
    relationshipsOf(node(served, okComputer, { tracks: { data: [], page: given } }))?.['tracks']?.links

  test('are at its linkage endpoint, with their query; its self stays the URL to change it', () => {
    const self = 'http://localhost/albums/1/relationships/tracks'
    expect(linksOf(albums)).toEqual({
      self,
      related: 'http://localhost/albums/1/tracks',
      first: `${self}?${pageQuery}`,
      next: `${self}?${pageQuery}&page%5Bafter%5D=a%2Bb%2Fc%3D`,
    })
  })

  test('have no question mark if there is no query', () => {
    expect(linksOf(albums, { links: new Map([['first', new Map()]]), query: [] })).toHaveProperty(
      'first',
      'http://localhost/albums/1/relationships/tracks',
    )
  })

  test('are at the related endpoint if the other is suppressed', () => {
    expect(linksOf(albumsWith({ hasRelationshipEndpoint: false }))).toEqual({
      related: 'http://localhost/albums/1/tracks',
      first: `http://localhost/albums/1/tracks?${pageQuery}`,
      next: `http://localhost/albums/1/tracks?${pageQuery}&page%5Bafter%5D=a%2Bb%2Fc%3D`,
    })
  })

  test('are left out if there is no endpoint, or the relation has no links', () => {
    expect(linksOf(albumsWith({ hasRelationshipEndpoint: false, hasRelatedEndpoint: false }))).toBeUndefined()
    expect(linksOf(albumsWith({}, (tracks) => tracks.withoutLinks()))).toBeUndefined()
  })
})

describe('a relationship with restricted visibility', () => {
  test('is left out of rows for which its predicate returns true, and the predicate gets the row', () => {
    const seen: unknown[] = []
    const served = albumsWithArtist((artist) =>
      artist.hidden((row, requestContext) => {
        seen.push(row, requestContext)
        return row.secret === true
      }),
    )
    const shown = { id: 1, artistId: 7, secret: false }
    expect(relationshipsOf(node(served, shown))).toHaveProperty('artist')
    expect(relationshipsOf(node(served, { ...shown, secret: true }))).toBeUndefined()
    expect(seen).toEqual([shown, context, { ...shown, secret: true }, context])
  })

  test('is left out of requests in which it is write-only, loaded or not', () => {
    const served = albumsWith({}, (tracks) => tracks.writeOnly(({ operation }) => operation === 'FetchResource'))
    const loaded = node(served, okComputer, { tracks: { data: [] } })
    expect(relationshipsOf(loaded)).toBeUndefined()
    expect(relationshipsOf(loaded, { context: { ...context, operation: 'FetchRelated' } })).toHaveProperty('tracks')
  })

  test('is shown only if it was read, when it is sparse by default and no fieldset names it', () => {
    const served = albumsWith({}, (tracks) => tracks.sparseByDefault())
    expect(relationshipsOf(node(served, okComputer))).toBeUndefined()
    expect(relationshipsOf(node(served, okComputer, {}))).toBeUndefined()
    expect(relationshipsOf(node(served, okComputer, { tracks: { data: [] } }))).toHaveProperty('tracks.data')
    const query = { fields: new Map([['albums', new Set(['tracks'])]]) }
    expect(relationshipsOf(node(served, okComputer), { query })).toHaveProperty('tracks.links')
  })
})
