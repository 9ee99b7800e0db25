import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { scratchSchema } from '../../support/scratch-schema.js'

test('a scratch schema has tables that no other test sees', async () => {
  const [one, other] = [await scratchSchema(), await scratchSchema()]
  const pools = [one, other].map(({ url }) => new Pool({ connectionString: url }))
  await pools[0]?.query('create table albums (id int)')
  const seen = await Promise.all(pools.map((pool) => pool.query(`select to_regclass('albums') is not null as there`)))
  expect(seen.map(({ rows }) => rows)).toEqual([[{ there: true }], [{ there: false }]])
  await Promise.all(pools.map((pool) => pool.end()))
  await Promise.all([one.drop(), other.drop()])
})
