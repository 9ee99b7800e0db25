import { createServer } from 'ashlar'
import { sqlData } from 'ashlar/sql'
import { documentProblems } from 'ashlar/testing'
import { asc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepare } from '../../examples/drizzle/src/prepare.js'
import { resources } from '../../examples/drizzle/src/resources.js'
import * as schema from '../../examples/drizzle/src/schema.js'
import { builtPackage } from '../support/built-package.js'
import { client } from '../support/client.js'
import { endPrograms, type Program, startProgram } from '../support/program.js'
import { type ScratchDatabase, scratchDatabase } from '../support/scratch-database.js'

let database: ScratchDatabase
let pool: Pool

beforeAll(async () => {
  database = await scratchDatabase()
  pool = new Pool({ connectionString: database.url })
})
afterAll(async () => {
  await endPrograms()
  await pool.end()
  await database.drop()
})

function started(environment: Readonly<Record<string, string>>): Program {
  const main = builtPackage().pathOf('examples/drizzle/src/main.ts')
  return startProgram(main, { environment: { PORT: '0', ...environment } })
}

async function addressOf(program: Program): Promise<string> {
  const [, address = ''] = await program.printed(/Served at (http:\S+)\. Try/)
  return address
}

/** Sends a signal, and returns how the process has ended. */
async function ended(program: Program, signal: NodeJS.Signals) {
  program.process.kill(signal)
  return { code: await program.ended, stderr: program.output().stderr }
}

interface ReceivedResponse {
  readonly status: number
  readonly document: { readonly data: unknown; readonly included?: unknown }
}

async function send(address: string, path: string, data?: object): Promise<ReceivedResponse> {
  const body = data === undefined ? {} : { method: 'POST', body: JSON.stringify({ data }) }
  const headers = { 'Content-Type': 'application/vnd.api+json' }
  const response = await fetch(`${address}${path}`, { headers, ...body })
  const document = (await response.json()) as ReceivedResponse['document']
  expect(documentProblems(document)).toEqual([])
  return { status: response.status, document }
}

describe('A service on a Drizzle schema', () => {
  test('creates its tables, shares their rows with Drizzle, ends cleanly, and finds everything again', async () => {
    const db = drizzle(pool)
    const first = started({ DATABASE_URL: database.url })
    const address = await addressOf(first)
    const listed = await send(address, '/albums?include=artist&filter[format]=album&sort=title')
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
    const made = await send(address, '/albums', album)
    expect(made.status).toBe(201)
    const [stored] = await db.select().from(schema.albums).where(eq(schema.albums.title, 'Wild Is the Wind'))
    expect(stored).toMatchObject({ format: 'album', releasedAt: new Date('1966-09-01T00:00:00Z'), artistId: 1 })

    const [playlist] = await db.insert(schema.playlists).values({ name: 'Morning' }).returning()
    await db.insert(schema.playlistAlbums).values({ playlistId: playlist?.id ?? '', albumId: stored?.id ?? 0 })
    const read = await send(address, `/playlists/${playlist?.id}?include=albums`)
    expect(read.document).toMatchObject({
      data: { attributes: { name: 'Morning' }, relationships: { albums: { data: [{ id: String(stored?.id) }] } } },
      included: [{ type: 'albums', attributes: { title: 'Wild Is the Wind' } }],
    })

    expect(await ended(first, 'SIGTERM')).toEqual({ code: 0, stderr: '' })
    const second = started({ DATABASE_URL: database.url })
    const again = await send(await addressOf(second), `/albums/${stored?.id}`)
    expect(again.document.data).toMatchObject({ attributes: { title: 'Wild Is the Wind' } })
    expect(await ended(second, 'SIGINT')).toEqual({ code: 0, stderr: '' })
  })

  test('refuses values that neither the schema nor the types allow', async () => {
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
    ['without the address of a database', {}, /^Set DATABASE_URL to a PostgreSQL database: .+\n$/],
    [
      'when the database cannot be reached',
      { DATABASE_URL: 'postgres://127.0.0.1:1/none' },
      /^The database that DATABASE_URL names cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\)\.\n$/,
    ],
  ])('ends with 1 and one sentence %s', async (_case, environment, message) => {
    const program = started(environment)
    const code = await program.ended
    const { stdout, stderr } = program.output()
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(message)
  })
})
