import { belongsTo, belongsToMany, createServer, hasMany, hasOne, id, model, morphTo, morphToMany } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { typeWith } from '../support/linkage-reader.js'
import { linkageWriter, one, relationshipPath, some } from '../support/linkage-writer.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

const missing = (pointer: string) => ({ status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer })
const itemColumns = { owner: 'labelId', member: 'itemId', memberType: 'itemType' }

const encoded = (prefix: string) =>
  id().encodeUsing<number>({
    encode: (key) => `${prefix}-${(key * 7).toString(36)}`,
    decode(wireId) {
      const key = Number.parseInt(wireId.slice(prefix.length + 1), 36) / 7
      return wireId.startsWith(`${prefix}-`) && Number.isInteger(key) ? key : null
    },
  })

/** Labels are known by their slug, artists and albums by encoded ids; keys are numbers everywhere. */
const musicTypes = [
  typeWith(
    'labels',
    {
      artists: hasMany('artists').via('labelId'),
      flagship: hasOne('albums').via('flagshipOfId'),
      items: morphToMany(['artists', 'albums']).through('items', itemColumns),
    },
    { id: id('slug') },
  ),
  typeWith(
    'artists',
    {
      label: belongsTo('labels'),
      albums: belongsToMany('albums').through('credits', { owner: 'artistId', member: 'albumId' }),
      rival: morphTo(['artists', 'labels']),
    },
    { id: encoded('artist') },
  ),
  typeWith('albums', { artists: belongsToMany('artists') }, { id: encoded('album') }),
]

function music() {
  const data = storedData({
    labels: [
      { id: 1, slug: 'ecm' },
      { id: 2, slug: 'warp' },
    ],
    artists: [
      { id: 1, labelId: 2, rivalId: 1, rivalType: 'labels' },
      { id: 2, labelId: null, rivalId: null, rivalType: null },
    ],
    albums: [
      { id: 1, flagshipOfId: 2 },
      { id: 2, flagshipOfId: null },
    ],
    credits: [{ id: 1, artistId: 1, albumId: 1 }],
    items: [{ id: 1, labelId: 2, itemId: 1, itemType: 'albums' }],
  })
  return linkageWriter(createServer({ resources: musicTypes, data }))
}

describe('ids that are not keys', () => {
  test.each([
    ['belongsTo', '/artists/artist-7/label', one('labels', 'ecm')],
    ['hasOne', '/labels/warp/flagship', one('albums', 'album-e')],
    ['morphTo', '/artists/artist-7/rival', one('artists', 'artist-e')],
    ['morphTo', '/artists/artist-e/rival', one('labels', 'warp')],
  ])('are written and read back by a to-one: %s', async (_kind, relation, to) => {
    const api = music()
    expect((await api.replace(relation, to)).document?.data).toEqual(to)
    expect(await api.members(relation)).toEqual(shown(to))
    expect((await api.replace(relation, null)).document?.data).toBeNull()
    expect(await api.members(relation)).toEqual([])
  })

  test.each([
    ['hasMany', '/labels/warp/artists', one('artists', 'artist-7'), one('artists', 'artist-e')],
    ['belongsToMany', '/artists/artist-7/albums', one('albums', 'album-7'), one('albums', 'album-e')],
    ['belongsToMany', '/albums/album-7/artists', one('artists', 'artist-7'), one('artists', 'artist-e')],
    ['morphToMany', '/labels/warp/items', one('albums', 'album-7'), one('albums', 'album-e')],
  ])('are written and read back by a to-many: %s %s', async (_kind, relation, there, other) => {
    const api = music()
    expect(await api.members(relation)).toEqual(shown(there))
    expect((await api.add(relation, [there, other])).document?.data).toEqual([there, other])
    expect(await api.members(relation)).toEqual(shown([there, other]))
    expect((await api.remove(relation, [there])).document?.data).toEqual([other])
    expect((await api.replace(relation, [there])).document?.data).toEqual([there])
    expect(await api.members(relation)).toEqual(shown(there))
  })

  test('are not found by their keys', async () => {
    const api = music()
    expectErrors(await api.replace('/artists/artist-7/label', one('labels', '1')), [missing('/data')])
    expectErrors(await api.add('/artists/artist-7/albums', some('albums', '2', 'album-2', 'album-e')), [
      missing('/data/0'),
      missing('/data/1'),
    ])
    expectErrors(await api.replace('/artists/artist-7/rival', one('artists', '2')), [missing('/data')])
  })

  test('are written by resources that are created with them', async () => {
    const api = music()
    const { resource } = await api.create('/artists', {
      label: one('labels', 'ecm'),
      albums: some('albums', 'album-e'),
      rival: one('artists', 'artist-7'),
    })
    expect(resource.id).toBe('artist-l')
    expect(await api.members('/artists/artist-l/label')).toEqual(['labels ecm'])
    expect(await api.members('/artists/artist-l/albums')).toEqual(['albums album-e'])
    expect(await api.members('/artists/artist-l/rival')).toEqual(['artists artist-7'])
    expect(await api.members('/labels/ecm/artists')).toEqual(['artists artist-l'])
    await api.update('/labels/ecm', { artists: some('artists', 'artist-7'), flagship: one('albums', 'album-7') })
    expect(await api.members('/labels/ecm/artists')).toEqual(['artists artist-7'])
    expect(await api.members('/labels/warp/flagship')).toEqual([])
  })
})

