import { randomBytes } from 'node:crypto'
import type { RequestContext } from 'ashlar'
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import type { SqlStatement } from '../../../../src/stores/sql/driver/sql-statement.js'
import { sqlTransactions } from '../../../../src/stores/sql/transactions/sql-transactions.js'
import { sqlTransactionOf } from '../../../../src/stores/sql/transactions/sql-transactions.js'
import { openPool } from '../../../support/open-databases.js'
import { cancellableClient, noRequest, runningOn, statement, until, untilReturned } from './driver-helpers.js'
import { PlainClient, TracedClient } from './other-clients.js'
import { relayTo } from './relay.js'

const role = `ashlar_${randomBytes(8).toString('hex')}`

beforeAll(() => openPool().query(`create role ${role}`))
afterAll(() => openPool().query(`drop role ${role}`))

function contextOf(caller: string): RequestContext {
  return { ...cancellableClient().context, caller }
}

const opened: Pool[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.end()))
})

interface Opened {
  readonly pool: Pool
  readonly driver: SqlDriver
}

const session = ({ caller }: RequestContext) => ({ role, settings: { 'app.user': String(caller) } })

/** A driver whose statements run as the role, with the caller as a setting, on one connection. */
function open(
  settings: { readonly prepare?: boolean; readonly Client?: typeof PlainClient; readonly url?: string } = {},
): Opened {
  const { prepare = true, Client, url = inject('databaseUrl') } = settings
  const pool = new Pool({ connectionString: url, max: 1, ...(Client !== undefined && { Client }) })
  opened.push(pool)
  return { pool, driver: postgresDriver(pool, { session, prepare }) }
}

const who = "select current_user::text, current_setting('app.user', true)"
const unnamed = statement(who)
const withValues = statement(`${who}, $1::int4`, 7)
const named: SqlStatement = { ...statement(`${who}, $1::int4`, 7), name: 'ashlar_who' }

/** The settings of the only connection of a pool, read by a statement of the application. */
async function left(pool: Pool): Promise<unknown> {
  const { rows } = await pool.query<Record<string, unknown>>({ text: who, rowMode: 'array' } as never)
  return rows[0]
}

const kinds = [
  ['sends them together with prepared statements', {}],
  ['prepares nothing', { prepare: false }],
  ['uses the public calls of pg only', { Client: PlainClient }],
  ['has a client that is wrapped', { Client: TracedClient }],
] as const

