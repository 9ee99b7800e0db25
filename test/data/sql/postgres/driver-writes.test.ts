import type { PoolConfig } from 'pg'
import { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { hasCommitted } from '../../../../src/stores/sql/driver/committed-requests.js'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import type { SqlStatement } from '../../../../src/stores/sql/driver/sql-statement.js'
import type { ScratchSchema } from '../../../support/scratch-schema.js'
import { scratchSchema } from '../../../support/scratch-schema.js'
import { cancellableClient, noRequest, statement, untilReturned } from './driver-helpers.js'

let schema: ScratchSchema
let pools: Pool[]

function poolOf(config: PoolConfig = {}): Pool {
  const pool = new Pool({ connectionString: schema.url, max: 2, ...config })
  pools.push(pool)
  return pool
}

beforeEach(async () => {
  pools = []
  schema = await scratchSchema()
  await poolOf().query('create table albums (id serial primary key, title text unique, year int4)')
})
afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.end()))
  await schema.drop()
})

function insert(title: string): SqlStatement {
  return {
    name: 'ashlar_insert',
    sql: 'insert into albums (title) values ($1) returning id, title, year',
    values: [title],
  }
}

async function titles(): Promise<readonly unknown[]> {
  const { rows } = await poolOf().query<{ title: string }>('select title from albums order by id')
  return rows.map(({ title }) => title)
}

describe('An autocommit write', () => {
  it('is committed immediately, and releases its connection', async () => {
    const pool = poolOf()
    const driver = postgresDriver(pool)
    const { context } = cancellableClient()
    expect(hasCommitted(context)).toBe(false)
    for (const [at, title] of ['Blue', 'Hejira', 'Mingus'].entries()) {
      expect(await driver.write(insert(title), { context })).toMatchObject({
        rows: [[at + 1, title, null]],
        changes: 1,
      })
    }
    expect(hasCommitted(context)).toBe(true)
    expect(await titles()).toEqual(['Blue', 'Hejira', 'Mingus'])
    await untilReturned(pool)
    expect(pool.totalCount).toBe(1)
  })

  it('that the database refuses stores nothing, and leaves the connection usable', async () => {
    const pool = poolOf()
    const driver = postgresDriver(pool)
    const { context } = cancellableClient()
    await driver.write(insert('Blue'), noRequest)
    const refused = driver.write(insert('Blue'), { context }).catch((thrown: unknown) => driver.faultOf(thrown))
    expect(await refused).toMatchObject({ kind: 'unique' })
    expect(hasCommitted(context)).toBe(false)
    await driver.write(insert('Hejira'), noRequest)
    await untilReturned(pool)
    expect(pool.totalCount).toBe(1)
  })

  it('is prepared again if the server refuses to run it as it was prepared', async () => {
    const driver = postgresDriver(poolOf({ max: 1 }))
    for (const title of ['Blue', 'Hejira']) await driver.write(insert(title), noRequest)
    await poolOf().query('alter table albums alter column year type text')
    expect((await driver.write(insert('Mingus'), noRequest)).rows).toMatchObject([[3, 'Mingus', null]])
    expect(await titles()).toEqual(['Blue', 'Hejira', 'Mingus'])
  })

  it('that writes is not retried if it returns other columns', async () => {
    // A pooler has its own process numbers, and may have prepared the statement again.
    const pooled = poolOf({ max: 1 }).on('connect', (client) => Object.assign(client, { processID: 1 }))
    const driver = postgresDriver(pooled)
    for (const title of ['Blue', 'Hejira']) await driver.write(insert(title), noRequest)
    await pooled.query('deallocate ashlar_insert')
    await pooled.query(
      'prepare ashlar_insert(text) as insert into albums (title) values ($1) returning id::text, title, year',
    )
    const thrown: unknown = await driver.write(insert('Mingus'), noRequest).catch((error: unknown) => error)
    expect(thrown).toMatchObject({ message: expect.stringContaining('was written') as string })
    expect(driver.faultOf(thrown)).toBeNull()
    expect(await titles()).toEqual(['Blue', 'Hejira', 'Mingus'])
    await driver.write(insert('Shadows and Light'), noRequest)
    expect(await titles()).toHaveLength(4)
  })

  it('is stopped when its client disconnects, and is not retried', async () => {
    const driver = postgresDriver(poolOf())
    const client = cancellableClient()
    const { context } = client
    const slow = driver.write(statement("insert into albums (title) select 'Blue' from pg_sleep(30)"), { context })
    setTimeout(() => client.leave(), 50)
    expect(await slow.catch((thrown: unknown) => driver.faultOf(thrown))).toEqual({ kind: 'cancelled' })
    expect(await titles()).toEqual([])
  })

  it('is refused immediately when the pool has ended', async () => {
    const ended = new Pool({ connectionString: inject('databaseUrl') })
    await ended.end()
    const driver = postgresDriver(ended)
    const refused = driver.write(insert('Blue'), noRequest).catch((thrown: unknown) => driver.faultOf(thrown))
    expect(await refused).toEqual({ kind: 'unavailable' })
  })
})
