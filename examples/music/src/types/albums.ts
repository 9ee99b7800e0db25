import { belongsTo, cursorPage, defineResource, enumeration, hasMany, id, numberPage, pageMenu } from 'ashlar'
import { table } from 'ashlar/sql'
import { isAdmin } from '../access/caller.js'
import { withToken } from '../access/policies.js'
import { servedBy } from '../served-by.js'
import type { AlbumRow } from '../tables.js'
import { albumActions } from './album-actions.js'
import { removeReferences } from './remove-references.js'

const AlbumStatus = enumeration('AlbumStatus', {
  upcoming: 'Announced, not out yet.',
  released: 'Out, and on sale.',
  withdrawn: 'Was out, and no longer is.',
})

export const albums = defineResource('albums', {
  description: 'Records, with their tracks.',
  server: ['default', 'admin'],
  model: table<AlbumRow>('albums', { columns: { releasedAt: 'instant' } }),
  id: id().numeric(),
  attributes: (a) => ({
    title: a.string().required().maxLength(200).sortable(),
    averageRating: a.decimal().nullable().readOnly(),
    artwork: a.string().nullable().readOnly(),
    releasedAt: a.dateTime().before(oneYearFromNow).sortable(),
    explicit: a.boolean(),
    status: a.string().enum(AlbumStatus).sortable(),
    availableFrom: a.date().nullable(),
    availableUntil: a.date().nullable().compareWith('availableFrom', '>'),
    // One object in documents, two columns in the table.
    releaseInfo: a
      .map()
      .fields({ label: a.string().nullable().maxLength(120), catalogueNumber: a.string().nullable().maxLength(60) })
      .nullable(),
  }),
  relations: {
    artist: belongsTo('artists')
      .filterable()
      .withFilters((f) => ({ name: f.where() })),
    tracks: hasMany('tracks')
      .countable()
      .withFilters((f) => ({ longerThan: f.greaterThan('durationSeconds') }))
      .withSorts((s) => ({ duration: s.field('durationSeconds') }))
      .identifierMeta(servedBy),
  },
  filters: (f) => ({
    title: f.contains(),
    'artist.name': f.through(),
    tracks: f.has(),
    rating: f.range('averageRating'),
    releasedAt: f.dateRange(),
    q: f.search('title').example('kid a'),
    status: f.where().usableIf(isAdmin),
  }),
  sorts: (s) => ({ 'artist.name': s.through(), relevance: s.relevance('q') }),
  aggregates: (g) => ({
    'by-year': g.fields({ year: g.year('releasedAt'), albums: g.count(), rating: g.avg('averageRating') }),
    'by-artist': g.fields({ artist: g.by(), albums: g.count(), latest: g.max('releasedAt') }),
  }),
  version: 'version',
  policy: withToken,
  hooks: { beforeDelete: removeReferences('albums') },
  actions: albumActions,
  countable: true,
  // Page numbers for a menu of pages, cursors for a list that may change between requests.
  pagination: pageMenu([numberPage(), cursorPage()]),
  maxIncludeDepth: 2,
  tags: ['Catalog'],
})

/** A function, so that it is called for every request. */
function oneYearFromNow(): Date {
  const bound = new Date()
  bound.setUTCFullYear(bound.getUTCFullYear() + 1)
  return bound
}
