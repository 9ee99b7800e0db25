import { belongsTo, hasMany, hasOne, id, model, morphTo } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { linkageReader, typeWith } from '../support/linkage-reader.js'

const artistRows = [{ id: 1 }, { id: 2 }]

describe('belongsTo', () => {
  test("is stored in the column {name}Id of the owner's row", async () => {
    const read = linkageReader([typeWith('albums', { artist: belongsTo('artists') }), typeWith('artists')], {
      albums: [
        { id: 1, artistId: 2 },
        { id: 2, artistId: null },
      ],
      artists: artistRows,
    })
    expect(await read('/albums/1', 'artist')).toEqual(['artists 2'])
    expect(await read('/albums/2', 'artist')).toBeNull()
  })

  test('is stored in the column that via() names', async () => {
    const read = linkageReader(
      [typeWith('albums', { artist: belongsTo('artists').via('by' as never) }), typeWith('artists')],
      {
        albums: [{ id: 1, by: 2, artistId: 1 }],
        artists: artistRows,
      },
    )
    expect(await read('/albums/1', 'artist')).toEqual(['artists 2'])
  })

  test('is stored in the column {stored name}Id with storedAs()', async () => {
    const read = linkageReader(
      [typeWith('albums', { singer: belongsTo('artists').storedAs('artist') }), typeWith('artists')],
      {
        albums: [{ id: 1, artistId: 2, singerId: 1 }],
        artists: artistRows,
      },
    )
    expect(await read('/albums/1', 'singer')).toEqual(['artists 2'])
  })

  test('is stored like the relation that storedAs() names', async () => {
    const relations = {
      artist: belongsTo('artists').via('by' as never),
      singer: belongsTo('artists').storedAs('artist'),
    }
    const read = linkageReader([typeWith('albums', relations), typeWith('artists')], {
      albums: [{ id: 1, by: 2, artistId: 1, singerId: 1 }],
      artists: artistRows,
    })
    expect(await read('/albums/1', 'singer')).toEqual(['artists 2'])
  })

  test('contains the key of the model, whatever column the wire id is', async () => {
    const read = linkageReader(
      [
        typeWith('albums', { artist: belongsTo('artists') }),
        typeWith('artists', { albums: hasMany('albums') }, { id: id('slug') }),
      ],
      { albums: [{ id: 1, artistId: 7 }], artists: [{ id: 7, slug: 'bjork' }] },
    )
    expect(await read('/albums/1', 'artist')).toEqual(['artists bjork'])
    expect(await read('/artists/bjork', 'albums')).toEqual(['albums 1'])
  })
})

describe('morphTo', () => {
  const targets = [typeWith('artists'), typeWith('labels')]
  const rows = { artists: artistRows, labels: [{ id: 1 }, { id: 2 }] }

  test('is stored in {name}Id and {name}Type', async () => {
    const read = linkageReader([typeWith('albums', { by: morphTo(['artists', 'labels']) }), ...targets], {
      ...rows,
      albums: [
        { id: 1, byId: 2, byType: 'labels' },
        { id: 2, byId: 2, byType: 'artists' },
        { id: 3, byId: null, byType: null },
        { id: 4, byId: 2, byType: 'albums' },
      ],
    })
    expect(await read('/albums/1', 'by')).toEqual(['labels 2'])
    expect(await read('/albums/2', 'by')).toEqual(['artists 2'])
    expect(await read('/albums/3', 'by')).toBeNull()
    // A type that the relation does not name has no members.
    expect(await read('/albums/4', 'by')).toBeNull()
  })

  test('is stored in the columns that via() names', async () => {
    const by = morphTo(['artists', 'labels']).via('who' as never, 'kind' as never)
    const read = linkageReader([typeWith('albums', { by }), ...targets], {
      ...rows,
      albums: [{ id: 1, who: 1, kind: 'labels' }],
    })
    expect(await read('/albums/1', 'by')).toEqual(['labels 1'])
  })

  test('is stored like the relation that storedAs() names', async () => {
    const by = morphTo(['artists', 'labels']).via('who' as never, 'kind' as never)
    const label = morphTo(['labels']).storedAs('by')
    const read = linkageReader([typeWith('albums', { by, label }), ...targets], {
      ...rows,
      albums: [
        { id: 1, who: 1, kind: 'labels' },
        { id: 2, who: 1, kind: 'artists' },
      ],
    })
    expect(await read('/albums/1', 'label')).toEqual(['labels 1'])
    expect(await read('/albums/2', 'label')).toBeNull()
  })
})

