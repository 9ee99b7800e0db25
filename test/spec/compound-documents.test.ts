import { belongsTo, hasMany } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { recordShop } from '../support/record-shop.js'
import { relationshipLinks, shown } from '../support/shown.js'

const get = (path: string) => client(catalogueServer()).get(path)
const shop = (path: string) => client(recordShop()).get(path)

describe('requested related resources', () => {
  test('are in top-level included; data has linkage only', async () => {
    const { document } = await shop('/albums/1?include=artist')
    expect(document).toEqual({
      data: {
        type: 'albums',
        id: '1',
        attributes: { title: 'OK Computer' },
        relationships: {
          artist: { links: relationshipLinks('/albums/1', 'artist'), data: { type: 'artists', id: '1' } },
          tracks: { links: relationshipLinks('/albums/1', 'tracks') },
        },
        links: { self: 'http://localhost/albums/1' },
      },
      included: [
        {
          type: 'artists',
          id: '1',
          attributes: { name: 'Radiohead' },
          relationships: {
            label: { links: relationshipLinks('/artists/1', 'label'), data: { type: 'labels', id: '1' } },
            albums: { links: relationshipLinks('/artists/1', 'albums') },
          },
          links: { self: 'http://localhost/artists/1' },
        },
      ],
      links: { self: 'http://localhost/albums/1?include=artist' },
      jsonapi: { version: '1.1' },
    })
  })

  test('are those of every primary resource', async () => {
    const { document, resources } = await shop('/albums?include=tracks')
    expect(shown(resources)).toEqual(['albums 1', 'albums 2', 'albums 3', 'albums 4'])
    expect(resources.map(({ relationships }) => relationships?.['tracks']?.data)).toEqual([
      [
        { type: 'tracks', id: '1' },
        { type: 'tracks', id: '2' },
      ],
      [{ type: 'tracks', id: '3' }],
      [{ type: 'tracks', id: '4' }],
      [{ type: 'tracks', id: '5' }],
    ])
    expect(shown(document?.included)).toEqual(['tracks 1', 'tracks 2', 'tracks 3', 'tracks 4', 'tracks 5'])
  })

  test('come from each of several paths', async () => {
    const { document } = await shop('/albums/3?include=tracks,artist')
    expect(shown(document?.included)).toEqual(['tracks 4', 'artists 2'])
  })

  test('a repeated path has no effect', async () => {
    const { document } = await shop('/albums/3?include=artist,artist')
    expect(shown(document?.included)).toEqual(['artists 2'])
  })

  test('make included empty if there are none', async () => {
    const { document, resource } = await shop('/tracks/6?include=album')
    expect(resource.relationships?.['album']?.data).toBeNull()
    expect(document?.included).toEqual([])
  })
})

describe('a dot-nested path', () => {
  test('includes the resources at its end, and their ancestors', async () => {
    const { document } = await shop('/tracks/1?include=album.artist.label')
    expect(shown(document?.included)).toEqual(['albums 1', 'artists 1', 'labels 1'])
  })

  test('may have its ancestors too, which changes nothing', async () => {
    const implied = await shop('/tracks?include=album.artist')
    const repeated = await shop('/tracks?include=album,album.artist')
    expect(repeated.document?.included).toEqual(implied.document?.included)
  })

  test('branches where several paths share their beginning', async () => {
    const { document } = await shop('/tracks/4?include=album.artist.label,album.tracks')
    expect(shown(document?.included)).toEqual(['albums 3', 'artists 2', 'labels 2'])
  })

  test('goes through to-many relations, for each of their members', async () => {
    const { document } = await shop('/labels/1?include=artists.albums.tracks')
    expect(shown(document?.included)).toEqual(['artists 1', 'albums 1', 'albums 2', 'tracks 1', 'tracks 2', 'tracks 3'])
  })

  test('continues from the members of several types that have the next relation', async () => {
    const { document } = await get('/libraries/1?include=items.album&fields[libraries]=items')
    expect(shown(document?.included)).toEqual(['tracks 1', 'tracks 5', 'albums 2', 'artists 3', 'albums 1', 'albums 4'])
  })

  test('may return to its start', async () => {
    const { document } = await shop('/albums/1?include=artist.albums')
    expect(shown(document?.included)).toEqual(['artists 1', 'albums 2'])
  })
})

