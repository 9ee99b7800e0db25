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
      name: 'such as the store, if it has both types',
      found: () =>
        albums({
          tracks: bonus(),
          singles: hasMany('tracks').via('albumId'),
          opener: hasOne('tracks').via('openerOfId'),
          best: belongsTo('tracks'),
        }),
      messages: [],
    },
    {
      name: 'such as the persister of the owner for join rows',
      found: () => albums({ tracks: bonus() }, { persister: writers }),
      messages: [byJoinRows],
    },
    {
      name: 'such as a persister of the owner with mutateRelationship() for join rows',
      found: () => albums({ tracks: bonus() }, { persister: mutating }),
      messages: [],
    },
    {
      name: 'such as the persister of the owner for join rows, whatever writes the members',
      found: () => albums({ tracks: bonus() }, {}, { persister: writers }),
      messages: [],
    },
    {
      name: 'also for join rows to several types',
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
      messages: [byJoinRows],
    },
    {
      name: 'such as the persisters of related rows for keys in them',
      found: () => albums({ tracks: hasMany('tracks').via('albumId') }, { persister: writers }),
      messages: [],
    },
    {
      name: 'but keys in related rows need one',
      found: () =>
        faultsOf({
          resources: [
            resource('albums', { relations: { charts: hasMany('charts').via('albumId') } }),
            capabilities('charts', { provider: readers }),
          ],
          data: memoryData(),
        }),
      messages: [`albums.charts: is stored in rows of 'charts', which no persister writes. ${remedy}`],
    },
    {
      name: 'such as the persister for a relation that only a custom provider knows',
      found: () => albums({ tracks: hasMany('tracks') }, { provider: readers, persister: writers }),
      messages: [
        `albums.tracks: is known only to the provider of this type, but the persister of this type does not write it. ${remedy}`,
      ],
    },
    {
      name: 'such as a persister with mutateRelationship() for a relation that only a custom provider knows',
      found: () => albums({ tracks: hasMany('tracks') }, { provider: readers, persister: mutating }),
      messages: [],
    },
    {
      name: "such as the writer of the row for the owner's key",
      found: () => albums({ best: belongsTo('tracks') }, { persister: writers }),
      messages: [],
    },
    {
      name: "such as the owner's key to a type without a reader, if the row determines the linkage",
      found: () =>
        faultsOf({
          resources: [resource('albums', { relations: { chart: belongsTo('charts') } }), capabilities('charts')],
          data: memoryData(),
        }),
      messages: [],
    },
    {
      name: "not for the owner's key to a type without a reader whose ids only a serializer knows",
      found: () =>
        faultsOf({
          resources: [
            resource('albums', { relations: { chart: belongsTo('charts') } }),
            capabilities('charts', { serializer: { members: [], serialize: () => ({ id: '1', attributes: {} }) } }),
          ],
          data: memoryData(),
        }),
      messages: [
        'albums.chart: is read by no provider, so a write cannot determine what it changes. Remedy: add readOnly(), or give the related type a provider.',
      ],
    },
    {
      name: 'such as fillUsing()',
      found: () => albums({ tracks: bonus().fillUsing(() => null) }, { persister: writers }),
      messages: [],
    },
    {
      name: 'but extractUsing() is enough for a relation that is only read',
      found: () => albums({ tracks: hasMany('tracks').extractUsing(() => []) }, { persister: writers }),
      messages: [],
    },
  ])
})

describe('a relation without a writer is no fault if it is never written', () => {
  refusals([
    {
      name: 'if it is read-only',
      found: () => albums({ tracks: bonus().readOnly() }, { persister: writers }),
      messages: [],
    },
    {
      name: 'but not if it is so in some requests only',
      found: () => albums({ tracks: bonus().readOnly(() => true) }, { persister: writers }),
      messages: [byJoinRows],
    },
    {
      name: 'if it is hidden',
      found: () => albums({ tracks: bonus().hidden() }, { persister: writers }),
      messages: [],
    },
    {
      name: 'if its type is only read or deleted',
      found: () =>
        albums({ tracks: bonus() }, { persister: writers, operations: ['FetchCollection', 'FetchOne', 'Delete'] }),
      messages: [],
    },
    {
      name: 'if it is read-only in the one operation that writes',
      found: () =>
        albums({ tracks: bonus().readOnlyOnUpdate() }, { persister: writers, operations: ['FetchOne', 'Update'] }),
      messages: [],
    },
    {
      name: 'but not if it is read-only in the other',
      found: () =>
        albums({ tracks: bonus().readOnlyOnUpdate() }, { persister: writers, operations: ['FetchOne', 'Create'] }),
      messages: [byJoinRows],
    },
    {
      name: 'if it has another fault, which is reported',
      found: () => albums({ tracks: belongsToMany('tracks') }, { persister: writers }),
      messages: ["albums.tracks: has no join table. Remedy: name it: belongsToMany(…).through('owner_members')."],
    },
  ])
})
