import { belongsTo, belongsToMany, hasMany, hasOne, morphToMany } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe } from 'vitest'
import { capabilities, faultsOf, type Members, refusals, resource } from './refusals.js'

const fetchOne = () => null
const readers = { fetchOne, fetchCollection: () => [], fetchRelated: () => ({ sets: [], groups: [] }) }
const writers = { create: () => ({ id: 1 }), update: () => ({ id: 1 }), delete: () => true }
const mutating = { ...writers, mutateRelationship: () => undefined }

const remedy =
  "Remedy: add readOnly(), give the persister of this type the function 'mutateRelationship', or keep both types in one store."

/** Albums with relations to tracks, all in one store but for these members. */
const albums = (relations: object, members: Members = {}, tracks: Members = {}) =>
  faultsOf({
    resources: [resource('albums', { relations, ...members }), resource('tracks', tracks)],
    data: memoryData(),
  })

const joined = { owner: 'albumId', member: 'trackId' }
const bonus = () => belongsToMany('tracks').through('bonus_tracks', joined)
const byJoinRows = `albums.tracks: is stored in join rows, which no persister writes. ${remedy}`

describe('every writable relation has a writer', () => {
  refusals([
    {
      name: 'by the store, where it holds both types',
      found: () =>
        albums({
          tracks: bonus(),
          singles: hasMany('tracks').via('albumId'),
          opener: hasOne('tracks').via('openerOfId'),
          best: belongsTo('tracks'),
        }),
      says: [],
    },
    {
      name: 'join rows by the persister of the owner',
      found: () => albums({ tracks: bonus() }, { persister: writers }),
      says: [byJoinRows],
    },
    {
      name: 'join rows by a persister of the owner that says how',
      found: () => albums({ tracks: bonus() }, { persister: mutating }),
      says: [],
    },
    {
      name: 'join rows by the persister of the owner, whoever writes the members',
      found: () => albums({ tracks: bonus() }, {}, { persister: writers }),
      says: [],
    },
    {
      name: 'join rows to several types likewise',
      found: () =>
        albums(
          {
            tracks: morphToMany(['tracks', 'albums']).through('items', {
              owner: 'albumId',
              member: 'itemId',
              memberType: 'itemType',
            }),
          },
          { persister: writers },
        ),
      says: [byJoinRows],
    },
    {
      name: 'keys in related rows by the persisters of those',
      found: () => albums({ tracks: hasMany('tracks').via('albumId') }, { persister: writers }),
      says: [],
    },
    {
      name: 'keys in related rows not by nobody',
      found: () =>
        faultsOf({
          resources: [
            resource('albums', { relations: { charts: hasMany('charts').via('albumId') } }),
            capabilities('charts', { provider: readers }),
          ],
          data: memoryData(),
        }),
      says: [`albums.charts: is stored in rows of 'charts', which no persister writes. ${remedy}`],
    },
    {
      name: 'what only a provider of its own knows by the persister beside it',
      found: () => albums({ tracks: hasMany('tracks') }, { provider: readers, persister: writers }),
      says: [
        `albums.tracks: is known only to the provider of this type, but the persister of this type does not write it. ${remedy}`,
      ],
    },
    {
      name: 'what only a provider of its own knows by a persister that says how',
      found: () => albums({ tracks: hasMany('tracks') }, { provider: readers, persister: mutating }),
      says: [],
    },
    {
      name: 'the own key by whoever writes the row',
      found: () => albums({ best: belongsTo('tracks') }, { persister: writers }),
      says: [],
    },
    {
      name: 'the own key to a type that nobody reads, as long as the row says the linkage',
      found: () =>
        faultsOf({
          resources: [resource('albums', { relations: { chart: belongsTo('charts') } }), capabilities('charts')],
          data: memoryData(),
        }),
      says: [],
    },
    {
      name: 'the own key to a type that nobody reads, and whose ids only a serializer knows',
      found: () =>
        faultsOf({
          resources: [
            resource('albums', { relations: { chart: belongsTo('charts') } }),
            capabilities('charts', { serializer: { members: [], serialize: () => ({ id: '1', attributes: {} }) } }),
          ],
          data: memoryData(),
        }),
      says: [
        'albums.chart: is read by no provider, so a write cannot determine what it changes. Remedy: add readOnly(), or give the related type a provider.',
      ],
    },
    {
      name: 'a function that fills',
      found: () => albums({ tracks: bonus().fillUsing(() => null) }, { persister: writers }),
      says: [],
    },
    {
      name: 'a function that reads is enough for a relation that is only read',
      found: () => albums({ tracks: hasMany('tracks').extractUsing(() => []) }, { persister: writers }),
      says: [],
    },
  ])
})

describe('a relation without a writer is no fault if it is never written', () => {
  refusals([
    {
      name: 'where it is read-only',
      found: () => albums({ tracks: bonus().readOnly() }, { persister: writers }),
      says: [],
    },
    {
      name: 'but where it is so in some requests only',
      found: () => albums({ tracks: bonus().readOnly(() => true) }, { persister: writers }),
      says: [byJoinRows],
    },
    {
      name: 'where it is hidden',
      found: () => albums({ tracks: bonus().hidden() }, { persister: writers }),
      says: [],
    },
    {
      name: 'where its type is only read or deleted',
      found: () =>
        albums({ tracks: bonus() }, { persister: writers, operations: ['FetchCollection', 'FetchOne', 'Delete'] }),
      says: [],
    },
    {
      name: 'where it is read-only in the one operation that writes',
      found: () =>
        albums({ tracks: bonus().readOnlyOnUpdate() }, { persister: writers, operations: ['FetchOne', 'Update'] }),
      says: [],
    },
    {
      name: 'but where it is read-only in the other',
      found: () =>
        albums({ tracks: bonus().readOnlyOnUpdate() }, { persister: writers, operations: ['FetchOne', 'Create'] }),
      says: [byJoinRows],
    },
    {
      name: 'where something else is wrong with it, which is told',
      found: () => albums({ tracks: belongsToMany('tracks') }, { persister: writers }),
      says: ["albums.tracks: has no join table. Remedy: name it: belongsToMany(…).through('owner_members')."],
    },
  ])
})
