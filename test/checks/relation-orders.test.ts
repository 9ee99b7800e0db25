import { belongsTo, belongsToMany, hasMany, morphToMany } from 'ashlar'
import type { AttributeKit } from 'ashlar'
import { describe } from 'vitest'
import { albumFaults, refusals, resource } from './refusals.js'

const relations = (declared: object, ...others: readonly unknown[]) => albumFaults({ relations: declared }, ...others)

type Kit = AttributeKit<Record<string, unknown>>

describe('the order that a relation has by default', () => {
  const tracks = resource('tracks', {
    attributes: (a: Kit) => ({ title: a.string().sortable(), length: a.integer() }),
    defaultSort: ['title'],
  })
  const join = { owner: 'albumId', member: 'trackId' }
  refusals([
    {
      name: 'is by sorts of the related type',
      found: () => relations({ tracks: hasMany('tracks').via('albumId').defaultSort('-title') }, tracks),
      messages: [],
    },
    {
      name: 'or by the sorts of the relation, or by the fields of its join rows',
      found: () =>
        relations(
          {
            tracks: belongsToMany('tracks')
              .through('entries', join)
              .fields((a) => ({ position: a.integer() }))
              .withSorts((s) => ({ long: s.field('length') }))
              .defaultSort('position', '-long'),
          },
          tracks,
        ),
      messages: [],
    },
    {
      name: 'and must not be by anything else',
      found: () =>
        relations(
          {
            tracks: hasMany('tracks')
              .via('albumId')
              .defaultSort('length', '-year', 5 as never),
          },
          tracks,
        ),
      messages: [
        "albums.tracks: defaultSort() names 'length', which is not a sort of the related type or the relation. Remedy: make the attribute sortable(), or name one of 'id', 'title'.",
        "albums.tracks: defaultSort() names '-year', which is not a sort of the related type or the relation. Remedy: make the attribute sortable(), or name one of 'id', 'title'.",
        "albums.tracks: defaultSort() names 5, which is not a sort of the related type or the relation. Remedy: make the attribute sortable(), or name one of 'id', 'title'.",
      ],
    },
    {
      name: 'must use a known sort',
      found: () => relations({ guests: hasMany('artists').via('albumId').defaultSort('name') }, resource('artists')),
      messages: [
        "albums.guests: defaultSort() names 'name', which is not a sort of the related type or the relation. Remedy: make the attribute sortable(), or name 'id'.",
      ],
    },
    {
      name: 'must be for relations to many',
      found: () => relations({ hit: belongsTo('tracks').defaultSort('title') }, tracks),
      messages: [
        'albums.hit: has a defaultSort(), but only a to-many relation to one type can be sorted. Remedy: remove defaultSort().',
      ],
    },
    {
      name: 'must be for relations to one type',
      found: () =>
        relations(
          {
            items: morphToMany(['tracks', 'albums'])
              .through('items', { owner: 'albumId', member: 'itemId', memberType: 'itemType' })
              .defaultSort('title'),
          },
          tracks,
        ),
      messages: [
        'albums.items: has a defaultSort(), but only a to-many relation to one type can be sorted. Remedy: remove defaultSort().',
      ],
    },
  ])
})
