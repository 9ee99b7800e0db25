// @ts-check
/** The catalogue declared with Ashlar, for both engines. */
import { createServer as createHttpServer } from 'node:http'
import { DatabaseSync } from '@photostructure/sqlite'
import {
  atomic,
  authenticate,
  belongsTo,
  belongsToMany,
  createServer,
  cursorPage,
  defineResource,
  hasMany,
  id,
} from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { Pool } from 'pg'

/** @typedef {{ id: number, name: string, country: string, foundedIn: number | null, biography: string }} ArtistRow */
/**
 * @typedef {{
 *   id: number, title: string, status: string, label: string | null, releasedAt: Date, explicit: boolean,
 *   trackCount: number, description: string, artistId: number,
 * }} AlbumRow
 */
/**
 * @typedef {{
 *   id: number, title: string, position: number, seconds: number, explicit: boolean, lyrics: string,
 *   recordedOn: string, albumId: number,
 * }} TrackRow
 */
/** @typedef {{ id: number, name: string }} GenreRow */

/** @template Row @typedef {import('ashlar/sql').TableModel<Row>} TableModel */

const artistRows = /** @type {TableModel<ArtistRow>} */ (/** @type {unknown} */ (table('artists')))
// All instants in the file have the format of the store, so that SQLite can compare their texts with an index.
const albumRows = /** @type {TableModel<AlbumRow>} */ (
  /** @type {unknown} */ (table('albums', { columns: { releasedAt: 'instant' } }))
)
const trackRows = /** @type {TableModel<TrackRow>} */ (/** @type {unknown} */ (table('tracks')))
const genreRows = /** @type {TableModel<GenreRow>} */ (/** @type {unknown} */ (table('genres')))
const albumGenreRows = table('album_genres')

/** @typedef {{ tenantId: number }} Tenant */

/**
 * `ruled` adds access rules. `versions` adds `ETag`s: from a column of albums and tracks and a hash of all other types, or from a hash
 * of every type.
 * @typedef {{ ruled?: boolean, versions?: 'columns' | 'hashes' | null, overload?: import('ashlar').ServerSettings['overload'] }} Options
 */

/**
 * Returns a policy with a rule for every ability: only rows of the caller's tenant.
 * @param {Options} options
 * @returns {any} settings of a type; the rows have a column that their declared types do not name
 */
function access({ ruled }) {
  if (ruled !== true) return { policy: 'public' }
  return {
    /** @param {import('ashlar').RuleKit<Tenant>} p */
    policy(p) {
      const ofTenant = p.signedIn(({ caller }) => p.eq('tenantId', /** @type {Tenant} */ (caller).tenantId))
      return { viewAny: true, view: ofTenant, create: ofTenant, update: ofTenant, delete: ofTenant }
    },
    /** @param {import('ashlar').RequestContext} context */
    defaults: ({ caller }) => ({ tenantId: /** @type {Tenant} */ (caller).tenantId }),
  }
}

/**
 * @param {Options} options
 * @returns {any} settings of a type; the rows have a column that their declared types do not name
 */
function version({ versions }) {
  return versions === 'columns' ? { version: 'version' } : {}
}

/** @param {Options} options */
const artists = (options) =>
  defineResource('artists', {
    model: artistRows,
    id: id(),
    attributes: (a) => ({
      name: a.string().required().maxLength(200),
      country: a.string().required().maxLength(2),
      foundedIn: a.integer().nullable(),
      biography: a.string().required(),
    }),
    relations: { albums: hasMany('albums') },
    pagination: cursorPage(),
    ...access(options),
  })

/** @param {Options} options */
const albums = (options) =>
  defineResource('albums', {
    model: albumRows,
    id: id(),
    attributes: (a) => ({
      title: a.string().required().maxLength(200),
      status: a.string().required(),
      label: a.string().nullable().maxLength(200),
      releasedAt: a.dateTime().required().sortable(),
      explicit: a.boolean(),
      trackCount: a.integer().required().min(0),
      description: a.string().required(),
    }),
    relations: {
      artist: belongsTo('artists').required(),
      // An album has few genres, so they are not paginated.
      tracks: hasMany('tracks').withoutPagination(),
      genres: belongsToMany('genres')
        .through('album_genres', { owner: 'albumId', member: 'genreId' })
        .withoutPagination(),
    },
    filters: (f) => ({ status: f.where(), title: f.contains() }),
    pagination: cursorPage(),
    ...version(options),
    ...access(options),
  })

/** @param {Options} options */
const tracks = (options) =>
  defineResource('tracks', {
    model: trackRows,
    id: id(),
    attributes: (a) => ({
      title: a.string().required().maxLength(200),
      position: a.integer().required().min(1),
      seconds: a.integer().required().min(1).max(86_400),
      explicit: a.boolean(),
      lyrics: a.string().required(),
      recordedOn: a.date().required(),
    }),
    relations: { album: belongsTo('albums').required() },
    pagination: cursorPage(),
    ...version(options),
    ...access(options),
  })

/** @param {Options} options */
const genres = (options) =>
  defineResource('genres', {
    model: genreRows,
    id: id(),
    attributes: (a) => ({ name: a.string().required().maxLength(200) }),
    pagination: cursorPage(),
    ...access(options),
  })

/** @param {import('../music/tables.mjs').Engine} engine @param {string} location @param {Options} [options] */
export async function serverWithAshlar(engine, location, options = {}) {
  const { node } = await catalogue(engine, location, options)
  // The same as in `listen()`: clients must not have to open connections again.
  return createHttpServer({ keepAliveTimeout: 65_000 }, node)
}

/** @param {import('../music/tables.mjs').Engine} engine @param {string} location @param {Options} [options] */
export async function catalogue(engine, location, options = {}) {
  const database = engine === 'postgres' ? new Pool({ connectionString: location }) : new DatabaseSync(location)
  const server = createServer({
    resources: [artists(options), albums(options), tracks(options), genres(options)],
    data: sqlData(database, { naming: 'snake_case', tables: [albumGenreRows] }),
    extensions: [atomic()],
    secret: 'The secret of the benchmark',
    ...(options.overload === undefined ? {} : { overload: options.overload }),
    ...((options.versions ?? null) === null ? {} : { versions: 'hash' }),
    ...(options.ruled === true
      ? { middleware: [authenticate({ challenge: 'Bearer', caller: () => ({ tenantId: 1 }) })] }
      : {}),
  })
  await server.ready()
  return server
}
