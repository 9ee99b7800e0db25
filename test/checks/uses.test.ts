import { belongsTo, belongsToMany, hasMany, model, morphTo } from 'ashlar'
import type { AttributeKit, FilterKit, RuleKit, SortKit } from 'ashlar'
import { describe } from 'vitest'
import type { AttributeDeclaration } from '../../src/declare/resource/fields/attribute-declaration.js'
import { albumFaults, refusals, resource } from './refusals.js'

type Kit = { readonly [Kind in keyof AttributeKit<unknown>]: () => AttributeDeclaration }

const artists = resource('artists', { attributes: (a: Kit) => ({ name: a.string() }) })
const columns = ['id', 'title', 'year', 'artistId'] as never
const base = {
  model: model('albums', { columns }),
  attributes: (a: Kit) => ({ title: a.string(), year: a.integer() }),
  relations: { artist: belongsTo('artists') },
}
const policy = (p: RuleKit) => ({
  view: true,
  update: p.eq('id', 1),
  custom: { audit: () => true, edit: p.check(() => true) },
})
const always = (): boolean => true

const needsCaller = 'Remedy: name an ability that the caller decides, or give a function of the context.'
const needsCondition = 'Remedy: give a function of the context, or name an ability of the policy.'

describe('conditions of filters, sorts and includes', () => {
  refusals([
    {
      name: 'must be functions, or abilities that the caller decides',
      found: () =>
        albumFaults(
          {
            ...base,
            attributes: (a: Kit) => ({
              title: a.string().sortableIf('edit'),
              year: a.integer().sortableIf((async () => true) as never),
            }),
            relations: {
              artist: belongsTo('artists')
                .includableIf('update')
                .filterableIf(1 as never),
              guests: hasMany('artists')
                .via('albumId')
                .withFilters((f) => ({ name: f.where().usableIf('aduit') }))
                .withSorts((s) => ({ name: s.field().usableIf(null as never), id: s.field().usableIf('audit') })),
            },
            filters: (f: FilterKit<string>) => ({
              title: f.where().usableIf('view'),
              year: f.where().usableIf('nobody'),
            }),
            sorts: (s: SortKit<string>) => ({ old: s.field('year').usableIf('update') }),
            allowedIncludePaths: [
              'guests',
              { path: 'artist', usableIf: 'update' },
              { path: 'guests', usableIf: null },
              { path: 'guests' },
            ],
            policy,
          },
          artists,
        ),
      messages: [
        `albums.title.sortableIf: names the ability 'edit', which is a rule about rows, but is checked before rows are read. ${needsCaller}`,
        'albums.year.sortableIf: is an async function. Remedy: use a synchronous function: the result is not awaited.',
        `albums.artist.includableIf: names the ability 'update', which is a rule about rows, but is checked before rows are read. ${needsCaller}`,
        `albums.artist.filterableIf: is 1. ${needsCondition}`,
        "albums.guests.filters.name.usableIf: names the ability 'aduit', which the policy does not declare. Remedy: declare policy.custom.aduit, or name another ability.",
        `albums.guests.sorts.name.usableIf: is undefined. ${needsCondition}`,
        "albums.filters.year.usableIf: names the ability 'nobody', which the policy does not declare. Remedy: declare policy.custom.nobody, or name another ability.",
        `albums.sorts.old.usableIf: names the ability 'update', which is a rule about rows, but is checked before rows are read. ${needsCaller}`,
        `albums.allowedIncludePaths['artist'].usableIf: names the ability 'update', which is a rule about rows, but is checked before rows are read. ${needsCaller}`,
        `albums.allowedIncludePaths['guests'].usableIf: is undefined. ${needsCondition}`,
        `albums.allowedIncludePaths['guests'].usableIf: is undefined. ${needsCondition}`,
      ],
    },
    {
      name: 'must name the ability that an operation requires instead of the usual one',
      found: () =>
        albumFaults(
          {
            ...base,
            filters: (f: FilterKit<string>) => ({ title: f.where().usableIf('view') }),
            abilities: { FetchOne: 'edit' },
            policy,
          },
          artists,
        ),
      messages: [
        `albums.filters.title.usableIf: names the ability 'edit', which is a rule about rows, but is checked before rows are read. ${needsCaller}`,
      ],
    },
    {
      name: 'need a policy for abilities',
      found: () =>
        albumFaults({ ...base, filters: (f: FilterKit<string>) => ({ title: f.where().usableIf('audit') }) }, artists),
      messages: [
        "albums.filters.title.usableIf: names the ability 'audit', but the type has no policy. Remedy: declare a policy with this ability, or give a function of the context.",
      ],
    },
    {
      name: 'must be on something that clients can name',
      found: () =>
        albumFaults(
          {
            attributes: (a: Kit) => ({
              title: a.string(),
              info: a.object().fields({ label: a.string().sortableIf(always) }),
            }),
            relations: {
              artist: belongsTo('artists'),
              by: morphTo(['artists', 'albums']).via('byId', 'byType').filterableIf(always),
              guests: belongsToMany('artists')

                .through('guests', { owner: 'albumId', member: 'artistId' })
                .fields((a) => ({ place: a.integer().sortableIf(always) })),
            },
            filters: (f: FilterKit<string>) => ({
              q: f.any({ title: f.where().usableIf(always), all: f.all({ title: f.where().usableIf(always) }) }),
            }),
          },
          artists,
        ),
      messages: [
        'albums.by: filterableIf() needs a relation to one type. Remedy: declare a filter with f.has() or f.custom() instead.',
        'albums.filters.q: usableIf() does nothing on a filter that has no key of its own. Remedy: put it on the filter that clients name.',
        'albums.filters.q: usableIf() does nothing on a filter that has no key of its own. Remedy: put it on the filter that clients name.',
        'albums.info.label: sortableIf() does nothing inside a composite. Remedy: declare a sort with usableIf() under sorts.',
        "albums.guests.place: sortableIf() does nothing on a field of join rows. Remedy: declare the sort with withSorts(): s.field('pivot.place').usableIf(…).",
      ],
    },
    {
      name: 'must not be replaced by another declaration of the same key',
      found: () =>
        albumFaults(
          {
            ...base,
            attributes: (a: Kit) => ({ title: a.string().sortableIf(always), year: a.integer().sortableIf(always) }),
            relations: { artist: belongsTo('artists').filterableIf(always) },
            filters: (f: FilterKit<string>) => ({ artist: f.through('artist.name') }),
            sorts: (s: SortKit<string>) => ({ title: s.field(), year: s.field().usableIf(always) }),
          },
          artists,
        ),
      messages: [
        'albums.title.sortableIf: does nothing, because sorts.title replaces it. Remedy: put usableIf() on sorts.title.',
        'albums.artist.filterableIf: does nothing, because filters.artist replaces it. Remedy: put usableIf() on filters.artist.',
      ],
    },
    {
      name: 'of a path must not be overridden by another path',
      found: () =>
        albumFaults(
          {
            ...base,
            relations: { artist: belongsTo('artists'), maker: belongsTo('artists').via('artistId') },
            allowedIncludePaths: [
              { path: 'artist', usableIf: always },
              'artist.albums',
              { path: 'artist.albums.maker', usableIf: always },
              { path: 'maker', usableIf: always },
              { path: 'maker.albums', usableIf: always },
            ],
          },
          resource('artists', {
            attributes: (a: Kit) => ({ name: a.string() }),
            relations: { albums: hasMany('albums').via('artistId') },
          }),
        ),
      messages: [
        "albums.allowedIncludePaths['artist'].usableIf: does nothing, because 'artist.albums' allows the path to everybody. Remedy: leave the condition out, or give 'artist.albums' one too.",
      ],
    },
    {
      name: 'must not contradict cannotBeIncluded()',
      found: () =>
        albumFaults(
          { ...base, relations: { artist: belongsTo('artists').includableIf(always).cannotBeIncluded() } },
          artists,
        ),
      messages: ['albums.artist: is includableIf(), but cannotBeIncluded() by anybody. Remedy: remove one of the two.'],
    },
    {
      name: 'must be in paths of the form { path, usableIf }',
      found: () =>
        albumFaults({ ...base, allowedIncludePaths: ['artist', { path: 'artist', useableIf: always }] }, artists),
      messages: [
        "albums.allowedIncludePaths: contains an entry that is neither a path nor { path, usableIf }. Remedy: give a list of paths, ['artist', 'tracks.album'], or null for all.",
        `albums.allowedIncludePaths['artist'].usableIf: is undefined. ${needsCondition}`,
      ],
    },
    {
      name: 'must be in paths that exist',
      found: () => albumFaults({ ...base, allowedIncludePaths: [{ path: 'artist.label', usableIf: always }] }, artists),
      messages: [
        "albums.allowedIncludePaths: allows 'artist.label', which is not a valid path: 'artists' has no relation 'label'. Remedy: correct the path, or leave it out.",
      ],
    },
    {
      name: 'may be any function and any ability of the caller',
      found: () =>
        albumFaults(
          {
            ...base,
            attributes: (a: Kit) => ({ title: a.string().sortableIf('audit'), year: a.integer().sortableIf(always) }),
            relations: {
              artist: belongsTo('artists').filterableIf('audit').includableIf('update').cannotBeIncluded(always),
            },
            filters: (f: FilterKit<string>) => ({ title: f.where().usableIf('view') }),
            sorts: (s: SortKit<string>) => ({
              title: s.field().usableIf('audit'),
              old: s.field('year').usableIf(always),
            }),
            allowedIncludePaths: [{ path: 'artist', usableIf: 'audit' }],
            abilities: { Update: false },
            policy,
          },
          artists,
        ),
      messages: [],
    },
  ])
})
