import * as fc from 'fast-check'
import type { PoolConfig } from 'pg'
import { Client, Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import type { SqlStatement } from '../../../../src/stores/sql/driver/sql-statement.js'
import { patience } from '../../../support/patience.js'
import { runs } from '../../../support/runs.js'
import { scratchSchema } from '../../../support/scratch-schema.js'
import { cancellableClient, noRequest, statement, untilReturned } from './driver-helpers.js'
import { relayTo } from './relay.js'

/** A client of whose class nothing is known, as that of another library: it is given plain queries. */
class UnknownClient extends Client {
  static readonly Query: unknown = undefined
}

let known: Pool
let unknown: Pool
let prepared: SqlDriver
let plain: SqlDriver

function poolOf(config: PoolConfig = {}): Pool {
  return new Pool({ connectionString: inject('databaseUrl'), max: 1, ...config })
}

beforeEach(() => {
  known = poolOf()
  unknown = poolOf({ Client: UnknownClient })
  prepared = postgresDriver(known)
  plain = postgresDriver(unknown)
})
afterEach(() => Promise.all([known.end(), unknown.end()]))

function named(name: string, sql: string, ...values: unknown[]): SqlStatement {
  return { sql, values, name }
}

function quotient(by: number): SqlStatement {
  return named('ashlar_quotient', 'select 6 / $1::int4', by)
}

/** The rows of a read, or the code of its error. */
async function valuesOf(driver: SqlDriver, query: SqlStatement): Promise<unknown> {
  try {
    return await driver.read(query, noRequest)
  } catch (thrown) {
    return (thrown as { readonly code?: unknown }).code
  }
}

const values = `n, n::int8 * 9007199254740993 as large, n::int2, -n as negative, n::oid, n / 3.0 as exact,
  n / 3::float8 as rough, n % 2 = 0 as even, 'Ünïcode ✓ ' || n as text, null::text as nothing, 'ab'::char(4) as padded,
  timestamptz '1994-08-22 02:30:00.5+00' + n * interval '1 day' as moment, timestamp '0044-03-15 12:00:00 BC' as old,
  date '2026-01-31' as day, json_build_object('n', n) as json, '[1]'::jsonb, '\\x00ff'::bytea, array[n, null],
  array['a,b', '"', '\\'] as texts, gen_random_uuid() = gen_random_uuid() as same, 'infinity'::timestamptz as never`

describe('A prepared statement', () => {
  it.each([
    ['many kinds of values', `select ${values} from generate_series(1, $1::int4) n`, [3]],
    ['no rows', 'select n, n as twice from generate_series(1, $1::int4) n', [0]],
    ['no columns', 'select from generate_series(1, $1::int4)', [2]],
    ['no values', 'select 1 as one', []],
    ['nothing as a value', 'select $1::text, $2::int4', [null, undefined]],
    ['text of many letters', 'select $1::text', ["Ünïcode '✓' 🎵".repeat(5000)]],
    ['bytes', 'select $1::bytea, $2::text', [new Uint8Array([0, 255]), 'ü']],
    [
      'lists',
      'select $1::int8[], $2::text[]',
      [
        [1, null, 2n],
        ['a,b', null, '"', '\\', 'NULL', '', '{}', 'ü '],
      ],
    ],
    ['lists of lists', 'select $1::bool[], $2::text[]', [[[true], [false]], [[['a'], ['"']]]]],
    ['lists of bytes', 'select $1::bytea[]', [[new Uint8Array([0, 255]), null, new Uint8Array()]]],
    ['lists of objects', 'select $1::jsonb[]', [[{ a: ['"', '\\'] }, { b: null }]]],
    ['lists of moments', 'select $1::timestamptz[]', [[new Date('2026-01-31T12:00:00.123Z'), 'infinity']]],
    ['objects', 'select $1::jsonb, $2::text', [{ a: [1, '"'] }, { toJSON: () => undefined }]],
    ['moments, numbers and truth', 'select $1::timestamptz, $2::float8, $3::bool', [new Date(0), -1.5e-7, false]],
    ['an error', 'select 1 / $1::int4', [0]],
    ['a value that no type can hold', 'select $1::int2', [40_000]],
    ['too few values', 'select $1::text, $2::text', ['a']],
  ])('returns each time what a plain query returns: %s', async (_, sql, given) => {
    const query = named('ashlar_asked', sql, ...given)
    const expected = await valuesOf(plain, { ...query, name: null })
    for (const driver of [prepared, plain]) {
      for (let time = 1; time <= 3; time += 1) expect(await valuesOf(driver, query)).toEqual(expected)
    }
    expect((await prepared.read(statement('select 1'), noRequest)).rows).toEqual([[1]])
    expect(known.totalCount).toBe(1)
  })

  it('returns the same as a plain query of pg, for any values', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 }).filter((each) => !each.includes('\0'))
    const instant = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    const given = fc.tuple(
      fc.option(text),
      fc.option(fc.maxSafeInteger()),
      fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      fc.option(fc.boolean()),
      fc.option(instant),
      fc.option(fc.array(text)),
    )
    const sql = 'select $1::text, $2::int8, $3::float8, $4::bool, $5::timestamptz, $6::text[]'
    await fc.assert(
      fc.asyncProperty(given, async (sent) => {
        const query = named('ashlar_any', sql, ...sent)
        expect(await valuesOf(prepared, query)).toEqual(await valuesOf(plain, { ...query, name: null }))
      }),
      { numRuns: runs(300) },
    )
  })

  it('that writes returns the number of rows, and the returned rows', async () => {
    const schema = await scratchSchema()
    const pool = new Pool({ connectionString: schema.url, max: 1 })
    try {
      await pool.query('create table albums (id int4, title text)')
      const held = await postgresDriver(pool).hold(noRequest)
      for (let id = 1; id <= 3; id += 1) {
        expect(await held.run(named('i', 'insert into albums values ($1, $2)', id, 'Blue'))).toEqual({
          columns: [],
          rows: [],
          changes: 1,
          command: 'INSERT',
        })
        expect(await held.run(named('u', 'update albums set title = $1 returning id', `Blue ${id}`))).toEqual({
          columns: ['id'],
          rows: Array.from({ length: id }, (_unused, at) => [at + 1]),
          changes: id,
          command: 'UPDATE',
        })
      }
      expect(await held.run(named('d', 'delete from albums'))).toMatchObject({ changes: 3, command: 'DELETE' })
      expect(await held.run(named('d', 'delete from albums'))).toMatchObject({ changes: 0, command: 'DELETE' })
      held.release(false)
    } finally {
      await pool.end()
      await schema.drop()
    }
  })

  it('is described once, and concurrent ones are sent to the server as one message', async () => {
    const relay = await relayTo(inject('databaseUrl'))
    const relayed = poolOf({ connectionString: relay.url })
    try {
      const driver = postgresDriver(relayed)
      const query = named('ashlar_relayed', 'select $1::text as said', 'here')
      await driver.read(query, noRequest)
      expect(relay.sent()).toContain('P\0')
      await driver.read(query, noRequest)
      const [bind, execute, sync] = ['B\0\0\0"\0ashlar_relayed\0\0\0\0\u0001', 'E\0\0\0\t\0\0\0\0\0', 'S\0\0\0\u0004']
      expect(relay.sent()).toBe(`${bind}\0\0\0\u0004here\0\0${execute}${sync}`)
      const { context } = cancellableClient()
      relay.roundTrips()
      const results = await Promise.all([1, 2, 3].map(() => driver.read(query, { context })))
      expect(results.map(({ rows }) => rows)).toEqual([[['here']], [['here']], [['here']]])
      expect(relay.roundTrips()).toBe(1)
    } finally {
      await relayed.end()
      await relay.close()
    }
  })

  it('that fails among others leaves them their rows, and can be run again', async () => {
    await prepared.read(quotient(1), noRequest)
    const { context } = cancellableClient()
    const results = await Promise.allSettled([1, 0, 2, 0, 3].map((by) => prepared.read(quotient(by), { context })))
    expect(results.map((each) => (each.status === 'fulfilled' ? each.value.rows : 'failed'))).toEqual([
      [[6]],
      'failed',
      [[3]],
      'failed',
      [[2]],
    ])
    expect((await prepared.read(quotient(6), noRequest)).rows).toEqual([[1]])
    await untilReturned(known)
    expect(known.totalCount).toBe(1)
  })

  it('that fails reports the error to its caller', async () => {
    await prepared.read(quotient(1), noRequest)
    async function callingFunction(): Promise<void> {
      await prepared.read(quotient(0), noRequest)
    }
    await expect(callingFunction()).rejects.toMatchObject({
      stack: expect.stringContaining('callingFunction') as string,
    })
  })

  it('is prepared again if the connection has forgotten it, or has another one with its name', async () => {
    const query = named('ashlar_kept', 'select $1::int4 as kept', 7)
    for (let time = 1; time <= 2; time += 1) await prepared.read(query, noRequest)
    await known.query('deallocate ashlar_kept')
    expect((await prepared.read(query, noRequest)).rows).toEqual([[7]])
    await prepared.read(query, noRequest)
    await known.query('deallocate all; prepare ashlar_kept_1(int4) as select $1, 8')
    expect(await prepared.read(query, noRequest)).toMatchObject({ columns: ['kept'], rows: [[7]] })
    expect((await prepared.read(query, noRequest)).rows).toEqual([[7]])
    await untilReturned(known)
  })

  it('is described each time behind a connection pooler, which may have prepared it again', async () => {
    // A pooler has its own process numbers.
    const pooled = poolOf().on('connect', (client) => Object.assign(client, { processID: 1 }))
    try {
      const driver = postgresDriver(pooled)
      const query = named('ashlar_pooled', 'select $1::int4 as kept', 7)
      for (let time = 1; time <= 3; time += 1) expect((await driver.read(query, noRequest)).rows).toEqual([[7]])
      await pooled.query('deallocate ashlar_pooled')
      await pooled.query('prepare ashlar_pooled(int4) as select ($1 + 1)::text as kept')
      for (let time = 1; time <= 3; time += 1) expect((await driver.read(query, noRequest)).rows).toEqual([[7]])
      expect(pooled.totalCount).toBe(1)
    } finally {
      await pooled.end()
    }
  })

  it('is refused if another text has its name already', async () => {
    await prepared.read(named('ashlar_taken', 'select 1'), noRequest)
    await prepared.read(named('ashlar_taken', 'select 1'), noRequest)
    await expect(prepared.read(named('ashlar_taken', 'select 2'), noRequest)).rejects.toThrow('must be unique')
    expect((await prepared.read(named('ashlar_taken', 'select 1'), noRequest)).rows).toEqual([[1]])
  })

  it('releases the connection when a value cannot be read', async () => {
    const german = poolOf({ options: '-c datestyle=German' })
    try {
      const driver = postgresDriver(german)
      const moment = (at: string | null): SqlStatement => named('ashlar_moment', 'select $1::timestamptz, 1', at)
      await driver.read(moment(null), noRequest)
      await expect(driver.read(moment('2026-01-31'), noRequest)).rejects.toThrow(
        'set the DateStyle of the database to ISO',
      )
      expect((await driver.read(moment(null), noRequest)).rows).toEqual([[null, 1]])
      expect(german.totalCount).toBe(1)
    } finally {
      await german.end()
    }
  })

  it('ends within the timeout of the pool', async () => {
    const hasty = poolOf({ query_timeout: patience(1500) })
    try {
      const driver = postgresDriver(hasty)
      const nap = (seconds: number): SqlStatement => named('ashlar_nap', 'select pg_sleep($1)', seconds)
      for (let time = 1; time <= 2; time += 1) await driver.read(nap(0), noRequest)
      const late = driver.read(nap(30), noRequest).catch((thrown: unknown) => driver.faultOf(thrown))
      expect(await late).toEqual({ kind: 'timeout' })
      expect((await driver.read(nap(0), noRequest)).rows).toHaveLength(1)
    } finally {
      await hasty.end()
    }
  })
})

it('A read is refused immediately when the pool has ended', async () => {
  const ended = poolOf()
  await ended.end()
  const driver = postgresDriver(ended)
  for (const context of [null, cancellableClient().context]) {
    const refused = driver.read(statement('select 1'), { context }).catch((thrown: unknown) => driver.faultOf(thrown))
    expect(await refused).toEqual({ kind: 'unavailable' })
  }
})
