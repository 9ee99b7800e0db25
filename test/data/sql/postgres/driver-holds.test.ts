import type { PoolClient } from 'pg'
import { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import type { ScratchSchema } from '../../../support/scratch-schema.js'
import { scratchSchema } from '../../../support/scratch-schema.js'
import { noRequest, statement, until, untilReturned } from './driver-helpers.js'

let schema: ScratchSchema
let pool: Pool
let driver: SqlDriver

beforeEach(async () => {
  schema = await scratchSchema()
  pool = new Pool({ connectionString: schema.url, max: 2 })
  driver = postgresDriver(pool)
  await pool.query('create table held_albums (id int4 primary key, title text)')
})
afterEach(async () => {
  await pool.end()
  await schema.drop()
})

describe('A held connection', () => {
  it('runs statements in the order in which they are given, without waiting for results', async () => {
    const held = await driver.hold(noRequest)
    const results = await Promise.all([
      held.run(statement('begin')),
      held.run(statement('insert into held_albums values ($1, $2), ($3, $4)', 1, 'Blue', 2, 'Hejira')),
      held.run(statement('update held_albums set title = title || $1', '!')),
      held.run(statement('select title from held_albums order by id')),
      held.run(statement('commit')),
    ])
    held.release(false)
    expect(results.map(({ changes }) => changes)).toEqual([0, 2, 2, 2, 0])
    expect(results[3]?.rows).toEqual([['Blue!'], ['Hejira!']])
    await untilReturned(pool)
  })

  it('continues after a savepoint when a statement in between fails', async () => {
    const held = await driver.hold(noRequest)
    await held.run(statement('begin'))
    await held.run(statement('insert into held_albums values (1)'))
    const results = await Promise.allSettled([
      held.run(statement('savepoint one')),
      held.run(statement('insert into held_albums values ($1)', 1)),
      held.run(statement('release savepoint one')),
      held.run(statement('rollback to savepoint one')),
      held.run(statement('insert into held_albums values ($1)', 2)),
      held.run(statement('commit')),
    ])
    held.release(false)
    const ends = results.map(({ status }) => status === 'fulfilled')
    expect(ends).toEqual([true, false, false, true, true, true])
    expect((await driver.read(statement('select id from held_albums order by id'), noRequest)).rows).toEqual([[1], [2]])
  })

  it('is exclusive until it is released', async () => {
    const [one, other] = await Promise.all([driver.hold(noRequest), driver.hold(noRequest)])
    const pid = async (held: typeof one): Promise<unknown> =>
      (await held.run(statement('select pg_backend_pid()'))).rows[0]?.[0]
    expect(await pid(one)).not.toBe(await pid(other))
    const waiting = driver.hold(noRequest)
    expect(pool.waitingCount).toBe(1)
    one.release(false)
    ;(await waiting).release(false)
    other.release(false)
    await untilReturned(pool)
    expect(pool.totalCount).toBe(2)
  })

  it('is not used again when it is broken, or was left in a transaction', async () => {
    const broken = await driver.hold(noRequest)
    broken.release(true)
    await until(() => pool.totalCount === 0 || pool.idleCount === pool.totalCount)
    const left = await driver.hold(noRequest)
    await left.run(statement('begin'))
    await left.run(statement('insert into held_albums values (9)'))
    left.release(false)
    const response = await driver.read(
      statement('select count(*)::int4, pg_current_xact_id_if_assigned() from held_albums'),
      noRequest,
    )
    expect(response.rows).toEqual([[0, null]])
  })

  it('is not reused if a statement on it has no result yet', async () => {
    const held = await driver.hold(noRequest)
    const raw = held.raw as PoolClient
    const forgotten = Promise.allSettled([
      raw.query('select 1 from pg_sleep(0.1)'),
      raw.query('select 2'),
      raw.query('select 3'),
    ])
    held.release(false)
    // With pipelining, as the pool is configured, the results of the forgotten statements would come first.
    const results = await Promise.all([4, 5, 6].map((n) => pool.query({ text: `select ${n}::int4`, rowMode: 'array' })))
    expect(results.map(({ rows }) => rows)).toEqual([[[4]], [[5]], [[6]]])
    await forgotten
    await untilReturned(pool)
  })

  it('can be used directly by user-defined code', async () => {
    const held = await driver.hold(noRequest)
    await held.run(statement('begin'))
    const raw = held.raw as PoolClient
    await raw.query("insert into held_albums values (5, 'Mingus')")
    const { rows } = await held.run(statement('select title from held_albums'))
    expect(rows).toEqual([['Mingus']])
    await held.run(statement('rollback'))
    held.release(false)
    await untilReturned(pool)
  })
})
