import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SqlStatement } from '../../../../src/stores/sql/driver/sql-statement.js'
import { dialects } from '../../../../src/stores/sql/dialect/dialects.js'
import type { ColumnCodec } from '../../../../src/stores/sql/schema/column-codec.js'
import { codecOf } from '../../../../src/stores/sql/schema/column-codec.js'
import type { ColumnType } from '../../../../src/stores/sql/schema/column-type.js'
import { columnTypes } from '../../../../src/stores/sql/schema/column-type.js'
import { readTables } from '../../../../src/stores/sql/schema/resolve-tables.js'
import { table } from '../../../../src/stores/sql/schema/table.js'
import type { ScratchDatabase } from './scratch-databases.js'
import { scratchPostgres, scratchSqlite } from './scratch-databases.js'

const noon = new Date('2026-01-31T12:00:00.000Z')

/** Stores a value in the one row of the table `held`, and returns the value that is then read. */
async function stored(
  { driver }: ScratchDatabase,
  member: string,
  value: unknown,
  type?: ColumnType,
): Promise<unknown> {
  const columns = type === undefined ? {} : { [member]: type }
  const model = table<Record<string, unknown>>('held', { columns })
  const { tables } = await readTables(driver, { types: [], models: [model], naming: 'same', schema: null })
  const codec = tables.get('held')?.columnOf.get(member)?.codec
  if (codec === undefined) throw new Error(`no column ${member}`)
  const placeholder = driver.dialect.name === 'postgres' ? '$1' : '?'
  const name = `"${member}"`
  const run = async (statement: SqlStatement): Promise<unknown> => {
    const connection = await driver.hold({ context: null })
    try {
      return (await connection.run(statement)).rows[0]?.[0]
    } finally {
      connection.release(false)
    }
  }
  await run({ sql: `update held set ${name} = ${placeholder}`, values: [codec.encode(value)], name: null })
  return decoded(codec, await run({ sql: `select ${name} from held`, values: [], name: null }))
}

function decoded({ decode }: ColumnCodec, held: unknown): unknown {
  return held === null || decode === null ? held : decode(held)
}

describe('Values in columns of PostgreSQL', () => {
  let made: ScratchDatabase
  beforeAll(async () => {
    made = await scratchPostgres()
    await made.run(`create type mood as enum ('calm', 'loud')`)
    await made.run(`create table held (
      text text, uuid uuid, int integer, big bigint, real real, double double precision, numeric numeric, flag boolean,
      instant timestamptz, stamp timestamp, day date, time time, json json, jsonb jsonb, bytes bytea,
      numbers integer[], texts text[], days timestamptz[], moods mood[], mood mood, grid integer[][]
    )`)
    await made.run('insert into held default values')
  })
  afterAll(() => made.end())

  test.each<[string, unknown]>([
    ['text', 'Straße "\\ 😀'],
    ['text', ''],
    ['uuid', '8d3e1b5c-6f0a-4f5e-9d2b-1c2d3e4f5a6b'],
    ['int', -7],
    ['big', 7],
    ['big', 9007199254740993n],
    ['double', 0.1],
    ['numeric', '12345678901234567890.123456789'],
    ['flag', true],
    ['flag', false],
    ['instant', noon],
    ['instant', new Date('0001-01-01T00:00:00.000Z')],
    ['instant', new Date('-000044-03-15T12:00:00.000Z')],
    ['instant', new Date('+012026-01-01T00:00:00.000Z')],
    ['stamp', noon],
    ['day', '2026-01-31'],
    ['time', '12:30:00'],
    ['json', { z: 1, a: [null, 'x'] }],
    ['json', 'text'],
    ['json', ['a', 'b']],
    ['jsonb', 7],
    ['jsonb', false],
    ['bytes', new Uint8Array([0, 1, 255])],
    ['numbers', [1, null, 3]],
    ['numbers', []],
    ['texts', ['a,b', '"', '\\', 'NULL', '', null]],
    ['days', [noon, null]],
    ['moods', ['calm', 'loud']],
    ['mood', 'loud'],
    [
      'grid',
      [
        [1, 2],
        [3, 4],
      ],
    ],
  ])('the column %s gives %o back as it was stored', async (member, value) => {
    const back = await stored(made, member, value)
    expect(value instanceof Uint8Array ? new Uint8Array(back as Uint8Array) : back).toEqual(value)
  })

  test.each<[string, unknown, unknown]>([
    ['text', 7, '7'],
    ['text', noon, '2026-01-31T12:00:00.000Z'],
    ['text', { a: 1 }, '{"a":1}'],
    ['numeric', 9.5, '9.5'],
    ['flag', 1, true],
    ['flag', 'false', false],
    ['instant', '2026-01-31 12:00:00', noon],
    ['instant', '2026-01-31T14:00:00+02:00', noon],
    ['stamp', '2026-01-31T14:00:00+02:00', noon],
    ['day', noon, '2026-01-31'],
    ['time', noon, '12:00:00'],
    ['texts', new Set(['a', 'b']), ['a', 'b']],
    ['json', new Set([1, 2]), [1, 2]],
    ['big', 5n, 5],
    ['double', Number.NaN, null],
    ['instant', new Date(Number.NaN), null],
    ['json', undefined, null],
    ['json', null, null],
  ])('the column %s holds %o as %o', async (member, value, back) => {
    expect(await stored(made, member, value)).toEqual(back)
  })

  test.each<[string, ColumnType, unknown]>([
    ['big', 'bigint', 5n],
    ['text', 'instant', noon],
    ['text', 'json', { a: [1] }],
    ['text', 'list', ['a', 'b']],
    ['json', 'list', ['a', 'b']],
    ['int', 'boolean', true],
    ['int', 'boolean', false],
    ['text', 'boolean', false],
    ['big', 'epochSeconds', noon],
    ['big', 'epochMilliseconds', noon],
    ['double', 'decimal', '9.5'],
    ['text', 'bigint', 9007199254740993n],
    ['instant', 'date', '2026-01-31'],
  ])('the column %s gives what the model declares: %s', async (member, type, value) => {
    expect(await stored(made, member, value, type)).toEqual(value)
  })
})

