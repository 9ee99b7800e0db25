import { type ChildProcess, execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { generate } from '../../examples/music/src/generate/generate.js'
import { readCommand } from '../../examples/music/src/generate/options.js'
import { progressBar, type Screen } from '../../examples/music/src/generate/progress-bar.js'
import { seeds } from '../../examples/music/src/seeds.js'
import { openStorage, type Storage } from '../../examples/music/src/storage/storage.js'
import type { Tables } from '../../examples/music/src/tables.js'
import { type BuiltPackage, builtPackage } from '../support/built-package.js'
import { musicServices } from '../support/music-service.js'
import { counting } from './music-client.js'

/** The tables that rows are made for, and what orders the rows of each. */
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

const asked = { tracks: 2000, seed: 1 }

/** Where no more is needed. */
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
  return name === 'genres' && Array.isArray(value) ? JSON.stringify(value) : value
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

  test('has as many tracks as were asked for, and the rest in proportion', async () => {
    const added = await generate(storage, asked)
    expect(added.tracks).toBe(2000)
    expect(added.albums).toBeGreaterThan(170)
    expect(added.albums).toBeLessThan(230)
    expect(added.artists).toBeGreaterThan(14)
    expect(added.artists).toBeLessThan(30)
    expect(added.users).toBe(20)
    for (const table of Object.keys(keys) as Filled[]) {
      expect(added[table], table).toBeGreaterThan(0)
      expect(await countOf(storage, table), table).toBe(seeds[table].length + added[table])
    }
  })

  test('is the same for the same number, and another for another', async () => {
    await generate(storage, few)
    const once = await hashOf(storage)
    await music.reset()
    await generate(storage, few)
    expect(await hashOf(storage)).toBe(once)
    await music.reset()
    await generate(storage, { ...few, seed: 2 })
    expect(await hashOf(storage)).not.toBe(once)
  })

  test('is added to what is there, again and again', async () => {
    const first = await generate(storage, few)
    const second = await generate(storage, few)
    expect(await countOf(storage, 'tracks')).toBe(seeds.tracks.length + first.tracks + second.tracks)
    expect(await countOf(storage, 'playlists')).toBe(seeds.playlists.length + first.playlists + second.playlists)
  })

  test('is added twice when two add one at once, who take turns', async () => {
    const [one, other] = await Promise.all([generate(storage, few), generate(storage, few)])
    expect(await countOf(storage, 'tracks')).toBe(seeds.tracks.length + one.tracks + other.tracks)
  })

  test('lets the database know how many rows there are, so that it plans well', async () => {
    await generate(storage, few)
    const known =
      storage.engine === 'sqlite'
        ? sql<{ rows: string }>`select stat as "rows" from sqlite_stat1 where idx = 'tracks_of_album'`
        : sql<{ rows: number }>`select reltuples as "rows" from pg_class where oid = 'tracks'::regclass`
    const [found] = (await known.execute(storage.db)).rows
    expect(Number.parseInt(String(found?.rows), 10)).toBe(seeds.tracks.length + few.tracks)
  })

  test('has in order what is ordered, and points at nothing that is not there', async () => {
    await generate(storage, asked)
    for (const [table, column] of [
      ['library_items', 'item'],
      ['favorites', 'favoritable'],
    ] as const) {
      const { rows } = await sql<{ lost: number | string }>`
        select count(*) as lost from ${sql.table(table)} as each where not exists (
          select 1 from tracks where ${sql.ref(`each.${column}_type`)} = 'tracks' and tracks.id = ${sql.ref(`each.${column}_id`)}
          union select 1 from albums where ${sql.ref(`each.${column}_type`)} = 'albums' and albums.id = ${sql.ref(`each.${column}_id`)}
          union select 1 from artists where ${sql.ref(`each.${column}_type`)} = 'artists' and artists.id = ${sql.ref(`each.${column}_id`)}
        )`.execute(storage.db.withoutPlugins())
      expect(Number(rows[0]?.lost), table).toBe(0)
    }
    if (storage.engine === 'sqlite') {
      expect((await sql`pragma foreign_key_check`.execute(storage.db)).rows).toEqual([])
    }
    const places = new Map<unknown, unknown[]>()
    for (const { playlistId, position, weight } of await rowsOf(storage, 'playlistTracks')) {
      expect(weight).toBeGreaterThanOrEqual(Number(position))
      places.set(playlistId, [...(places.get(playlistId) ?? []), position])
    }
    for (const found of places.values()) {
      expect(found.toSorted((a, b) => Number(a) - Number(b))).toEqual(found.map((_, index) => index + 1))
    }
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

  test('leaves keys to the database that are free', async () => {
    const added = await generate(storage, few)
    const user = { email: 'carol@music.example', displayName: 'Carol' }
    const made = await storage.db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()
    expect(made.id).toBe(seeds.users.length + added.users + 1)
    const artist = { type: 'artists', attributes: { name: 'Portishead' } }
    const answer = await music.api.post('/artists', { body: { data: artist } })
    expect(answer.resource.id).toBe(String(seeds.artists.length + added.artists + 1))
  })

  test('that is interrupted leaves nothing behind', async () => {
    const before = await hashOf(storage)
    const interrupted = new AbortController()
    const seen: number[] = []
    const onProgress = (tracks: number): void => {
      seen.push(tracks)
      if (tracks > 0) interrupted.abort(new Error('enough'))
    }
    await expect(generate(storage, { ...asked, onProgress, signal: interrupted.signal })).rejects.toThrow('enough')
    expect(seen.at(-1)).toBeLessThan(2000)
    expect(await hashOf(storage)).toBe(before)
  })

  test('tells how far it is', async () => {
    const seen: number[] = []
    await generate(storage, { ...asked, onProgress: (tracks) => seen.push(tracks) })
    expect(seen.length).toBeGreaterThan(1)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(seen.at(-1)).toBe(2000)
  })
})

describe('Both engines', () => {
  const catalogues = musicServices.map(([, open]) => open())

  test('have the same rows, after one run and after two', async () => {
    const [ofOne, ofOther] = await Promise.all(
      catalogues.map(async ({ storage }) => {
        await generate(storage, asked)
        const once = await hashOf(storage)
        await generate(storage, asked)
        return [once, await hashOf(storage)]
      }),
    )
    expect(ofOne).toHaveLength(2)
    expect(ofOther).toEqual(ofOne)
  })
})

function screen(columns?: number): Screen & { readonly texts: string[] } {
  const texts: string[] = []
  return { isTTY: true, ...(columns === undefined ? {} : { columns }), texts, write: (text) => texts.push(text) }
}

describe('The progress bar', () => {
  test('overwrites itself on a terminal, only when something has changed, and goes away', () => {
    const terminal = screen()
    const bar = progressBar(terminal, 1000)
    for (const done of [0, 500, 501, 1000]) bar.show(done)
    bar.clear()
    const erase = '\r\u001B[K'
    expect(terminal.texts).toEqual([
      `${erase}${'░'.repeat(40)}   0 % of 1,000 tracks`,
      `${erase}${'█'.repeat(20)}${'░'.repeat(20)}  50 % of 1,000 tracks`,
      `${erase}${'█'.repeat(40)} 100 % of 1,000 tracks`,
      erase,
    ])
  })

  test('never fills a line, which would wrap', () => {
    for (const columns of [10, 24, 40, 61, 200]) {
      const terminal = screen(columns)
      progressBar(terminal, 1_000_000).show(400_000)
      const [line = ''] = terminal.texts
      expect(line.replace('\r\u001B[K', '').length).toBeLessThan(columns)
      expect(line).toContain('40 %')
    }
  })

  test('takes a terminal that does not know its width for one of the usual width', () => {
    const terminal = screen(0)
    progressBar(terminal, 1000).show(0)
    expect(terminal.texts).toEqual([expect.stringContaining('░'.repeat(40))])
  })

  test('is not drawn elsewhere than on a terminal', () => {
    const { isTTY: _isTTY, ...file } = screen()
    const bar = progressBar(file, 1000)
    bar.show(500)
    bar.clear()
    expect(file.texts).toEqual([])
  })
})

describe('The command line', () => {
  test('says how many tracks, and from which number on', () => {
    expect(readCommand(['--tracks', '100000'])).toEqual({ kind: 'generate', tracks: 100_000, seed: 1 })
    expect(readCommand(['--seed=7', '--tracks=1'])).toEqual({ kind: 'generate', tracks: 1, seed: 7 })
  })

  test('is explained when that is asked for', () => {
    expect(readCommand(['--help'])).toMatchObject({ kind: 'help', text: expect.stringContaining('--tracks 100000') })
  })

  test.each([
    [[], 'How many tracks? Say it with --tracks 100000.'],
    [['--tracks', 'many'], "--tracks takes a whole number from 1 to 10,000,000, not 'many'."],
    [['--tracks', ''], "--tracks takes a whole number from 1 to 10,000,000, not ''."],
    [['--tracks', '0'], "--tracks takes a whole number from 1 to 10,000,000, not '0'."],
    [['--tracks', '1.5'], "--tracks takes a whole number from 1 to 10,000,000, not '1.5'."],
    [['--tracks', '10000001'], "--tracks takes a whole number from 1 to 10,000,000, not '10000001'."],
    [['--tracks', '-5'], '--tracks takes a whole number: --help shows how to ask.'],
    [['--tracks'], '--tracks takes a whole number: --help shows how to ask.'],
    [['--tracks', '9', '--seed', 'x'], "--seed takes a whole number up to 4,294,967,295, not 'x'."],
    [['--tracks', '9', '--seed', '4294967296'], "--seed takes a whole number up to 4,294,967,295, not '4294967296'."],
    [['--trakcs', '9'], "There is no option '--trakcs': --help shows those that there are."],
    [['9'], "'9' belongs to no option: --help shows how to ask."],
    [['--help=yes'], '--help takes no value.'],
  ])('is refused in one sentence: %j', (given, reason) => {
    expect(readCommand(given)).toEqual({ kind: 'refused', reason })
  })
})

/** As soon as it writes: the file beside the database with the changes has grown by much more than the first rows. */
async function interruptOnceFull(child: ChildProcess, place: string): Promise<void> {
  const log = join(place, 'music.db-wal')
  while (child.exitCode === null && (!existsSync(log) || statSync(log).size < 2_000_000)) await sleep(20)
  child.kill('SIGINT')
}

// Processes take their time to start where others work too.
describe('The program', { timeout: 60_000 }, () => {
  const main = 'examples/music/src/generate/main.ts'
  let folder: string
  let built: BuiltPackage

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ashlar-generate-'))
    built = builtPackage([main])
  })
  afterAll(() => {
    built.remove()
    rmSync(folder, { recursive: true })
  })

  interface Ended {
    readonly code: number
    readonly out: string
    readonly err: string
  }

  function run(
    place: NodeJS.ProcessEnv,
    given: readonly string[],
    onStart?: (child: ChildProcess) => void,
  ): Promise<Ended> {
    return new Promise((resolve) => {
      const options = { env: { ...env, DATABASE_URL: '', ...place } }
      const child = execFile(execPath, [built.pathOf(main), ...given], options, (error, out, err) =>
        resolve({ code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1, out, err }),
      )
      onStart?.(child)
    })
  }

  test('says in one line what it has added, and how long it took', async () => {
    const place = { DATA_DIR: join(folder, 'data') }
    const { code, out, err } = await run(place, ['--tracks', '50'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^Added to SQLite in .+ in \d+\.\d s: 1 artist, \d+ albums, 50 tracks, 1 user, .+ plays\.\n$/)
  })

  test('ends with 2 and one sentence when it is asked for what it cannot do, and touches nothing', async () => {
    const place = { DATA_DIR: join(folder, 'none') }
    const ended = await run(place, ['--tracks', 'many'])
    const err = "--tracks takes a whole number from 1 to 10,000,000, not 'many'.\n"
    expect(ended).toEqual({ code: 2, out: '', err })
    expect(existsSync(place.DATA_DIR)).toBe(false)
  })

  test('ends with 1 and one sentence when there is no database', async () => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const { code, out, err } = await run({ DATA_DIR: file }, ['--tracks', '5'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(/^The folder .+ cannot be made \(EEXIST\): .+\n$/)
  })

  test('that is interrupted says so, and has added nothing', async () => {
    const place = { DATA_DIR: join(folder, 'interrupted') }
    const ended = await run(place, ['--tracks', '1000000'], (child) => void interruptOnceFull(child, place.DATA_DIR))
    expect(ended).toEqual({ code: 130, out: '', err: 'Interrupted: nothing was added.\n' })
    const storage = await openStorage({ folder: place.DATA_DIR })
    expect(await countOf(storage, 'tracks')).toBe(seeds.tracks.length)
    await storage.close()
  })
})
