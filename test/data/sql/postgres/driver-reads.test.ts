import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { isPostgresPool } from '../../../../src/data/sql/driver/postgres/postgres-pool.js'
import { postgresDriver } from '../../../../src/data/sql/driver/postgres/postgres-driver.js'

describe('reads', () => {
  let pool: Pool
  beforeAll(() => {
    pool = new Pool({ connectionString: inject('databaseUrl'), max: 3 })
  })
  afterAll(() => pool.end())

  it('answers', async () => {
    const driver = postgresDriver(pool)
    expect(isPostgresPool(pool)).toBe(true)
    const result = await driver.read(
      { sql: 'select $1::int as n, now() as t', values: [1], name: 'a' },
      { context: null },
    )
    expect(result.columns).toEqual(['n', 't'])
    expect(result.rows[0]?.[1]).toBeInstanceOf(Date)
    expect(pool.idleCount).toBe(1)
  })
})
