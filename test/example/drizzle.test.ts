import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { env, execPath } from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { createServer } from 'ashlar'
import { sqlData } from 'ashlar/sql'
import { assertDocument } from 'ashlar/testing'
import { asc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepare } from '../../examples/drizzle/src/prepare.js'
import { resources } from '../../examples/drizzle/src/resources.js'
import * as schema from '../../examples/drizzle/src/schema.js'
import { type BuiltPackage, builtPackage } from '../support/built-package.js'
import { client } from '../support/client.js'
import { type ScratchDatabase, scratchDatabase } from '../support/scratch-database.js'

const main = 'examples/drizzle/src/main.ts'
const tables = 'examples/drizzle/schema.sql'
let database: ScratchDatabase
let pool: Pool
let built: BuiltPackage

beforeAll(async () => {
  database = await scratchDatabase()
  pool = new Pool({ connectionString: database.url })
  built = builtPackage(['examples/drizzle/src'])
  copyFileSync(fileURLToPath(new URL(`../../${tables}`, import.meta.url)), built.pathOf(tables))
})
afterAll(async () => {
  built.remove()
  await pool.end()
  await database.drop()
})

interface Program {
  readonly child: ChildProcess
  /** The address that it prints when it serves. */
  readonly address: Promise<string>
  /** What it said, and the code that it ended with. */
  readonly ended: Promise<{ readonly code: number | null; readonly out: string; readonly err: string }>
}

function started(place: NodeJS.ProcessEnv): Program {
  const child = spawn(execPath, [built.pathOf(main)], {
    env: { ...env, PORT: '0', ...place },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], out, err]) => ({
      code: code as number | null,
      out,
      err,
    }),
  )
  const address = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      const [found] = /http:\/\/[\d.]+:\d+/.exec(String(chunk)) ?? []
      if (found !== undefined) resolve(found)
    })
    void ended.then(({ err }) => reject(new Error(`It does not serve: ${err}`)))
  })
  address.catch(() => undefined)
  return { child, address, ended }
}

interface Answer {
  readonly status: number
  readonly document: { readonly data: unknown; readonly included?: unknown }
}

async function asked(address: string, path: string, data?: object): Promise<Answer> {
  const body = data === undefined ? {} : { method: 'POST', body: JSON.stringify({ data }) }
  const headers = { 'Content-Type': 'application/vnd.api+json' }
  const response = await fetch(`${address}${path}`, { headers, ...body })
  const document = (await response.json()) as Answer['document']
  assertDocument(document)
  return { status: response.status, document }
}

// Processes take their time to start where others work too.
describe('A service on a Drizzle schema', { timeout: 60_000 }, () => {
  test('makes its tables, shares their rows with Drizzle, ends cleanly, and finds everything again', async () => {
    const db = drizzle(pool)
    const first = started({ DATABASE_URL: database.url })
    const address = await first.address
    const listed = await asked(address, '/albums?include=artist&filter[format]=album&sort=title')
    const found = await db
      .select()
      .from(schema.albums)
      .where(eq(schema.albums.format, 'album'))
      .orderBy(asc(schema.albums.title))
    expect(found.map(({ title }) => title)).toEqual(['Baltimore', 'Pastel Blues'])
    expect(listed.document.data).toMatchObject(
      found.map(({ id, title, format }) => ({ id: String(id), attributes: { title, format } })),
    )

    const album = {
      type: 'albums',
      attributes: { title: 'Wild Is the Wind', releasedAt: '1966-09-01T00:00:00Z' },
      relationships: { artist: { data: { type: 'artists', id: '1' } } },
    }
    const made = await asked(address, '/albums', album)
    expect(made.status).toBe(201)
    const [stored] = await db.select().from(schema.albums).where(eq(schema.albums.title, 'Wild Is the Wind'))
    expect(stored).toMatchObject({ format: 'album', releasedAt: new Date('1966-09-01T00:00:00Z'), artistId: 1 })

    const [playlist] = await db.insert(schema.playlists).values({ name: 'Morning' }).returning()
    await db.insert(schema.playlistAlbums).values({ playlistId: playlist?.id ?? '', albumId: stored?.id ?? 0 })
    const read = await asked(address, `/playlists/${playlist?.id}?include=albums`)
    expect(read.document).toMatchObject({
      data: { attributes: { name: 'Morning' }, relationships: { albums: { data: [{ id: String(stored?.id) }] } } },
      included: [{ type: 'albums', attributes: { title: 'Wild Is the Wind' } }],
    })

    first.child.kill('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0, err: '' })
    const second = started({ DATABASE_URL: database.url })
    const again = await asked(await second.address, `/albums/${stored?.id}`)
    expect(again.document.data).toMatchObject({ attributes: { title: 'Wild Is the Wind' } })
    second.child.kill('SIGINT')
    expect(await second.ended).toMatchObject({ code: 0, err: '' })
  })

  test('refuses what neither the schema nor the types allow', async () => {
    await prepare(drizzle(pool))
    const api = client(createServer({ resources, data: sqlData(pool) }))
    const album = { type: 'albums', attributes: { title: 'Wild Is the Wind', format: 'tape' } }
    const refused = await api.post('/albums', { body: { data: album } })
    expect(refused.status).toBe(422)
    expect(refused.document?.errors?.map(({ source }) => source?.pointer)).toEqual([
      '/data/attributes/format',
      '/data/relationships/artist',
    ])
    const used = await api.delete('/artists/1')
    expect(used.status).toBe(409)
  })

  test('has the tables of schema.sql, which are those of schema.ts', async () => {
    await prepare(drizzle(pool))
    for (const table of [schema.artists, schema.albums, schema.playlists, schema.playlistAlbums]) {
      const config = getTableConfig(table)
      const { rows } = await pool.query<{ name: string; type: string; isNeeded: boolean }>(
        `select attname as name, format_type(atttypid, atttypmod) as type, attnotnull as "isNeeded"
         from pg_attribute where attrelid = $1::regclass and attnum > 0 order by attnum`,
        [config.name],
      )
      const wanted = config.columns.map((column) => ({
        name: column.name,
        type: column.getSQLType().replace('serial', 'integer'),
        isNeeded: column.notNull,
      }))
      expect(rows, config.name).toEqual(wanted)
    }
  })

  test.each([
    ['without the address of a database', {}, /^Say where PostgreSQL is: DATABASE_URL=.+\n$/],
    [
      'when the database cannot be reached',
      { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
      /^The database that DATABASE_URL names cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\)\.\n$/,
    ],
  ])('ends with 1 and one sentence %s', async (_case, place, says) => {
    const { code, out, err } = await started({ DATABASE_URL: '', ...place }).ended
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(says)
  })
})
