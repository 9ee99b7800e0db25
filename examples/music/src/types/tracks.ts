import {
  belongsTo,
  belongsToMany,
  cursorPage,
  defineResource,
  id,
  numberPage,
  offsetPage,
  pageMenu,
  rule,
} from 'ashlar'
import { table } from 'ashlar/sql'
import { servedBy } from '../served-by.js'
import type { TrackRow } from '../tables.js'
import { forgetItem } from './forget-item.js'
import { placedTracks } from './placed-tracks.js'

export const tracks = defineResource('tracks', {
  model: table<TrackRow>('tracks'),
  id: id().numeric(),
  attributes: (a) => ({
    title: a.string().required().sortable(),
    trackNumber: a.integer().min(1).sortable().describedAs('The next of the album when left out.'),
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
  hooks: {
    async beforeCreate(draft, context) {
      if (draft.trackNumber !== undefined) return
      const album = draft.albumId ?? null
      const others = album === null ? [] : await context.rows<TrackRow>('tracks').list({ albumId: album })
      draft.trackNumber = Math.max(0, ...others.map(({ trackNumber }) => trackNumber)) + 1
    },
    beforeDelete: forgetItem('tracks'),
  },
  persister: placedTracks,
  countable: true,
  pagination: pageMenu([numberPage(), cursorPage(), offsetPage()]),
  meta: servedBy,
})
