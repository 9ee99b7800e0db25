import { belongsTo, belongsToMany, hasMany, model } from 'ashlar'
import { describe } from 'vitest'
import { albumFaults, refusals, resource } from './refusals.js'

const key = (column: string, to: string, reference = 'id') => ({
  columns: [column],
  model: to,
  references: [reference],
})

const modelWith = (name: string, columns: readonly string[], foreignKeys: unknown) =>
  model(name, { columns: ['id', ...columns] as never, foreignKeys: foreignKeys as never })

const albums = (foreignKeys: unknown, relations: object, ...others: readonly unknown[]) =>
  albumFaults({ model: modelWith('albums', ['performer', 'producer'], foreignKeys), relations }, ...others)

describe('a relation that is found from foreign keys', () => {
  refusals([
    {
      name: 'must be found by exactly one of them',
      found: () =>
        albums(
          [key('performer', 'artists'), key('producer', 'artists')],
          { artist: belongsTo('artists') },
          resource('artists'),
        ),
      messages: [
        "albums.artist: finds several foreign keys to 'artists': 'performer', 'producer'. Remedy: name the column: belongsTo('artists').via('performer').",
      ],
    },
    {
      name: 'is not found by a key that refers to another column than the key of the model',
      found: () => albums([key('performer', 'artists', 'slug')], { artist: belongsTo('artists') }, resource('artists')),
      messages: [
        "albums.artist: would be stored in 'artistId', which the model 'albums' does not have. Remedy: name one of 'id', 'performer', 'producer' with via('…').",
      ],
    },
    {
      name: 'is not found by a key of several columns',
      found: () =>
        albums(
          [{ columns: ['performer', 'producer'], model: 'artists', references: ['id', 'label'] }],
          { artist: belongsTo('artists') },
          resource('artists'),
        ),
      messages: [
        "albums.artist: would be stored in 'artistId', which the model 'albums' does not have. Remedy: name one of 'id', 'performer', 'producer' with via('…').",
      ],
    },
    {
      name: 'must have exactly one of them in the related model',
      found: () =>
        albums(
          [key('performer', 'artists'), key('producer', 'artists')],
          {},
          resource('artists', { relations: { albums: hasMany('albums') } }),
        ),
      messages: [
        "artists.albums: finds several columns of 'albums' that refer to 'artists': 'performer', 'producer'. Remedy: name the column: hasMany('albums').via('…').",
      ],
    },
    {
      name: 'over join rows from a type to itself must name one side',
      found: () => {
        const twins = modelWith('twins', ['from', 'to'], [key('from', 'albums'), key('to', 'albums')])
        return albums([], { twins: belongsToMany('albums').through(twins) })
      },
      messages: [
        "albums.twins: cannot determine which columns of 'twins' refer to the owner and to the member: its foreign keys to these types are 'from', 'to'. Remedy: name them: through('twins', { owner: 'ownerId', member: 'memberId' }).",
      ],
    },
    {
      name: 'over join rows takes no foreign key for both sides',
      found: () => {
        const twins = modelWith('twins', ['from', 'to'], [key('from', 'albums')])
        return albums([], { twins: belongsToMany('albums').through(twins) })
      },
      messages: [
        "albums.twins: cannot determine which columns of 'twins' refer to the owner and to the member: its foreign keys to these types are 'from'. Remedy: name them: through('twins', { owner: 'ownerId', member: 'memberId' }).",
      ],
    },
    {
      name: 'over join rows must use existing columns',
      found: () => {
        const entries = modelWith('entries', ['album', 'track'], [])
        const lists = belongsToMany('tracks').through(entries, { owner: 'album', member: 'trackId' })
        return albums([], { lists }, resource('tracks'))
      },
      messages: [
        "albums.lists: uses 'trackId', which the join table 'entries' does not have. Remedy: name columns that exist in through(): 'id', 'album', 'track'.",
      ],
    },
  ])
})

describe('the foreign keys of a model', () => {
  const unreadable = [
    "albums.model: has foreign keys that are not a list of { columns: ['artistId'], model: 'artists', references: ['id'] }. Remedy: make it with model(): model: model('albums', { key: 'id' }).",
  ]
  refusals(
    ['artists', [null], [{ columns: ['a'], model: 'artists', references: [] }], [{ columns: [], model: 1 }]].map(
      (foreignKeys) => ({
        name: `cannot be ${JSON.stringify(foreignKeys)}`,
        found: () => albumFaults({ model: { name: 'albums', key: 'id', columns: null, foreignKeys } }),
        messages: unreadable,
      }),
    ),
  )
})
