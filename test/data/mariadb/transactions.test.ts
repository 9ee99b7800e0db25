import { EventEmitter, once } from 'node:events'
import type { RequestContext } from 'ashlar'
import type { Transaction } from 'ashlar/store'
import { expect, inject, test } from 'vitest'
import { driverOf } from '../../../src/stores/sql/driver/driver-of.js'
import { unnamed } from '../../../src/stores/sql/driver/sql-statement.js'
import type { SqlTransactionOptions } from '../../../src/stores/sql/transactions/sql-transactions.js'
import { sqlTransactionOf, sqlTransactions } from '../../../src/stores/sql/transactions/sql-transactions.js'
import { scratchMysql } from '../../support/scratch-mysql.js'

const scratch = await scratchMysql([
  'create table counters (id int primary key, n int not null)',
  'insert into counters values (1, 0), (2, 0)',
])

const driver = driverOf(scratch.pool, { engine: inject('mysqlEngine') })

const run = (transaction: Transaction, sql: string) => sqlTransactionOf(transaction).connection.run(unnamed(sql))

const context: RequestContext = {
  server: 'default',
  type: 'counters',
  operation: 'FetchResource',
  caller: null,
  request: null,
}

/** Returns a function that waits until it is called twice. */
function meeting(): () => Promise<void> {
  const met = new EventEmitter()
  let waiting = 0
  return async () => {
    waiting += 1
    if (waiting >= 2) met.emit('both')
    else await once(met, 'both')
  }
}

/** Two transactions which lock the same rows in opposite orders. */
async function crossing(transactions: ReturnType<typeof sqlTransactions>) {
  const runs: string[] = []
  const both = meeting()
  const add = (name: string, [first, second]: readonly [number, number]) =>
    transactions.run(async (transaction) => {
      runs.push(name)
      await run(transaction, `update counters set n = n + 1 where id = ${first}`)
      await both()
      await run(transaction, `update counters set n = n + 1 where id = ${second}`)
    })
  await Promise.all([add('one', [1, 2]), add('other', [2, 1])])
  return runs
}

test('a deadlock is retried as a whole', async () => {
  const runs = await crossing(sqlTransactions(driver))
  expect(runs).toHaveLength(3)
  expect(await scratch.run('select id, n from counters')).toEqual([
    { id: 1, n: 2 },
    { id: 2, n: 2 },
  ])
})

test('nothing is stored by code that ignores the error of a deadlock', async () => {
  await scratch.run('update counters set n = 0; create table notes (text varchar(20)); delete from notes')
  const transactions = sqlTransactions(driver, { retries: 0 })
  const both = meeting()
  const attempt = ([first, second]: readonly [number, number]) =>
    transactions.run(async (transaction) => {
      await run(transaction, `update counters set n = n + 1 where id = ${first}`)
      await both()
      try {
        await run(transaction, `update counters set n = n + 1 where id = ${second}`)
      } catch {
        // The server has rolled back the transaction: this statement would be committed by itself.
        await run(transaction, "insert into notes values ('lost')").catch(() => undefined)
      }
    })
  const settled = await Promise.allSettled([attempt([1, 2]), attempt([2, 1])])
  expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await scratch.run('select * from notes')).toEqual([])
  expect(await scratch.run('select id, n from counters')).toEqual([
    { id: 1, n: 1 },
    { id: 2, n: 1 },
  ])
})

/** Reads a number before and after another connection has changed it. Returns what is read last. */
function readTwice(options: SqlTransactionOptions, changed: number): Promise<unknown> {
  return sqlTransactions(driver, options).run(async (transaction) => {
    await run(transaction, 'select n from counters where id = 1')
    await scratch.run(`update counters set n = ${changed} where id = 1`)
    return (await run(transaction, 'select n from counters where id = 1')).rows[0]?.[0]
  })
}

test('an isolation level holds for one transaction, and the default is read committed', async () => {
  expect(await readTwice({}, 77)).toBe(77)
  expect(await readTwice({ isolation: 'repeatable read' }, 78)).toBe(77)
  expect(await readTwice({}, 79)).toBe(79)
})

test('a snapshot sees the rows of one moment', async () => {
  await scratch.run('update counters set n = 1 where id = 1')
  const seen = await sqlTransactions(driver).snapshot(async (transaction) => {
    if (transaction === null) return null
    await scratch.run('update counters set n = 2 where id = 1')
    return (await run(transaction, 'select n from counters where id = 1')).rows[0]?.[0]
  }, context)
  expect(seen).toBe(1)
})
