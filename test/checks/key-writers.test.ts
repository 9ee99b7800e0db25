import { type AttributeKit, belongsTo, belongsToMany, model, morphTo, morphToMany } from 'ashlar'
import { describe } from 'vitest'
import { albumFaults, refusals, resource } from './refusals.js'

type Attributes = AttributeKit<Readonly<Record<string, unknown>>>

const artists = resource('artists')

const albumsWith = (attributes: (a: Attributes) => object, relations: object) =>
  albumFaults({ attributes, relations }, artists, resource('songs'))

describe('the column of a relation', () => {
  refusals([
    {
      name: 'must not be written by an attribute too',
      found: () => albumsWith((a) => ({ artistId: a.integer() }), { artist: belongsTo('artists') }),
      messages: [
        "albums.artistId: writes the column 'artistId', which the relation 'artist' writes too. Remedy: make one of the two readOnly(), or remove it.",
      ],
    },
    {
      name: 'must not be written by the child of a map, under any name, nor that of its type',
      found: () =>
        albumsWith(
          (a) => ({
            credit: a.map().fields({ performer: a.integer().storedAs('by') }),
            subjectType: a.string().readOnlyOnCreate(),
          }),
          {
            artist: belongsTo('artists').via('by'),
            subject: morphTo(['artists', 'songs']).readOnlyOnCreate(),
          },
        ),
      messages: [
        "albums.credit.performer: writes the column 'by', which the relation 'artist' writes too. Remedy: make one of the two readOnly(), or remove it.",
        "albums.subjectType: writes the column 'subjectType', which the relation 'subject' writes too. Remedy: make one of the two readOnly(), or remove it.",
      ],
    },
    {
      name: 'is shown by an attribute that is read-only',
      found: () => albumsWith((a) => ({ artistId: a.integer().readOnly() }), { artist: belongsTo('artists') }),
      messages: [],
    },
    {
      name: 'may be written by an attribute if clients do not write the relation',
      found: () => albumsWith((a) => ({ artistId: a.integer() }), { artist: belongsTo('artists').readOnly() }),
      messages: [],
    },
    {
      name: 'may be written by an attribute on create, and by the relation on update',
      found: () =>
        albumsWith((a) => ({ artistId: a.integer().readOnlyOnUpdate() }), {
          artist: belongsTo('artists').readOnlyOnCreate(),
        }),
      messages: [],
    },
    {
      name: 'may be shared by two relations',
      found: () =>
        albumsWith((a) => ({ title: a.string() }), {
          artist: belongsTo('artists'),
          performer: belongsTo('artists').via('artistId'),
        }),
      messages: [],
    },
  ])
})

const through = { owner: 'albumId', member: 'songId' }

describe('a field of join rows', () => {
  refusals([
    {
      name: 'must not write a key of them',
      found: () =>
        albumsWith((a) => ({ title: a.string() }), {
          songs: belongsToMany('songs')
            .through('albumSongs', through)
            .fields((a) => ({
              albumId: a.integer(),
              song: a.integer().storedAs('songId'),
              row: a.integer().storedAs('id'),
              position: a.integer(),
            })),
        }),
      messages: [
        "albums.songs.albumId: writes the column 'albumId', which is a key of the join rows. Remedy: make it readOnly(), or store it in another column with storedAs().",
        "albums.songs.song: writes the column 'songId', which is a key of the join rows. Remedy: make it readOnly(), or store it in another column with storedAs().",
        "albums.songs.row: writes the column 'id', which is a key of the join rows. Remedy: make it readOnly(), or store it in another column with storedAs().",
      ],
    },
    {
      name: 'must not write the type of their owners, nor the key that another type over the same rows writes',
      found: () =>
        albumFaults(
          {
            relations: {
              parts: morphToMany(['songs', 'artists']).through('parts', {
                owner: 'albumId',
                member: 'partId',
                memberType: 'kind',
              }),
            },
          },
          artists,
          resource('songs', {
            relations: {
              albums: belongsToMany('albums')
                .through('parts', { owner: 'partId', member: 'albumId' })
                .fields((a) => ({ sort: a.string().storedAs('kind'), number: a.integer().storedAs('no') })),
            },
          }),
          resource('parts', { model: model('parts', { key: 'no' as never }) }),
        ),
      messages: [
        "songs.albums.sort: writes the column 'kind', which is a key of the join rows. Remedy: make it readOnly(), or store it in another column with storedAs().",
        "songs.albums.number: writes the column 'no', which is a key of the join rows. Remedy: make it readOnly(), or store it in another column with storedAs().",
      ],
    },
    {
      name: 'may show a key if it is read-only, or the relation is',
      found: () =>
        albumsWith((a) => ({ title: a.string() }), {
          songs: belongsToMany('songs')
            .through('albumSongs', through)
            .fields((a) => ({ songId: a.integer().readOnly() })),
          others: belongsToMany('songs')
            .through('albumSongs', through)
            .fields((a) => ({ songId: a.integer() }))
            .readOnly(),
        }),
      messages: [],
    },
  ])
})
