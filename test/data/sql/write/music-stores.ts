import type { DataSource } from 'ashlar/store'
import { memoryData } from 'ashlar/memory'
import { sqlData, table } from 'ashlar/sql'
import type { SqlDataOptions } from '../../../../src/stores/sql/sql-data-options.js'
import { seeds } from '../../music-rows.js'
import type { Engine, OpenDatabase } from './open-databases.js'

/** The key of join rows: none, their own key, or both foreign keys. */
export type Joins = 'bare' | 'keyed' | 'unique'

const tables = [
  'create table artists (id serial, name text)',
  'create table albums (id serial, title text, "artistId" integer)',
  'create table comments (id serial, "subjectId" integer, "subjectType" text)',
  'create table portraits (id serial, "artistId" integer, file text)',
  'create table playlists (code text primary key, name text)',
  'create table playlist_items (list text, item integer, kind text, unique (list, item, kind))',
]

const pairs = 'create index pairs on playlist_albums (list, album)'

const joinTable: Readonly<Record<Joins, string>> = {
  bare: `create table playlist_albums (list text, album integer, position integer check (position >= 0), note text); ${pairs}`,
  keyed: `create table playlist_albums (id serial, list text, album integer, position integer check (position >= 0), note text); ${pairs}`,
  unique:
    'create table playlist_albums (list text, album integer, position integer check (position >= 0), note text, primary key (list, album))',
}

/** The rows of `seeds` in a store. Duplicate join rows are left out if the table does not allow them. */
export async function musicStore(
  engine: Engine | 'memory',
  open: (engine: Engine, statements: readonly string[]) => Promise<OpenDatabase>,
  joins: Joins,
  options: Pick<SqlDataOptions, 'onStatement'> = {},
): Promise<DataSource> {
  const rows = { ...seeds, playlist_albums: joins === 'unique' ? distinctPairs() : (seeds['playlist_albums'] ?? []) }
  if (engine === 'memory') return memoryData(rows)
  const statements = [...tables, joinTable[joins], ...Object.entries(rows).flatMap(inserts), ...sequences(engine)]
  const { database, options: more } = await open(engine, statements)
  const keys = { playlists: 'code' } as const
  const models = Object.keys(rows).map((name) =>
    table<{ id: number; code: string }>(name, { key: name in keys ? 'code' : 'id' }),
  )
  return sqlData(database, { ...options, ...more, tables: models })
}

function distinctPairs(): readonly object[] {
  return (seeds['playlist_albums'] ?? []).filter((row) => !('position' in row && row.position === 9))
}

function inserts([name, rows]: readonly [string, readonly object[]]): readonly string[] {
  return rows.map((row) => {
    const columns = Object.keys(row).map((column) => `"${column}"`)
    const values = Object.values(row).map((value) => (value === null ? 'null' : `'${String(value)}'`))
    return `insert into ${name} (${columns.join(', ')}) values (${values.join(', ')})`
  })
}

/** Past the keys of the seeds. */
function sequences(engine: Engine): readonly string[] {
  if (engine === 'sqlite') return []
  return ['artists', 'albums', 'comments', 'portraits'].map(
    (name) => `select setval(pg_get_serial_sequence('${name}', 'id'), (select max(id) from ${name}))`,
  )
}
