import { request as httpRequest } from 'node:http'
import process from 'node:process'
import type { ClientConfig, PoolClient } from 'pg'
import { Client, Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { fetchAdapter } from '../../../../src/serve/adapters/fetch.js'
import { listen } from '../../../../src/serve/adapters/listen.js'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import type { HttpRequest } from '../../../../src/core/http/request.js'
import type { RequestContext } from '../../../../src/declare/resource/request/request-context.js'
import { patience } from '../../../support/patience.js'
import { rounds } from '../../../support/runs.js'
import { cancellableClient, noRequest, runningOn, statement, until, untilReturned } from './driver-helpers.js'
import { relayTo } from './relay.js'

let pool: Pool
let observer: Pool
let driver: SqlDriver

beforeEach(() => {
  const connectionString = inject('databaseUrl')
  pool = new Pool({ connectionString, max: 2 })
  observer = new Pool({ connectionString, max: 1 })
  driver = postgresDriver(pool)
})
afterEach(() => Promise.all([pool.end(), observer.end()]))

async function faultOf(work: Promise<unknown>, tested: SqlDriver = driver): Promise<string | undefined> {
  try {
    await work
  } catch (thrown) {
    return tested.faultOf(thrown)?.kind
  }
  return 'none'
}

const mark = (): string => `sleeper_${crypto.randomUUID().replaceAll('-', '')}`

describe('A client that disconnects', () => {
  it('cancels the statement that runs for it, and the connection stays usable', async () => {
    const client = cancellableClient()
    const name = mark()
    const fault = faultOf(driver.read(statement(`select pg_sleep(30) as ${name}`), client))
    await until(async () => (await runningOn(observer, name)) === 1)
    client.leave()
    expect(await fault).toBe('cancelled')
    await until(async () => (await runningOn(observer, name)) === 0)
    await untilReturned(pool)
    expect(pool.totalCount).toBe(1)
    expect((await driver.read(statement('select 1'), noRequest)).rows).toEqual([[1]])
    expect(client.listeners).toBe(0)
  })

  it('cancels all statements that were sent for it already', async () => {
    const client = cancellableClient()
    const name = mark()
    const faults = [1, 2, 3].map((n) => faultOf(driver.read(statement(`select pg_sleep(30), ${n} as ${name}`), client)))
    await until(async () => (await runningOn(observer, name)) === 1)
    client.leave()
    expect(await Promise.all(faults)).toEqual(['cancelled', 'cancelled', 'cancelled'])
    await until(async () => (await runningOn(observer, name)) === 0)
    await untilReturned(pool)
    expect(pool.totalCount).toBe(1)
  })

  it('has no further statement run for it, not even on a connection that it has waited for', async () => {
    const client = cancellableClient()
    const name = mark()
    const held = await Promise.all([driver.hold(noRequest), driver.hold(noRequest)])
    const fault = faultOf(driver.read(statement(`select pg_sleep(30) as ${name}`), client))
    client.leave()
    for (const connection of held) connection.release(false)
    expect(await fault).toBe('cancelled')
    expect(await faultOf(driver.read(statement('select 1'), client))).toBe('cancelled')
    await untilReturned(pool)
  })

  it('cancels no statement of others, however close it is to the end of a statement', async () => {
    for (let round = 0; round < rounds(20, 400); round += 1) {
      const client = cancellableClient()
      const ownFault = faultOf(driver.read(statement(`select pg_sleep(${0.001 * (round % 4)})`), client))
      setTimeout(() => client.leave(), round % 5)
      expect(['cancelled', 'none']).toContain(await ownFault)
      const others = [1, 2, 3].map(() => faultOf(driver.read(statement('select pg_sleep(0.002)'), noRequest)))
      expect(await Promise.all(others)).toEqual(['none', 'none', 'none'])
    }
    await untilReturned(pool)
  })

  it('rolls back its transaction, and the connection stays usable', async () => {
    const client = cancellableClient()
    const name = mark()
    const held = await driver.hold(client)
    await held.run(statement('begin'))
    await held.run(statement(`create table ${name} (id int4)`))
    const faults = ['select pg_sleep(30)', 'select 1'].map((sql) => faultOf(held.run(statement(`${sql} as ${name}`))))
    await until(async () => (await runningOn(observer, name)) === 1)
    client.leave()
    expect(await Promise.all(faults)).toEqual(['cancelled', 'cancelled'])
    expect(await faultOf(held.run(statement('commit')))).toBe('cancelled')
    await held.run(statement('rollback'))
    held.release(false)
    await untilReturned(pool)
    expect(pool.totalCount).toBe(1)
    expect((await driver.read(statement('select to_regclass($1)', name), noRequest)).rows).toEqual([[null]])
  })

  it('never cancels the rollback of its transaction', async () => {
    for (let round = 0; round < rounds(20, 400); round += 1) {
      const client = cancellableClient()
      const held = await driver.hold(client)
      await held.run(statement('begin'))
      const ownFault = faultOf(held.run(statement(`select pg_sleep(${0.001 * (round % 4)})`)))
      setTimeout(() => client.leave(), round % 5)
      await ownFault
      const savepoint = await faultOf(held.run(statement('savepoint one')))
      expect(['cancelled', 'none']).toContain(savepoint)
      expect(await faultOf(held.run(statement('rollback')))).toBe('none')
      held.release(false)
    }
    await untilReturned(pool)
  })

  it('is watched in a transaction from the first statement with a request on', async () => {
    const client = cancellableClient()
    const name = mark()
    const held = await driver.hold(noRequest)
    const begun = held.run(statement('begin'))
    const fault = faultOf(held.run(statement(`select pg_sleep(30) as ${name}`), client))
    await begun
    await until(async () => (await runningOn(observer, name)) === 1)
    client.leave()
    expect(await fault).toBe('cancelled')
    await held.run(statement('rollback'))
    held.release(false)
    await untilReturned(pool)
    expect(pool.totalCount).toBe(1)
  })

  it('is noticed on a socket of node:http, but not after the response', async () => {
    const name = mark()
    const faults: (string | undefined)[] = []
    const server = await listen(
      async (request) => {
        const context: RequestContext = {
          server: 'default',
          type: 'albums',
          operation: 'FetchResource',
          caller: null,
          request,
        }
        const seconds = request.path === '/slow' ? 30 : 0
        faults.push(await faultOf(driver.read(statement(`select pg_sleep(${seconds}) as ${name}`), { context })))
        return { status: 204, headers: [], body: null }
      },
      { port: 0, host: '127.0.0.1' },
    )
    try {
      expect((await fetch(`${server.url}/quick`)).status).toBe(204)
      const clientRequest = httpRequest(`${server.url}/slow`).on('error', () => undefined)
      clientRequest.end()
      await until(async () => (await runningOn(observer, name)) === 1)
      clientRequest.destroy()
      await until(async () => (await runningOn(observer, name)) === 0)
      await until(() => faults.length === 2)
      expect(faults).toEqual(['none', 'cancelled'])
      await untilReturned(pool)
    } finally {
      await server.close()
    }
  })

  it('is noticed by the signal of a Web request', async () => {
    const name = mark()
    const leaving = new AbortController()
    const faults: (string | undefined)[] = []
    const serve = fetchAdapter(async (request: HttpRequest) => {
      const context: RequestContext = {
        server: 'default',
        type: 'albums',
        operation: 'FetchResource',
        caller: null,
        request,
      }
      faults.push(await faultOf(driver.read(statement(`select pg_sleep(30) as ${name}`), { context })))
      faults.push(await faultOf(driver.read(statement('select 1'), { context })))
      return { status: 204, headers: [], body: null }
    })
    const reply = serve(new Request('http://127.0.0.1/albums', { signal: leaving.signal }))
    await until(async () => (await runningOn(observer, name)) === 1)
    leaving.abort()
    await reply
    expect(faults).toEqual(['cancelled', 'cancelled'])
  })
})

describe('A client library without pipelining', () => {
  /** As older versions of pg are. */
  class PlainClient extends Client {
    constructor(config?: ClientConfig) {
      super(config)
      Reflect.deleteProperty(this, 'pipeline')
    }
  }

  it('gets one statement after the other, in order, and none after its client has disconnected', async () => {
    const plain = new Pool({ connectionString: inject('databaseUrl'), max: 1, Client: PlainClient })
    const warnings: Error[] = []
    const onWarning = (warning: Error): number => warnings.push(warning)
    process.on('warning', onWarning)
    try {
      const waiting = postgresDriver(plain)
      const held = await waiting.hold(noRequest)
      const results = await Promise.allSettled([
        held.run(statement('create temporary table turns (id int4)')),
        held.run(statement('insert into turns values (1), (2)')),
        held.run(statement('select no_such_column')),
        held.run(statement('select count(*)::int4 from turns')),
      ])
      held.release(false)
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
      expect(results[3]).toMatchObject({ value: { rows: [[2]] } })
      const client = cancellableClient()
      const name = mark()
      const faults = [1, 2, 3].map((n) =>
        faultOf(waiting.read(statement(`select pg_sleep(30), ${n} as ${name}`), client)),
      )
      await until(async () => (await runningOn(observer, name)) === 1)
      client.leave()
      expect(await Promise.all(faults)).toEqual(['cancelled', 'cancelled', 'cancelled'])
      await untilReturned(plain)
      expect(plain.totalCount).toBe(1)
      // Only that of the driver itself, about a client that is slower.
      expect(
        warnings.filter((warning) => !('code' in warning) || warning.code !== 'ASHLAR_SLOW_POSTGRES_CLIENT'),
      ).toEqual([])
    } finally {
      process.off('warning', onWarning)
      await plain.end()
    }
  })
})

describe('A statement timeout', () => {
  it.each([
    ['succeeds, the statement has', 'exec_stmt_raise', 'none'],
    ['has a commit that no standby has, it is unknown whether the write stays', 'SyncRepWaitForLSN', 'timeout'],
  ])('of a statement that ends by itself: if it %s', async (_outcome, routine, expected) => {
    const strict = postgresDriver(pool, { statementTimeout: 100 })
    const held = await strict.hold(noRequest)
    // Represents the warning of a commit, which a test cannot cause without a standby.
    const client = held.raw as PoolClient
    const relabel = (notice: { readonly routine?: string | undefined }): void => {
      if (notice.routine === 'exec_stmt_raise') client.emit('notice', { ...notice, routine })
    }
    if (routine !== 'exec_stmt_raise') client.on('notice', relabel)
    const unstoppable = `do $$ begin
        perform pg_sleep(30);
      exception when query_canceled then
        raise warning 'It ends all the same.';
      end $$`
    expect(await faultOf(held.run(statement(unstoppable)), strict)).toBe(expected)
    client.off('notice', relabel)
    held.release(false)
    await untilReturned(pool)
    expect(client.listenerCount('notice')).toBe(0)
  })

  it('stops a statement, and the connection stays usable', async () => {
    const strict = postgresDriver(pool, { statementTimeout: patience(1000) })
    const name = mark()
    expect(await faultOf(strict.read(statement(`select pg_sleep(30) as ${name}`), noRequest), strict)).toBe('timeout')
    await until(async () => (await runningOn(observer, name)) === 0)
    await untilReturned(pool)
    expect(pool.totalCount).toBe(1)
    expect(await faultOf(strict.read(statement('select 1'), noRequest), strict)).toBe('none')
  })

  it('is for all statements of one request together', async () => {
    const budget = patience(2000)
    const strict = postgresDriver(pool, { statementTimeout: budget })
    const { context } = cancellableClient()
    const nap = statement(`select pg_sleep(${(budget * 0.4) / 1000})`)
    const faults: (string | undefined)[] = []
    for (let read = 0; read < 4; read += 1) faults.push(await faultOf(strict.read(nap, { context }), strict))
    expect(faults[0]).toBe('none')
    expect(faults.slice(2)).toEqual(['timeout', 'timeout'])
    const quick = statement('select 1')
    expect(await faultOf(strict.read(quick, noRequest), strict)).toBe('none')
    expect(await faultOf(strict.read(quick, { context: cancellableClient().context }), strict)).toBe('none')
  })

  it('does not count the time in which nothing runs', async () => {
    const budget = patience(1000)
    const strict = postgresDriver(pool, { statementTimeout: budget })
    const { context } = cancellableClient()
    expect(await faultOf(strict.read(statement('select 1'), { context }), strict)).toBe('none')
    await new Promise((resolve) => setTimeout(resolve, budget + 100))
    expect(await faultOf(strict.read(statement('select 1'), { context }), strict)).toBe('none')
  })

  it('does not count the time in which this process is busy and the result has arrived', async () => {
    const budget = patience(500)
    const strict = postgresDriver(pool, { statementTimeout: budget })
    const { context } = cancellableClient()
    const faults: (string | undefined)[] = []
    for (let read = 0; read < 3; read += 1) {
      const reading = faultOf(strict.read(statement('select 1'), { context }), strict)
      // The statement is sent in this time.
      await new Promise((resolve) => setImmediate(resolve))
      block(budget * 2)
      faults.push(await reading)
    }
    expect(faults).toEqual(['none', 'none', 'none'])
  })

  it('stops a statement also if this process is always busy', async () => {
    const strict = postgresDriver(pool, { statementTimeout: patience(500) })
    let isOver = false
    const busy = (): void => {
      if (isOver) return
      block(20)
      setImmediate(busy)
    }
    busy()
    expect(await faultOf(strict.read(statement('select pg_sleep(30)'), noRequest), strict)).toBe('timeout')
    isOver = true
  })

  it('does not cancel the rollback of a transaction', async () => {
    const strict = postgresDriver(pool, { statementTimeout: patience(1000) })
    const held = await strict.hold(cancellableClient())
    await held.run(statement('begin'))
    expect(await faultOf(held.run(statement('select pg_sleep(30)')), strict)).toBe('timeout')
    expect(await faultOf(held.run(statement('select 1')), strict)).toBe('timeout')
    await held.run(statement('rollback'))
    held.release(false)
    await untilReturned(pool)
    expect(pool.totalCount).toBe(1)
  })

  it('of the server has the same effect', async () => {
    const held = await driver.hold(noRequest)
    await held.run(statement("set statement_timeout = '50ms'"))
    expect(await faultOf(held.run(statement('select pg_sleep(30)')))).toBe('timeout')
    held.release(true)
  })

  it('abandons a connection whose server can no longer be reached', async () => {
    const relay = await relayTo(inject('databaseUrl'))
    const far = new Pool({ connectionString: relay.url, max: 1 })
    try {
      const strict = postgresDriver(far, { statementTimeout: patience(1000) })
      await strict.read(statement('select 1'), noRequest)
      relay.freeze()
      expect(await faultOf(strict.read(statement('select 2'), noRequest), strict)).toBe('timeout')
      await until(() => far.totalCount === 0)
      relay.thaw()
      expect(await faultOf(strict.read(statement('select 3'), noRequest), strict)).toBe('none')
    } finally {
      await far.end()
      await relay.close()
    }
  })
})

/** Keeps this thread busy. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
