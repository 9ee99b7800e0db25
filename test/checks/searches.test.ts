import { belongsToMany, belongsTo, model } from 'ashlar'
import type { AttributeKit, FilterKit, SortKit } from 'ashlar'
import { describe } from 'vitest'
import type { AttributeDeclaration } from '../../src/declare/resource/fields/attribute-declaration.js'
import { albumFaults, refusals, resource } from './refusals.js'

type Kit = { readonly [Kind in keyof AttributeKit<unknown>]: () => AttributeDeclaration }

const artists = resource('artists', { attributes: (a: Kit) => ({ name: a.string(), q: a.string() }) })
const base = {
  model: model('albums', { columns: ['id', 'title', 'notes', 'year', 'artistId'] as never }),
  attributes: (a: Kit) => ({
    title: a.string(),
    notes: a.string(),
    year: a.integer(),
    shout: a.string().computed((row) => row['title']),
    artistName: a.string().on('artist').storedAs('name'),
  }),
  relations: {
    artist: belongsTo('artists'),
  },
}
const withGuests = {
  relations: {
    ...base.relations,
    guests: belongsToMany('artists')
      .through('album_guests', { owner: 'albumId', member: 'artistId' })
      .fields((a) => ({ role: a.string() }))
      .withFilters((f) => ({ words: f.search('name'), role: f.search('pivot.role') }))
      .withSorts((s) => ({ best: s.relevance('words'), other: s.relevance('nothing') })),
  },
}
const declared = (
  filters: (f: FilterKit<string>) => object,
  sorts: (s: SortKit<string>) => object,
  more: object = {},
) => albumFaults({ ...base, filters, sorts, ...more }, artists)
const good = {
  filters: (f: FilterKit<string>) => ({
    q: f.search({ title: 1000, notes: 1 }),
    either: f.any({ a: f.search('title') }),
  }),
  sorts: (s: SortKit<string>) => ({ relevance: s.relevance('q') }),
}

describe('searches', () => {
  refusals([
    {
      name: 'look in texts of the row, each once, with a weight',
      found: () =>
        declared(
          (f) => ({
            q: f.search('title', 'notes'),
            none: (f.search as () => object)(),
            twice: f.search('title', 'title'),
            number: f.search('title', 'year'),
            unknown: f.search('tittle'),
            computed: f.search('shout'),
            foreign: f.search('artistName'),
            id: f.search('id'),
            weight: f.search({ title: 0.5 }),
            zero: f.search({ title: 0, notes: 1 }),
            group: f.any({ a: f.search('year') }),
            choice: f.search('title').default('kid'),
            truth: f.search('title').asBoolean(),
          }),
          () => ({}),
          withGuests,
        ),
      messages: [
        'albums.filters.choice: default() does not fit a filter by search. Remedy: remove default().',
        'albums.filters.truth: asBoolean() does not fit a filter by search. Remedy: remove asBoolean().',
        "albums.filters.id: searches 'id', which is not a text of the row itself. Remedy: search rows of the related type: f.hasMatching('…', { where: (_, f) => f.search('…') }), or name a text of the row.",
        "albums.filters.none: searches 0 texts. Remedy: name 1 to 16 attributes, as in f.search('title', 'notes').",
        "albums.filters.twice: searches 'title' twice. Remedy: name each text once.",
        "albums.filters.number: searches the words of values of the kind 'integer'. Remedy: name attributes with texts only.",
        "albums.filters.unknown: refers to 'tittle', which is neither an attribute of 'albums' nor a column of its model. Remedy: name one of 'title', 'notes', 'year', 'artistName', 'id', 'artistId'.",
        "albums.filters.computed: refers to the attribute 'shout', which has no column of its own. Remedy: name a column, or declare it with custom().",
        "albums.filters.foreign: searches 'artistName', which is not a text of the row itself. Remedy: search rows of the related type: f.hasMatching('…', { where: (_, f) => f.search('…') }), or name a text of the row.",
        "albums.filters.weight: has the weight 0.5 for 'title'. Remedy: give a whole number from 1 to 1000.",
        "albums.filters.zero: has the weight 0 for 'title'. Remedy: give a whole number from 1 to 1000.",
        "albums.filters.group: searches the words of values of the kind 'integer'. Remedy: name attributes with texts only.",
        "albums.guests.filters.role: searches 'pivot.role', which is not a text of the row itself. Remedy: search rows of the related type: f.hasMatching('…', { where: (_, f) => f.search('…') }), or name a text of the row.",
        "albums.guests.sorts.other: sorts by the relevance of 'nothing', which is not a filter that searches. Remedy: name one of 'words', 'role'.",
      ],
    },
    {
      name: 'are what a sort by relevance names',
      found: () =>
        declared(
          (f) => ({ q: f.search('title'), title: f.contains() }),
          (s) => ({ a: s.relevance('q'), b: s.relevance('title'), c: s.relevance('missing') }),
        ),
      messages: [
        "albums.sorts.b: sorts by the relevance of 'title', which is not a filter that searches. Remedy: name 'q'.",
        "albums.sorts.c: sorts by the relevance of 'missing', which is not a filter that searches. Remedy: name 'q'.",
      ],
    },
    {
      name: 'need a provider that accepts them',
      found: () =>
        declared(good.filters, good.sorts, { provider: { fetchOne: () => null, fetchCollection: () => [] } }),
      messages: [
        "albums.filters.q: searches rows of 'albums', whose provider does not have acceptsSearch. Remedy: remove the filter, or set acceptsSearch on the provider, which must then apply search conditions.",
        "albums.filters.either: searches rows of 'albums', whose provider does not have acceptsSearch. Remedy: remove the filter, or set acceptsSearch on the provider, which must then apply search conditions.",
      ],
    },
    {
      name: 'are accepted of a provider that states it',
      found: () =>
        declared(good.filters, good.sorts, {
          provider: { fetchOne: () => null, fetchCollection: () => [], acceptsSearch: true },
        }),
      messages: [],
    },
  ])
})
