import { type AggregateKit, belongsTo, hasMany, numberPage } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { albumFaults, faultsOf, refusals, resource } from './refusals.js'

type Kit = AggregateKit<string, string>

interface Attributes {
  string(): { hidden(): unknown; computed(read: () => string): unknown }
  integer(): unknown
  decimal(): unknown
  boolean(): unknown
  dateTime(): unknown
  time(): unknown
  arrayList(): unknown
}

const fields = {
  attributes: (a: Attributes) => ({
    title: a.string(),
    secret: a.string().hidden(),
    upper: a.string().computed(() => ''),
    plays: a.integer(),
    price: a.decimal(),
    live: a.boolean(),
    at: a.dateTime(),
    hour: a.time(),
    tags: a.arrayList(),
  }),
  relations: { artist: belongsTo('artists'), tracks: hasMany('tracks').via('albumId') },
}

const others = [
  resource('artists', { attributes: (a: Attributes) => ({ name: a.string() }) }),
  resource('tracks', { attributes: (a: Attributes) => ({ albumId: a.integer() }) }),
]

const faults = (aggregates: (g: Kit) => object, members: object = {}) =>
  albumFaults({ ...fields, ...members, aggregates }, ...others)

const one = (field: (g: Kit) => object) =>
  faults((g) => ({ each: g.fields({ n: g.count(), field: field(g) as never }) }))

