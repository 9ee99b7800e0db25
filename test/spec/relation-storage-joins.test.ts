import { belongsTo, belongsToMany, hasMany, model, morphTo, morphToMany } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { linkageReader, typeWith } from '../support/linkage-reader.js'

const entries = [
  { id: 1, listId: 1, trackId: 2 },
  { id: 2, listId: 1, trackId: 1 },
  { id: 3, listId: 2, trackId: 2 },
  { id: 4, listId: 2, trackId: 99 },
  { id: 5, listId: 1, trackId: 1 },
]
const rows = { lists: [{ id: 1 }, { id: 2 }, { id: 3 }], tracks: [{ id: 1 }, { id: 2 }], entries }
const both = { owner: 'listId', member: 'trackId' }

describe('belongsToMany', () => {
  test('is stored in the join rows that through() names, each member once', async () => {
    const lists = typeWith('lists', { tracks: belongsToMany('tracks').through('entries', both) })
    const read = linkageReader([lists, typeWith('tracks')], rows)
    expect(await read('/lists/1', 'tracks')).toEqual(['tracks 1', 'tracks 2'])
    // A dangling join row has no member.
    expect(await read('/lists/2', 'tracks')).toEqual(['tracks 2'])
    expect(await read('/lists/3', 'tracks')).toEqual([])
  })

  test('is stored where the inverse relation is stored', async () => {
    for (const lists of [belongsToMany('lists'), belongsToMany('lists').through('entries')]) {
      const read = linkageReader(
        [
          typeWith('lists', { tracks: belongsToMany('tracks').through(model('entries'), both) }),
          typeWith('tracks', { lists }),
        ],
        rows,
      )
      expect(await read('/tracks/2', 'lists')).toEqual(['lists 1', 'lists 2'])
      expect(await read('/tracks/1', 'lists')).toEqual(['lists 1'])
    }
  })

  test('may declare its own column and leave the other to the inverse relation', async () => {
    const read = linkageReader(
      [
        typeWith('lists', { tracks: belongsToMany('tracks').through('entries', { owner: 'listId' }) }),
        typeWith('tracks', { lists: belongsToMany('lists').through('entries', { owner: 'trackId' }) }),
      ],
      rows,
    )
    expect(await read('/lists/1', 'tracks')).toEqual(['tracks 1', 'tracks 2'])
    expect(await read('/tracks/2', 'lists')).toEqual(['lists 1', 'lists 2'])
  })

  test('is stored like the relation that storedAs() names', async () => {
    const read = linkageReader(
      [
        typeWith('lists', {
          tracks: belongsToMany('tracks').through('entries', both),
          songs: belongsToMany('songs').storedAs('tracks'),
        }),
        typeWith('tracks'),
        typeWith('songs', { lists: belongsToMany('lists') }, { model: model('tracks') }),
      ],
      rows,
    )
    expect(await read('/lists/1', 'songs')).toEqual(['songs 1', 'songs 2'])
    expect(await read('/songs/1', 'lists')).toEqual(['lists 1'])
  })

  test('works from a type to itself, and back over the same join rows', async () => {
    const pairs = [
      { id: 1, a: 1, b: 2 },
      { id: 2, a: 1, b: 3 },
    ]
    const relations = {
      likedBy: belongsToMany('artists').through('pairs'),
      likes: belongsToMany('artists').through('pairs', { owner: 'a', member: 'b' }),
      fans: belongsToMany('artists'),
    }
    const artists = typeWith('artists', relations)
    const read = linkageReader([artists], { artists: [{ id: 1 }, { id: 2 }, { id: 3 }], pairs })
    expect(await read('/artists/1', 'likes')).toEqual(['artists 2', 'artists 3'])
    expect(await read('/artists/2', 'likedBy')).toEqual(['artists 1'])
    expect(await read('/artists/2', 'fans')).toEqual(['artists 1'])
    expect(await read('/artists/1', 'likedBy')).toEqual([])
  })
})

