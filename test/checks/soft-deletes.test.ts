import { accepted, type ActionKit, answer, type AttributeKit, type FilterKit, hasMany, model, noContent } from 'ashlar'
import { describe } from 'vitest'
import { albumFaults, capabilities, faultsOf, refusals, resource } from './refusals.js'

type Attributes = AttributeKit<Readonly<Record<string, unknown>>>
type Actions = ActionKit<Readonly<Record<string, unknown>>>
type Filters = FilterKit<string>

const done = { responds: noContent(), handle: () => answer.noContent() }

describe('soft deletes', () => {
  refusals([
    {
      name: 'are true or options',
      found: () => albumFaults({ softDeletes: 'deletedAt' }),
      says: [
        "albums.softDeletes: is 'deletedAt'. Remedy: give true, or options: softDeletes: { column: 'deletedAt' }.",
      ],
    },
    {
      name: 'have options of the shape that is expected',
      found: () =>
        albumFaults({
          softDeletes: { column: 1, restore: 'yes', forceDelete: 0, restorePath: '', ability: 'x', as: 'number' },
        }),
      says: [
        'albums.softDeletes.column: is 1. Remedy: give a text.',
        "albums.softDeletes.restore: is 'yes'. Remedy: give true or false.",
        'albums.softDeletes.forceDelete: is 0. Remedy: give true or false.',
        "albums.softDeletes.restorePath: is ''. Remedy: give a text.",
        'albums.softDeletes.ability: is no option of soft deletes. Remedy: take it away, or correct its spelling.',
        "albums.softDeletes.as: is 'number'. Remedy: give 'date' or 'text'.",
      ],
    },
    {
      name: 'stand on a column that there is',
      found: () => albumFaults({ model: model('albums', { columns: ['id', 'removed'] as never }), softDeletes: true }),
      says: [
        "albums.softDeletes: stands on the column 'deletedAt', which the model 'albums' does not have. Remedy: name one of 'id', 'removed' as the column.",
      ],
    },
    {
      name: 'do not stand on the id',
      found: () => albumFaults({ softDeletes: { column: 'id' } }),
      says: [
        "albums.softDeletes: stands on the column 'id', which is that of the id. Remedy: name a column of its own.",
      ],
    },
    {
      name: 'stand on moments that may be null, and that clients do not write',
      found: () =>
        albumFaults({
          attributes: (a: Attributes) => ({ removed: a.dateTime().storedAs('deletedAt') }),
          softDeletes: true,
        }),
      says: [
        'albums.removed: stands on the column of softDeletes, but is never null. Remedy: add nullable().',
        'albums.removed: stands on the column of softDeletes, which clients could then write. Remedy: make it readOnly().',
      ],
    },
    {
      name: 'do not stand on what is no moment',
      found: () =>
        albumFaults({ attributes: (a: Attributes) => ({ deletedAt: a.boolean().readOnly() }), softDeletes: true }),
      says: [
        'albums.deletedAt: stands on the column of softDeletes, but is no moment. Remedy: declare it with a.dateTime().',
      ],
    },
    {
      name: 'have actions at paths of their own',
      found: () => [
        ...albumFaults({ softDeletes: true, actions: (a: Actions) => ({ restore: a.resource(done) }) }),
        ...albumFaults({ softDeletes: { restorePath: 'force-delete' } }),
      ],
      says: [
        "albums.softDeletes: has an action at the path 'restore', where there is another one. Remedy: name another path as the restorePath, or say restore: false.",
        "albums.softDeletes: has an action at the path 'force-delete', where there is another one. Remedy: name another path as the forcePath, or say forceDelete: false.",
      ],
    },
    {
      name: 'are not for types that are read only, unless nobody may restore',
      found: () => [
        ...albumFaults({ readOnly: true, softDeletes: true }),
        ...albumFaults({ readOnly: true, softDeletes: { restore: true } }),
      ],
      says: [
        "albums.actions.restore: is called with POST, but the type is readOnly. Remedy: say operations: ['FetchCollection', 'FetchOne'] instead of readOnly, or take the actions away with actions: null.",
      ],
    },
    {
      name: 'have a persister behind their actions',
      found: () =>
        faultsOf({
          resources: [
            capabilities('countries', {
              serializer: { members: [], serialize: () => ({ id: '1' }) },
              provider: { fetchOne: () => null },
              softDeletes: { restore: true },
            }),
          ],
        }),
      says: [
        "countries.softDeletes: has actions that write, but the type has no persister. Remedy: give the type a persister, put a store that writes it under 'data', or take restore and forceDelete away.",
      ],
    },
    {
      name: 'are done at once',
      found: () =>
        albumFaults(
          {
            softDeletes: true,
            update: accepted('jobs'),
            persister: (own: object) => ({ ...own, update: () => answer.accepted({}) }),
          },
          resource('jobs'),
        ),
      says: [
        'albums.softDeletes: marks rows by an update, and updates are always put off: update has nothing but accepted(). Remedy: declare update: [ok(), accepted(…)], and let the persister answer a row where it marks one.',
      ],
    },
  ])
})

describe('filters for the trash', () => {
  refusals([
    {
      name: 'are for types that have one',
      found: () =>
        albumFaults(
          {
            filters: (f: Filters) => ({ gone: f.onlyTrashed() }),
            relations: {
              tracks: hasMany('tracks')
                .via('albumId')
                .withFilters((f) => ({ all: f.withTrashed() })),
            },
          },
          resource('tracks'),
        ),
      says: [
        "albums.filters.gone: asks for deleted rows of 'albums', which has no softDeletes. Remedy: take the filter away, or declare softDeletes there.",
        "albums.tracks.filters.all: asks for deleted rows of 'tracks', which has no softDeletes. Remedy: take the filter away, or declare softDeletes there.",
      ],
    },
    {
      name: 'stand alone',
      found: () =>
        albumFaults({ softDeletes: true, filters: (f: Filters) => ({ some: f.any({ gone: f.onlyTrashed() }) }) }),
      says: [
        'albums.filters.some: has withTrashed() or onlyTrashed() in a group. Remedy: declare it under a key of its own.',
      ],
    },
    {
      name: 'take no refinements that would mean nothing',
      found: () =>
        albumFaults({
          softDeletes: true,
          filters: (f: Filters) => ({
            gone: f.onlyTrashed().singular().deserializeUsing(String).default(true).fixed(true),
          }),
        }),
      says: [
        'albums.filters.gone: singular() does not fit a filter by trashed. Remedy: take singular() away.',
        'albums.filters.gone: deserializeUsing() does not fit a filter by trashed. Remedy: take deserializeUsing() away.',
        'albums.filters.gone: default() does not fit a filter by trashed. Remedy: take default() away.',
        'albums.filters.gone: fixed() does not fit a filter by trashed. Remedy: take fixed() away.',
      ],
    },
  ])
})
