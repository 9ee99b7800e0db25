import { setTimeout as sleep } from 'node:timers/promises'
import { HttpError, JsonApiError } from 'ashlar'
import type { Transaction } from 'ashlar/store'
import type { PoolClient } from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { findFault, rethrowFault } from '../../../../src/stores/sql/driver/rethrow-fault.js'
import { statementWatch } from '../../../../src/stores/sql/statement/ran-statement.js'
import {
  inSavepoint,
  rawConnection,
  sqlTransactions,
} from '../../../../src/stores/sql/transactions/sql-transactions.js'
import { patience } from '../../../support/patience.js'
import { meeting, signal } from '../../../support/signal.js'
import { add, postgresScratch, run, type Scratch, sqliteScratch } from './scratch-drivers.js'
import { scripted } from './scripted-driver.js'
import type { SqlFault } from '../../../../src/stores/sql/driver/sql-statement.js'

const opened: Scratch[] = []
afterEach(async () => {
  for (const scratch of opened.splice(0)) await scratch.end()
})

async function opening(open: () => Promise<Scratch>): Promise<Scratch> {
  const scratch = await open()
  opened.push(scratch)
  return scratch
}

/** The response to a client. */
function classified(thrown: unknown): unknown {
  if (!JsonApiError.is(thrown)) return thrown
  return { status: thrown.status, code: thrown.problems[0]?.code, headers: thrown.headers }
}

const unavailable = { status: 503, code: 'STORE_UNAVAILABLE', headers: ['Retry-After', '1'] }

function mark(transaction: Transaction, title: string): Promise<unknown> {
  return run(transaction, `update albums set title = title || '!' where title like '${title}%'`)
}

async function careless(transaction: Transaction): Promise<void> {
  await add(transaction, 'Kid A')
  await add(transaction, 'Kid A').catch(() => undefined)
}

async function carelessAside(transaction: Transaction): Promise<void> {
  await add(transaction, 'Kid A')
  const client = rawConnection(transaction) as PoolClient
  await client.query('select 1 / 0').catch(() => undefined)
}

async function hasty(transaction: Transaction): Promise<void> {
  await add(transaction, 'Kid A')
  void run(transaction, 'select 1 / 0').catch(() => undefined)
}

function responseTo(fault: SqlFault | null): unknown {
  try {
    return rethrowFault(new Error('From the database.'), { faultOf: () => fault })
  } catch (thrown) {
    return thrown
  }
}

const conflict: SqlFault = { kind: 'conflict' }

