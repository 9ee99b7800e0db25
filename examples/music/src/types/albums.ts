import { belongsTo, defineResource, enumeration, hasMany, id, model } from 'ashlar'
import { servedBy } from '../served-by.js'

export interface AlbumRow {
  id: number
  title: string
  averageRating: number | null
  artwork: string | null
  releasedAt: Date
  explicit: boolean
  status: 'upcoming' | 'released' | 'withdrawn'
  availableFrom: string | null
  availableUntil: string | null
  label: string | null
  catalogueNumber: string | null
  artistId: number | null
}

const AlbumStatus = enumeration('AlbumStatus', {
  upcoming: 'Announced, not out yet.',
  released: 'Out, and on sale.',
  withdrawn: 'Was out, and no longer is.',
})

export const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
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
    // One object on the wire, two columns in the row.
    releaseInfo: a.map().fields({ label: a.string().nullable(), catalogueNumber: a.string().nullable() }).nullable(),
  }),
  relations: {
    artist: belongsTo('artists'),
    tracks: hasMany('tracks')
      .countable()
      .withFilters((f) => ({ longerThan: f.greaterThan('durationSeconds') }))
      .withSorts((s) => ({ duration: s.field('durationSeconds') }))
      .defaultSort('trackNumber')
      .identifierMeta(servedBy),
  },
  filters: (f) => ({
    title: f.contains(),
    'artist.name': f.through(),
    tracks: f.has(),
    rating: f.range('averageRating'),
    releasedAt: f.dateRange(),
    q: f.contains('title'),
  }),
  sorts: (s) => ({ 'artist.name': s.through() }),
  countable: true,
  maxIncludeDepth: 2,
})

/** A function, so that it is asked on every request. */
function oneYearFromNow(): Date {
  const bound = new Date()
  bound.setUTCFullYear(bound.getUTCFullYear() + 1)
  return bound
}
