import { atomic, createServer, type Telemetry } from 'ashlar'
import { adminsOnly, bearer } from './access/tokens.js'
import { enqueueOn } from './jobs/enqueue.js'
import { logger } from './logger.js'
import { settings } from './settings.js'
import type { Storage } from './storage/storage.js'
import { accounts } from './types/accounts.js'
import { albums } from './types/albums.js'
import { artists } from './types/artists.js'
import { charts } from './types/charts.js'
import { countries } from './types/countries.js'
import { devices } from './types/devices.js'
import { favorites } from './types/favorites.js'
import { genres } from './types/genres.js'
import { imports } from './types/imports.js'
import { jobs } from './types/jobs.js'
import { libraries } from './types/libraries.js'
import { playlists } from './types/playlists.js'
import { products } from './types/products.js'
import { publicProfiles } from './types/public-profiles.js'
import { tracks } from './types/tracks.js'
import { users } from './types/users.js'

/** Builds the music catalogue: all types over one database, with a server for all users and a server for the admin. */
export function musicServer(
  { data, db, engine }: Pick<Storage, 'data' | 'db' | 'engine'>,
  telemetry: Telemetry | null = null,
  { links, cors }: Pick<typeof settings, 'links' | 'cors'> = settings,
) {
  return createServer({
    resources: [
      albums,
      artists,
      tracks,
      playlists,
      libraries,
      favorites,
      devices,
      genres,
      products,
      publicProfiles,
      users,
      accounts,
      charts(db),
      countries,
      imports(enqueueOn[engine]),
      jobs,
    ],
    data,
    maxIncludeDepth: 3,
    extensions: [atomic()],
    versions: 'hash',
    secret: settings.secret,
    cors,
    overload: settings.overload,
    telemetry,
    logger,
    requestIds: true,
    openapi: {
      title: 'Music catalogue',
      version: '1.0.0',
      description: 'Artists, albums and tracks, and the playlists, libraries, favorites and devices of users.',
      tags: [
        { name: 'Catalog', description: 'Albums, for all users with a token.' },
        { name: 'Library', description: 'Playlists and profiles of users.' },
      ],
      info: { license: { name: 'MIT', identifier: 'MIT' } },
      viewer: true,
    },
    ...links,
    servers: {
      default: { middleware: [bearer(db)], idempotency: true },
      admin: { prefix: '/admin', middleware: [bearer(db), adminsOnly] },
    },
  })
}
