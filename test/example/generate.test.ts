import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { generate } from '../../examples/music/src/generate/generate.js'
import { seeds } from '../../examples/music/src/seeds.js'
import type { Storage } from '../../examples/music/src/storage/storage.js'
import type { Tables } from '../../examples/music/src/tables.js'
import { musicServices } from '../support/music-service.js'
import { counting } from './music-client.js'

/** The tables that rows are generated for, and the order of the rows of each. */
const keys = {
  users: ['id'],
  artists: ['id'],
  albums: ['id'],
  tracks: ['id'],
  playlists: ['id'],
  playlistTracks: ['playlistId', 'trackId'],
  libraries: ['id'],
  libraryItems: ['libraryId', 'itemType', 'itemId'],
  favorites: ['id'],
  plays: ['month', 'trackId'],
} as const

type Filled = keyof typeof keys

/** More rows than one statement takes. */
const many = { tracks: 2000, seed: 1 }

const few = { tracks: 300, seed: 1 }

async function rowsOf({ db }: Storage, table: Filled): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const order = sql.join(keys[table].map((column) => sql.ref(column)))
  return db.selectFrom<keyof Tables>(table).selectAll().orderBy(order).execute()
}

/** One text for all rows, in which values look alike on both engines. */
async function hashOf(storage: Storage): Promise<string> {
  const hash = createHash('sha256')
  for (const table of Object.keys(keys) as Filled[]) {
    for (const row of await rowsOf(storage, table)) hash.update(`${table} ${JSON.stringify(row, likeSqlite)}\n`)
  }
  return hash.digest('hex')
}

function likeSqlite(name: string, value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value)
  const isJson = ['genres', 'preferences'].includes(name) && typeof value === 'object'
  return isJson ? JSON.stringify(value) : value
}

/** With the admin, who is not among the seeds. */
function firstRows(table: Filled): number {
  return seeds[table].length + (table === 'users' ? 1 : 0)
}