const release = (type: string) => ({
  model: model('releases'),
  objectType: (row: { kind: string }) => (row.kind === type ? type : null),
})

describe('types that share a model and are distinguished by their objects', () => {
  const resources = [
    typeWith('singles', {}, release('singles')),
    typeWith('longplays', {}, release('longplays')),
    typeWith('shops', {
      best: morphTo(['singles', 'longplays']),
      stock: morphToMany(['singles', 'longplays']).through('stock', {
        owner: 'shopId',
        member: 'releaseId',
        memberType: 'releaseType',
      }),
    }),
  ]

  function shop() {
    const releases = ['singles', 'longplays', 'singles', 'cassettes'].map((kind, index) => ({ id: index + 1, kind }))
    const shops = [{ id: 1, bestId: 1, bestType: 'singles' }]
    const stock = [{ id: 1, shopId: 1, releaseId: 2, releaseType: 'longplays' }]
    return linkageWriter(createServer({ resources, data: storedData({ releases, shops, stock }) }))
  }

  test('are linked with their own type', async () => {
    const api = shop()
    expect((await api.replace('/shops/1/best', one('longplays', '2'))).document?.data).toEqual(one('longplays', '2'))
    expect(await api.members('/shops/1/best')).toEqual(['longplays 2'])
    await api.add('/shops/1/stock', [one('singles', '1'), one('singles', '3'), one('longplays', '2')])
    expect(await api.members('/shops/1/stock')).toEqual(['singles 1', 'singles 3', 'longplays 2'])
    await api.remove('/shops/1/stock', [one('singles', '1'), one('longplays', '2')])
    expect(await api.members('/shops/1/stock')).toEqual(['singles 3'])
  })

  test('do not exist under another type, nor under none of them', async () => {
    const api = shop()
    expectErrors(await api.replace('/shops/1/best', one('longplays', '1')), [missing('/data')])
    expectErrors(await api.replace('/shops/1/best', one('singles', '4')), [missing('/data')])
    expectErrors(await api.add('/shops/1/stock', [one('singles', '2'), one('singles', '1'), one('longplays', '4')]), [
      missing('/data/0'),
      missing('/data/2'),
    ])
    // A removal ignores resources that are no members.
    expect(shown((await api.remove('/shops/1/stock', [one('singles', '2')])).document?.data)).toEqual(['longplays 2'])
  })
})

