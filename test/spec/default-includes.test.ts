import { belongsTo, createServer, defineResource, hasMany, id, model, morphToMany } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { countedData } from '../support/counted-data.js'
import { linkageWriter } from '../support/linkage-writer.js'
import { recordShop } from '../support/record-shop.js'
import { relationshipLinks, shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

type Shop = Parameters<typeof recordShop>

/** The included resources of a document, in short. */
async function included(path: string, ...shop: Shop): Promise<readonly string[]> {
  const { document } = await client(recordShop(...shop)).get(path)
  return shown(document?.included ?? [])
}

describe('default includes', () => {
  test('are none unless the type declares some', async () => {
    const { document } = await client(recordShop()).get('/albums/1')
    expect(document).not.toHaveProperty('included')
  })

  test('apply when the request has no include', async () => {
    const albums = { defaultIncludes: ['artist', 'tracks'] }
    const { document, resource } = await client(recordShop({ albums })).get('/albums/1')
    expect(shown(document?.included)).toEqual(['artists 1', 'tracks 1', 'tracks 2'])
    expect(resource.relationships?.['tracks']).toEqual({
      links: relationshipLinks('/albums/1', 'tracks'),
      data: [
        { type: 'tracks', id: '1' },
        { type: 'tracks', id: '2' },
      ],
    })
  })

  test('apply to collections, related reads and the responses to writes', async () => {
    const api = client(recordShop({ albums: { defaultIncludes: ['artist'] } }))
    expect(shown((await api.get('/albums')).document?.included)).toEqual(['artists 1', 'artists 2', 'artists 3'])
    expect(shown((await api.get('/tracks/4/album')).document?.included)).toEqual(['artists 2'])
    const body = resourceBody('albums', { title: 'Vespertine' }, '3')
    expect(shown((await api.patch('/albums/3', { body })).document?.included)).toEqual(['artists 2'])
    expect((await api.get('/albums/1/relationships/artist')).document).not.toHaveProperty('included')
  })

  test('leave included out if they find nothing', async () => {
    const api = linkageWriter(catalogueServer())
    expect((await api.get('/favorites/fav-1d')).document).toHaveProperty('included')
    await api.replace('/favorites/fav-1d/favoritable', null)
    expect((await api.get('/favorites/fav-1d')).document).not.toHaveProperty('included')
  })

  test('obey the fieldsets of the types that they include', async () => {
    const api = client(recordShop({ albums: { defaultIncludes: ['artist'] } }))
    const { document } = await api.get('/albums/1?fields[artists]=label')
    expect(document?.included?.[0]).not.toHaveProperty('attributes')
  })
})

describe('any include suppresses default includes', () => {
  const albums = { defaultIncludes: ['artist'] }

  test('another path', async () => {
    expect(await included('/albums/1?include=tracks', { albums })).toEqual(['tracks 1', 'tracks 2'])
  })

  test('an empty include', async () => {
    expect(await included('/albums/1?include=', { albums })).toEqual([])
    expect(await included('/albums/1?include=,', { albums })).toEqual([])
  })

  test('also at deeper levels: resources of a requested path include nothing by default', async () => {
    expect(await included('/tracks/1?include=album', { albums })).toEqual(['albums 1'])
  })
})

describe('default includes as a function of the row', () => {
  test('are evaluated for each object', async () => {
    const albums = { defaultIncludes: ({ title }: { title: string }) => (title === 'Kid A' ? ['tracks'] : ['artist']) }
    const { document, resources } = await client(recordShop({ albums })).get('/albums')
    expect(shown(document?.included)).toEqual(['artists 1', 'artists 2', 'artists 3', 'tracks 3'])
    expect(resources.map(({ relationships }) => relationships?.['tracks'])).toEqual([
      { links: relationshipLinks('/albums/1', 'tracks') },
      { links: relationshipLinks('/albums/2', 'tracks'), data: [{ type: 'tracks', id: '3' }] },
      { links: relationshipLinks('/albums/3', 'tracks') },
      { links: relationshipLinks('/albums/4', 'tracks') },
    ])
  })

  test('see the whole row, with any fieldset', async () => {
    const seen: unknown[] = []
    const defaultIncludes = (row: object): string[] => {
      seen.push(row)
      return []
    }
    await included('/albums/1?fields[albums]=', { albums: { defaultIncludes } })
    expect(seen).toEqual([{ id: 1, title: 'OK Computer', artistId: 1 }])
  })

  test('may return nothing, or unknown names, which are ignored', async () => {
    expect(await included('/albums/1', { albums: { defaultIncludes: () => [] } })).toEqual([])
    expect(await included('/albums/1', { albums: { defaultIncludes: () => ['nonsense', 'tracks'] } })).toEqual([
      'tracks 1',
      'tracks 2',
    ])
  })
})

describe('the cascade of default includes', () => {
  const each = {
    tracks: { defaultIncludes: ['album'] },
    albums: { defaultIncludes: ['artist'] },
    artists: { defaultIncludes: ['label'] },
  }

  test('continues with the default includes of included resources', async () => {
    expect(await included('/tracks/1', each)).toEqual(['albums 1', 'artists 1', 'labels 1'])
  })

  test('starts from the related type on a related read', async () => {
    expect(await included('/tracks/1/album', each)).toEqual(['artists 1', 'labels 1'])
  })

  test('drops an over-deep expansion silently while linkage stays', async () => {
    const { document, status } = await client(recordShop(each, { maxIncludeDepth: 2 })).get('/tracks/1')
    expect(status).toBe(200)
    expect(shown(document?.included)).toEqual(['albums 1', 'artists 1'])
    expect(document?.included?.[1]?.relationships?.['label']).toEqual({
      links: relationshipLinks('/artists/1', 'label'),
      data: { type: 'labels', id: '1' },
    })
  })

  test('obeys the depth of the resource over that of the server', async () => {
    const tracks = { ...each.tracks, maxIncludeDepth: 1 }
    expect(await included('/tracks/1', { ...each, tracks }, { maxIncludeDepth: 3 })).toEqual(['albums 1'])
    expect(await included('/albums/1', { ...each, tracks }, { maxIncludeDepth: 3 })).toEqual(['artists 1', 'labels 1'])
  })

  test('drops a relation that cannot be included; its linkage and links are unaffected', async () => {
    const relations = { artist: belongsTo('artists').cannotBeIncluded(() => true), tracks: hasMany('tracks') }
    const albums = { relations, defaultIncludes: ['artist', 'tracks'] }
    const { document } = await client(recordShop({ ...each, albums })).get('/tracks/4')
    expect(shown(document?.included)).toEqual(['albums 3'])
    expect(document?.included?.[0]?.relationships?.['artist']).toEqual({
      links: relationshipLinks('/albums/3', 'artist'),
      data: { type: 'artists', id: '2' },
    })
  })

  test('drops paths that the allowed paths of the root do not permit', async () => {
    const tracks = { ...each.tracks, allowedIncludePaths: ['album.artist'] }
    expect(await included('/tracks/1', { ...each, tracks })).toEqual(['albums 1', 'artists 1'])
    expect(await included('/tracks/1', { ...each, tracks: { ...tracks, allowedIncludePaths: [] } })).toEqual([])
  })
})

describe('circular default includes end', () => {
  test('between two types, without a limit of depth', async () => {
    const both = { albums: { defaultIncludes: ['artist'] }, artists: { defaultIncludes: ['albums'] } }
    expect(await included('/albums/1', both)).toEqual(['artists 1', 'albums 2'])
    expect(await included('/artists/1', both)).toEqual(['albums 1', 'albums 2'])
  })

  test('in a cycle of types', async () => {
    const ring = {
      tracks: { defaultIncludes: ['album'] },
      albums: { defaultIncludes: ['artist', 'tracks'] },
      artists: { defaultIncludes: ['label', 'albums'] },
      labels: { defaultIncludes: ['artists'] },
    }
    expect((await included('/tracks/1', ring)).toSorted()).toEqual([
      'albums 1',
      'albums 2',
      'artists 1',
      'labels 1',
      'tracks 2',
    ])
  })

  test.each([0, 40])(
    'where all types include all others, at one read per relation and level: depth %s',
    async (depth) => {
      const names = ['labels', 'artists', 'albums', 'tracks', 'videos', 'concerts']
      const resources = names.map((name) => {
        const others = names.filter((other) => other !== name)
        return defineResource(name, {
          model: model<{ id: number; otherId: number }>(name),
          id: id(),
          relations: Object.fromEntries(others.map((other) => [other, belongsTo(other).via('otherId')])),
          defaultIncludes: others,
        })
      })
      const seeds = Object.fromEntries(names.map((name) => [name, [{ id: 1, otherId: 1 }]]))
      const { data, calls } = countedData(storedData(seeds))
      const { document } = await client(createServer({ resources, data, maxIncludeDepth: depth })).get('/albums/1')
      expect(shown(document?.included).toSorted()).toEqual(
        names
          .filter((name) => name !== 'albums')
          .map((name) => `${name} 1`)
          .toSorted(),
      )
      expect(calls).toHaveLength(1 + names.length * (names.length - 1))
    },
  )

  const albums = defineResource('albums', {
    model: model<{ id: number; remasterOfId: number | null }>('albums'),
    id: id(),
    relations: { remasterOf: belongsTo('albums') },
    defaultIncludes: ['remasterOf'],
  })
  const remasters = (maxIncludeDepth: number) =>
    client(
      createServer({
        resources: [albums],
        maxIncludeDepth,
        data: storedData({
          albums: [
            { id: 1, remasterOfId: 3 },
            { id: 2, remasterOfId: 1 },
            { id: 3, remasterOfId: 2 },
          ],
        }),
      }),
    )

  test('on a relation of a type to itself, at its own depth', async () => {
    expect(shown((await remasters(1).get('/albums/1')).document?.included)).toEqual(['albums 3'])
    expect(shown((await remasters(2).get('/albums/1')).document?.included)).toEqual(['albums 3', 'albums 2'])
  })

  test('in a cycle of rows, at any depth', async () => {
    expect(shown((await remasters(100).get('/albums/1')).document?.included)).toEqual(['albums 3', 'albums 2'])
    expect((await remasters(0).get('/albums/1')).status).toBe(200)
  })
})

describe('default includes of a mixed list', () => {
  test('are those of the type of each member', async () => {
    const { document } = await client(catalogueServer()).get('/favorites')
    expect(shown(document?.included)).toEqual(['albums 4', 'artists 2', 'tracks 5'])
  })

  test('apply if that list is the primary data, too', async () => {
    const join = { owner: 'labelId', member: 'releaseId', memberType: 'releaseType' }
    const releases = morphToMany(['tracks', 'albums']).through('releases', join)
    const data = storedData({
      labels: [{ id: 1, name: 'Parlophone' }],
      artists: [1, 2].map((key) => ({ id: key, name: `Artist ${key}`, labelId: null })),
      albums: [1, 2].map((key) => ({ id: key, title: `Album ${key}`, artistId: key })),
      tracks: [{ id: 1, title: 'Airbag', albumId: 1 }],
      releases: [
        { id: 1, labelId: 1, releaseId: 1, releaseType: 'tracks' },
        { id: 2, labelId: 1, releaseId: 2, releaseType: 'albums' },
      ],
    })
    const labels = { relations: { artists: hasMany('artists'), releases } }
    const read = (declared: Shop[0]) => included('/labels/1/releases', { labels, ...declared }, { data })
    const [tracks, albums] = [{ defaultIncludes: ['album'] }, { defaultIncludes: ['artist'] }]
    expect(await read({ tracks })).toEqual(['albums 1'])
    expect(await read({ albums })).toEqual(['artists 2'])
    expect((await read({ tracks, albums })).toSorted()).toEqual(['albums 1', 'artists 1', 'artists 2'])
  })
})
