import {
  belongsTo,
  belongsToMany,
  cursorPage,
  defineResource,
  id,
  model,
  numberPage,
  offsetPage,
  pageMenu,
  rule,
} from 'ashlar'
import { servedBy } from '../served-by.js'

export interface TrackRow {
  id: number
  title: string
  trackNumber: number
  durationSeconds: number
  explicit: boolean
  genres: string[]
  previewOffset: string | null
  albumId: number | null
}

export const tracks = defineResource('tracks', {
  model: model<TrackRow>('tracks'),
  id: id().numeric(),
  attributes: (a) => ({
    title: a.string().required().sortable(),
    trackNumber: a.integer().min(1).sortable(),
    durationSeconds: a.integer().min(0),
    explicit: a.boolean(),
    genres: a.arrayList().minItems(1).uniqueItems().each(rule.minLength(1)),
    previewOffset: a.time().nullable(),
    displayTitle: a.string().computed((row) => `${row.trackNumber}. ${row.title}`),
  }),
  relations: {
    album: belongsTo('albums'),
    playlists: belongsToMany('playlists').withData().countable().cannotReplace(),
  },
  filters: (f) => ({ title: f.contains(), explicit: f.boolean(), genres: f.in(), q: f.contains('title') }),
  countable: true,
  pagination: pageMenu([numberPage(), cursorPage(), offsetPage()]),
  meta: servedBy,
})
