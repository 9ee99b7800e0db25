import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type { Kysely, Migration, SqliteDatabase, SqliteStatement } from 'kysely'
import { Kysely as Database, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { Pool } from 'pg'

/** The databases that tests hand to `sqlData()`. */
export type MusicDatabase = Pool | DatabaseSyncInstance

type Schema = Kysely<unknown>

/** The music catalogue in tables of both engines, as a user would write them with Kysely. */
const migrations = (isPostgres: boolean): Readonly<Record<string, Migration>> => {
  const table = (db: Schema, name: string) =>
    isPostgres
      ? db.schema
          .createTable(name)
          .addColumn('id', 'integer', (column) => column.primaryKey().generatedByDefaultAsIdentity())
      : db.schema.createTable(name).addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
  const truth = isPostgres ? 'boolean' : 'integer'
  // Text goes by code points on every store: a column that does so too has one index for sorting and for finding.
  const text = isPostgres ? sql`text collate "C"` : sql`text`
  return {
    '1_catalogue': {
      async up(db: Schema) {
        await table(db, 'artists')
          .addColumn('name', text, (column) => column.notNull())
          .addColumn('country', text)
          .execute()
        await table(db, 'albums')
          .addColumn('title', text, (column) => column.notNull())
          .addColumn('year', 'integer')
          .addColumn('artist_id', 'integer', (column) => column.references('artists.id'))
          .execute()
        await table(db, 'tracks')
          .addColumn('title', text, (column) => column.notNull())
          .addColumn('seconds', 'integer', (column) => column.notNull())
          .addColumn('rating', 'integer')
          .addColumn('plays', 'integer', (column) => column.notNull().defaultTo(0))
          .addColumn('album_id', 'integer', (column) => column.references('albums.id'))
          .execute()
      },
    },
    '2_playlists': {
      async up(db: Schema) {
        await table(db, 'playlists')
          .addColumn('title', text, (column) => column.notNull())
          .addColumn('public', truth, (column) => column.notNull().defaultTo(isPostgres ? true : 1))
          .addColumn('dedicated_to_id', 'integer')
          .addColumn('dedicated_to_type', 'text')
          .execute()
        await db.schema
          .createTable('playlist_tracks')
          .addColumn('playlist_id', 'integer', (column) =>
            column.notNull().references('playlists.id').onDelete('cascade'),
          )
          .addColumn('track_id', 'integer', (column) => column.notNull().references('tracks.id'))
          .addColumn('position', 'integer')
          .addColumn('weight', 'integer')
          .addPrimaryKeyConstraint('playlist_tracks_pair', ['playlist_id', 'track_id'])
          .execute()
      },
    },
    '3_indexes': {
      async up(db: Schema) {
        const index = (on: string, ...columns: readonly string[]) =>
          sql`create index on_${sql.raw(`${on}_${columns.join('_').replaceAll(/\W+/g, '_')}`)} on ${sql.table(on)} (${sql.raw(columns.join(', '))})`.execute(
            db,
          )
        await index('albums', 'artist_id', 'id')
        await index('tracks', 'album_id', 'id')
        await index('tracks', 'seconds', 'id')
        await index('tracks', 'seconds desc', 'id')
        await index('tracks', 'rating', 'id')
        await index('tracks', 'title', 'id')
        await index('tracks', 'album_id', 'seconds', 'id')
        await index('playlist_tracks', 'track_id')
      },
    },
  }
}

/**
 * Makes the tables in an empty database.
 *
 * @param tracks how many there are to be: see `fillMusic()`. Indexes are made when they are there, which takes less time.
 */
export async function migrateMusic(database: MusicDatabase, tracks = 0): Promise<void> {
  const isPostgres = database instanceof Pool
  const dialect = isPostgres
    ? new PostgresDialect({ pool: database })
    : new SqliteDialect({ database: asConfigured(database) })
  const db = new Database<unknown>({ dialect })
  // Without a migrator: it reads the tables of all schemas, which concurrent tests create and drop.
  for (const [name, migration] of Object.entries(migrations(isPostgres))) {
    if (name === '3_indexes' && tracks > 0) await fill(database, tracks)
    await migration.up(db)
  }
  if (tracks > 0) await sql`analyze`.execute(db)
}

async function fill(database: MusicDatabase, tracks: number): Promise<void> {
  const filling = filledMusic(tracks)
  // Every row refers to an existing one; checking that for each takes most of the time.
  if (database instanceof Pool) {
    await database.query(['set session_replication_role = replica', ...filling, 'reset all'].join(';'))
  } else database.exec(['begin', ...filling, 'commit'].join(';'))
}

/** Kysely checks whether statements read; those of this library do not report it. */
function asConfigured(database: DatabaseSyncInstance): SqliteDatabase {
  return {
    close: () => undefined,
    prepare(text) {
      const statement = database.prepare(text)
      return {
        reader: statement.columns().length > 0,
        all: (values) => statement.all(...(values as never[])),
        run: (values) => statement.run(...(values as never[])),
        iterate: (values) => statement.iterate(...(values as never[])) as IterableIterator<unknown>,
      } satisfies SqliteStatement
    },
  }
}

/**
 * What fills the tables: ten tracks for each album, ten albums for each artist, every fourth rating unknown. One text
 * serves both engines.
 */
function filledMusic(tracks: number): readonly string[] {
  const [albums, artists] = [Math.ceil(tracks / 10), Math.ceil(tracks / 100)]
  return [
    `insert into artists (name, country) ${numbers(artists)} select ${artistOf} from n`,
    `insert into albums (title, year, artist_id) ${numbers(albums)} select ${albumOf} from n`,
    `insert into tracks (title, seconds, rating, plays, album_id) ${numbers(tracks)} select ${trackOf} from n`,
  ]
}

function numbers(count: number): string {
  return `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
}

const artistOf = "'Artist ' || i, case when i % 3 > 0 then 'is' end"

const albumOf = "'Album ' || i, case when i % 5 > 0 then 1960 + i % 60 end, 1 + (i - 1) / 10"

const trackOf =
  "'Track ' || (i % 1000) || ' of ' || i, 60 + i % 1009, case when i % 4 > 0 then i % 101 end, i % 65521, 1 + (i - 1) / 10"
