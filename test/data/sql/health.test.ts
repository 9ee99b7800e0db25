import type { ErrorLogEntry } from 'ashlar'
import type { HealthOptions } from '../../../src/server/journey/health-options.js'
import { createServer, defineResource, id } from 'ashlar'
import { sqlData, type SqlDatabase, table } from 'ashlar/sql'
import { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { patience } from '../../support/patience.js'
import { type ScratchSchema, scratchSchema } from '../../support/scratch-schema.js'
import { untilReturned } from './postgres/driver-helpers.js'
import { type Relay, relayTo } from './postgres/relay.js'
import { scratchFiles } from './sqlite/scratch-files.js'

const albums = defineResource('albums', {
  model: table<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})

/** A deadline that is only exceeded without any response. */
const deadline = patience(2000)

function music(database: SqlDatabase, options: HealthOptions = {}) {
  const messages: string[] = []
  const logger = { error: ({ err }: ErrorLogEntry) => messages.push((err as Error).message) }
  const server = createServer({ resources: [albums], data: sqlData(database), logger })
  return { server, messages, health: server.health({ cacheFor: 0, deadline, ...options }) }
}

const all = { accepting: 'ok', stores: 'ok', pools: 'ok', schema: 'ok' }

describe('Readiness on PostgreSQL', () => {
  let schema: ScratchSchema
  let relay: Relay
  let pool: Pool
  beforeEach(async () => {
    schema = await scratchSchema()
    relay = await relayTo(schema.url)
    pool = new Pool({ connectionString: relay.url, max: 1 })
    await pool.query('create table albums (id integer generated always as identity primary key, title text)')
  })
  afterEach(async () => {
    await pool.end()
    await relay.close().catch(() => undefined)
    await schema.drop()
  })

  it('takes one connection for a short time', async () => {
    const { health } = music(pool)
    expect((await health.ready()).checks).toEqual(all)
    relay.sent()
    expect((await health.ready()).checks).toEqual(all)
    expect(relay.sent().match(/select 1/g)).toHaveLength(1)
    expect([pool.totalCount, pool.idleCount]).toEqual([1, 1])
  })

  it('fails while the server cannot be reached, and only the log has the reason', async () => {
    const { health, messages } = music(pool)
    await health.ready()
    await relay.close()
    await expect.poll(() => pool.totalCount).toBe(0)
    const report = await health.ready()
    expect(report).toEqual({ status: 'unavailable', checks: { ...all, stores: 'failed' } })
    expect(messages).toEqual([expect.stringContaining("The health check 'stores' fails: ")])
    await relay.open()
    expect((await health.ready()).checks).toEqual(all)
  })

  it('fails while the server does not respond', async () => {
    const { health, messages } = music(pool, { deadline: 200 })
    await expect.poll(async () => (await health.ready()).status, { timeout: patience(60_000) }).toBe('ok')
    relay.freeze()
    expect((await health.ready()).checks).toEqual({ ...all, stores: 'failed' })
    expect(messages.at(-1)).toContain("The health check 'stores' fails: ")
    relay.thaw()
    await expect.poll(async () => (await health.ready()).status, { timeout: patience(60_000) }).toBe('ok')
  })

  it('fails while requests wait for a connection', async () => {
    const { health } = music(pool, { maxWaiting: 2, deadline: 100 })
    await expect.poll(async () => (await health.ready()).status, { timeout: patience(60_000) }).toBe('ok')
    const client = await pool.connect()
    const waiting = [1, 2, 3].map(() => pool.query('select 1'))
    expect((await health.ready()).checks).toMatchObject({ stores: 'failed', pools: 'failed' })
    client.release()
    await Promise.all(waiting)
    await untilReturned(pool)
    await expect.poll(async () => (await health.ready()).checks, { timeout: patience(60_000) }).toEqual(all)
  })

  it('fails until a table exists', async () => {
    await pool.query('alter table albums rename to records')
    const { health, messages } = music(pool)
    expect((await health.ready()).checks).toEqual({ ...all, schema: 'failed' })
    expect(messages[0]).toContain('albums')
    await pool.query('alter table records rename to albums')
    expect((await health.ready()).checks).toEqual(all)
  })
})

describe('Readiness on SQLite', () => {
  const files = scratchFiles()

  it.each(['music.db', ':memory:'])('fails when the database is closed: %s', async (name) => {
    const database = files.open(name)
    database.exec('create table albums (id integer primary key, title text)')
    const { health, messages } = music(database)
    const { pools: _pools, ...checks } = all
    expect((await health.ready()).checks).toEqual(checks)
    database.close()
    expect((await health.ready()).checks).toEqual({ ...checks, stores: 'failed' })
    expect(messages).toHaveLength(1)
  })
})
