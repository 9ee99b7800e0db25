import { belongsTo, belongsToMany, hasMany, hasOne, model, morphTo, morphToMany } from 'ashlar'
import { describe } from 'vitest'
import { albumFaults, refusals, resource } from './refusals.js'

const relations = (declared: object, ...others: readonly unknown[]) => albumFaults({ relations: declared }, ...others)

const tracksWith = (back: object) => resource('tracks', { relations: back })
const playlists = (tracks: unknown) => resource('playlists', { relations: { albums: tracks } })
const known = (declared: object) =>
  albumFaults(
    { model: model('albums', { columns: ['id', 'artistId', 'ownerId'] as never }), relations: declared },
    resource('artists'),
    resource('labels'),
  )

describe('a relation whose key is in the related rows', () => {
  refusals([
    {
      name: 'is found from the only inverse relation',
      found: () => relations({ tracks: hasMany('tracks') }, tracksWith({ album: belongsTo('albums') })),
      messages: [],
    },
    {
      name: 'is found from an inverse relation to several types',
      found: () => relations({ tracks: hasMany('tracks') }, tracksWith({ on: morphTo(['albums', 'tracks']) })),
      messages: [],
    },
    {
      name: 'needs no inverse relation if it names the column',
      found: () => relations({ tracks: hasMany('tracks').via('albumId') }, resource('tracks')),
      messages: [],
    },
    {
      name: 'must have an inverse relation',
      found: () => relations({ tracks: hasMany('tracks') }, resource('tracks')),
      messages: [
        "albums.tracks: finds no column of 'tracks' that refers to 'albums': no relation there belongs to 'albums'. Remedy: name the column: hasMany('tracks').via('…').",
      ],
    },
    {
      name: 'must not have an inverse relation that a function reads',
      found: () =>
        relations({ cover: hasOne('tracks') }, tracksWith({ album: belongsTo('albums').extractUsing(() => null) })),
      messages: [
        "albums.cover: finds no column of 'tracks' that refers to 'albums': no relation there belongs to 'albums'. Remedy: name the column: hasOne('tracks').via('…').",
      ],
    },
    {
      name: 'must have an inverse relation over one column',
      found: () =>
        relations(
          { tracks: hasMany('tracks') },
          tracksWith({ album: belongsTo('albums'), reissue: belongsTo('albums'), copy: belongsTo('albums').via('on') }),
        ),
      messages: [
        "albums.tracks: finds several columns of 'tracks' that refer to 'albums': 'albumId', 'reissueId', 'on'. Remedy: name the column: hasMany('tracks').via('…').",
      ],
    },
    {
      name: 'takes two relations over one column for one',
      found: () =>
        relations(
          { tracks: hasMany('tracks') },
          tracksWith({ album: belongsTo('albums'), sameAlbum: belongsTo('albums').via('albumId') }),
        ),
      messages: [],
    },
  ])
})