describe('included never holds one resource twice', () => {
  test('when several primary resources share it', async () => {
    const { document } = await shop('/albums?include=artist')
    expect(shown(document?.included)).toEqual(['artists 1', 'artists 2', 'artists 3'])
  })

  test('when two paths reach it', async () => {
    const { document } = await get('/playlists?include=tracks,orderedTracks')
    expect(shown(document?.included).toSorted()).toEqual(['tracks 1', 'tracks 11', 'tracks 3', 'tracks 4', 'tracks 5'])
  })

  test('when it is reached again at another level', async () => {
    const { document } = await shop('/labels/1?include=artists.albums.artist.albums')
    expect(shown(document?.included)).toEqual(['artists 1', 'albums 1', 'albums 2'])
  })
})

describe('included never repeats a resource of the primary data', () => {
  test('of a collection whose members refer to each other', async () => {
    const { document, resources } = await get('/products?include=parent')
    expect(shown(resources)).toEqual(['products prod-a0', 'products prod-b1'])
    expect(resources[1]?.relationships?.['parent']?.data).toEqual({ type: 'products', id: 'prod-a0' })
    expect(document?.included).toEqual([])
  })

  test('of a single read that a path returns to', async () => {
    const { document, resource } = await shop('/artists/1?include=albums.artist')
    expect(shown(document?.included)).toEqual(['albums 1', 'albums 2'])
    expect(shown(resource.relationships?.['albums']?.data)).toEqual(['albums 1', 'albums 2'])
  })

  test('whose linkage is there, even if only a longer path requests it', async () => {
    const { document, resource } = await shop('/albums/1?include=artist.albums.tracks')
    expect(shown(resource.relationships?.['tracks']?.data)).toEqual(['tracks 1', 'tracks 2'])
    expect(shown(document?.included)).toEqual(['artists 1', 'albums 2', 'tracks 1', 'tracks 2', 'tracks 3'])
  })

  test('of a related read', async () => {
    const { document, resources } = await shop('/artists/1/albums?include=artist.albums')
    expect(shown(resources)).toEqual(['albums 1', 'albums 2'])
    expect(shown(document?.included)).toEqual(['artists 1'])
  })
})

describe('full linkage', () => {
  test('every included resource is named by the relationship that includes it', async () => {
    const { document, resources } = await shop('/tracks?include=album.artist.albums')
    const included = document?.included ?? []
    const linkage = [...resources, ...included]
      .flatMap(({ relationships }) => Object.values(relationships ?? {}))
      .flatMap(({ data }) => data ?? [])
    expect(included).toHaveLength(7)
    expect(shown(linkage)).toEqual(expect.arrayContaining([...shown(included)]))
    const radiohead = included.find(({ type, id }) => type === 'artists' && id === '1')
    expect(shown(radiohead?.relationships?.['albums']?.data)).toEqual(['albums 1', 'albums 2'])
  })

  test('is present for a relation that is left out by default', async () => {
    const relations = { label: belongsTo('labels'), albums: hasMany('albums').sparseByDefault() }
    const server = recordShop({ artists: { relations } })
    expect((await client(server).get('/artists/2')).resource.relationships).not.toHaveProperty('albums')
    const { resource } = await client(server).get('/artists/2?include=albums')
    expect(resource.relationships?.['albums']).toEqual({
      links: relationshipLinks('/artists/2', 'albums'),
      data: [{ type: 'albums', id: '3' }],
    })
  })
})

