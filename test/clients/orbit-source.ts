import { JSONAPISerializers, JSONAPISource } from '@orbit/jsonapi'
import { type RecordIdentity, RecordKeyMap, RecordSchema } from '@orbit/records'

/** Ids of the service: Orbit generates its own ids, and stores those of the service next to them as a key. */
const keys = { remoteId: {} }

/** The schema of the catalogue for Orbit. Members that it does not name are not shown to its users. */
const schema = new RecordSchema({
  models: {
    artists: {
      keys,
      attributes: { name: { type: 'string' }, slug: { type: 'string' }, createdAt: { type: 'datetime' } },
      relationships: { albums: { kind: 'hasMany', type: 'albums', inverse: 'artist' } },
    },
    albums: {
      keys,
      attributes: {
        title: { type: 'string' },
        averageRating: { type: 'number' },
        releasedAt: { type: 'datetime' },
        explicit: { type: 'boolean' },
        status: { type: 'string' },
        // Not `date`: Orbit would write 1997-9-22, which is no ISO 8601.
        availableFrom: { type: 'string' },
        releaseInfo: { type: 'object' },
      },
      relationships: {
        artist: { kind: 'hasOne', type: 'artists', inverse: 'albums' },
        tracks: { kind: 'hasMany', type: 'tracks', inverse: 'album' },
      },
    },
    tracks: {
      keys,
      attributes: {
        title: { type: 'string' },
        trackNumber: { type: 'number' },
        genres: { type: 'array' },
        displayTitle: { type: 'string' },
      },
      relationships: {
        album: { kind: 'hasOne', type: 'albums', inverse: 'tracks' },
        playlists: { kind: 'hasMany', type: 'playlists' },
      },
    },
    playlists: {
      keys,
      attributes: { title: { type: 'string' }, slug: { type: 'string' }, public: { type: 'boolean' } },
      relationships: {
        tracks: { kind: 'hasMany', type: 'tracks' },
        orderedTracks: { kind: 'hasMany', type: 'tracks' },
      },
    },
    // Clients choose these ids, so that there is no other key.
    genres: { attributes: { name: { type: 'string' } } },
  },
})

/** In paths Orbit adds a plural to types, and hyphens to fields: /albumss, /ordered-tracks. Here names are unchanged. */
const asNamed = { serializationOptions: { inflectors: [] } }
const inPaths: Readonly<Record<string, typeof asNamed>> = {
  [JSONAPISerializers.ResourceTypePath]: asNamed,
  [JSONAPISerializers.ResourceFieldPath]: asNamed,
}

export interface Orbit {
  readonly source: JSONAPISource
  /** The record of Orbit for a resource of the service. */
  record(type: string, id: string): RecordIdentity
  /** The id that the service knows a record by. */
  remoteId(record: RecordIdentity): string | undefined
}

export function orbit(host: string): Orbit {
  const keyMap = new RecordKeyMap()
  const source = new JSONAPISource({
    schema,
    keyMap,
    host,
    serializerSettingsFor: (type) => inPaths[type],
  })
  return {
    source,
    record(type, remoteId) {
      const id = keyMap.keyToId(type, 'remoteId', remoteId) ?? schema.generateId(type)
      keyMap.pushRecord({ type, id, keys: { remoteId } })
      return { type, id }
    },
    remoteId: ({ type, id }) => keyMap.idToKey(type, 'remoteId', id),
  }
}