describe('a relation over join rows', () => {
  refusals([
    {
      name: 'must name them',
      found: () => relations({ lists: belongsToMany('playlists') }, resource('playlists')),
      messages: ["albums.lists: has no join table. Remedy: name it: belongsToMany(…).through('owner_members')."],
    },
    {
      name: 'names the columns that refer to the owner and to the member',
      found: () => relations({ lists: belongsToMany('playlists').through('entries') }, resource('playlists')),
      messages: [
        "albums.lists: cannot determine which columns of 'entries' refer to the owner and to the member. Remedy: name them: through('entries', { owner: 'ownerId', member: 'memberId' }).",
      ],
    },
    {
      name: 'must name both columns',
      found: () =>
        relations(
          { lists: belongsToMany('playlists').through('entries', { owner: 'albumId' }) },
          resource('playlists'),
        ),
      messages: [
        "albums.lists: cannot determine which columns of 'entries' refer to the owner and to the member. Remedy: name them: through('entries', { owner: 'ownerId', member: 'memberId' }).",
      ],
    },
    {
      name: 'must name the column of the type if members are of several',
      found: () =>
        relations(
          { items: morphToMany(['albums', 'playlists']).through('entries', { owner: 'albumId', member: 'itemId' }) },
          resource('playlists'),
        ),
      messages: [
        "albums.items: cannot determine which columns of 'entries' refer to the owner and to the member. Remedy: name them: through('entries', { owner: 'ownerId', member: 'memberId', memberType: 'memberType' }).",
      ],
    },
    {
      name: 'is found from the inverse relation',
      found: () =>
        relations(
          { lists: belongsToMany('playlists') },
          playlists(belongsToMany('albums').through('entries', { owner: 'playlistId', member: 'albumId' })),
        ),
      messages: [],
    },
    {
      name: 'takes missing names from the inverse relation',
      found: () =>
        relations(
          { lists: belongsToMany('playlists').through('entries', { owner: 'albumId' }) },
          playlists(belongsToMany('albums').through('entries', { owner: 'playlistId' })),
        ),
      messages: [],
    },
    {
      name: 'takes nothing from a relation over other join rows',
      found: () =>
        relations(
          { lists: belongsToMany('playlists').through('picks') },
          playlists(belongsToMany('albums').through('entries', { owner: 'playlistId', member: 'albumId' })),
        ),
      messages: [
        "albums.lists: cannot determine which columns of 'picks' refer to the owner and to the member. Remedy: name them: through('picks', { owner: 'ownerId', member: 'memberId' }).",
      ],
    },
    {
      name: 'must have an inverse relation over one set of them',
      found: () =>
        relations(
          { lists: belongsToMany('playlists') },
          resource('playlists', {
            relations: {
              albums: belongsToMany('albums').through('entries', { owner: 'playlistId', member: 'albumId' }),
              picks: belongsToMany('albums').through('picks', { owner: 'playlistId', member: 'albumId' }),
            },
          }),
        ),
      messages: [
        "albums.lists: finds inverse relations with several join tables. Remedy: name one: belongsToMany(…).through('…').",
      ],
    },
    {
      name: 'may be stored like another of its type',
      found: () =>
        relations(
          {
            lists: belongsToMany('playlists').through('entries', { owner: 'albumId', member: 'playlistId' }),
            orderedLists: belongsToMany('playlists').storedAs('lists'),
          },
          resource('playlists'),
        ),
      messages: [],
    },
  ])
})

describe('a relation whose key is found by convention', () => {
  refusals([
    { name: 'has that column', found: () => known({ artist: belongsTo('artists') }), messages: [] },
    {
      name: 'must use a column that the model lists',
      found: () => known({ singer: belongsTo('artists') }),
      messages: [
        "albums.singer: would be stored in 'singerId', which the model 'albums' does not have. Remedy: name one of 'id', 'artistId', 'ownerId' with via('…').",
      ],
    },
    {
      name: 'must use the column of storedAs()',
      found: () => known({ singer: belongsTo('artists').storedAs('artist'), band: belongsTo('artists').storedAs('x') }),
      messages: [
        "albums.band: would be stored in 'xId', which the model 'albums' does not have. Remedy: name one of 'id', 'artistId', 'ownerId' with via('…').",
      ],
    },
    {
      name: 'must have a column for the type if there are several',
      found: () => known({ owner: morphTo(['artists', 'labels']) }),
      messages: [
        "albums.owner: would be stored in 'ownerType', which the model 'albums' does not have. Remedy: name one of 'id', 'artistId', 'ownerId' with via('…').",
      ],
    },
    {
      name: 'must have both columns if there are several types',
      found: () => known({ maker: morphTo(['artists', 'labels']) }),
      messages: [
        "albums.maker: would be stored in 'makerId' and 'makerType', which the model 'albums' does not have. Remedy: name one of 'id', 'artistId', 'ownerId' with via('…').",
      ],
    },
  ])
})

describe('a relation names columns', () => {
  refusals([
    {
      name: 'by texts',
      found: () =>
        relations({
          one: belongsTo('albums').via(5 as never),
          two: morphTo(['albums']).via('twoId' as never, [] as never),
          three: hasMany('albums').via(''),
          four: belongsToMany('albums').through('rows', { owner: 5 as never, member: 'a' }),
          five: belongsToMany('albums').through('rows', { owner: 'a', member: {} as never }),
        }),
      messages: [
        'albums.one: has 5 as the name of a column. Remedy: give column names to via() and through().',
        'albums.two: has an empty list as the name of a column. Remedy: give column names to via() and through().',
        "albums.three: has '' as the name of a column. Remedy: give column names to via() and through().",
        'albums.four: has 5 as the name of a column. Remedy: give column names to via() and through().',
        'albums.five: has an object as the name of a column. Remedy: give column names to via() and through().',
      ],
    },
    {
      name: 'and stored associations by texts',
      found: () => relations({ one: belongsTo('albums').storedAs(Object.create(null)) }),
      messages: ['albums.one: storedAs() was given an object. Remedy: give a string.'],
    },
  ])
})