describe('hasMany and hasOne', () => {
  const tracks = [
    { id: 1, albumId: 1, on: 2 },
    { id: 2, albumId: 2, on: 1 },
    { id: 3, albumId: 1, on: null },
  ]
  const albums = [{ id: 1 }, { id: 2 }, { id: 3 }]

  test('are stored like the inverse relation of the related type', async () => {
    const read = linkageReader(
      [typeWith('albums', { tracks: hasMany('tracks') }), typeWith('tracks', { album: belongsTo('albums') })],
      {
        albums,
        tracks,
      },
    )
    expect(await read('/albums/1', 'tracks')).toEqual(['tracks 1', 'tracks 3'])
    expect(await read('/albums/3', 'tracks')).toEqual([])
  })

  test('are stored like an inverse relation that is stored like another one', async () => {
    const back = { record: belongsTo('albums').via('on' as never), album: belongsTo('reissues').storedAs('record') }
    const read = linkageReader(
      [
        typeWith('albums'),
        typeWith('reissues', { tracks: hasMany('tracks') }, { model: model('albums') }),
        typeWith('tracks', back),
      ],
      { albums, tracks },
    )
    expect(await read('/reissues/1', 'tracks')).toEqual(['tracks 2'])
  })

  test('are stored in the column that via() names', async () => {
    const read = linkageReader(
      [typeWith('albums', { tracks: hasMany('tracks').via('on') }), typeWith('tracks', { album: belongsTo('albums') })],
      { albums, tracks },
    )
    expect(await read('/albums/1', 'tracks')).toEqual(['tracks 2'])
    expect(await read('/albums/2', 'tracks')).toEqual(['tracks 1'])
  })

  test('hasOne refers to the first by its key', async () => {
    const read = linkageReader([typeWith('albums', { opener: hasOne('tracks').via('albumId') }), typeWith('tracks')], {
      albums,
      tracks: tracks.toReversed(),
    })
    expect(await read('/albums/1', 'opener')).toEqual(['tracks 1'])
    expect(await read('/albums/3', 'opener')).toBeNull()
  })

  const notes = [
    { id: 1, onId: 1, onType: 'albums' },
    { id: 2, onId: 1, onType: 'artists' },
    { id: 3, onId: 1, onType: 'albums' },
  ]
  const onBoth = typeWith('notes', { on: morphTo(['albums', 'artists']) })

  test('are of their own type if the inverse relation is to several', async () => {
    const read = linkageReader(
      [typeWith('albums', { notes: hasMany('notes') }), typeWith('artists', { note: hasOne('notes') }), onBoth],
      {
        albums,
        artists: artistRows,
        notes,
      },
    )
    expect(await read('/albums/1', 'notes')).toEqual(['notes 1', 'notes 3'])
    expect(await read('/artists/1', 'note')).toEqual(['notes 2'])
    expect(await read('/artists/2', 'note')).toBeNull()
  })

  test('are of their own type there too if via() names the column', async () => {
    const read = linkageReader(
      [typeWith('albums', { notes: hasMany('notes').via('onId') }), typeWith('artists'), onBoth],
      {
        albums,
        artists: artistRows,
        notes,
      },
    )
    expect(await read('/albums/1', 'notes')).toEqual(['notes 1', 'notes 3'])
  })

  test('work from a type to itself', async () => {
    const relations = { parent: belongsTo('genres'), children: hasMany('genres') }
    const read = linkageReader([typeWith('genres', relations)], {
      genres: [
        { id: 1, parentId: null },
        { id: 2, parentId: 1 },
        { id: 3, parentId: 1 },
      ],
    })
    expect(await read('/genres/1', 'children')).toEqual(['genres 2', 'genres 3'])
    expect(await read('/genres/3', 'parent')).toEqual(['genres 1'])
  })
})
