import { kill } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestResponse } from 'ashlar/testing'
import { Pool } from 'pg'
import { afterEach, describe, expect, inject, test, vi } from 'vitest'
import { untilReturned, ignoringErrors } from '../data/sql/postgres/driver-helpers.js'
import { relayTo } from '../data/sql/postgres/relay.js'
import { client } from '../support/client.js'
import { migrateMusic } from '../support/music-migrations.js'
import { postgresServer } from '../support/postgres-server.js'
import { rounds } from '../support/runs.js'
import { scratchSchema } from '../support/scratch-schema.js'
import { musicServer } from '../support/sql-music.js'

/** While PostgreSQL is unavailable clients get 503 with Retry-After; when it is available again they are served without a restart. */

const ending: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end()
})

interface Load {
  /** The responses so far. */
  readonly responses: readonly TestResponse[]
  readonly isOver: boolean
  end(): Promise<void>
}

/** Clients that read and write all the time. */
function loadOn(pool: Pool): Load {
  const api = client(musicServer(pool, { settings: { logger: { error: () => undefined } } }))
  const responses: TestResponse[] = []
  const state = { isOver: false }
  const attributes = { title: 'Lullaby' }
  const requests = [
    () => api.get('/albums?include=tracks,artist&page[size]=5'),
    () => api.get('/tracks?page[kind]=page&page[size]=3'),
    () => api.patch('/tracks/1', { body: { data: { type: 'tracks', id: '1', attributes } } }),
    () => api.post('/artists', { body: { data: { type: 'artists', attributes: { name: 'Low' } } } }),
  ]
  const working = requests.map(async (request) => {
    while (!state.isOver) {
      responses.push(await request())
      await sleep(10)
    }
  })
  const load: Load = {
    responses,
    get isOver() {
      return state.isOver
    },
    async end() {
      state.isOver = true
      await Promise.all(working)
    },
  }
  ending.push(() => load.end())
  return load
}

/** Waits for responses of a kind. Where they never come, the test fails by its time limit. */
async function untilResponses(load: Load, is: (response: TestResponse) => boolean, count = 8): Promise<void> {
  const from = load.responses.length
  while (!load.isOver && load.responses.slice(from).filter(is).length < count) await sleep(10)
}

const isServed = ({ status }: TestResponse): boolean => status < 300
const isRefused = ({ status }: TestResponse): boolean => status === 503

function expectOrderly({ responses }: Load): void {
  const others = responses.filter((response) => !isServed(response) && !isRefused(response))
  expect(others.map(({ status, errors }) => [status, errors])).toEqual([])
  for (const refused of responses.filter(isRefused)) {
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(refused.errors).toMatchObject([{ status: '503', code: 'STORE_UNAVAILABLE' }])
  }
}

async function connectionsOf(pool: Pool, name: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int4 from pg_stat_activity where application_name = $1',
    [name],
  )
  return rows[0]?.count ?? -1
}

/** Kills one process of the server, which then ends all others and starts again. Waits until its connections are lost. */
async function crashed(pool: Pool): Promise<void> {
  const connection = await pool.connect()
  const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid')
  const lost = new Promise((resolve) => connection.on('error', resolve))
  kill(rows[0]?.pid ?? 0, 'SIGKILL')
  await lost
  connection.release(true)
}

function poolAt(connectionString: string): Pool {
  const pool = ignoringErrors(new Pool({ connectionString, max: 4, application_name: 'under load' }))
  ending.push(() => pool.end())
  return pool
}

describe('PostgreSQL that becomes unavailable under load', () => {
  test('and stays unavailable for a while', async () => {
    const schema = await scratchSchema()
    ending.push(() => schema.drop())
    const relay = await relayTo(schema.url)
    ending.push(() => relay.close())
    const pool = poolAt(relay.url)
    await migrateMusic(pool, 50)
    const load = loadOn(pool)
    await untilResponses(load, isServed)
    await relay.close()
    await untilResponses(load, isRefused)
    await relay.open()
    await untilResponses(load, isServed, 20)
    await load.end()
    expectOrderly(load)
    await untilReturned(pool)
    expect(await connectionsOf(pool, 'under load')).toBeLessThanOrEqual(4)
  })

  test('because it crashes and starts again', async () => {
    // A separate server, which no other test uses.
    vi.stubEnv('DATABASE_URL', '')
    const server = await postgresServer()
    ending.push(() => server.end())
    const pool = poolAt(server.url)
    await migrateMusic(pool, 50)
    // The servers of the tests commit without waiting for the disk: without this, a crash would lose the tables.
    await pool.query('checkpoint')
    const load = loadOn(pool)
    await untilResponses(load, isServed)
    for (let crash = 1; crash <= rounds(1, 5); crash += 1) {
      await crashed(pool)
      await untilResponses(load, isServed, 20)
    }
    await load.end()
    expectOrderly(load)
    await untilReturned(pool)
    expect(await connectionsOf(pool, 'under load')).toBeLessThanOrEqual(4)
  })

  test('before its first request', async () => {
    const url = new URL(inject('databaseUrl'))
    url.port = '1'
    const pool = poolAt(url.href)
    const { status, errors } = await client(
      musicServer(pool, { settings: { logger: { error: () => undefined } } }),
    ).get('/tracks')
    expect([status, errors[0]?.code]).toEqual([503, 'STORE_UNAVAILABLE'])
  })
})