async function countOf({ db }: Storage, table: Filled): Promise<number> {
  const { count } = await db
    .selectFrom<keyof Tables>(table)
    .select(({ fn }) => fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

describe.each(musicServices)('A generated catalogue on %s', (_engine, open) => {
  const music = open()
  let storage: Storage

  beforeEach(() => {
    storage = music.storage
  })

  test('has as many tracks as were requested, the rest in proportion, and prints its progress', async () => {
    const seen: number[] = []
    const added = await generate(storage, { ...many, onProgress: (tracks) => seen.push(tracks) })
    expect(added.tracks).toBe(2000)
    expect(added.albums).toBeGreaterThan(170)
    expect(added.albums).toBeLessThan(230)
    expect(added.artists).toBeGreaterThan(14)
    expect(added.artists).toBeLessThan(30)
    expect(added.users).toBe(20)
    for (const table of Object.keys(keys) as Filled[]) {
      expect(added[table], table).toBeGreaterThan(0)
      expect(await countOf(storage, table), table).toBe(firstRows(table) + added[table])
    }
    expect(seen.length).toBeGreaterThan(1)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBe(2000)
    // With the same rows, since it takes long to make them.
    await expectNoLostReferences(storage)
    await expectPositionsInOrder(storage)
  })

  test('is the same for the same number, and different for another', async () => {
    await generate(storage, few)
    const once = await hashOf(storage)
    await music.reset()
    await generate(storage, few)
    expect(await hashOf(storage)).toBe(once)
    await music.reset()
    await generate(storage, { ...few, seed: 2 })
    expect(await hashOf(storage)).not.toBe(once)
  })

  test('is added to existing rows, repeatedly', async () => {
    const first = await generate(storage, few)
    const second = await generate(storage, few)
    expect(await countOf(storage, 'tracks')).toBe(seeds.tracks.length + first.tracks + second.tracks)
    expect(await countOf(storage, 'playlists')).toBe(seeds.playlists.length + first.playlists + second.playlists)
  })

  test('is added twice by two concurrent runs, which take turns', async () => {
    const [one, other] = await Promise.all([generate(storage, few), generate(storage, few)])
    expect(await countOf(storage, 'tracks')).toBe(seeds.tracks.length + one.tracks + other.tracks)
  })

  test('updates the statistics of the database, so that it plans well', async () => {
    await generate(storage, few)
    const known =
      storage.engine === 'sqlite'
        ? sql<{ rows: string }>`select stat as "rows" from sqlite_stat1 where idx = 'tracks_of_album'`
        : sql<{ rows: number }>`select reltuples as "rows" from pg_class where oid = 'tracks'::regclass`
    const [found] = (await known.execute(storage.db)).rows
    expect(Number.parseInt(String(found?.rows), 10)).toBe(seeds.tracks.length + few.tracks)
  })

  test('is served', async () => {
    const { artists } = await generate(storage, few)
    const last = seeds.artists.length + artists
    const artist = await music.api.get(`/artists/${last}?include=albums.tracks`)
    expect(artist.resource).toMatchObject({ id: String(last), attributes: { name: expect.any(String) } })
    const page = await music.api.get('/tracks?withCount=_self_&sort=-title&include=album.artist', { headers: counting })
    expect(page.document?.meta).toMatchObject({ page: { total: seeds.tracks.length + few.tracks } })
    const ordered = await music.api.get('/playlists?include=orderedTracks')
    expect(ordered.status).toBe(200)
    const chart = await music.api.get('/charts/2026-06')
    expect(chart.resource).toMatchObject({ attributes: { entries: { length: 10 } } })
  })

  test('leaves the next keys free for the database', async () => {
    const added = await generate(storage, few)
    const user = { email: 'carol@music.example', displayName: 'Carol' }
    const made = await storage.db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
    expect(made.id).toBe(firstRows('users') + added.users + 1)
    const artist = { type: 'artists', attributes: { name: 'Portishead' } }
    const response = await music.api.post('/artists', { body: { data: artist } })
    expect(response.resource.id).toBe(String(seeds.artists.length + added.artists + 1))
  })

  test('that is interrupted leaves nothing behind', async () => {
    const before = await hashOf(storage)
    const interrupted = new AbortController()
    const seen: number[] = []
    const onProgress = (tracks: number): void => {
      seen.push(tracks)
      if (tracks > 0) interrupted.abort(new Error('enough'))
    }
    await expect(generate(storage, { ...many, onProgress, signal: interrupted.signal })).rejects.toThrow('enough')
    expect(seen.at(-1)).toBeLessThan(2000)
    expect(await hashOf(storage)).toBe(before)
  })
})

describe('Both engines', () => {
  const catalogues = musicServices.map(([, open]) => open())

  test('have the same rows, after one run and after two', async () => {
    const [ofOne, ofOther] = await Promise.all(
      catalogues.map(async ({ storage }) => {
        await generate(storage, many)
        const once = await hashOf(storage)
        await generate(storage, few)
        return [once, await hashOf(storage)]
      }),
    )
    expect(ofOne).toHaveLength(2)
    expect(ofOther).toEqual(ofOne)
  })
})

/** Favorites and library items point at tracks, albums and artists, without foreign keys. */
async function expectNoLostReferences({ db, engine }: Storage): Promise<void> {
  for (const [table, column] of [
    ['library_items', 'item'],
    ['favorites', 'favoritable'],
  ] as const) {
    const { rows } = await sql<{ lost: number | string }>`
      select count(*) as lost from ${sql.table(table)} as each where not exists (
        select 1 from tracks where ${sql.ref(`each.${column}_type`)} = 'tracks' and tracks.id = ${sql.ref(`each.${column}_id`)}
        union select 1 from albums where ${sql.ref(`each.${column}_type`)} = 'albums' and albums.id = ${sql.ref(`each.${column}_id`)}
        union select 1 from artists where ${sql.ref(`each.${column}_type`)} = 'artists' and artists.id = ${sql.ref(`each.${column}_id`)}
      )`.execute(db.withoutPlugins())
    expect(Number(rows[0]?.lost), table).toBe(0)
  }
  if (engine === 'sqlite') expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([])
}

async function expectPositionsInOrder(storage: Storage): Promise<void> {
  const positions = new Map<unknown, unknown[]>()
  for (const { playlistId, position, weight } of await rowsOf(storage, 'playlistTracks')) {
    expect(weight).toBeGreaterThanOrEqual(Number(position))
    positions.set(playlistId, [...(positions.get(playlistId) ?? []), position])
  }
  for (const found of positions.values()) {
    expect(found.toSorted((a, b) => Number(a) - Number(b))).toEqual(found.map((_, index) => index + 1))
  }
}
