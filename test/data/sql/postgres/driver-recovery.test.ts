import { kill } from 'node:process'
import { Pool } from 'pg'
import { afterEach, describe, expect, inject, it, vi } from 'vitest'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import { patience } from '../../../support/patience.js'
import { postgresServer } from '../../../support/postgres-server.js'
import { noRequest, statement, until, untilReturned, ignoringErrors } from './driver-helpers.js'
import { relayTo } from './relay.js'

const pools: Pool[] = []
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.end())))

function poolAt(connectionString: string, max = 3): Pool {
  const pool = ignoringErrors(new Pool({ connectionString, max }))
  pools.push(pool)
  return pool
}

async function kindOf(work: Promise<unknown>, driver: SqlDriver): Promise<string | undefined> {
  return work.then(
    () => 'none',
    (thrown: unknown) => driver.faultOf(thrown)?.kind,
  )
}

const connection = statement('select pg_backend_pid()')

/** As many connections as the pool may have, all of them idle in the end. */
async function filled(pool: Pool, driver: SqlDriver): Promise<number[]> {
  const pids = await Promise.all(Array.from({ length: 3 }, () => driver.read(connection, noRequest)))
  await untilReturned(pool)
  return pids.map(({ rows }) => Number(rows[0]?.[0]))
}

describe('The pool', () => {
  it('forgets idle connections that the server ends, and opens others', async () => {
    const pool = poolAt(inject('databaseUrl'))
    const driver = postgresDriver(pool)
    const old = await filled(pool, driver)
    await poolAt(inject('databaseUrl'), 1).query('select pg_terminate_backend(pid) from unnest($1::int4[]) pid', [old])
    await until(() => pool.totalCount === 0)
    const fresh = await filled(pool, driver)
    expect(fresh.filter((pid) => old.includes(pid))).toEqual([])
  })

  it('gives another connection after one was ended during a statement', async () => {
    const pool = poolAt(inject('databaseUrl'))
    const driver = postgresDriver(pool)
    const terminator = poolAt(inject('databaseUrl'), 1)
    const held = await driver.hold(noRequest)
    const { rows } = await held.run(connection)
    const works = ['select pg_sleep(30)', 'select 2'].map((sql) => kindOf(held.run(statement(sql)), driver))
    await terminator.query('select pg_terminate_backend($1)', rows[0] as unknown[])
    expect(await Promise.all(works)).toEqual(['unavailable', 'unavailable'])
    expect(await kindOf(held.run(statement('rollback')), driver)).toBe('unavailable')
    held.release(false)
    await until(() => pool.totalCount === 0)
    expect(await kindOf(driver.read(connection, noRequest), driver)).toBe('none')
  })

  it('reports that there is no server while there is none, and works again as soon as there is one', async () => {
    const relay = await relayTo(inject('databaseUrl'))
    const pool = poolAt(relay.url)
    const driver = postgresDriver(pool)
    await filled(pool, driver)
    const held = await driver.hold(noRequest)
    const working = kindOf(held.run(statement('select pg_sleep(30)')), driver)
    await relay.close()
    expect(await working).toBe('unavailable')
    held.release(true)
    await until(() => pool.totalCount === 0)
    expect(await kindOf(driver.read(connection, noRequest), driver)).toBe('unavailable')
    expect(await kindOf(driver.hold(noRequest), driver)).toBe('unavailable')
    await relay.open()
    expect(await kindOf(driver.read(connection, noRequest), driver)).toBe('none')
    await untilReturned(pool)
    await relay.close()
  })

  it('reports that no connection became free in time', async () => {
    const pool = new Pool({ connectionString: inject('databaseUrl'), max: 1, connectionTimeoutMillis: patience(2000) })
    pools.push(pool)
    const driver = postgresDriver(pool)
    const held = await driver.hold(noRequest)
    expect(await kindOf(driver.read(connection, noRequest), driver)).toBe('unavailable')
    held.release(false)
    expect(await kindOf(driver.read(connection, noRequest), driver)).toBe('none')
  })

  it('serves again after the server has crashed and recovered', async () => {
    // A separate server, which no other test uses.
    vi.stubEnv('DATABASE_URL', '')
    const server = await postgresServer()
    try {
      const pool = poolAt(server.url)
      const driver = postgresDriver(pool)
      const [pid = 0, ...idle] = await filled(pool, driver)
      // When one of its processes dies so, the server ends all others and starts again.
      kill(pid, 'SIGKILL')
      await until(() => pool.totalCount === 0)
      await until(async () => (await kindOf(driver.read(connection, noRequest), driver)) === 'none')
      const fresh = await filled(pool, driver)
      expect(fresh.filter((found) => idle.includes(found))).toEqual([])
    } finally {
      await Promise.all(pools.splice(0).map((pool) => pool.end()))
      await server.end()
    }
  })
})