describe('relations that are stored like another', () => {
  const resources = [
    typeWith('albums', {
      tracks: hasMany('tracks').via('albumId'),
      songs: hasMany('songs').storedAs('tracks'),
      label: belongsTo('labels'),
      imprint: belongsTo('labels').storedAs('label'),
    }),
    typeWith('tracks'),
    typeWith('songs', {}, { model: model('tracks') }),
    typeWith('labels'),
  ]

  test('are one relation with two names', async () => {
    const data = storedData({
      albums: [{ id: 1, labelId: 1 }],
      tracks: [1, 2].map((key) => ({ id: key, albumId: key === 1 ? 1 : null })),
      labels: [{ id: 1 }, { id: 2 }],
    })
    const api = linkageWriter(createServer({ resources, data }))
    expect((await api.add('/albums/1/songs', some('songs', '2'))).document?.data).toEqual(some('songs', '1', '2'))
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 2'])
    await api.remove('/albums/1/tracks', some('tracks', '1'))
    expect(await api.members('/albums/1/songs')).toEqual(['songs 2'])
    await api.replace('/albums/1/imprint', one('labels', '2'))
    expect(await api.members('/albums/1/label')).toEqual(['labels 2'])
    expectErrors(await api.update('/albums/1', { label: one('labels', '1'), imprint: null }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/relationships/imprint/data' },
    ])
    const both = { tracks: some('tracks', '1', '2'), songs: some('songs', '1', '2') }
    expect((await api.update('/albums/1', both)).status).toBe(200)
    expect(await api.members('/albums/1/songs')).toEqual(['songs 1', 'songs 2'])
  })
})

describe('relations of a type to itself', () => {
  const resources = [
    typeWith('genres', {
      parent: belongsTo('genres').withData(),
      children: hasMany('genres').via('parentId'),
      offspring: hasOne('genres').via('parentId'),
      likes: belongsToMany('genres').through('likes', { owner: 'fromId', member: 'toId' }),
      likedBy: belongsToMany('genres').through('likes'),
    }),
  ]

  function genres() {
    const rows = [1, 2, 3].map((key) => ({ id: key, parentId: key === 2 ? 1 : null }))
    return linkageWriter(createServer({ resources, data: storedData({ genres: rows, likes: [] }) }))
  }

  test('refer to others and back', async () => {
    const api = genres()
    await api.add('/genres/1/children', some('genres', '3'))
    expect(await api.members('/genres/3/parent')).toEqual(['genres 1'])
    await api.replace('/genres/2/parent', null)
    expect(await api.members('/genres/1/children')).toEqual(['genres 3'])
    await api.replace('/genres/1/likes', some('genres', '2', '3'))
    expect(await api.members('/genres/3/likedBy')).toEqual(['genres 1'])
    await api.remove('/genres/3/likedBy', some('genres', '1'))
    expect(await api.members('/genres/1/likes')).toEqual(['genres 2'])
  })

  test.each([
    ['parent', one('genres', '3'), 'children'],
    ['children', some('genres', '3'), 'parent'],
    ['offspring', one('genres', '3'), 'parent'],
    ['likes', some('genres', '3'), 'likedBy'],
  ])('may have a resource as its own member, which the response shows: %s', async (name, data, back) => {
    const api = genres()
    expect((await api.replace(`/genres/3/${name}`, data)).document?.data).toEqual(data)
    expect(await api.members(`/genres/3/${back}`)).toEqual(['genres 3'])

    const other = genres()
    const { resource } = await other.update(`/genres/3?include=${name},${back}`, { [name]: data })
    expect(resource.relationships?.[name]?.data).toEqual(data)
    expect(shown(resource.relationships?.[back]?.data)).toEqual(['genres 3'])
    expect(await other.members(`/genres/3/${back}`)).toEqual(['genres 3'])
  })

  test('a resource that is created with members of its own type has them', async () => {
    const api = genres()
    const { resource } = await api.create('/genres?include=children', {
      parent: one('genres', '3'),
      children: some('genres', '2'),
    })
    expect(resource.relationships?.['parent']?.data).toEqual(one('genres', '3'))
    expect(resource.relationships?.['children']?.data).toEqual(some('genres', '2'))
    expect(shown((await api.get(relationshipPath('/genres/2/parent'))).document?.data)).toEqual(['genres 4'])
  })
})
