import { belongsTo, belongsToMany, hasMany, model, morphTo } from 'ashlar'
import type { AttributeKit, FilterKit, SortKit } from 'ashlar'
import { describe } from 'vitest'
import type { AttributeDeclaration } from '../../src/declare/resource/fields/attribute-declaration.js'
import { albumFaults, refusals, resource } from './refusals.js'

type Kit = { readonly [Kind in keyof AttributeKit<unknown>]: () => AttributeDeclaration }

const artists = resource('artists', {
  model: model('artists', { columns: ['id', 'name', 'country', 'labelId', 'albumId'] as never }),
  attributes: (a: Kit) => ({ name: a.string() }),
  relations: { albums: hasMany('albums').via('artistId'), label: belongsTo('labels') },
})
const labels = resource('labels', { attributes: (a: Kit) => ({ name: a.string() }) })
const base = {
  model: model('albums', { columns: ['id', 'title', 'label', 'artistId', 'byId', 'byType'] as never }),
  attributes: (a: Kit) => ({
    title: a.string().sortable(),
    shout: a.string().computed((row) => row['title']),
    info: a.map().fields({ label: a.string() }),
  }),
  relations: {
    artist: belongsTo('artists'),
    guests: hasMany('artists').via('albumId'),
    by: morphTo(['artists', 'labels']),
  },
}
const filters = (declare: (f: FilterKit<string>) => object) =>
  albumFaults({ ...base, filters: declare }, artists, labels)
const sorts = (declare: (s: SortKit<string>) => object) => albumFaults({ ...base, sorts: declare }, artists, labels)

