import type { WorkContext } from 'ashlar'
import { CamelCasePlugin, type Kysely } from 'kysely'
import type { Tables } from '../tables.js'

/** Returns a query builder for custom statements in the transaction of a request. Names are the same as in rows. */
export function tablesOf({ db }: WorkContext): Kysely<Tables> {
  return camelCase(db as Kysely<Tables>)
}

/** `playlistTracks` is the table `playlist_tracks`, and `trackId` its column `track_id`. */
export function camelCase(db: Kysely<Tables>): Kysely<Tables> {
  return db.withPlugin(new CamelCasePlugin({ maintainNestedObjectKeys: true }))
}