describe('Work that conflicts with another transaction', () => {
  it('is retried from the start, on PostgreSQL after a serialization failure', async () => {
    const { driver, titles } = await opening(postgresScratch)
    const transactions = sqlTransactions(driver, { isolation: 'serializable' })
    let runs = 0
    const bothHaveRead = meeting(2)
    const addUnlessThere = (title: string) => async (transaction: Transaction) => {
      runs += 1
      const { rows } = await run(transaction, 'select count(*) from albums')
      await bothHaveRead()
      await run(transaction, `insert into albums (id, title) values (${Number(rows[0]?.[0]) + 1}, '${title}')`)
    }
    await Promise.all(['Kid A', 'Amnesiac'].map((title) => transactions.run(addUnlessThere(title))))
    expect(await titles()).toEqual(['Amnesiac', 'Kid A'])
    expect(runs).toBe(3)
  })

  it('is retried if PostgreSQL finds a deadlock', async () => {
    const { driver, titles } = await opening(postgresScratch)
    const transactions = sqlTransactions(driver)
    await transactions.run(async (transaction) => {
      await add(transaction, 'a')
      await add(transaction, 'b')
    })
    const bothHaveBegun = meeting(2)
    const inOrder = (first: string, second: string): Promise<unknown> =>
      transactions.run(async (transaction) => {
        await mark(transaction, first)
        await bothHaveBegun()
        await mark(transaction, second)
      })
    await Promise.all([inOrder('a', 'b'), inOrder('b', 'a')])
    expect(await titles()).toEqual(['a!!', 'b!!'])
  })

  it('waits if another process has locked SQLite for a while', async () => {
    const { driver, another, titles } = await opening(sqliteScratch)
    const [one, others] = [sqlTransactions(another(patience(60_000))), sqlTransactions(driver)]
    const locked = signal()
    await Promise.all([
      others.run(async (transaction) => {
        await add(transaction, 'Kid A')
        locked.give()
        await sleep(100)
      }),
      locked.given.then(() => one.run((transaction) => add(transaction, 'Amnesiac'))),
    ])
    expect(await titles()).toEqual(['Amnesiac', 'Kid A'])
  })

  it('fails if another process locks SQLite for too long, and the client may try again later', async () => {
    const { driver, another } = await opening(sqliteScratch)
    const [one, others] = [sqlTransactions(driver), sqlTransactions(another())]
    const thrown = await others.run(async () => one.run(() => Promise.resolve()).catch((error: unknown) => error))
    expect(classified(thrown)).toEqual(unavailable)
    const message = 'Another process held the lock of the SQLite database for longer than 30 ms.'
    expect(thrown).toMatchObject({ cause: { message, cause: { message: 'database is locked' } } })
  })

  it.each(['serializable', 'repeatable read'] as const)(
    'is retried until all of many are committed: %s',
    async (isolation) => {
      const { driver, titles } = await opening(postgresScratch)
      const transactions = sqlTransactions(driver, { isolation, retries: 100 })
      await transactions.run((transaction) => add(transaction, 'Kid A'))
      await Promise.all(Array.from({ length: 30 }, () => transactions.run((transaction) => mark(transaction, 'Kid A'))))
      expect(await titles()).toEqual([`Kid A${'!'.repeat(30)}`])
    },
  )

  it('is retried if many wait for each other in a circle', async () => {
    const { driver, titles } = await opening(postgresScratch)
    const transactions = sqlTransactions(driver, { retries: 100 })
    await transactions.run(async (transaction) => {
      await run(transaction, 'set local deadlock_timeout = 50')
      for (const title of ['A', 'B']) await add(transaction, title)
    })
    const both = (first: string, second: string) =>
      transactions.run(async (transaction) => {
        await run(transaction, 'set local deadlock_timeout = 50')
        await mark(transaction, first)
        await mark(transaction, second)
      })
    await Promise.all(Array.from({ length: 12 }, (_, turn) => (turn % 2 === 0 ? both('A', 'B') : both('B', 'A'))))
    expect(await titles()).toEqual([`A${'!'.repeat(12)}`, `B${'!'.repeat(12)}`])
  })

  it('is retried no more often than configured', async () => {
    for (const [retries, runs] of [
      [0, 1],
      [2, 3],
    ] as const) {
      const { driver, log } = scripted({ begin: Array.from({ length: 9 }, () => conflict) })
      const watch = statementWatch('postgres')
      const thrown = await sqlTransactions(driver, { retries }, watch)
        .run(() => Promise.resolve())
        .catch((error: unknown) => error)
      expect(classified(thrown)).toEqual(unavailable)
      expect(log.filter((line) => line === 'begin')).toHaveLength(runs)
      expect(watch.counts).toEqual({ statements: 0, transactions: runs, retries })
    }
  })

  it('is retried if only the commit fails', async () => {
    const { driver, log } = scripted({ commit: [conflict] })
    let runs = 0
    expect(await sqlTransactions(driver).run(() => Promise.resolve((runs += 1)))).toBe(2)
    expect(log).toEqual(['hold', 'begin', 'commit', 'rollback', 'release', 'hold', 'begin', 'commit', 'release'])
  })

  it('is retried if the conflict is found at the release of a savepoint, which is not awaited', async () => {
    const release = 'release savepoint ashlar_write'
    // PostgreSQL runs nothing after the failure, and reports only that for each later statement.
    const { driver, log } = scripted({ [release]: [conflict], insert: [{ kind: 'other' }] })
    let runs = 0
    await sqlTransactions(driver).run(async (transaction) => {
      runs += 1
      await inSavepoint(transaction, () => run(transaction, 'update'))
      await run(transaction, 'insert')
    })
    expect(runs).toBe(2)
    expect(log.filter((sql) => sql === 'rollback' || sql === 'commit')).toEqual(['rollback', 'commit'])
  })

  it('is retried if the error of a later statement is seen before the conflict', async () => {
    const aborted: SqlFault = { kind: 'aborted' }
    const { driver, log } = scripted({ first: [conflict], second: [aborted] })
    const result = await sqlTransactions(driver).run(async (transaction) => {
      const first = run(transaction, 'first')
      first.catch(() => undefined)
      await run(transaction, 'second')
      await first
      return 'done'
    })
    expect(result).toBe('done')
    expect(log.filter((sql) => sql === 'first')).toHaveLength(2)
  })

  it('is retried if the conflict was wrapped in another error, and as a whole if it was nested', async () => {
    const { driver } = scripted({ insert: [conflict] })
    const transactions = sqlTransactions(driver)
    const runs = { outer: 0, inner: 0 }
    await transactions.run(async (outer) => {
      runs.outer += 1
      await transactions.run(async (inner) => {
        runs.inner += 1
        try {
          await run(inner, 'insert')
        } catch (thrown) {
          throw new Error('It did not work.', { cause: thrown })
        }
      }, outer)
    })
    expect(runs).toEqual({ outer: 2, inner: 2 })
  })
})

