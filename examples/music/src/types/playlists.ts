import { belongsToMany, defineResource, id, model } from 'ashlar'
import { servedBy } from '../served-by.js'
import { slugOf } from '../slug.js'

export interface PlaylistRow {
  id: string
  title: string
  public: boolean
  externalId: string | null
}

/** What joins playlists and tracks. */
export interface PlaylistTrackRow {
  id: number
  playlistId: string
  trackId: number
  position: number
  weight: number
  addedAt: Date
}

/** Two views of the same join rows: as a plain set, and in order with what each row says besides. */
export const playlists = defineResource('playlists', {
  model: model<PlaylistRow>('playlists'),
  id: id().uuid().generated(),
  attributes: (a) => ({
    title: a.string().required(),
    slug: a.string().computed((row) => slugOf(row.title)),
    public: a.boolean(),
    externalId: a.uuid().nullable(),
  }),
  relations: {
    tracks: belongsToMany('tracks')
      .through('playlistTracks', { owner: 'playlistId', member: 'trackId' })
      .countable()
      .identifierMeta(servedBy),
    orderedTracks: belongsToMany('tracks')
      .storedAs('tracks')
      .fields((a) => ({
        position: a.integer().required().min(1),
        weight: a.integer().compareWith('position', '>='),
        addedAt: a.dateTime().readOnly(),
      }))
      .withFilters((f) => ({ position: f.numeric('pivot.position'), weight: f.numeric('pivot.weight') }))
      .defaultSort('position')
      .identifierMeta(servedBy),
  },
  countable: true,
})
