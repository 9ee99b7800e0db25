import type { RequestContext } from 'ashlar'
import type { Client } from 'pg'
import { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import type { PostgresDriverOptions } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import type { SqlStatement } from '../../../../src/stores/sql/driver/sql-statement.js'
import { openPool } from '../../../support/open-databases.js'
import { changedClients, uncancellableClients } from './changed-clients.js'
import { cancellableClient, noRequest, runningOn, statement, until, untilReturned } from './driver-helpers.js'

let pools: Pool[] = []
const warnings = vi.fn<typeof process.emitWarning>()
beforeEach(() => void vi.spyOn(process, 'emitWarning').mockImplementation(warnings))
afterEach(async () => {
  vi.restoreAllMocks()
  warnings.mockReset()
  const opened = pools
  pools = []
  await Promise.all(opened.map((pool) => pool.end()))
})

function poolOf(PgClient?: typeof Client): Pool {
  const pool = new Pool({ connectionString: inject('databaseUrl'), max: 1, ...(PgClient && { Client: PgClient }) })
  pools.push(pool)
  return pool
}

const session: PostgresDriverOptions['session'] = ({ caller }) => ({ settings: { 'app.user': String(caller) } })

function named(sql: string, ...values: unknown[]): SqlStatement {
  return { sql, values, name: `ashlar_changed_${sql.length}` }
}

const statements: readonly SqlStatement[] = [
  statement('select 1 as one, null::text as nothing'),
  statement('select n, n::text || $1 as text from generate_series(1, 3) n', 'ü'),
  named(
    'select n, array[n] as list, timestamptz $$1994-08-22 02:30:00+00$$ as at from generate_series(1, $1::int4) n',
    3,
  ),
  named(
    'with changed as (select 1) insert into changed_rows select n, $1 from generate_series(1, 2) n returning n, text',
    'a',
  ),
  named('update changed_rows set text = $1', 'b'),
  named('delete from changed_rows where text = $1', 'b'),
  named('select 6 / $1::int4', 0),
  named('select 6 / $1::int4 as whole', 2),
  named('select from generate_series(1, $1::int4)', 2),
]

/** Everything that the driver returns for the statements, the second and third time from the fast paths if there are any. */
async function resultsOf(driver: SqlDriver): Promise<unknown> {
  const held = await driver.hold(noRequest)
  await held.run(statement('create temporary table if not exists changed_rows (n int4, text text)'))
  const results: unknown[] = []
  for (let time = 1; time <= 3; time += 1) {
    for (const each of statements) results.push(await settled(held.run(each)))
    const pair = statements.slice(2).map((each) => held.run(each))
    results.push(await Promise.all(pair.map(settled)))
  }
  await held.run(statement('begin'))
  results.push(await settled(held.run(named('select 6 / $1::int4', 0))))
  results.push(await settled(held.run(named('select 6 / $1::int4 as whole', 2))))
  await held.run(statement('rollback'))
  held.release(false)
  return results
}

async function settled(work: Promise<unknown>): Promise<unknown> {
  return work.catch((thrown: unknown) => ({ code: (thrown as { readonly code?: unknown }).code }))
}

function contextOf(caller: string): RequestContext {
  return { ...cancellableClient().context, caller }
}

const who = "select current_setting('app.user', true) as name, $1::int4 as number"

async function sessionResultsOf(driver: SqlDriver): Promise<unknown> {
  const results: unknown[] = []
  for (let time = 1; time <= 3; time += 1) {
    for (const each of [statement("select current_setting('app.user', true)"), statement(who, 7), named(who, 7)]) {
      results.push(await driver.read(each, { context: contextOf(`alice ${time}`) }))
      results.push(await driver.write(each, { context: contextOf(`bob ${time}`) }))
    }
    results.push(await settled(driver.read(named('select 6 / $1::int4', 0), { context: contextOf('alice') })))
  }
  return results
}

const codes = (): unknown[] => warnings.mock.calls.map(([, options]) => (options as unknown as { code: string }).code)

describe.each(changedClients)('A client of pg that %s', (_name, PgClient) => {
  it('returns what the known one returns, with one warning', async () => {
    const known = poolOf()
    const expected = await resultsOf(postgresDriver(known))
    expect(codes()).toEqual([])
    const changed = poolOf(PgClient)
    expect(await resultsOf(postgresDriver(changed))).toEqual(expected)
    expect(codes()).toEqual(['ASHLAR_SLOW_POSTGRES_CLIENT'])
    await untilReturned(changed)
    expect(changed.totalCount).toBe(1)
  })

  it('sets the values of a session as the known one does', async () => {
    const expected = await sessionResultsOf(postgresDriver(poolOf(), { session }))
    expect(codes()).toEqual([])
    const changed = poolOf(PgClient)
    expect(await sessionResultsOf(postgresDriver(changed, { session }))).toEqual(expected)
    expect(codes()).toEqual(['ASHLAR_SLOW_POSTGRES_CLIENT'])
    await untilReturned(changed)
    expect(changed.totalCount).toBe(1)
  })
})

describe.each(uncancellableClients)('A client of pg whose connection for a cancel request %s', (name, PgClient) => {
  it('loses its connection when a statement is cancelled, and nothing else', async () => {
    const pool = poolOf(PgClient)
    const driver = postgresDriver(pool)
    const client = cancellableClient()
    const slow = driver.read(statement(`select pg_sleep(2), 'uncancellable: ${name}'`), { context: client.context })
    const expected = expect(slow).rejects.toThrow('disconnected')
    await until(async () => (await runningOn(openPool(), `uncancellable: ${name}`)) > 0)
    client.leave()
    await expected
    await until(() => pool.totalCount === 0)
    expect((await driver.read(statement('select 1'), noRequest)).rows).toEqual([[1]])
  })
})
