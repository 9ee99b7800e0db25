import { accepted, type ActionKit, reply, type AttributeKit, type FilterKit, hasMany, model, noContent } from 'ashlar'
import { describe } from 'vitest'
import { albumFaults, capabilities, faultsOf, refusals, resource } from './refusals.js'

type Attributes = AttributeKit<Readonly<Record<string, unknown>>>
type Actions = ActionKit<Readonly<Record<string, unknown>>>
type Filters = FilterKit<string>

const done = { responds: noContent(), handle: () => reply.noContent() }

describe('soft deletes', () => {
  refusals([
    {
      name: 'must be true or options',
      found: () => albumFaults({ softDeletes: 'deletedAt' }),
      messages: [
        "albums.softDeletes: is 'deletedAt'. Remedy: give true, or options: softDeletes: { column: 'deletedAt' }.",
      ],
    },
    {
      name: 'must have options of the expected shape',
      found: () =>
        albumFaults({
          softDeletes: { column: 1, restore: 'yes', forceDelete: 0, restorePath: '', ability: 'x', as: 'number' },
        }),
      messages: [
        'albums.softDeletes.column: is 1. Remedy: give a string.',
        "albums.softDeletes.restore: is 'yes'. Remedy: give true or false.",
        'albums.softDeletes.forceDelete: is 0. Remedy: give true or false.',
        "albums.softDeletes.restorePath: is ''. Remedy: give a string.",
        'albums.softDeletes.ability: is not an option of softDeletes. Remedy: remove it, or correct its spelling.',
        "albums.softDeletes.as: is 'number'. Remedy: give 'date' or 'text'.",
      ],
    },
    {
      name: 'must use an existing column',
      found: () => albumFaults({ model: model('albums', { columns: ['id', 'removed'] as never }), softDeletes: true }),
      messages: [
        "albums.softDeletes: uses the column 'deletedAt', which the model 'albums' does not have. Remedy: name one of 'id', 'removed' as the column.",
      ],
    },
    {
      name: 'must not use the id',
      found: () => albumFaults({ softDeletes: { column: 'id' } }),
      messages: [
        "albums.softDeletes: uses the column 'id', which is the column of the id. Remedy: name another column.",
      ],
    },
    {
      name: 'must use moments that may be null, and that clients do not write',
      found: () =>
        albumFaults({
          attributes: (a: Attributes) => ({ removed: a.dateTime().storedAs('deletedAt') }),
          softDeletes: true,
        }),
      messages: [
        'albums.removed: uses the column of softDeletes, but is not nullable. Remedy: add nullable().',
        'albums.removed: uses the column of softDeletes, but clients can write it. Remedy: make it readOnly().',
      ],
    },
    {
      name: 'must not use a column of another kind',
      found: () =>
        albumFaults({ attributes: (a: Attributes) => ({ deletedAt: a.boolean().readOnly() }), softDeletes: true }),
      messages: [
        'albums.deletedAt: uses the column of softDeletes, but is not a date and time. Remedy: declare it with a.dateTime().',
      ],
    },
    {
      name: 'must have actions at unique paths',
      found: () => [
        ...albumFaults({ softDeletes: true, actions: (a: Actions) => ({ restore: a.resource(done) }) }),
        ...albumFaults({ softDeletes: { restorePath: 'force-delete' } }),
      ],
      messages: [
        "albums.softDeletes: has an action at the path 'restore', which another action uses. Remedy: name another path as the restorePath, or set restore: false.",
        "albums.softDeletes: has an action at the path 'force-delete', which another action uses. Remedy: name another path as the forcePath, or set forceDelete: false.",
      ],
    },
    {
      name: 'must not be on read-only types, unless restore is disabled',
      found: () => [
        ...albumFaults({ readOnly: true, softDeletes: true }),
        ...albumFaults({ readOnly: true, softDeletes: { restore: true } }),
      ],
      messages: [
        "albums.actions.restore: accepts POST, but the type is readOnly. Remedy: declare operations: ['FetchCollection', 'FetchOne'] instead of readOnly, or remove the actions with actions: null.",
      ],
    },
    {
      name: 'must have a persister behind their actions',
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
      messages: [
        "countries.softDeletes: has actions that write, but the type has no persister. Remedy: give the type a persister, put a store that writes it under 'data', or remove restore and forceDelete.",
      ],
    },
    {
      name: 'must not be deferred',
      found: () =>
        albumFaults(
          {
            softDeletes: true,
            update: accepted('jobs'),
            persister: (store: object) => ({ ...store, update: () => reply.accepted({}) }),
          },
          resource('jobs'),
        ),
      messages: [
        'albums.softDeletes: marks rows by an update, but updates are always deferred: update has no response but accepted(). Remedy: declare update: [ok(), accepted(…)], and return the row from the persister when it marks one.',
      ],
    },
  ])
})

describe('filters for the trash', () => {
  refusals([
    {
      name: 'must be for types with soft deletes',
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
      messages: [
        "albums.filters.gone: selects deleted rows of 'albums', which has no softDeletes. Remedy: remove the filter, or declare softDeletes on that type.",
        "albums.tracks.filters.all: selects deleted rows of 'tracks', which has no softDeletes. Remedy: remove the filter, or declare softDeletes on that type.",
      ],
    },
    {
      name: 'must not be combined with others',
      found: () =>
        albumFaults({ softDeletes: true, filters: (f: Filters) => ({ some: f.any({ gone: f.onlyTrashed() }) }) }),
      messages: [
        'albums.filters.some: has withTrashed() or onlyTrashed() in a group. Remedy: declare it under a separate key.',
      ],
    },
    {
      name: 'must not have refinements without effect',
      found: () =>
        albumFaults({
          softDeletes: true,
          filters: (f: Filters) => ({
            gone: f.onlyTrashed().singular().deserializeUsing(String).default(true).fixed(true),
          }),
        }),
      messages: [
        'albums.filters.gone: singular() does not fit a filter by trashed. Remedy: remove singular().',
        'albums.filters.gone: deserializeUsing() does not fit a filter by trashed. Remedy: remove deserializeUsing().',
        'albums.filters.gone: default() does not fit a filter by trashed. Remedy: remove default().',
        'albums.filters.gone: fixed() does not fit a filter by trashed. Remedy: remove fixed().',
      ],
    },
  ])
})