describe('Values in columns of SQLite', () => {
  let made: ScratchDatabase
  beforeAll(async () => {
    made = await scratchSqlite()
    await made.run(`create table held (
      text text, uuid uuid, int integer, big bigint, double real, numeric decimal(10, 2), flag boolean,
      instant datetime, day date, time time, json json, bytes blob, anything
    )`)
    await made.run('insert into held default values')
  })
  afterAll(() => made.end())

  test.each<[string, unknown]>([
    ['text', 'Straße "\\ 😀'],
    ['text', '007'],
    ['uuid', '8d3e1b5c-6f0a-4f5e-9d2b-1c2d3e4f5a6b'],
    ['int', -7],
    ['big', 7],
    ['big', 9007199254740993n],
    ['double', 0.1],
    ['numeric', '9.5'],
    ['flag', true],
    ['flag', false],
    ['instant', noon],
    ['instant', new Date('-000044-03-15T12:00:00.000Z')],
    ['instant', new Date('+012026-01-01T00:00:00.000Z')],
    ['day', '2026-01-31'],
    ['time', '12:30:00'],
    ['json', { z: 1, a: [null, 'x'] }],
    ['json', 'text'],
    ['json', '7'],
    ['json', 7],
    ['json', false],
    ['json', []],
    ['bytes', new Uint8Array([0, 1, 255])],
    ['anything', 'x'],
    ['anything', 7],
  ])('the column %s gives %o back as it was stored', async (member, value) => {
    const back = await stored(made, member, value)
    expect(value instanceof Uint8Array ? new Uint8Array(back as Uint8Array) : back).toEqual(value)
  })

  test.each<[string, unknown, unknown]>([
    ['text', 7, '7'],
    ['text', true, 'true'],
    ['text', noon, '2026-01-31T12:00:00.000Z'],
    ['text', { a: 1 }, '{"a":1}'],
    ['int', true, 1],
    ['numeric', 9.5, '9.5'],
    ['flag', 'false', false],
    ['flag', 7, 7],
    ['instant', '2026-01-31 12:00:00', noon],
    ['instant', '2026-01-31T14:00:00+02:00', noon],
    ['instant', 7, 7],
    ['instant', 'soon', 'soon'],
    ['day', noon, '2026-01-31'],
    ['time', noon, '12:00:00'],
    ['json', new Set([1, 2]), [1, 2]],
    ['double', Number.NaN, null],
    ['instant', new Date(Number.NaN), null],
    ['json', undefined, null],
  ])('the column %s holds %o as %o', async (member, value, back) => {
    expect(await stored(made, member, value)).toEqual(back)
  })

  test.each<[string, ColumnType, unknown]>([
    ['big', 'bigint', 5n],
    ['text', 'instant', noon],
    ['int', 'boolean', true],
    ['text', 'json', { a: [1] }],
    ['text', 'list', ['a', 'b']],
    ['text', 'decimal', '12345678901234567890.10'],
    ['int', 'epochSeconds', noon],
    ['int', 'epochMilliseconds', noon],
    ['text', 'bigint', 9007199254740993n],
  ])('the column %s gives what the model declares: %s', async (member, type, value) => {
    expect(await stored(made, member, value, type)).toEqual(value)
  })

  test.each<[string, string, unknown]>([
    ['instant', `datetime('2026-01-31 12:00:00')`, noon],
    ['instant', `'2026-01-31'`, new Date('2026-01-31T00:00:00.000Z')],
    ['instant', `'2026-01-31T12:00:00.123456Z'`, new Date('2026-01-31T12:00:00.123Z')],
    ['flag', `'true'`, 'true'],
    ['json', `'no json'`, 'no json'],
    ['numeric', '12', '12'],
  ])('the column %s reads %s, which another program has written', async (member, written, value) => {
    await made.run(`update held set "${member}" = ${written}`)
    const { driver } = made
    const { tables } = await readTables(driver, { types: [], models: [table('held')], naming: 'same', schema: null })
    const { rows } = await driver.read(
      { sql: `select "${member}" from held`, values: [], name: null },
      { context: null },
    )
    const codec = tables.get('held')?.columnOf.get(member)?.codec
    expect(codec && decoded(codec, rows[0]?.[0])).toEqual(value)
  })
})

describe('A codec', () => {
  const circle: { self?: unknown } = {}
  circle.self = circle
  const odd: readonly unknown[] = [
    '',
    'x',
    '{',
    0,
    -0,
    1.5,
    Infinity,
    2n ** 80n,
    true,
    noon,
    new Date(Number.NaN),
    [],
    [[1], 'a', circle],
    {},
    circle,
    { big: 1n },
    new Set([1]),
    new Map(),
    new Uint8Array(2),
    Symbol('s'),
    () => 1,
    undefined,
    Object.create(null),
    new Date(8.64e15),
    new Date(-8.64e15),
  ]

  test.each(columnTypes)('of type %s never throws, for any value', (type) => {
    for (const { values } of Object.values(dialects)) {
      for (const held of columnTypes) {
        const codec = codecOf(values.codec, { type, storedType: held, declared: true })
        for (const value of odd) {
          expect(() => codec.encode(value)).not.toThrow()
          expect(() => codec.decode?.(value)).not.toThrow()
        }
      }
    }
  })
})
