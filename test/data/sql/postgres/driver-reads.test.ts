import { Client, Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import { isPostgresPool } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-pool.js'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import { scratchSchema } from '../../../support/scratch-schema.js'
import { cancellableClient, noRequest, statement, until, untilReturned } from './driver-helpers.js'
import { relayTo } from './relay.js'

let pool: Pool
let driver: SqlDriver

beforeEach(() => {
  pool = new Pool({ connectionString: inject('databaseUrl'), max: 4 })
  driver = postgresDriver(pool)
})
afterEach(() => pool.end())

const whichConnection = statement('select pg_backend_pid()')

async function connectionOf(context: Parameters<SqlDriver['read']>[1]): Promise<unknown> {
  return (await driver.read(whichConnection, context)).rows[0]?.[0]
}

describe('A read', () => {
  it('returns columns, rows by position, and the number of rows', async () => {
    const response = await driver.read(statement('select n, n * 2 as twice from generate_series(1, 2) n'), noRequest)
    expect(response).toEqual({
      columns: ['n', 'twice'],
      rows: [
        [1, 2],
        [2, 4],
      ],
      changes: 2,
      command: 'SELECT',
    })
  })

  it('shares a connection with the other concurrent reads of its request', async () => {
    const { context } = cancellableClient()
    const connections = await Promise.all([
      connectionOf({ context }),
      connectionOf({ context }),
      connectionOf({ context }),
    ])
    expect(new Set(connections).size).toBe(1)
    expect(pool.totalCount).toBe(1)
    await untilReturned(pool)
  })

  it('shares it if callbacks pass the request in another object', async () => {
    const { context } = cancellableClient()
    await Promise.all([connectionOf({ context }), connectionOf({ context: { ...context } })])
    expect(pool.totalCount).toBe(1)
  })

  it('shares nothing with other requests, nor with reads outside of requests', async () => {
    const askers = [
      { context: cancellableClient().context },
      { context: cancellableClient().context },
      noRequest,
      noRequest,
    ]
    const connections = await Promise.all(askers.map(connectionOf))
    expect(new Set(connections).size).toBe(4)
    await untilReturned(pool)
    expect(pool.totalCount).toBe(4)
  })

  it('is sent before earlier statements have results', async () => {
    const relay = await relayTo(inject('databaseUrl'))
    const slow = new Pool({ connectionString: relay.url, max: 1 })
    try {
      const relayed = postgresDriver(slow)
      await relayed.read(whichConnection, noRequest)
      relay.freeze()
      const { context } = cancellableClient()
      const results = Promise.all(
        [1, 2, 3].map((n) => relayed.read(statement(`select ${n} as sent_early`), { context })),
      )
      let sent = ''
      await until(() => {
        sent += relay.sent()
        return sent.split('sent_early').length === 4
      })
      relay.thaw()
      expect((await results).map(({ rows }) => rows[0]?.[0])).toEqual([1, 2, 3])
      await untilReturned(slow)
    } finally {
      await slow.end()
      await relay.close()
    }
  })

  it('gets its own rows if an earlier statement fails', async () => {
    const { context } = cancellableClient()
    const results = await Promise.allSettled([
      driver.read(statement('select 1'), { context }),
      driver.read(statement('select 1 / $1::int4', 0), { context }),
      driver.read(statement('select no_such_column'), { context }),
      driver.read(statement('select $1::text', 'mine'), { context }),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    expect(results.at(-1)).toMatchObject({ value: { rows: [['mine']] } })
    await untilReturned(pool)
    expect(await connectionOf({ context })).toBeTypeOf('number')
    expect(pool.totalCount).toBeLessThanOrEqual(2)
  })

  it('does not change the pool: statements of others wait for each other again', async () => {
    const { context } = cancellableClient()
    await Promise.all([connectionOf({ context }), connectionOf({ context })])
    await untilReturned(pool)
    const client = await pool.connect()
    expect(client.pipeline).toBe(false)
    client.release()
  })

  it('does not change a pool that pipelines statements', async () => {
    const eager = new Pool({ connectionString: inject('databaseUrl'), max: 1, pipeline: true })
    try {
      await postgresDriver(eager).read(whichConnection, noRequest)
      const client = await eager.connect()
      expect(client.pipeline).toBe(true)
      client.release()
    } finally {
      await eager.end()
    }
  })

  it('is prepared once for a connection when it has a name', async () => {
    const named = { ...statement('select $1::int4 as named', 7), name: 'ashlar_named' }
    const { context } = cancellableClient()
    const results = await Promise.all([1, 2, 3].map(() => driver.read(named, { context })))
    expect(results.map(({ rows }) => rows[0]?.[0])).toEqual([7, 7, 7])
    const cached = statement(
      'select name, generic_plans + custom_plans from pg_prepared_statements where name = $1',
      'ashlar_named',
    )
    expect((await driver.read(cached, { context })).rows).toEqual([['ashlar_named', 3]])
  })

  it('is prepared again when its table has changed, on every connection', async () => {
    const schema = await scratchSchema()
    const pipelined = new Pool({ connectionString: schema.url, max: 4 })
    try {
      await pipelined.query('create table albums (id int4); insert into albums values (1)')
      const prepared = postgresDriver(pipelined)
      const all = { ...statement('select * from albums'), name: 'ashlar_all_albums' }
      const everywhere = (): Promise<readonly unknown[]> =>
        Promise.all([1, 2, 3, 4].map(async () => (await prepared.read(all, noRequest)).rows))
      await everywhere()
      await untilReturned(pipelined)
      await pipelined.query("alter table albums add title text default 'Blue'")
      expect(await everywhere()).toEqual([1, 2, 3, 4].map(() => [[1, 'Blue']]))
      expect(await everywhere()).toEqual([1, 2, 3, 4].map(() => [[1, 'Blue']]))
      await untilReturned(pipelined)
      expect(pipelined.totalCount).toBe(4)
    } finally {
      await pipelined.end()
      await schema.drop()
    }
  })

  it('of many concurrent requests uses few connections, which are all released', async () => {
    const results = await Promise.all(
      Array.from({ length: 60 }, async (_, asker) => {
        const { context } = cancellableClient()
        const read = (n: number): Promise<unknown> =>
          driver.read(statement('select $1::int4, $2::int4', asker, n), { context }).then(({ rows }) => rows[0])
        return Promise.all([1, 2, 3].map(read))
      }),
    )
    expect(results).toEqual(Array.from({ length: 60 }, (_, asker) => [1, 2, 3].map((n) => [asker, n])))
    expect(pool.totalCount).toBe(4)
    await untilReturned(pool)
  })

  it('releases the connection when a value cannot be read', async () => {
    const german = new Pool({ connectionString: inject('databaseUrl'), max: 1, options: '-c datestyle=German' })
    try {
      const moment = postgresDriver(german).read(statement('select now()'), noRequest)
      await expect(moment).rejects.toThrow('set the DateStyle of the database to ISO')
      await untilReturned(german)
    } finally {
      await german.end()
    }
  })
})

describe('A pool', () => {
  it('is distinguished from a single client, and from other objects', () => {
    expect(isPostgresPool(pool)).toBe(true)
    expect(isPostgresPool(new Client())).toBe(false)
    expect(isPostgresPool(null)).toBe(false)
    expect(isPostgresPool('postgres://127.0.0.1/music')).toBe(false)
  })
})
