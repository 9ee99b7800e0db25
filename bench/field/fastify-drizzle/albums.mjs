/** Pages of albums, newest first, with included resources. */
import { and, desc, eq, ilike, inArray, sql } from 'drizzle-orm'
import { albums, artists, tracks } from './tables.mjs'

/**
 * Reads one row more than requested, to know whether there is a next page. The filters differ between requests, so this is not a
 * prepared statement.
 * @param {import('drizzle-orm/node-postgres').NodePgDatabase} database @param {Record<string, string>} query
 */
export async function pageOfAlbums(database, query) {
  const size = Number(query['page[size]'] ?? 20)
  const rows = await database
    .select()
    .from(albums)
    .where(and(...conditions(query)))
    .orderBy(desc(albums.releasedAt), desc(albums.id))
    .limit(size + 1)
  const hasMore = rows.length > size
  return { size, hasMore, rows: hasMore ? rows.slice(0, size) : rows }
}

/** @param {Record<string, string>} query */
function conditions(query) {
  const found = []
  const { 'filter[status]': status, 'filter[title]': title, 'page[after]': after } = query
  if (status !== undefined) found.push(eq(albums.status, status))
  if (title !== undefined) found.push(ilike(albums.title, `%${title.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`))
  if (after !== undefined) {
    const [releasedAt, id] = JSON.parse(Buffer.from(after, 'base64url').toString())
    found.push(sql`(${albums.releasedAt}, ${albums.id}) < (${releasedAt}, ${id})`)
  }
  return found
}

/** @param {{ releasedAt: Date, id: number }} row */
export function cursor({ releasedAt, id }) {
  return Buffer.from(JSON.stringify([releasedAt, id])).toString('base64url')
}

/**
 * @param {import('drizzle-orm/node-postgres').NodePgDatabase} database
 * @param {readonly (typeof albums.$inferSelect)[]} rows @param {readonly string[]} names
 */
export async function includedIn(database, rows, names) {
  const [artistRows, trackRows] = await Promise.all([
    names.includes('artist') ? artistsOf(database, rows) : [],
    names.includes('tracks') ? tracksOf(database, rows) : [],
  ])
  return { artistRows, trackRows, tracksByAlbum: names.includes('tracks') ? groupByAlbum(trackRows) : undefined }
}

function artistsOf(database, rows) {
  const ids = [...new Set(rows.map((row) => row.artistId))]
  return database.select().from(artists).where(inArray(artists.id, ids))
}

function tracksOf(database, rows) {
  const ids = rows.map((row) => row.id)
  return database.select().from(tracks).where(inArray(tracks.albumId, ids)).orderBy(tracks.id)
}

function groupByAlbum(rows) {
  const groups = new Map()
  for (const row of rows) {
    const group = groups.get(row.albumId)
    if (group === undefined) groups.set(row.albumId, [row])
    else group.push(row)
  }
  return groups
}