describe('filters', () => {
  refusals([
    {
      name: 'must be declared with the kit',
      found: () => filters(() => ({ title: 'contains' })),
      messages: [
        "albums.filters.title: is not a filter. Remedy: declare it with the kit, such as f.contains('title').",
      ],
    },
    {
      name: 'must have refinements that fit',
      found: () => filters((f) => ({ title: f.contains().operator('=') })),
      messages: [
        "albums.filters.title: operator('=') contradicts the kind of the filter. Remedy: use where() with the operator.",
      ],
    },
    {
      name: 'must have a known operator',
      found: () => filters((f) => ({ title: f.where('title', '~' as never) })),
      messages: [
        "albums.filters.title: '~' is not a filter operator. Remedy: use one of = === != > >= < <= like starts ends.",
      ],
    },
    {
      name: 'must have a key',
      found: () => filters((f) => ({ '': f.where('title') })),
      messages: [
        "albums.filters.: clients cannot write the key '': filter[]. Remedy: give a key that is not empty and has no brackets.",
      ],
    },
    {
      name: 'must have a key without brackets',
      found: () => filters((f) => ({ 'a[b]': f.where('title') })),
      messages: [
        "albums.filters.a[b]: clients cannot write the key 'a[b]': filter[a[b]]. Remedy: give a key that is not empty and has no brackets.",
      ],
    },
    {
      name: 'must use attributes or columns',
      found: () => filters((f) => ({ titel: f.where(), year: f.range('released') })),
      messages: [
        "albums.filters.titel: refers to 'titel', which is neither an attribute of 'albums' nor a column of its model. Remedy: name one of 'title', 'id', 'label', 'artistId', 'byId', 'byType'.",
        "albums.filters.year: refers to 'released', which is neither an attribute of 'albums' nor a column of its model. Remedy: name one of 'title', 'id', 'label', 'artistId', 'byId', 'byType'.",
      ],
    },
    {
      name: 'must use what the key names, in groups too',
      found: () => filters((f) => ({ q: f.any({ title: f.contains(), artist: f.contains() }) })),
      messages: [
        "albums.filters.q: refers to 'artist', which is neither an attribute of 'albums' nor a column of its model. Remedy: name one of 'title', 'id', 'label', 'artistId', 'byId', 'byType'.",
      ],
    },
    {
      name: 'must group filters',
      found: () => filters((f) => ({ q: f.all({ title: {} as never }) })),
      messages: ["albums.filters.q: is not a filter. Remedy: declare it with the kit, such as f.contains('title')."],
    },
    {
      name: 'must use stored columns',
      found: () => filters((f) => ({ shout: f.where(), info: f.isNull() })),
      messages: [
        "albums.filters.shout: refers to the attribute 'shout', which has no column of its own. Remedy: name a column, or declare it with custom().",
        "albums.filters.info: refers to the attribute 'info', which has no column of its own. Remedy: name a column, or declare it with custom().",
      ],
    },
    {
      name: 'may use columns and the id',
      found: () => filters((f) => ({ l: f.where('label'), id: f.where(), ids: f.idIn() })),
      messages: [],
    },
    {
      name: 'must name relations',
      found: () => filters((f) => ({ artist: f.has(), tracks: f.doesntHave() })),
      messages: [
        "albums.filters.tracks: refers to 'tracks', which is not a relation of 'albums'. Remedy: name one of 'artist', 'guests', 'by'.",
      ],
    },
    {
      name: 'must follow relations',
      found: () => filters((f) => ({ 'label.name': f.through() })),
      messages: [
        "albums.filters.label.name: the path 'label.name' is not valid: 'albums' has no relation 'label'. Remedy: name declared relations, each of them on the type before it, and an attribute at the end.",
      ],
    },
    {
      name: 'must follow relations at every depth',
      found: () => filters((f) => ({ a: f.through('guests.band.name') })),
      messages: [
        "albums.filters.a: the path 'guests.band.name' is not valid: 'artists' has no relation 'band'. Remedy: name declared relations, each of them on the type before it, and an attribute at the end.",
      ],
    },
    {
      name: 'must not follow relations to several types',
      found: () => filters((f) => ({ a: f.through('by.name') })),
      messages: [
        "albums.filters.a: the path 'by.name' is not valid: 'albums.by' points to several types. Remedy: name declared relations, each of them on the type before it, and an attribute at the end.",
      ],
    },
    {
      name: 'must end in an attribute',
      found: () => filters((f) => ({ a: f.through('artist.titel'), b: f.through('artist.country') })),
      messages: [
        "albums.filters.a: the path 'artist.titel' ends in 'titel', which is not a stored attribute of 'artists'. Remedy: end it in one of 'name', 'id'.",
      ],
    },
    {
      name: 'must have a path',
      found: () => filters((f) => ({ name: f.through() })),
      messages: [
        "albums.filters.name: 'name' is not a path through relations. Remedy: name a relation and an attribute: through('artist.name').",
      ],
    },
    {
      name: 'that are user-defined must be executable',
      found: () => filters((f) => ({ a: f.custom({}), b: f.custom({ matches: 5 as never }) })),
      messages: [
        'albums.filters.a: has none of where, matches and apply, so that no store can execute it. Remedy: give where, which composes other filters, or the other two.',
        'albums.filters.b: matches is 5. Remedy: give a function that takes a row and a value.',
      ],
    },
    {
      name: 'must search for substrings in texts only',
      found: () =>
        albumFaults(
          {
            attributes: (a: Kit) => ({
              title: a.string(),
              year: a.integer(),
              released: a.date(),
              tags: a.arrayList(),
              shout: a.integer().storedAs('volume'),
            }),
            relations: {
              artist: belongsTo('artists'),
              guests: belongsToMany('artists')
                .through('album_guests', { owner: 'albumId', member: 'artistId' })
                .fields((a) => ({ position: a.integer(), role: a.string() }))
                .withFilters((f) => ({ role: f.contains('pivot.role'), position: f.contains('pivot.position') })),
            },
            filters: (f: FilterKit<string>) => ({
              title: f.contains(),
              raw: f.startsWith('note'),
              id: f.contains(),
              year: f.startsWith(),
              volume: f.endsWith(),
              q: f.any({ title: f.contains(), released: f.where('released', 'like') }),
              tags: f.contains(),
              name: f.through('artist.name').operator('like'),
              born: f.through('artist.born').operator('starts'),
            }),
          },
          resource('artists', { attributes: (a: Kit) => ({ name: a.string(), born: a.integer() }) }),
        ),
      messages: [
        "albums.filters.year: searches for a substring, but the values are of the kind 'integer'. Remedy: use where(), in() or range(), or declare it with custom().",
        "albums.filters.volume: searches for a substring, but the values are of the kind 'integer'. Remedy: use where(), in() or range(), or declare it with custom().",
        "albums.filters.q: searches for a substring, but the values are of the kind 'date'. Remedy: use where(), in() or range(), or declare it with custom().",
        "albums.filters.tags: searches for a substring, but the values are of the kind 'arrayList'. Remedy: use where(), in() or range(), or declare it with custom().",
        "albums.filters.born: searches for a substring, but the values are of the kind 'integer'. Remedy: use where(), in() or range(), or declare it with custom().",
        "albums.guests.filters.position: searches for a substring, but the values are of the kind 'integer'. Remedy: use where(), in() or range(), or declare it with custom().",
      ],
    },
    {
      name: 'must be synchronous',
      found: () => {
        const late = (async () => true) as never
        return filters((f) => ({
          a: f.custom({ matches: late }),
          b: f.custom({ where: late }),
          title: f.where().deserializeUsing(late),
        }))
      },
      messages: [
        'albums.filters.a: matches is an async function. Remedy: use a synchronous function: the result is not awaited.',
        'albums.filters.b: where is an async function. Remedy: use a synchronous function: the result is not awaited.',
        'albums.filters.title: deserializeUsing() was given an async function. Remedy: use a synchronous function: the result is not awaited.',
      ],
    },
    {
      name: 'must name a known UUID version',
      found: () => filters((f) => ({ title: f.where().uuid(0) })),
      messages: ['albums.filters.title: there is no UUID version 0. Remedy: use a version from 1 to 8.'],
    },
    {
      name: 'that are user-defined over relations must be executable',
      found: () => filters((f) => ({ a: f.hasMatching('guests', {}) })),
      messages: [
        'albums.filters.a: has none of where, matches and apply, so that no store can execute it. Remedy: give where, which composes other filters, or the other two.',
      ],
    },
    {
      name: 'must be composed for rows of one type',
      found: () => filters((f) => ({ a: f.hasMatching('by', { where: () => null }) })),
      messages: [
        'albums.filters.a: composes a condition for rows of several types. Remedy: give matches and apply instead of where.',
      ],
    },
    {
      name: 'must have patterns that are expressions',
      found: () => filters((f) => ({ title: f.where().pattern('(') })),
      messages: [
        'albums.filters.title: the pattern of pattern() is not a regular expression: /(/: Unterminated group. Remedy: fix the expression.',
      ],
    },
    {
      name: 'must not use join rows if there are none',
      found: () => filters((f) => ({ p: f.where('pivot.position') })),
      messages: [
        "albums.filters.p: refers to 'pivot.position', but there are no join rows with fields. Remedy: declare it with withFilters() or withSorts() of a belongsToMany() that has fields().",
      ],
    },
    {
      name: 'of a relation must use the related type',
      found: () =>
        albumFaults(
          {
            relations: {
              guests: hasMany('artists')
                .via('albumId')
                .withFilters((f) => ({
                  name: f.where(),
                  title: f.where(),
                  'x[': f.contains('name').operator('='),
                })),
            },
          },
          artists,
          labels,
        ),
      messages: [
        "albums.guests.filters.x[: operator('=') contradicts the kind of the filter. Remedy: use where() with the operator.",
        "albums.guests.filters.x[: clients cannot write the key 'x[': filter[x[]. Remedy: give a key that is not empty and has no brackets.",
        "albums.guests.filters.title: refers to 'title', which is neither an attribute of 'artists' nor a column of its model. Remedy: name one of 'name', 'id', 'country', 'labelId', 'albumId'.",
      ],
    },
    {
      name: 'of join rows must use their fields',
      found: () =>
        albumFaults(
          {
            relations: {
              guests: belongsToMany('artists')
                .through('album_guests', { owner: 'albumId', member: 'artistId' })
                .fields((a) => ({ position: a.integer() }))
                .withFilters((f) => ({ position: f.where('pivot.position'), weight: f.where('pivot.weight') })),
            },
          },
          artists,
          labels,
        ),
      messages: [
        "albums.guests.filters.weight: refers to 'pivot.weight', which is not a field of the join rows. Remedy: name 'pivot.position'.",
      ],
    },
    {
      name: 'of a relation must be filters',
      found: () =>
        albumFaults(
          {
            relations: {
              guests: hasMany('artists')
                .via('albumId')
                .withFilters(() => ({ name: 5 as never })),
            },
          },
          artists,
          labels,
        ),
      messages: [
        "albums.guests.filters.name: is not a filter. Remedy: declare it with the kit, such as f.contains('title').",
      ],
    },
  ])
})

