import type { PoolConfig } from 'pg'
import { Pool } from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import { readInstant } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-instant.js'
import { postgresTypes, readArray } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-values.js'
import { expectLinear } from '../../../support/growth.js'
import { noRequest, statement } from './driver-helpers.js'

const pools: Pool[] = []

type Evaluate = (expression: string, ...values: unknown[]) => Promise<unknown>

const zones = new Map<string, Evaluate>()

/** Evaluates in a session of that time zone. */
function valueIn(zone: string): Evaluate {
  const known = zones.get(zone)
  if (known !== undefined) return known
  const pool = new Pool({ connectionString: inject('databaseUrl'), max: 1, options: `-c timezone=${zone}` })
  pools.push(pool)
  const driver = postgresDriver(pool)
  const evaluate: Evaluate = async (expression, ...values) =>
    (await driver.read(statement(`select ${expression}`, ...values), noRequest)).rows[0]?.[0]
  zones.set(zone, evaluate)
  return evaluate
}

const value: Evaluate = (...given) => valueIn('America/St_Johns')(...given)

afterAll(() => Promise.all(pools.map((pool) => pool.end())))

describe('A value of PostgreSQL', () => {
  it.each([
    ['true', true],
    ['false', false],
    ['null::boolean', null],
    ["'32767'::smallint", 32_767],
    ["'-2147483648'::integer", -2_147_483_648],
    ["'9007199254740991'::bigint", 9_007_199_254_740_991],
    ["'-9007199254740991'::bigint", -9_007_199_254_740_991],
    ["'9007199254740993'::bigint", 9_007_199_254_740_993n],
    ["'-9223372036854775808'::bigint", -9_223_372_036_854_775_808n],
    ["'0.1'::double precision", 0.1],
    ["'1.7976931348623157e308'::double precision", Number.MAX_VALUE],
    ["'NaN'::double precision", Number.NaN],
    ["'-Infinity'::real", Number.NEGATIVE_INFINITY],
    ["'1.5'::real", 1.5],
    ["'12345678901234567890.0100'::numeric", '12345678901234567890.0100'],
    ["'10'::numeric(10, 2)", '10.00'],
    ["'NaN'::numeric", 'NaN'],
    ["'Ünïcode ''✓'' 🎵'::text", "Ünïcode '✓' 🎵"],
    ["'ab'::char(4)", 'ab'],
    ["'Blue'::varchar(10)", 'Blue'],
    ["'2026-01-31'::date", '2026-01-31'],
    ["'infinity'::date", 'infinity'],
    ["'12:00'::time", '12:00:00'],
    ["'23:59:59.5'::time", '23:59:59.5'],
    [`'{"a": [1, null, "x"]}'::json`, { a: [1, null, 'x'] }],
    [`'{"a": [1, null, "x"]}'::jsonb`, { a: [1, null, 'x'] }],
    ["'null'::jsonb", null],
    [`'"text"'::jsonb`, 'text'],
    ["'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'::uuid", 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ["'\\x00ff10'::bytea", new Uint8Array([0, 255, 16])],
    ["''::bytea", new Uint8Array()],
    ["'1 day 2 hours'::interval", '1 day 02:00:00'],
    ["'127.0.0.1/8'::inet", '127.0.0.1/8'],
    ["'[1,5)'::int4range", '[1,5)'],
  ])('%s is %s', async (expression, expected) => {
    expect(await value(expression)).toEqual(expected)
  })

  it.each([
    ["'2026-01-31 12:00:00.123456+00'::timestamptz", '2026-01-31T12:00:00.123Z'],
    ["'2026-01-31 12:00:00.999999+00'::timestamptz", '2026-01-31T12:00:00.999Z'],
    ["'2026-07-31 12:00:00.5+00'::timestamptz", '2026-07-31T12:00:00.500Z'],
    ["'2026-07-31 12:00:00.05+00'::timestamptz", '2026-07-31T12:00:00.050Z'],
    ["'1969-12-31 23:59:59.999999+00'::timestamptz", '1969-12-31T23:59:59.999Z'],
    ["'2024-02-29 23:30:00+00'::timestamptz", '2024-02-29T23:30:00.000Z'],
    ["'1800-06-01 00:00:00+00'::timestamptz", '1800-06-01T00:00:00.000Z'],
    ["'0099-03-01 00:00:00+00'::timestamptz", '0099-03-01T00:00:00.000Z'],
    ["'0001-01-01 12:00:00+00'::timestamptz", '0001-01-01T12:00:00.000Z'],
    ["'0044-03-15 12:00:00+00 BC'::timestamptz", '-000043-03-15T12:00:00.000Z'],
    ["'12026-03-15 12:00:00+00'::timestamptz", '+012026-03-15T12:00:00.000Z'],
    ["'2026-01-31 12:00:00.123456'::timestamp", '2026-01-31T12:00:00.123Z'],
    ["'2026-03-29 02:30:00'::timestamp", '2026-03-29T02:30:00.000Z'],
    ["'0044-03-15 12:00:00 BC'::timestamp", '-000043-03-15T12:00:00.000Z'],
  ])('%s is the instant %s, whatever the zone of the session', async (expression, expected) => {
    for (const zone of [
      'America/St_Johns',
      'UTC',
      'Europe/Zurich',
      'Asia/Kolkata',
      'Pacific/Kiritimati',
      'America/New_York',
    ]) {
      const instant = await valueIn(zone)(expression)
      expect([zone, instant]).toEqual([zone, new Date(expected)])
    }
  })

  it('is the same instant as PostgreSQL reads, for many of them', async () => {
    const pool = new Pool({ connectionString: inject('databaseUrl'), max: 1, options: '-c timezone=America/Sao_Paulo' })
    pools.push(pool)
    const { rows } = await postgresDriver(pool).read(
      statement(
        `select t, floor(extract(epoch from t) * 1000)::bigint
        from (select to_timestamp((random() - 0.5) * 1e11) as t from generate_series(1, 3000)) as moments`,
      ),
      noRequest,
    )
    expect(rows).toHaveLength(3000)
    for (const [instant, ms] of rows) expect((instant as Date).getTime()).toBe(ms)
  })

  it('stays text if a Date cannot represent it', async () => {
    expect(await value("'infinity'::timestamptz")).toBe('infinity')
    expect(await value("'-infinity'::timestamp")).toBe('-infinity')
    expect(await value("'294276-12-31 23:59:59'::timestamp")).toBe('294276-12-31 23:59:59')
  })

  it('is a list where its type is an array, of any depth', async () => {
    expect(await value("'{1,2,NULL}'::int4[]")).toEqual([1, 2, null])
    expect(await value("'{}'::text[]")).toEqual([])
    expect(await value("'{{1,2},{3,4}}'::int8[]")).toEqual([
      [1, 2],
      [3, 4],
    ])
    expect(
      await value(String.raw`array['a,b', 'c"d', 'e\f', '{g}', '', 'NULL', 'null', null, ' h ', E'i\nj']`),
    ).toEqual(['a,b', 'c"d', String.raw`e\f`, '{g}', '', 'NULL', 'null', null, ' h ', 'i\nj'])
    expect(await value("'[0:1]={7,8}'::int4[]")).toEqual([7, 8])
    expect(await value("array['t', 'f']::boolean[]")).toEqual([true, false])
    expect(await value("array['1.50', 'NaN']::numeric[]")).toEqual(['1.50', 'NaN'])
    expect(await value("array['2026-01-31 12:00+00']::timestamptz[]")).toEqual([new Date('2026-01-31T12:00:00Z')])
    expect(await value("array['2026-01-31']::date[]")).toEqual(['2026-01-31'])
    expect(await value(`array['{"a": "b,c"}', 'null', '[1]']::jsonb[]`)).toEqual([{ a: 'b,c' }, null, [1]])
    expect(await value(`array['\\x01', '\\xff']::bytea[]`)).toEqual([new Uint8Array([1]), new Uint8Array([255])])
    expect(await value("array['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']::uuid[]")).toEqual([
      'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
    ])
  })

  it('is read in both forms in which servers write bytes', async () => {
    const pool = new Pool({ connectionString: inject('databaseUrl'), max: 1, options: '-c bytea_output=escape' })
    pools.push(pool)
    const { rows } = await postgresDriver(pool).read(statement(String.raw`select '\x00615cff27'::bytea`), noRequest)
    expect(rows).toEqual([[new Uint8Array([0, 0x61, 0x5c, 0xff, 0x27])]])
  })

  it('is not accepted in binary form: the message names the remedy', async () => {
    const config: PoolConfig & { binary: boolean } = { connectionString: inject('databaseUrl'), max: 1, binary: true }
    const pool = new Pool(config)
    pools.push(pool)
    await expect(postgresDriver(pool).read(statement('select 1'), noRequest)).resolves.toBeDefined()
    const read = postgresDriver(pool).read(statement('select $1::int4', 1), noRequest)
    await expect(read).rejects.toThrow('without `binary: true`')
    expect(pool.idleCount).toBe(1)
  })

  it('is read so even if the pool has other type parsers', async () => {
    const types = { getTypeParser: () => () => 'theirs' }
    const pool = new Pool({ connectionString: inject('databaseUrl'), max: 1, types })
    pools.push(pool)
    expect((await postgresDriver(pool).read(statement('select 1'), noRequest)).rows).toEqual([[1]])
    expect((await pool.query<{ one: string }>('select 1 as one')).rows).toEqual([{ one: 'theirs' }])
  })
})

describe('A value that is sent', () => {
  it.each([
    ['text', "Ünïcode '✓' 🎵", "Ünïcode '✓' 🎵"],
    ['text', '', ''],
    ['int4', 7, 7],
    ['int8', 9_223_372_036_854_775_807n, 9_223_372_036_854_775_807n],
    ['float8', 1e-300, 1e-300],
    ['numeric', '0.10', '0.10'],
    ['boolean', true, true],
    ['timestamptz', '2026-01-31T12:00:00.123Z', new Date('2026-01-31T12:00:00.123Z')],
    ['timestamptz', new Date('2026-01-31T12:00:00.123Z'), new Date('2026-01-31T12:00:00.123Z')],
    ['timestamp', '2026-01-31T12:00:00.123Z', new Date('2026-01-31T12:00:00.123Z')],
    ['timestamptz', 'infinity', 'infinity'],
    ['jsonb', '{"a":[1]}', { a: [1] }],
    ['jsonb', { a: [1] }, { a: [1] }],
    ['bytea', new Uint8Array([0, 255]), new Uint8Array([0, 255])],
    ['text[]', ['a,b', null, '"', '\\', 'NULL', ''], ['a,b', null, '"', '\\', 'NULL', '']],
    ['int8[]', [1, 9_007_199_254_740_993n], [1, 9_007_199_254_740_993n]],
    ['boolean[]', [true, false], [true, false]],
    ['int4[]', [], []],
    ['text', null, null],
  ])('as %s comes back: %s', async (type, sent, back) => {
    expect(await value(`$1::${type}`, sent)).toEqual(back)
  })

  it('that cannot be written as JSON is refused before it is sent, and leaves the connection usable', async () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    await expect(value('$1::jsonb', circle)).rejects.toThrow(TypeError)
    expect(await value('$1::int4', 1)).toBe(1)
  })
})

describe('A text of the database', () => {
  it('that is no instant in ISO form is reported', () => {
    expect(() => readInstant('31.01.2026 12:00:00 UTC')).toThrow('DateStyle')
    expect(() => readInstant('2026-01-31')).toThrow('DateStyle')
  })

  it('is read item by item', () => {
    expect(readArray('{a,"b",NULL,"NULL"}', (item) => `<${item}>`)).toEqual(['<a>', '<b>', null, '<NULL>'])
  })
})

it('Padding is removed in linear time, whatever a client has stored', async () => {
  const read = postgresTypes.getTypeParser(1042)
  await expectLinear((size) => () => read(`a${' '.repeat(size)}b`), { small: 10_000 })
})
