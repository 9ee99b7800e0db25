import {
  belongsTo,
  belongsToMany,
  type FilterKit,
  hasMany,
  relationshipQueriesProfile,
  type RequestContext,
  type SortKit,
} from 'ashlar'
import { sqlSort } from 'ashlar/sql'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { recordShop } from '../support/record-shop.js'
import { expectAskedAnew, isStaff, isStranger, stores } from './kept-shop.js'

const onlyTheFirst = (context: RequestContext, f: FilterKit<string>) =>
  isStaff(context) ? null : f.where('id', '<=').fixed(1)

describe.each(stores)('on %s', (_store, open) => {
  test('the order of what is included is asked anew, where it leads through a type with a scope', async () => {
    const declared = {
      artists: {
        scope: onlyTheFirst,
        relations: { label: belongsTo('labels'), albums: hasMany('albums').via('artistId') },
      },
      albums: {
        relations: {
          artist: belongsTo('artists'),
          producer: belongsTo('artists').via('producerId'),
          tracks: hasMany('tracks'),
        },
        sorts: (s: SortKit<string>) => ({ producer: s.through('producer.name') }),
        defaultSort: ['producer'],
      },
    }
    const shop = () => recordShop(declared, { data: open() })
    const accept = `application/vnd.api+json; profile="${relationshipQueriesProfile.uri}"`
    await expectAskedAnew(shop, ['/artists/1?include=albums'])
    await expectAskedAnew(shop, ['/artists/1?include=albums'], { accept })
  })

  test('so is what may be seen of join rows, where members are sorted and filtered by it', async () => {
    const picks = belongsToMany('tracks')
      .through('picks', { owner: 'labelId', member: 'trackId' })
      .fields((a) => ({ position: a.integer().writeOnly(isStranger) }))
      .withFilters((f) => ({ position: f.where('pivot.position') }))
    const rows = [
      { labelId: 1, trackId: 3, position: 1 },
      { labelId: 1, trackId: 1, position: 2 },
    ]
    // Tracks do not lead back to labels: only those say so.
    const declared = {
      labels: { relations: { picks } },
      albums: { relations: { artist: belongsTo('artists') } },
      artists: { relations: { label: belongsTo('labels') } },
      tracks: { relations: {} },
    }
    await expectAskedAnew(
      () => recordShop(declared, { data: open({ picks: rows }) }),
      ['/labels/1/picks?sort=position', '/labels/1/picks?filter[position]=2', '/labels/1/picks'],
    )
  })

  test('an order of the author’s own of what is included is asked anew', async () => {
    type Album = { readonly id: number }
    const mood = {
      compare: (a: Readonly<Record<string, unknown>>, b: Readonly<Record<string, unknown>>, context: RequestContext) =>
        (isStaff(context) ? -1 : 1) * (Number(a['id']) - Number(b['id'])),
      apply: sqlSort<Album>(({ column, context }) => (isStaff(context) ? sql`-${column('id')}` : column('id'))),
    }
    const declared = { albums: { sorts: (s: SortKit<string>) => ({ mood: s.custom(mood) }), defaultSort: ['mood'] } }
    await expectAskedAnew(() => recordShop(declared, { data: open() }), ['/artists/1?include=albums'])
  })
})
