import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { createPool } from 'mysql2'
import { createPool as createPromisePool } from 'mysql2/promise'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { client } from '../../support/client.js'
import { scratchMysql } from '../../support/scratch-mysql.js'

const engine = inject('mysqlEngine')
const scratch = await scratchMysql([
  'create table labels (id int auto_increment primary key, name varchar(100) not null)',
  "insert into labels (name) values ('ECM')",
])

const labels = defineResource('labels', {
  model: table<{ id: number; name: string }>('labels'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})

const pools = [createPool({ uri: scratch.url }), createPromisePool({ uri: scratch.url })] as const
afterAll(() => Promise.all([pools[0].promise().end(), pools[1].end()]))

describe('a pool of mysql2', () => {
  test.each([
    ['with callbacks', pools[0]],
    ['with promises', pools[1]],
  ])('%s is recognized', async (_name, pool) => {
    const api = client(createServer({ resources: [labels], data: sqlData(pool, { engine }) }))
    expect((await api.get('/labels')).resources.map(({ attributes }) => attributes?.['name'])).toEqual(['ECM'])
  })

  test('needs the name of the engine, which the first connection checks', async () => {
    const other = engine === 'mariadb' ? 'mysql' : 'mariadb'
    const server = createServer({ resources: [labels], data: sqlData(pools[0], { engine: other }) })
    // Pools prepare a connection once, so this pool is a new one.
    const pool = createPool({ uri: scratch.url })
    const wrong = createServer({ resources: [labels], data: sqlData(pool, { engine: other }) })
    await expect(wrong.ready()).rejects.toThrow(`pass the option engine: '${engine}' to sqlData()`)
    await pool.promise().end()
    expect(server).toBeDefined()
  })

  test('must count the rows that an update has found', async () => {
    const pool = createPool({ uri: scratch.url, flags: ['-FOUND_ROWS'] })
    const server = createServer({ resources: [labels], data: sqlData(pool, { engine }) })
    await expect(server.ready()).rejects.toThrow("remove '-FOUND_ROWS'")
    await pool.promise().end()
  })

  test('has no roles and no row-level security', () => {
    expect(() => sqlData(pools[0], { engine, session: () => ({}) })).toThrow(
      "The option 'session' of sqlData() needs PostgreSQL",
    )
  })

  test('does not search words: such a filter is a fault of the declaration', () => {
    const searched = defineResource('labels', {
      model: table<{ id: number; name: string }>('labels'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      filters: (f) => ({ q: f.search('name') }),
    })
    const build = () => createServer({ resources: [searched], data: sqlData(pools[0], { engine }) })
    expect(build).toThrow(/labels\.filters\.q: searches rows of 'labels'.*Remedy: remove the filter/s)
  })
})