describe('A connection', () => {
  it('is not used again if the rollback fails, and the error of the work is reported', async () => {
    const { driver, log } = scripted({ rollback: [{ kind: 'other' }] })
    const refused = new Error('No.')
    await expect(sqlTransactions(driver).run(() => Promise.reject(refused))).rejects.toBe(refused)
    expect(log).toEqual(['hold', 'begin', 'rollback', 'broken'])
  })

  it('is not reused if it was lost during the commit, which is not retried', async () => {
    const { driver, log } = scripted({ commit: [{ kind: 'unavailable' }], rollback: [{ kind: 'unavailable' }] })
    const thrown = await sqlTransactions(driver)
      .run(() => Promise.resolve())
      .catch((error: unknown) => error)
    expect(classified(thrown)).toEqual(unavailable)
    expect(log).toEqual(['hold', 'begin', 'commit', 'rollback', 'broken'])
  })

  it('that is unavailable is 503', async () => {
    const { driver } = scripted({ hold: [{ kind: 'unavailable' }] })
    const thrown = await sqlTransactions(driver)
      .run(() => Promise.resolve())
      .catch((error: unknown) => error)
    expect(classified(thrown)).toEqual(unavailable)
  })

  it('that PostgreSQL closes during a transaction is 503, and the next transaction works', async () => {
    const { driver, titles } = await opening(postgresScratch)
    const transactions = sqlTransactions(driver)
    const thrown = await transactions
      .run(async (transaction) => {
        await add(transaction, 'Kid A')
        await run(transaction, 'select pg_terminate_backend(pg_backend_pid())')
      })
      .catch((error: unknown) => error)
    expect(classified(thrown)).toEqual(unavailable)
    await transactions.run((transaction) => add(transaction, 'Amnesiac'))
    expect(await titles()).toEqual(['Amnesiac'])
  })
})

describe('A statement that fails in a transaction, and whose error is ignored', () => {
  it('prevents PostgreSQL from committing, which is reported', async () => {
    const { driver, titles } = await opening(postgresScratch)
    const thrown = await sqlTransactions(driver)
      .run(careless)
      .catch((error: unknown) => error)
    expect(thrown).toMatchObject({ message: expect.stringContaining('its error was ignored') as string })
    expect(findFault(thrown, driver)?.kind).toBe('unique')
    expect(await titles()).toEqual([])
  })

  it('is reported too if it was run on the connection itself', async () => {
    const { driver, titles } = await opening(postgresScratch)
    await expect(sqlTransactions(driver).run(carelessAside)).rejects.toThrow('its error was ignored')
    expect(await titles()).toEqual([])
  })

  it('is reported too if its promise was not awaited', async () => {
    const { driver, titles } = await opening(postgresScratch)
    await expect(sqlTransactions(driver).run(hasty)).rejects.toThrow('its error was ignored')
    expect(await titles()).toEqual([])
  })

  it('is rolled back with its nested transaction, and the outer one continues', async () => {
    const { driver, titles } = await opening(postgresScratch)
    const transactions = sqlTransactions(driver)
    await transactions.run(async (outer) => {
      await expect(transactions.run(careless, outer)).rejects.toThrow('its error was ignored')
      await add(outer, 'Amnesiac')
    })
    expect(await titles()).toEqual(['Amnesiac'])
  })

  it('has no effect on SQLite', async () => {
    const { driver, titles } = await opening(sqliteScratch)
    await sqlTransactions(driver).run(careless)
    expect(await titles()).toEqual(['Kid A'])
  })
})

describe('The response to an error of the store', () => {
  it.each(['unavailable', 'timeout', 'conflict'] as const)('%s: 503, with the cause for the log', (kind) => {
    const thrown = responseTo({ kind })
    expect(classified(thrown)).toEqual(unavailable)
    expect(thrown).toMatchObject({ cause: { message: 'From the database.' } })
  })

  it('cancelled: not logged as a crash', () => {
    const thrown = responseTo({ kind: 'cancelled' })
    expect(HttpError.is(thrown) && thrown.status).toBe(499)
  })

  it('other errors: unchanged', () => {
    for (const fault of [null, { kind: 'value' } as const, { kind: 'other' } as const]) {
      expect(responseTo(fault)).toMatchObject({ message: 'From the database.' })
    }
  })

  it('wrapped in other errors, and cyclic causes', () => {
    const circle = new Error('Round')
    circle.cause = circle
    expect(findFault(circle, { faultOf: () => null })).toBeNull()
  })
})
