import { belongsTo, belongsToMany, hasMany, hasOne, model } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { linkageReader, typeWith } from '../support/linkage-reader.js'

const key = (column: string, to: string) => ({ columns: [column], model: to, references: ['id'] })

const albumModel = (...foreignKeys: readonly ReturnType<typeof key>[]) => ({
  model: model('albums', { columns: ['id', 'performer', 'producer'] as never, foreignKeys: foreignKeys as never }),
})
const byPerformer = albumModel(key('performer', 'artists'), key('producer', 'people'))

const rows = {
  artists: [{ id: 1 }, { id: 2 }],
  people: [{ id: 1 }],
  albums: [
    { id: 1, performer: 2, producer: 1 },
    { id: 2, performer: 2, producer: null },
    { id: 3, performer: null, producer: 1 },
  ],
}

describe('belongsTo', () => {
  test('is stored in the one column whose foreign key refers to the related model', async () => {
    const read = linkageReader(
      [typeWith('albums', { artist: belongsTo('artists') }, byPerformer), typeWith('artists')],
      { albums: rows.albums, artists: rows.artists },
    )
    expect(await read('/albums/1', 'artist')).toEqual(['artists 2'])
    expect(await read('/albums/3', 'artist')).toBeNull()
  })

  test('is stored in the conventional column if it exists, whatever other foreign keys there are', async () => {
    const columns = ['id', 'artistId', 'performer'] as never
    const albums = model('albums', { columns, foreignKeys: [key('performer', 'artists')] as never })
    const read = linkageReader(
      [typeWith('albums', { artist: belongsTo('artists') }, { model: albums }), typeWith('artists')],
      { albums: [{ id: 1, artistId: 1, performer: 2 }], artists: rows.artists },
    )
    expect(await read('/albums/1', 'artist')).toEqual(['artists 1'])
  })

  test('is stored in the column of via(), whatever foreign keys there are', async () => {
    const several = albumModel(key('performer', 'artists'), key('producer', 'artists'))
    const read = linkageReader(
      [typeWith('albums', { artist: belongsTo('artists').via('producer') }, several), typeWith('artists')],
      { albums: rows.albums, artists: rows.artists },
    )
    expect(await read('/albums/1', 'artist')).toEqual(['artists 1'])
  })
})

describe('hasMany and hasOne', () => {
  test('are stored in the one column of the related rows whose foreign key refers to this model', async () => {
    const read = linkageReader(
      [
        typeWith('albums', {}, byPerformer),
        typeWith('artists', { albums: hasMany('albums') }),
        typeWith('people', { debut: hasOne('albums') }),
      ],
      rows,
    )
    expect(await read('/artists/2', 'albums')).toEqual(['albums 1', 'albums 2'])
    expect(await read('/artists/1', 'albums')).toEqual([])
    expect(await read('/people/1', 'debut')).toEqual(['albums 1'])
  })

  test('are stored where the inverse relation is, which a foreign key may determine', async () => {
    const read = linkageReader(
      [
        typeWith('albums', { artist: belongsTo('artists') }, byPerformer),
        typeWith('artists', { albums: hasMany('albums') }),
      ],
      { albums: rows.albums, artists: rows.artists },
    )
    expect(await read('/artists/2', 'albums')).toEqual(['albums 1', 'albums 2'])
  })

  test('exist on each of the types that share a model', async () => {
    const read = linkageReader(
      [
        typeWith('albums', { artist: belongsTo('artists') }, byPerformer),
        typeWith('artists', { albums: hasMany('albums') }),
        typeWith('bands', { albums: hasMany('albums') }, { model: model('artists') }),
      ],
      { albums: rows.albums, artists: rows.artists },
    )
    expect(await read('/artists/2', 'albums')).toEqual(['albums 1', 'albums 2'])
    expect(await read('/bands/2', 'albums')).toEqual(['albums 1', 'albums 2'])
  })
})

const entries = (...columns: readonly string[]) =>
  model('entries', {
    columns: ['id', 'list', 'track', 'twin'] as never,
    foreignKeys: columns.map((column) => key(column, column === 'list' ? 'lists' : 'tracks')) as never,
  })

describe('belongsToMany', () => {
  const joined = {
    lists: [{ id: 1 }, { id: 2 }],
    tracks: [{ id: 1 }, { id: 2 }],
    entries: [
      { id: 1, list: 1, track: 2, twin: 1 },
      { id: 2, list: 2, track: 1, twin: 2 },
      { id: 3, list: 1, track: 1, twin: 2 },
    ],
  }

  test('is stored in the columns of the join rows whose foreign keys refer to the two sides', async () => {
    const read = linkageReader(
      [
        typeWith('lists', { tracks: belongsToMany('tracks').through(entries('list', 'track')) }),
        typeWith('tracks', { lists: belongsToMany('lists') }),
      ],
      joined,
    )
    expect(await read('/lists/1', 'tracks')).toEqual(['tracks 1', 'tracks 2'])
    expect(await read('/tracks/1', 'lists')).toEqual(['lists 1', 'lists 2'])
  })

  test('from a type to itself uses the remaining foreign key', async () => {
    const twins = belongsToMany('tracks').through(entries('track', 'twin'), { owner: 'track' })
    const read = linkageReader([typeWith('tracks', { twins })], { tracks: joined.tracks, entries: joined.entries })
    expect(await read('/tracks/1', 'twins')).toEqual(['tracks 2'])
    expect(await read('/tracks/2', 'twins')).toEqual(['tracks 1'])
  })
})
