/** Of the music catalogue, referenced rows first. */
const tables =
  'artworks plays favorites library_items libraries playlist_tracks playlists jobs imports devices genres products tracks albums artists users'.split(
    ' ',
  )

/** Tables whose keys the database counts. */
const counted = 'favorites libraries jobs imports tracks albums artists users'.split(' ')

/** Statements that put the rows of a fresh catalogue by, into a schema `first_rows`, which must be there. */
export const putFirstRowsBy: string = script(
  tables.map((table) => `create table first_rows.${table} as select * from ${table}`),
)

const again = [
  'delete from ashlar_idempotency',
  ...tables.map((table) => `delete from ${table}`),
  ...tables.toReversed().map((table) => `insert into ${table} select * from first_rows.${table}`),
]

/** Statements, for one journey to the database, after which a catalogue is fresh again: its rows, keys and jobs. */
export const firstRowsAgain = {
  sqlite: script(['begin immediate', 'delete from sqlite_sequence', ...again, 'commit']),
  postgres: script([
    ...again,
    ...counted.map(
      (table) =>
        `select setval(pg_get_serial_sequence('${table}', 'id'), coalesce(max(id), 1), max(id) is not null) from ${table}`,
    ),
    'delete from graphile_worker._private_jobs',
  ]),
} as const

function script(statements: readonly string[]): string {
  return statements.join(';\n')
}
