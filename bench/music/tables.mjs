// @ts-check
/** The tables of the catalogue in PostgreSQL and SQLite, the same in both. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { Client } from 'pg'
import { albumGenreRows, albumRows, artistRows, genreRows, trackCount, trackRows, unusedGenre } from './rows.mjs'

/** @typedef {'postgres' | 'sqlite'} Engine */
/** Texts with characters that JSON escapes and that are not ASCII, without those beyond Latin-1, or only plain ASCII. @typedef {'mixed' | 'latin' | 'plain'} Texts */
/**
 * `addTracks` adds tracks after the last one, for requests that delete them. `restore` removes all tracks and genres of albums that
 * were added, so that every server has the same tables. Changed titles are not restored. `databaseCpu` returns the CPU time of each
 * process of the database that serves connections, in microseconds; `null` if it is unknown.
 * @typedef {{
 *   version: string, addTracks(count: number): Promise<void>, restore(): Promise<void>, close(): Promise<void>,
 *   databaseCpu(): Promise<ReadonlyMap<number, number> | null>,
 * }} Catalogue
 */

const indexes = `
  create index albums_by_release on albums (released_at, id);
  create index albums_by_status on albums (status, released_at, id);
  create index albums_of_artist on albums (artist_id);
  create index tracks_of_album on tracks (album_id);
  create index albums_of_genre on album_genres (genre_id, album_id);
`

/** Added after the rows on PostgreSQL, which is faster than a check of each row. */
const foreignKeys = `
  alter table albums add foreign key (artist_id) references artists;
  alter table tracks add foreign key (album_id) references albums;
  alter table album_genres add foreign key (album_id) references albums, add foreign key (genre_id) references genres;
`

/** The same with keys that contain the tenant, which prove that rows refer to rows of their tenant. */
const tenantKeys = `
  alter table artists add unique (id, tenant_id);
  alter table albums add unique (id, tenant_id), add foreign key (artist_id, tenant_id) references artists (id, tenant_id);
  alter table tracks add foreign key (album_id, tenant_id) references albums (id, tenant_id);
  alter table album_genres add foreign key (album_id) references albums, add foreign key (genre_id) references genres;
`

/** The column in the access rules of the target `ruled`. All rows belong to one tenant. */
const tenant = 'tenant_id integer not null default 1'

/** The versions of the target `versioned`. No other target reads them. */
const versionColumn = 'version integer not null default 1'

/** @param {{ key: string, instant: string, references: (table: string) => string }} syntax the parts that differ by engine */
const tables = ({ key, instant, references }) => `
  create table artists (id ${key}, name text not null, country text not null, founded_in integer, biography text not null, ${tenant});
  create table albums (id ${key}, title text not null, status text not null, label text, released_at ${instant} not null,
    explicit boolean not null, track_count integer not null, description text not null,
    artist_id integer not null ${references('artists')}, ${tenant}, ${versionColumn});
  create table tracks (id ${key}, title text not null, position integer not null, seconds integer not null,
    explicit boolean not null, lyrics text not null, recorded_on date not null,
    album_id integer not null ${references('albums')}, ${tenant}, ${versionColumn});
  create table genres (id ${key}, name text not null, ${tenant});
  create table album_genres (album_id integer not null ${references('albums')}, genre_id integer not null ${references('genres')},
    primary key (album_id, genre_id));
`

/** @param {number} count */
const addedTracks = (count) => `
  insert into tracks (id, title, position, seconds, explicit, lyrics, recorded_on, album_id)
    select id + ${trackCount}, title, position, seconds, explicit, lyrics, recorded_on, album_id from tracks where id <= ${count};
`

const removal = `
  delete from tracks where id > ${trackCount};
  delete from album_genres where genre_id = ${unusedGenre};
`

/** @param {Texts} texts @returns {Record<string, readonly Record<string, unknown>[]>} */
function allRows(texts) {
  const all = {
    artists: artistRows().map(ofTenant),
    albums: albumRows().map(ofTenant).map(ofVersion),
    tracks: trackRows().map(ofTenant).map(ofVersion),
    genres: genreRows().map(ofTenant),
    album_genres: albumGenreRows(),
  }
  if (texts === 'mixed') return all
  const replaced = texts === 'latin' ? /[^\n -ÿ]/g : /[^ -~]|["\\]/g
  return Object.fromEntries(
    Object.entries(all).map(([table, rows]) => [table, rows.map((row) => without(replaced, row))]),
  )
}

/** @template {object} Row @param {Row} row */
function ofTenant(row) {
  return { ...row, tenant_id: 1 }
}

/** @template {object} Row @param {Row} row */
function ofVersion(row) {
  return { ...row, version: 1 }
}

/** @param {RegExp} characters @param {object} row */
function without(characters, row) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replaceAll(characters, 'e') : value,
    ]),
  )
}