describe('morphToMany', () => {
  const items = [
    { id: 1, libraryId: 1, itemId: 2, itemType: 'tracks' },
    { id: 2, libraryId: 1, itemId: 2, itemType: 'lists' },
    { id: 3, libraryId: 1, itemId: 1, itemType: 'lists' },
    { id: 4, libraryId: 1, itemId: 1, itemType: 'albums' },
    { id: 5, libraryId: 2, itemId: 1, itemType: 'lists' },
  ]
  const all = { lists: rows.lists, tracks: rows.tracks, libraries: [{ id: 1 }, { id: 2 }], items }
  const columns = { owner: 'libraryId', member: 'itemId', memberType: 'itemType' }
  const libraries = typeWith('libraries', { items: morphToMany(['tracks', 'lists']).through('items', columns) })

  test('is stored in join rows with the type of each member; the types come in the order in which they are named', async () => {
    const read = linkageReader([libraries, typeWith('tracks'), typeWith('lists')], all)
    expect(await read('/libraries/1', 'items')).toEqual(['tracks 2', 'lists 1', 'lists 2'])
    expect(await read('/libraries/2', 'items')).toEqual(['lists 1'])
  })

  test('has an inverse relation with members of their own type only', async () => {
    for (const back of [
      belongsToMany('libraries'),
      belongsToMany('libraries').through('items'),
      belongsToMany('libraries').through('items', { owner: 'itemId', member: 'libraryId' }),
    ]) {
      const read = linkageReader([libraries, typeWith('tracks', { libraries: back }), typeWith('lists')], all)
      expect(await read('/tracks/2', 'libraries')).toEqual(['libraries 1'])
      expect(await read('/tracks/1', 'libraries')).toEqual([])
    }
  })

  test('shares its join rows with a relation to one of the types', async () => {
    const relations = {
      items: morphToMany(['tracks', 'lists']).through('items', columns),
      lists: belongsToMany('lists').storedAs('items'),
    }
    const read = linkageReader([typeWith('libraries', relations), typeWith('tracks'), typeWith('lists')], all)
    expect(await read('/libraries/1', 'lists')).toEqual(['lists 1', 'lists 2'])
  })
})

/** A type over the people of its kind. */
const person = (name: string) =>
  typeWith(
    name,
    {},
    { model: model('people'), objectType: (row: { kind: string }) => (row.kind === name ? name : null) },
  )

describe('two types over one model', () => {
  const users = [{ id: 1 }, { id: 2 }]
  const lists = [
    { id: 1, ownerId: 2 },
    { id: 2, ownerId: 2 },
  ]

  test('are each rendered as the type that the relation names', async () => {
    const read = linkageReader(
      [
        typeWith('users', { lists: hasMany('lists') }),
        typeWith('profiles', { lists: hasMany('lists') }, { model: model('users') }),
        typeWith('lists', { owner: belongsTo('users'), profile: belongsTo('profiles').via('ownerId' as never) }),
      ],
      { users, lists },
    )
    expect(await read('/lists/1', 'owner')).toEqual(['users 2'])
    expect(await read('/lists/1', 'profile')).toEqual(['profiles 2'])
    expect(await read('/users/2', 'lists')).toEqual(['lists 1', 'lists 2'])
    expect(await read('/profiles/2', 'lists')).toEqual(['lists 1', 'lists 2'])
  })

  test('are distinguished by their objects if a relation refers to both', async () => {
    const kinds = [
      { id: 1, kind: 'bands' },
      { id: 2, kind: 'singers' },
      { id: 3, kind: 'crew' },
    ]
    const read = linkageReader(
      [
        typeWith('albums', {
          by: morphTo(['bands', 'singers']),
          liked: morphToMany(['bands', 'singers']).through('likes', {
            owner: 'albumId',
            member: 'whoId',
            memberType: 'whoType',
          }),
        }),
        person('bands'),
        person('singers'),
      ],
      {
        people: kinds,
        albums: [
          { id: 1, byId: 2, byType: 'bands' },
          { id: 2, byId: 1, byType: 'bands' },
          { id: 3, byId: 3, byType: 'bands' },
        ],
        likes: [
          { id: 1, albumId: 1, whoId: 2, whoType: 'bands' },
          { id: 2, albumId: 1, whoId: 1, whoType: 'bands' },
          { id: 3, albumId: 1, whoId: 3, whoType: 'singers' },
        ],
      },
    )
    expect(await read('/albums/1', 'by')).toEqual(['singers 2'])
    expect(await read('/albums/2', 'by')).toEqual(['bands 1'])
    expect(await read('/albums/3', 'by')).toBeNull()
    expect(await read('/albums/1', 'liked')).toEqual(['bands 1', 'singers 2'])
  })
})