describe('sorts', () => {
  refusals([
    {
      name: 'must be declared with the kit',
      found: () => sorts(() => ({ title: 'asc' })),
      messages: ["albums.sorts.title: is not a sort. Remedy: declare it with the kit, such as s.field('title')."],
    },
    {
      name: 'must be of a known kind',
      found: () => sorts(() => ({ title: { kind: 'random' } })),
      messages: ["albums.sorts.title: is not a sort. Remedy: declare it with the kit, such as s.field('title')."],
    },
    {
      name: 'must have a key that clients can write',
      found: () => sorts((s) => ({ '-a': s.field('title'), 'a,b': s.field('title') })),
      messages: [
        "albums.sorts.-a: clients cannot write the key '-a': sort=-a. Remedy: give a key that is not empty, has no comma and does not start with a hyphen.",
        "albums.sorts.a,b: clients cannot write the key 'a,b': sort=a,b. Remedy: give a key that is not empty, has no comma and does not start with a hyphen.",
      ],
    },
    {
      name: 'must use attributes or columns',
      found: () => sorts((s) => ({ year: s.field() })),
      messages: [
        "albums.sorts.year: refers to 'year', which is neither an attribute of 'albums' nor a column of its model. Remedy: name one of 'title', 'id', 'label', 'artistId', 'byId', 'byType'.",
      ],
    },
    {
      name: 'must use stored columns',
      found: () => sorts((s) => ({ shout: s.field() })),
      messages: [
        "albums.sorts.shout: refers to the attribute 'shout', which has no column of its own. Remedy: name a column, or declare it with custom().",
      ],
    },
    {
      name: 'by an attribute need its column',
      found: () =>
        albumFaults({
          attributes: (a: Kit) => ({
            shout: a
              .string()
              .computed(() => 'x')
              .sortable(),
          }),
        }),
      messages: [
        "albums.sorts.shout: refers to the attribute 'shout', which has no column of its own. Remedy: name a column, or declare it with custom().",
      ],
    },
    {
      name: 'must follow to-one relations',
      found: () => sorts((s) => ({ a: s.through('guests.name'), b: s.through('artist.label.name') })),
      messages: [
        "albums.sorts.a: the path 'guests.name' is not valid: 'albums.guests' is a to-many relation. Remedy: name declared relations, each of them on the type before it, and an attribute at the end.",
      ],
    },
    {
      name: 'must end in an attribute',
      found: () => sorts((s) => ({ a: s.through('artist.titel') })),
      messages: [
        "albums.sorts.a: the path 'artist.titel' ends in 'titel', which is not a stored attribute of 'artists'. Remedy: end it in one of 'name', 'id'.",
      ],
    },
    {
      name: 'that are user-defined must be executable',
      found: () => sorts((s) => ({ a: s.custom({}), b: s.custom({ compare: 'a' as never }) })),
      messages: [
        'albums.sorts.a: has neither compare nor apply, so that no store can execute it. Remedy: give one of the two, or both.',
        "albums.sorts.b: compare is 'a'. Remedy: give a function that takes two rows.",
      ],
    },
    {
      name: 'must be by values with an order',
      found: () =>
        albumFaults(
          {
            attributes: (a: Kit) => ({
              tags: a.arrayList().sortable(),
              credits: a.object().fields({ name: a.string() }),
              year: a.integer().sortable(),
            }),
            relations: { artist: belongsTo('artists') },
            sorts: (s: SortKit<string>) => ({ credits: s.field(), aliases: s.through('artist.aliases') }),
          },
          resource('artists', { attributes: (a: Kit) => ({ aliases: a.arrayHash() }) }),
        ),
      messages: [
        "albums.sorts.tags: sorts by values of the kind 'arrayList', which have no order. Remedy: sort by another attribute or column, or declare it with custom().",
        "albums.sorts.credits: sorts by values of the kind 'object', which have no order. Remedy: sort by another attribute or column, or declare it with custom().",
        "albums.sorts.aliases: sorts by values of the kind 'arrayHash', which have no order. Remedy: sort by another attribute or column, or declare it with custom().",
      ],
    },
    {
      name: 'must be known sorts by default',
      found: () => albumFaults({ ...base, defaultSort: ['-title', 'year'] }, artists, labels),
      messages: [
        "albums.defaultSort: names 'year', which is not a sort of the type. Remedy: make the attribute sortable(), or name one of 'id', 'title'.",
      ],
    },
    {
      name: 'must not be empty by default',
      found: () => albumFaults({ defaultSort: ['title'] }),
      messages: [
        "albums.defaultSort: names 'title', which is not a sort of the type. Remedy: make the attribute sortable(), or name 'id'.",
      ],
    },
    {
      name: 'must be for relations to many',
      found: () =>
        albumFaults(
          { relations: { artist: belongsTo('artists').withSorts((s) => ({ name: s.field() })) } },
          artists,
          labels,
        ),
      messages: ['albums.artist: has sorts, but a to-one relation has nothing to sort. Remedy: remove withSorts().'],
    },
  ])
})