describe.each(kinds)('a driver with a session that %s', (_name, settings) => {
  it('runs each statement with the role and the settings of its caller, one connection for all', async () => {
    const { driver, pool } = open(settings)
    const owner = await left(pool)
    for (const run of [1, 2, 3]) {
      for (const each of [unnamed, withValues, named]) {
        for (const caller of ['alice', 'bob', `carol ${run}; 'ü'`]) {
          const context = contextOf(caller)
          const [read, written] = [await driver.read(each, { context }), await driver.write(each, { context })]
          expect([read.rows[0]?.slice(0, 2), written.rows[0]?.slice(0, 2)]).toEqual([
            [role, caller],
            [role, caller],
          ])
          expect(read.rows).toHaveLength(1)
          expect((await left(pool)) as unknown[]).toEqual([(owner as unknown[])[0], ''])
        }
      }
    }
    await untilReturned(pool)
  })

  it('separates concurrent callers, and reads of one request with different callers', async () => {
    const { driver } = open(settings)
    const { context } = cancellableClient()
    const callers = Array.from({ length: 12 }, (_, index) => `caller ${index}`)
    const shared = callers.map((caller) => driver.read(named, { context: { ...context, caller } }))
    const separate = callers.map((caller) => driver.read(withValues, { context: contextOf(caller) }))
    const seen = (await Promise.all([...shared, ...separate])).map(({ rows }) => rows[0]?.[1])
    expect(seen).toEqual([...callers, ...callers])
  })

  it('sets nothing for a statement without a request', async () => {
    const { driver, pool } = open(settings)
    const [user] = (await left(pool)) as [string]
    await driver.read(named, { context: contextOf('alice') })
    expect((await driver.read(named, noRequest)).rows[0]?.slice(0, 2)).toEqual([user, ''])
    expect((await driver.write(named, noRequest)).rows[0]?.slice(0, 2)).toEqual([user, ''])
  })

  it('leaves nothing behind after an error', async () => {
    const { driver, pool } = open(settings)
    const [user] = (await left(pool)) as [string]
    const failing = [
      statement('select no_such_column'),
      { ...statement('select 1 / $1::int4', 0), name: 'ashlar_zero' },
    ]
    for (const run of [1, 2]) {
      for (const each of failing) {
        await expect(driver.read(each, { context: contextOf(`alice ${run}`) })).rejects.toThrow(/column|zero/)
        await expect(driver.write(each, { context: contextOf(`alice ${run}`) })).rejects.toThrow(/column|zero/)
        expect(await left(pool)).toEqual([user, run === 1 && each === failing[0] ? expect.anything() : ''])
      }
    }
    expect(pool.totalCount).toBe(1)
  })

  it('leaves nothing behind when the client disconnects', async () => {
    const { driver, pool } = open(settings)
    const [user] = (await left(pool)) as [string]
    await driver.read(named, { context: contextOf('alice') })
    const requestOfClient = cancellableClient()
    const context = { ...requestOfClient.context, caller: 'alice' }
    const slow = driver.read(statement("select pg_sleep(60), 'left behind'"), { context })
    await until(async () => (await runningOn(openPool(), 'left behind')) > 0)
    requestOfClient.leave()
    await expect(slow).rejects.toThrow('disconnected')
    await untilReturned(pool)
    expect(await left(pool)).toEqual([user, expect.toBeOneOf(['', null])])
    expect((await driver.read(named, { context: contextOf('bob') })).rows[0]?.[1]).toBe('bob')
  })

  it('does not run a statement whose role is refused, and does not report an error of the client', async () => {
    const { pool } = open(settings)
    const driver = postgresDriver(pool, { session: () => ({ role: 'no_such_role' }), ...settings })
    for (const each of [unnamed, withValues, named, named]) {
      const thrown = await driver.read(each, { context: contextOf('alice') }).catch((error: unknown) => error)
      expect(thrown).toMatchObject({ name: 'SessionRefused', cause: { code: '22023' } })
      expect(driver.faultOf(thrown)).toEqual({ kind: 'other' })
      await expect(driver.write(each, { context: contextOf('alice') })).rejects.toThrow("the option 'session'")
    }
    await untilReturned(pool)
  })

  it('sets the values of a transaction once, when it begins', async () => {
    const { driver, pool } = open(settings)
    const [user] = (await left(pool)) as [string]
    const context = contextOf('alice')
    const seen = await sqlTransactions(driver).run(
      async (transaction) => {
        const { connection } = sqlTransactionOf(transaction)
        const first = await connection.run(unnamed)
        const second = await connection.run(named, { context })
        return [first.rows[0]?.slice(0, 2), second.rows[0]?.slice(0, 2)]
      },
      undefined,
      context,
    )
    expect(seen).toEqual([
      [role, 'alice'],
      [role, 'alice'],
    ])
    expect(await left(pool)).toEqual([user, ''])
  })

  it('sets them before the first statement with a request, if the transaction began without', async () => {
    const { driver, pool } = open(settings)
    const [user] = (await left(pool)) as [string]
    const seen = await sqlTransactions(driver).run(async (transaction) => {
      const { connection } = sqlTransactionOf(transaction)
      const results = [
        await connection.run(named, noRequest),
        await connection.run(named, { context: contextOf('alice') }),
        await connection.run(named, { context: contextOf('bob') }),
      ]
      return results.map(({ rows }) => rows[0]?.slice(0, 2))
    })
    expect(seen).toEqual([
      [user, expect.toBeOneOf(['', null])],
      [role, 'alice'],
      [role, 'bob'],
    ])
    expect(await left(pool)).toEqual([user, ''])
  })

  it('sets them again after a rollback to a savepoint, and after a failed statement', async () => {
    const { driver, pool } = open(settings)
    const transactions = sqlTransactions(driver)
    const [alice, bob] = [contextOf('alice'), contextOf('bob')]
    const seen = await transactions.run(
      async (outer) => {
        const failed = transactions.run(async (inner) => {
          await sqlTransactionOf(inner).connection.run(named, { context: bob })
          await sqlTransactionOf(inner).connection.run(statement('select no_such_column'), { context: bob })
        }, outer)
        await expect(failed).rejects.toThrow('no_such_column')
        const results = [
          await sqlTransactionOf(outer).connection.run(named, { context: bob }),
          await sqlTransactionOf(outer).connection.run(named, { context: alice }),
        ]
        return results.map(({ rows }) => rows[0]?.[1])
      },
      undefined,
      alice,
    )
    expect(seen).toEqual(['bob', 'alice'])
    await untilReturned(pool)
  })

  it('resets what only another caller of the transaction has', async () => {
    const { pool } = open(settings)
    const [user] = (await left(pool)) as [string]
    const driver = postgresDriver(pool, {
      ...settings,
      session: ({ caller }: RequestContext) =>
        caller === 'alice' ? { role, settings: { 'app.user': 'alice' } } : null,
    })
    const seen = await sqlTransactions(driver).run(async (transaction) => {
      const { connection } = sqlTransactionOf(transaction)
      const results = [
        await connection.run(named, { context: contextOf('alice') }),
        await connection.run(named, { context: contextOf('bob') }),
      ]
      return results.map(({ rows }) => rows[0]?.slice(0, 2))
    })
    expect(seen).toEqual([
      [role, 'alice'],
      [user, ''],
    ])
  })

  it('runs texts with several statements on a connection that is held without a transaction', async () => {
    const { driver, pool } = open(settings)
    const context = contextOf('alice')
    const held = await driver.hold({ context })
    const result = await held.run(statement(`select 1; ${who}`))
    expect(result.rows).toEqual([[role, 'alice']])
    await expect(held.run(statement('select 1; select no_such_column'))).rejects.toThrow('no_such_column')
    held.release(false)
    await untilReturned(pool)
    expect(((await left(pool)) as unknown[])[1]).toBe('')
  })
})

