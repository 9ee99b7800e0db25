import { readFile } from 'node:fs/promises'
import { sql } from 'drizzle-orm'
import type { NodePgDatabase } from 'drizzle-orm/node-postgres'
import { albums, artists, playlistAlbums, playlists } from './schema.js'

const tables = new URL('../schema.sql', import.meta.url)

/** Creates the tables and a few rows in an empty database, with Drizzle. */
export async function prepare(db: NodePgDatabase): Promise<void> {
  const { rows } = await db.execute(sql`select to_regclass('albums') is not null as "isThere"`)
  if (rows[0]?.['isThere'] === true) return
  await db.transaction(async (transaction) => {
    await transaction.execute(sql.raw(await readFile(tables, 'utf8')))
    const [singer] = await transaction.insert(artists).values({ name: 'Nina Simone' }).returning()
    const [evening] = await transaction.insert(playlists).values({ name: 'Evening' }).returning()
    if (singer === undefined || evening === undefined) return
    const made = await transaction
      .insert(albums)
      .values([
        { title: 'Pastel Blues', releasedAt: new Date('1965-10-01T00:00:00Z'), artistId: singer.id },
        { title: 'Baltimore', releasedAt: new Date('1978-04-01T00:00:00Z'), artistId: singer.id },
        { title: 'To Be Young, Gifted and Black', format: 'single', artistId: singer.id },
      ])
      .returning({ albumId: albums.id })
    await transaction.insert(playlistAlbums).values(made.map((album) => ({ playlistId: evening.id, ...album })))
  })
}