/**
 * Creates and fills the tables. With `hasTenantKeys`, foreign keys of PostgreSQL contain the tenant.
 * @param {Engine} engine
 * @param {string} location
 * @param {Texts} [texts]
 * @param {boolean} [hasTenantKeys]
 * @returns {Promise<Catalogue>}
 */
export async function createCatalogue(engine, location, texts = 'mixed', hasTenantKeys = false) {
  const rows = allRows(texts)
  return engine === 'postgres' ? createInPostgres(location, rows, hasTenantKeys) : createInSqlite(location, rows)
}

/** @typedef {ReturnType<typeof allRows>} AllRows */

/** @param {string} url @param {AllRows} filled @param {boolean} hasTenantKeys @returns {Promise<Catalogue>} */
async function createInPostgres(url, filled, hasTenantKeys) {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(
    tables({
      key: 'integer generated by default as identity primary key',
      instant: 'timestamptz',
      references: () => '',
    }),
  )
  for (const [table, rows] of Object.entries(filled)) {
    for (let start = 0; start < rows.length; start += 10_000) {
      const some = JSON.stringify(rows.slice(start, start + 10_000))
      await client.query(`insert into ${table} select * from json_populate_recordset(null::${table}, $1)`, [some])
    }
    if (table !== 'album_genres') await continueKeys(table, rows.length)
  }
  await client.query(indexes + (hasTenantKeys ? tenantKeys : foreignKeys))
  await client.query(`vacuum analyze ${Object.keys(filled).join(', ')}`)
  const { rows } = await client.query('show server_version')
  return {
    version: `PostgreSQL ${rows[0].server_version}`,
    async addTracks(count) {
      await client.query(addedTracks(count))
      await client.query('vacuum tracks')
    },
    async restore() {
      await client.query(removal)
      await continueKeys('tracks', trackCount)
      await client.query('vacuum tracks, album_genres')
    },
    async databaseCpu() {
      const { rows: serving } = await client.query(
        'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
      const found = serving.flatMap(({ pid }) => {
        const cpu = cpuOf(pid)
        return cpu === null ? [] : [/** @type {const} */ ([pid, cpu])]
      })
      return found.length === 0 ? null : new Map(found)
    },
    close: () => client.end(),
  }

  /** @param {string} table @param {number} last */
  async function continueKeys(table, last) {
    await client.query(`select setval(pg_get_serial_sequence('${table}', 'id'), $1)`, [last])
  }
}

/** Returns the CPU time of a process on Linux, which counts ticks of 10 ms. @param {number} pid */
function cpuOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10_000
  } catch {
    return null
  }
}

/** Without it, the next server that writes would also copy these pages from the log to the file. */
const checkpoint = 'pragma wal_checkpoint(truncate)'

/** @param {string} path @param {AllRows} filled @returns {Promise<Catalogue>} */
async function createInSqlite(path, filled) {
  const database = new DatabaseSync(path, { timeout: 5000 })
  database.exec('pragma journal_mode = wal; pragma synchronous = normal; begin')
  database.exec(
    tables({ key: 'integer primary key', instant: 'datetime', references: (table) => `references ${table}` }),
  )
  for (const [table, rows] of Object.entries(filled)) {
    const columns = Object.keys(rows[0] ?? {})
    const placeholders = columns.map(() => '?').join(', ')
    const statement = database.prepare(`insert into ${table} (${columns.join(', ')}) values (${placeholders})`)
    for (const row of rows) statement.run(...Object.values(row).map(toSqlite))
  }
  database.exec(`${indexes}; commit; analyze`)
  const { version } = /** @type {{ version: string }} */ (database.prepare('select sqlite_version() version').get())
  return {
    version: `SQLite ${version}`,
    async addTracks(count) {
      database.exec(addedTracks(count) + checkpoint)
    },
    async restore() {
      database.exec(removal + checkpoint)
    },
    // The statements run in the process of the server.
    databaseCpu: () => Promise.resolve(null),
    async close() {
      database.close()
    },
  }
}

/** @param {unknown} value @returns {string | number | null} */
function toSqlite(value) {
  return typeof value === 'boolean' ? Number(value) : /** @type {string | number | null} */ (value)
}