describe('fieldsets apply to included resources by their own type', () => {
  test('for any type of the primary data', async () => {
    const { document } = await shop('/albums/1?include=artist,tracks&fields[albums]=artist&fields[artists]=name')
    expect(document?.data).toEqual({
      type: 'albums',
      id: '1',
      relationships: {
        artist: { links: relationshipLinks('/albums/1', 'artist'), data: { type: 'artists', id: '1' } },
      },
      links: { self: 'http://localhost/albums/1' },
    })
    expect(document?.included?.[0]).toEqual({
      type: 'artists',
      id: '1',
      attributes: { name: 'Radiohead' },
      links: { self: 'http://localhost/artists/1' },
    })
    expect(document?.included?.[1]).toHaveProperty('attributes.title', 'Airbag')
  })

  test('included resources stay when the fieldset drops the relationship that names them', async () => {
    const { document, resource } = await shop('/albums/1?include=tracks&fields[albums]=title')
    expect(resource).not.toHaveProperty('relationships')
    expect(shown(document?.included)).toEqual(['tracks 1', 'tracks 2'])
  })

  test('primary and included resources of one type share the fieldset', async () => {
    const { document, resources } = await shop('/albums?include=artist.albums&fields[albums]=title')
    expect(resources.every((album) => !('relationships' in album))).toBe(true)
    expect(shown(document?.included)).toEqual(['artists 1', 'artists 2', 'artists 3'])
  })

  test('a relationship in the middle of a path need not be in any fieldset', async () => {
    const { document } = await shop('/tracks/1?include=album.artist.label&fields[albums]=&fields[artists]=')
    expect(document?.included?.map(({ type, ...rest }) => [type, Object.keys(rest)])).toEqual([
      ['albums', ['id', 'links']],
      ['artists', ['id', 'links']],
      ['labels', ['id', 'attributes', 'relationships', 'links']],
    ])
  })
})

const api = () => client(recordShop())

describe('include is applied', () => {
  test('on a related read, from the related type on', async () => {
    const one = await api().get('/tracks/1/album?include=artist')
    expect(shown(one.resource)).toEqual(['albums 1'])
    expect(shown(one.document?.included)).toEqual(['artists 1'])
    const many = await api().get('/artists/1/albums?include=tracks')
    expect(shown(many.document?.included)).toEqual(['tracks 1', 'tracks 2', 'tracks 3'])
  })

  test('on the response to a create', async () => {
    const shopping = api()
    await shopping.delete('/albums/1')
    const body = resourceBody('albums', { title: 'OKNOTOK' }, '1')
    const { status, document, resource } = await shopping.post('/albums?include=tracks', { body })
    expect(status).toBe(201)
    expect(shown(resource.relationships?.['tracks']?.data)).toEqual(['tracks 1', 'tracks 2'])
    expect(shown(document?.included)).toEqual(['tracks 1', 'tracks 2'])
  })

  test('on the response to an update', async () => {
    const body = resourceBody('albums', { title: 'OKNOTOK' }, '1')
    const { document, resource } = await api().patch('/albums/1?include=artist.label', { body })
    expect(resource.attributes).toEqual({ title: 'OKNOTOK' })
    expect(shown(document?.included)).toEqual(['artists 1', 'labels 1'])
  })

  test('on writes before anything is written: an invalid path changes nothing', async () => {
    const shopping = api()
    const body = resourceBody('labels', { name: 'Warp' }, '3')
    expect((await shopping.post('/labels?include=nonsense', { body })).status).toBe(400)
    expect((await shopping.get('/labels/3')).status).toBe(404)
  })

  test('on a relationship endpoint too, which offers no inclusion', async () => {
    const shopping = api()
    const body = { data: { type: 'artists', id: '2' } }
    const refused = [{ status: 400, code: 'INCLUSION_UNSUPPORTED', parameter: 'include' }]
    for (const path of ['/albums/1/relationships/artist', '/albums/1/relationships/tracks']) {
      for (const include of ['artist', 'artist.albums', 'nonsense']) {
        expectErrors(await shopping.get(`${path}?include=${include}`), refused)
      }
    }
    expectErrors(await shopping.patch('/albums/1/relationships/artist?include=artist', { body }), refused)
    const { document } = await shopping.get('/albums/1/relationships/artist?include=')
    expect(document).not.toHaveProperty('included')
    expect(document?.data).toEqual({ type: 'artists', id: '1' })
  })
})
