import { belongsTo, belongsToMany, defineResource, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { callerIn } from '../access/caller.js'
import { ownRows, ownerOnly } from '../access/policies.js'
import { servedBy } from '../served-by.js'
import { slugOf } from '../slug.js'
import { largestInteger, type PlaylistRow, type PlaylistTrackRow } from '../tables.js'
import { placedTracks } from './placed-tracks.js'

/** The join rows of playlists and tracks. */
export const playlistTracks = table<PlaylistTrackRow>('playlist_tracks', { key: ['playlistId', 'trackId'] })

export const playlists = defineResource('playlists', {
  description: 'Lists of tracks. Only the owner sees a private playlist.',
  model: table<PlaylistRow>('playlists'),
  id: id().uuid().generated(),
  attributes: (a) => ({
    title: a.string().required().maxLength(200),
    slug: a.string().computed((row) => slugOf(row.title)),
    public: a.boolean(),
    externalId: a.uuid().nullable(),
  }),
  relations: {
    owner: belongsTo('users').cannotBeIncluded().security({ read: 'update', mutate: 'update' }),
    // The same column, but with fewer attributes of the user.
    publicOwner: belongsTo('public-profiles').via('ownerId').readOnly(),
    tracks: belongsToMany('tracks')
      .through('playlist_tracks', { owner: 'playlistId', member: 'trackId' })
      .countable()
      .identifierMeta(servedBy),
    // The same join rows, in order, with their fields.
    orderedTracks: belongsToMany('tracks')
      .storedAs('tracks')
      .fields((a) => ({
        position: a.integer().required().min(1).max(largestInteger),
        weight: a.integer().max(largestInteger).compareWith('position', '>='),
        addedAt: a.dateTime().readOnly(),
      }))
      .withFilters((f) => ({ position: f.numeric('pivot.position'), weight: f.numeric('pivot.weight') }))
      .defaultSort('position')
      .identifierMeta(servedBy),
  },
  policy: (p) => ({
    ...ownerOnly('ownerId'),
    view: p.signedIn((context) => p.any(p.eq('public', true), ownRows('ownerId')(context))),
  }),
  defaults: (context) => ({ ownerId: callerIn(context)?.id ?? null }),
  persister: placedTracks,
  countable: true,
  tags: ['Library'],
})
