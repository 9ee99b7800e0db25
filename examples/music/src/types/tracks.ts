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
import { withToken } from '../access/policies.js'
import { servedBy } from '../served-by.js'
import { nextTrackNumber } from '../storage/next-number.js'
import { largestInteger, type TrackRow } from '../tables.js'
import { removeReferences } from './remove-references.js'
import { placedTracks } from './placed-tracks.js'

export const tracks = defineResource('tracks', {
  description: 'The songs of albums.',
  model: table<TrackRow>('tracks'),
  id: id().numeric(),
  attributes: (a) => ({
    title: a.string().required().maxLength(200).sortable(),
    trackNumber: a
      .integer()
      .min(1)
      .max(largestInteger)
      .sortable()
      .describedAs('The default is the next number of the album.'),
    durationSeconds: a.integer().min(0).max(largestInteger),
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
  export: true,
  policy: withToken,
  hooks: {
    async beforeCreate(draft, context) {
      const { albumId = null } = draft
      draft.trackNumber ??= albumId === null ? 1 : await nextTrackNumber(context, albumId)
    },
    beforeDelete: removeReferences('tracks'),
  },
  persister: placedTracks,
  countable: true,
  pagination: pageMenu([numberPage(), cursorPage().estimable(), offsetPage()]),
  meta: servedBy,
})
