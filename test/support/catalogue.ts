import { createServer, defineResource, hasMany, hasOne, id, model } from 'ashlar'
import { albums } from '../../examples/music/src/types/albums.js'
import { artists } from '../../examples/music/src/types/artists.js'
import { countries } from '../../examples/music/src/types/countries.js'
import { devices } from '../../examples/music/src/types/devices.js'
import { favorites } from '../../examples/music/src/types/favorites.js'
import { genres } from '../../examples/music/src/types/genres.js'
import { libraries } from '../../examples/music/src/types/libraries.js'
import { playlists } from '../../examples/music/src/types/playlists.js'
import { products } from '../../examples/music/src/types/products.js'
import { publicProfiles } from '../../examples/music/src/types/public-profiles.js'
import { tracks } from '../../examples/music/src/types/tracks.js'
import { users as userReferences } from '../../examples/music/src/types/users.js'
import { catalogueData, type UserRow } from './catalogue-rows.js'

/** A declaration as it is at run time. */
interface Declared {
  readonly members?: { readonly hooks?: object; readonly relations?: Readonly<Record<string, DeclaredRelation>> }
  with(members: object): unknown
}

interface DeclaredRelation {
  security(security: object): unknown
}

/**
 * A type of the example on rows of whatever store is under test: by the name of its model alone, without the steps of its
 * own that take statements of SQL, and open to everybody.
 */
function onAnyStore<Type extends Declared>(type: Type, modelName: string, members: object = {}): Type {
  const { beforeDelete: _sql, ...hooks } = (type.members?.hooks ?? {}) as { readonly beforeDelete?: unknown }
  const relations = Object.entries(type.members?.relations ?? {}).map(([name, relation]) => [
    name,
    relation.security({}),
  ])
  const open = { policy: undefined, relations: Object.fromEntries(relations) as object }
  return type.with({ model: model(modelName), hooks, persister: undefined, ...open, ...members }) as Type
}

/** On the admin server users are shown in full. */
const users = defineResource('users', {
  model: model<UserRow>('users'),
  id: id(),
  server: 'admin',
  attributes: (a) => ({
    email: a.email().required().unique(),
    displayName: a.string().required(),
    birthDate: a.date().nullable(),
    preferences: a.arrayHash().maxProperties(20),
    lastSeenIp: a.ip().nullable(),
    password: a.string().required().minLength(8).writeOnly(),
    passwordConfirm: a.string().computed().writeOnly().compareWith('password', '='),
  }),
  relations: { playlists: hasMany('playlists').via('ownerId'), library: hasOne('libraries').via('ownerId') },
})

/** The types of the music catalogue (`examples/music`), and users in full on a second server: the one domain of all tests. */
export const catalogueTypes = [
  onAnyStore(albums, 'albums', { server: ['default', 'admin'], actions: null }),
  onAnyStore(artists, 'artists'),
  onAnyStore(tracks, 'tracks', { hooks: {} }),
  onAnyStore(playlists, 'playlists', { hooks: {} }),
  onAnyStore(libraries, 'libraries', { hooks: {} }),
  onAnyStore(publicProfiles, 'users'),
  onAnyStore(userReferences, 'users'),
  onAnyStore(devices, 'devices'),
  onAnyStore(genres, 'genres'),
  onAnyStore(products, 'products'),
  onAnyStore(favorites, 'favorites', { hooks: {} }),
  users,
  (countries as Declared).with({ policy: undefined }) as typeof countries,
] as const

type Settings = Omit<Parameters<typeof createServer<typeof catalogueTypes>>[0], 'resources' | 'servers'>

/** Two servers over new rows, unless the test passes its own: `default` without a prefix, and `admin`. */
export function catalogueServer(settings: Settings = {}): ReturnType<typeof createServer<typeof catalogueTypes>> {
  return createServer({
    ...settings,
    resources: catalogueTypes,
    data: settings.data ?? catalogueData(),
    servers: { admin: { prefix: '/admin' } },
  })
}