describe('aggregates', () => {
  test('that are valid are built', () => {
    const built = faults((g) => ({
      each: g.fields({
        title: g.by(),
        year: g.year('at'),
        artist: g.by(),
        n: g.count(),
        plays: g.sum(),
        last: g.max('at'),
      }),
      total: g.fields({ n: g.count() }).minGroupSize(3).pages({ size: 10, maxSize: 20 }).describedAs('All.'),
    }))
    expect(built).toEqual([])
  })

  test.each([
    ['no function', {}],
    ['fetchCollection and fetchGroups', { fetchCollection: () => [], fetchGroups: () => ({ groups: [] }) }],
  ])('may be grouped by a provider that replaces %s', (_, replaced) => {
    const provider = (store: object) => ({ ...store, ...replaced })
    expect(faults((g) => ({ each: g.fields({ n: g.count() }) }), { provider })).toEqual([])
  })

  refusals([
    {
      name: 'are an object',
      found: () => albumFaults({ aggregates: () => 5 }),
      messages: [
        'albums.aggregates: declares nothing. Remedy: give an object, or a function that returns one: aggregates: () => ({}).',
      ],
    },
    {
      name: 'are declared with the kit',
      found: () => faults((g) => ({ each: { n: g.count() } })),
      messages: [
        'albums.aggregates.each: is not an aggregate. Remedy: declare it with the kit, such as g.fields({ albums: g.count() }).',
      ],
    },
    {
      name: 'have fields of the kit',
      found: () => faults((g) => ({ each: g.fields({ n: g.count(), title: 'title' as never }) })),
      messages: [
        'albums.aggregates.each.title: is not a field of an aggregate. Remedy: declare it with the kit, such as g.count().',
      ],
    },
    {
      name: 'have a measure',
      found: () => faults((g) => ({ each: g.fields({ title: g.by() }) })),
      messages: ['albums.aggregates.each: computes nothing. Remedy: add a measure, such as g.count().'],
    },
    {
      name: 'have names that JSON:API allows',
      found: () => faults((g) => ({ 'a/b': g.fields({ n: g.count(), id: g.by('title') }) })),
      messages: [
        "albums.aggregates.a/b: has a name that cannot be part of a path and of the type 'albums-a/b'. Remedy: use letters and digits, with hyphens or underscores between them.",
        "albums.aggregates.a/b.id: 'id' is not a name that JSON:API allows for a field. Remedy: use letters and digits, with hyphens or underscores between them, but neither id nor type.",
      ],
    },
    {
      name: 'have a type that no other type has',
      found: () =>
        albumFaults(
          { ...fields, aggregates: (g: Kit) => ({ old: g.fields({ n: g.count() }) }) },
          ...others,
          resource('albums-old'),
        ),
      messages: [
        "albums.aggregates.old: has resources of the type 'albums-old', which is declared too. Remedy: give it another name.",
      ],
    },
    {
      name: 'have sizes that are numbers',
      found: () =>
        faults((g) => ({
          each: g.fields({ n: g.count() }).minGroupSize(0),
          other: g.fields({ n: g.count() }).pages({ size: 50, maxSize: 10 }),
          paged: g.fields({ n: g.count() }).pages(numberPage()),
        })),
      messages: [
        'albums.aggregates.each: has a minGroupSize() that is no whole number from 1. Remedy: give a number of rows.',
        'albums.aggregates.other: has pages() of unknown sizes. Remedy: give numbers of groups: pages({ size: 100, maxSize: 1000 }).',
        'albums.aggregates.paged: has pages() of unknown sizes. Remedy: give numbers of groups: pages({ size: 100, maxSize: 1000 }).',
      ],
    },
    {
      name: 'group by fields of the type',
      found: () => one((g) => g.by('genre')),
      messages: [
        "albums.aggregates.each.field: takes 'genre', which the type does not have. Remedy: name an attribute or a to-one relation.",
      ],
    },
    {
      name: 'do not group by times, but by their parts',
      found: () => one((g) => g.by('at')),
      messages: [
        "albums.aggregates.each.field: groups by 'at', which hardly has equal values. Remedy: group by a part: g.day('at'), g.week(…), g.month(…), g.quarter(…) or g.year(…).",
      ],
    },
    {
      name: 'take parts of dates only',
      found: () => [...one((g) => g.year('plays')), ...one((g) => g.day('hour')), ...one((g) => g.month('artist'))],
      messages: [
        "albums.aggregates.each.field: takes the year of 'plays', which is no date. Remedy: group by a date or a dateTime.",
        "albums.aggregates.each.field: takes the day of 'hour', which is no date. Remedy: group by a date or a dateTime.",
        "albums.aggregates.each.field: takes 'artist', which the type does not have. Remedy: name an attribute with a date.",
      ],
    },
    {
      name: 'do not group by decimals, times and lists',
      found: () => (['price', 'hour', 'tags'] as const).flatMap((name) => one((g) => g.by(name))),
      messages: [
        "albums.aggregates.each.field: groups by 'price', whose kind 'decimal' has no values to group by. Remedy: group by texts, whole numbers, booleans, dates or to-one relations.",
        "albums.aggregates.each.field: groups by 'hour', whose kind 'time' has no values to group by. Remedy: group by texts, whole numbers, booleans, dates or to-one relations.",
        "albums.aggregates.each.field: groups by 'tags', whose kind 'arrayList' has no values to group by. Remedy: group by texts, whole numbers, booleans, dates or to-one relations.",
      ],
    },
    {
      name: 'group by relations whose key is in the row',
      found: () => one((g) => g.by('tracks')),
      messages: [
        "albums.aggregates.each.field: groups by 'tracks', whose key is not in the rows of the type. Remedy: group by a relation that belongs to one resource.",
      ],
    },
    {
      name: 'take fields that clients can see, and whose values are those of a column',
      found: () => [...one((g) => g.by('secret')), ...one((g) => g.max('upper'))],
      messages: [
        "albums.aggregates.each.field: takes 'secret', which is hidden from all clients. Remedy: take a field that clients can see.",
        "albums.aggregates.each.field: takes 'upper', whose values are not those of a column of the type. Remedy: take an attribute with a column, that no function computes or converts.",
      ],
    },
    {
      name: 'add numbers, and compare values with an order',
      found: () => [
        ...one((g) => g.sum('title')),
        ...one((g) => g.avg('at')),
        ...one((g) => g.min('live')),
        ...one((g) => g.max('artist')),
      ],
      messages: [
        "albums.aggregates.each.field: has sum() of 'title', whose kind is 'string'. Remedy: take a number.",
        "albums.aggregates.each.field: has avg() of 'at', whose kind is 'dateTime'. Remedy: take a number.",
        "albums.aggregates.each.field: has min() of 'live', whose kind is 'boolean'. Remedy: take a number, a text, a date or a time.",
        "albums.aggregates.each.field: takes 'artist', which the type does not have. Remedy: name an attribute: g.max('title').",
      ],
    },
    {
      name: 'need a provider that groups rows',
      found: () =>
        faults((g) => ({ each: g.fields({ n: g.count() }) }), {
          provider: { fetchOne: () => null, fetchCollection: () => [] },
        }),
      messages: [
        "albums.aggregates.each: needs a provider with 'fetchGroups', which that of the type does not have. Remedy: add the function to the provider, or remove the aggregate.",
      ],
    },
    ...(['fetchOne', 'fetchCollection', 'fetchRelated', 'countRelated'] as const).map((name) => ({
      name: `need a provider that groups the rows that its own ${name} shows`,
      found: () =>
        faults((g) => ({ each: g.fields({ n: g.count() }) }), {
          provider: (store: object) => ({ ...store, [name]: () => [] }),
        }),
      messages: [
        `albums.aggregates.each: groups all rows of the store, but the provider replaces '${name}', and not 'fetchGroups'. Remedy: replace fetchGroups with a function that groups the same rows as the others, restrict the rows by a scope instead, or remove the aggregate.`,
      ],
    })),
    {
      name: 'need the values of columns, not of a serializer',
      found: () =>
        faults((g) => ({ each: g.fields({ n: g.count() }) }), {
          serializer: { members: ['title'], serialize: () => ({ id: '1' }) },
        }),
      messages: [
        'albums.aggregates.each: groups columns, but clients see the values that the serializer of the type returns. Remedy: remove the serializer or the aggregate.',
      ],
    },
    {
      name: 'are not decided by rules about rows',
      found: () =>
        faultsOf({
          resources: [
            resource('albums', {
              attributes: (a: Attributes) => ({ plays: a.integer() }),
              aggregates: (g: Kit) => ({ each: g.fields({ n: g.count() }) }),
              policy: (p: { eq(column: string, value: number): unknown; check(test: () => boolean): unknown }) => ({
                view: true,
                aggregate: p.eq('plays', 1),
              }),
            }),
          ],
          data: memoryData(),
        }),
      messages: [
        'albums.policy.aggregate: is a rule about rows, but is checked before rows are read. Remedy: declare true, false, a rule of the kit, or a function that returns one.',
      ],
    },
  ])
})
