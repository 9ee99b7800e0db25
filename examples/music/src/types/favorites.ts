import { belongsTo, defineResource, id, type IdCodec, morphTo } from 'ashlar'
import { table } from 'ashlar/sql'
import { callerIn } from '../access/caller.js'
import { ownerOnly } from '../access/policies.js'
import { servedByOfTracks } from '../served-by.js'
import type { FavoriteRow } from '../tables.js'

/** Clients see `fav-z` for the key 5. The service decodes ids of clients; an id that cannot be decoded is 404. */
const wireIds: IdCodec<number> = {
  encode: (key) => `fav-${(key * 7).toString(36)}`,
  decode(wire) {
    const key = /^fav-[0-9a-z]{1,9}$/.test(wire) ? Number.parseInt(wire.slice(4), 36) / 7 : Number.NaN
    return Number.isInteger(key) ? key : null
  },
}

export const favorites = defineResource('favorites', {
  description: 'The favorite tracks, albums and artists of users.',
  model: table<FavoriteRow>('favorites'),
  id: id().encodeUsing(wireIds),
  attributes: (a) => ({ favoritedAt: a.dateTime().readOnlyOnUpdate() }),
  relations: {
    user: belongsTo('users'),
    favoritable: morphTo(['tracks', 'albums', 'artists']).identifierMeta(servedByOfTracks),
  },
  policy: () => ownerOnly('userId'),
  defaults: (context) => ({ userId: callerIn(context)?.id ?? null }),
  defaultIncludes: ['favoritable'],
})