describe('a driver with a session', () => {
  it('sends settings and statement in one round trip, and without a session no settings', async () => {
    const relay = await relayTo(inject('databaseUrl'))
    const { driver, pool } = open({ url: relay.url })
    const marked: SqlStatement = { ...statement(`${who}, 'marked'`), name: 'ashlar_marked' }
    await driver.read(marked, { context: contextOf('alice') })
    relay.sent()
    relay.freeze()
    const read = driver.read(marked, { context: contextOf('robert') })
    let sent = ''
    await until(() => {
      sent += relay.sent()
      return sent.includes('robert') && sent.includes('ashlar_marked')
    })
    // One `Sync`, so both are one transaction.
    expect(sent.split('S\0\0\0\u0004')).toHaveLength(2)
    // Both are prepared, and the columns of the statement are known: neither text is sent, nor a `Describe`.
    for (const text of ['set_config', 'current_user', 'D\0\0\0\u0006P']) expect(sent).not.toContain(text)
    relay.thaw()
    expect((await read).rows[0]?.[1]).toBe('robert')
    await postgresDriver(pool).read(marked, { context: contextOf('robert') })
    expect(relay.sent()).not.toMatch(/session|robert/)
    await pool.end()
    opened.splice(0)
    await relay.close()
  })

  const refused = [
    [{ settings: { user: 'alice' } }, "'user' is not the name of a setting"],
    [{ settings: { 'app.User': 'alice' } }, "'app.User' is not the name of a setting"],
    [{ settings: { "app.user', 'x', true); drop table albums; --": '' } }, 'is not the name of a setting'],
    [{ settings: { 'app.user': 1 } }, "the setting 'app.user' must be a string"],
    [{ role: '' }, 'the role must be the name of a role'],
    [{ role: 'none' }, 'leave the role out instead'],
    [{ role: 1 }, 'the role must be the name of a role'],
    [{ settings: 'app.user' }, 'return { role, settings }, or null'],
    [undefined, 'return { role, settings }, or null'],
    [Promise.resolve(null), 'It must not be a promise'],
  ] as const

  it.each(refused)('refuses %o', async (returned, sentence) => {
    const { pool } = open()
    const driver = postgresDriver(pool, { session: () => returned as never })
    const context = contextOf('alice')
    await expect(driver.read(unnamed, { context })).rejects.toThrow(sentence)
    await expect(driver.write(unnamed, { context })).rejects.toThrow(sentence)
    const transaction = sqlTransactions(driver).run(() => Promise.resolve(), undefined, context)
    await expect(transaction).rejects.toThrow(sentence)
    await untilReturned(pool)
  })

  it('takes the value of a role and of a setting as it is', async () => {
    const { pool } = open()
    const odd = `it's "odd" \\ $1`
    const oddRole = `${role} 'a b' \\`
    await pool.query(`create role "${oddRole}"`)
    const driver = postgresDriver(pool, { session: () => ({ role: oddRole, settings: { 'app.user': odd } }) })
    const { rows } = await driver.read(unnamed, { context: contextOf('alice') })
    expect(rows).toEqual([[oddRole, odd]])
    await pool.query(`drop role "${oddRole}"`)
  })
})
