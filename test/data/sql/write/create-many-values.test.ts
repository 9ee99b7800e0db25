import { beforeAll, describe, expect, test } from 'vitest'
import type { ManyRows } from './create-many-rows.js'
import { manyRows } from './create-many-rows.js'
import type { OpenDatabase } from './open-databases.js'
import { databases } from './open-databases.js'

const open = databases()

type Case = readonly [type: string, ...values: readonly unknown[]]

const circle: { self?: unknown } = {}
circle.self = circle
const moments = [new Date('2026-07-31T12:00:00.123Z'), new Date('-000043-03-15T00:00:00Z'), new Date('+012026-01-01')]
const texts = [
  '',
  ' a ',
  'Ünïcode "✓" 🎵',
  `it's \\ {a,b} $1 'null'`,
  'null',
  '{"a":1}',
  '\u0001\n\t\u2028\u007f',
  12.5,
  7n,
]
const bytes = new Uint8Array([0, 255, 92, 16])

/** Values that are read exactly as in a single insert. */
const postgresCases: readonly Case[] = [
  ['text', ...texts, true, ['a'], { a: 1 }, moments[0]],
  ['varchar(5)', 'abcde', 'ab', 'abc   ', 'a😀b', 12345],
  ['char(5)', 'abc', 'abcde', 'abc        ', ''],
  ['name', 'a'.repeat(80)],
  ['"char"', 'a', 'abc'],
  ['smallint', 1, '-32768', 32_767n],
  ['integer', 0, -0, 2_147_483_647, '  12 ', 1n],
  ['oid', 4_294_967_295],
  ['bigint', 9_007_199_254_740_993n, '-9223372036854775808', 5, 1e15],
  ['real', 0.1, 1e-30, '1.5', Number.POSITIVE_INFINITY, 16_777_217],
  ['double precision', 0.1, Number.MAX_VALUE, 5e-324, Number.NEGATIVE_INFINITY, Number.NaN, 'NaN', 1e21, -0],
  ['numeric', '12345678901234567890.0100', 0.1, 1e-7, 1e21, 'NaN', 10n ** 30n, Number.POSITIVE_INFINITY],
  ['numeric(10, 2)', '1.005', 2.675, 10],
  ['boolean', true, false, 1, 0, 'true', 'yes', 'off'],
  ['timestamptz', ...moments, '2026-01-31T12:00:00+05:30', '2026-01-31 12:00:00.123456+00', 'infinity', 'now-ish', 0],
  ['timestamptz(0)', new Date('2026-01-31T12:00:00.500Z')],
  ['timestamp', ...moments, '2026-01-31T12:00:00+05:30', '-infinity'],
  ['date', '2026-01-31', moments[0], '0044-03-15 BC', 'infinity'],
  ['time', '12:00', '23:59:59.5', '24:00', moments[0]],
  ['time(0)', '23:59:59.5'],
  ['timetz', '12:00+02'],
  ['interval', '1 day 2 hours', '5', 'P1Y'],
  ['json', { b: 1, a: [1, null, { x: 'y"\\' }] }, 'text "q" \u0001 \\', 12.5, true, [], '{"a":1}', [[]], new Set([1])],
  ['jsonb', { b: 1, a: [1, null, { x: 'y"\\' }] }, 'text "q" \u0001 \\', 12.5, false, [], 'null', 1e300, moments[0]],
  ['uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'],
  ['bytea', bytes, Buffer.from('abc'), new Uint8Array(), 'text', String.raw`\xff`, bytes.subarray(1, 3)],
  [
    'integer[]',
    [1, 2],
    [],
    [
      [1, 2],
      [3, 4],
    ],
    [null, 1],
    new Set([3]),
    '{5,6}',
  ],
  ['text[]', texts, ['NULL', null, 'null', '{', '}', ',', ' '], [['a'], ['"']], [{ a: 1 }, true], []],
  ['numeric(5, 1)[]', [1.25, '2.35', 10n]],
  ['bytea[]', [bytes, null, new Uint8Array()]],
  ['timestamptz[]', [moments[0], '2026-01-31T12:00:00Z', null]],
  ['jsonb[]', [{ a: [1] }, '"x"', 3, null]],
  ['mood', 'glad', 'sad "very"'],
  ['mood[]', ['glad', null, 'sad "very"']],
  ['folded', 'Straße', 'A'],
  ['short', 'abc', 'ab '],
  ['pair', '(1,"a b")', '(,)'],
  ['inet', '127.0.0.1/8'],
  ['cidr', '10.0.0.0/8'],
  ['macaddr', '08:00:2b:01:02:03'],
  ['xml', '<a>1</a>'],
  ['bit(4)', '0101'],
  ['bit varying(4)', '01'],
  ['money', '12.34'],
  ['point', '(1,2)'],
  ['box[]', ['(1,2),(0,0)']],
  ['int4range', '[1,5)', 'empty'],
  ['int4multirange', '{[1,3),[5,7)}'],
  ['tsvector', "'a' 'b':1"],
  ['pg_lsn', '16/B374D848'],
  ['regclass', 'pg_class'],
]

/** Values that may change are left to single inserts, as are values that the database refuses. */
const single: readonly Case[] = [
  ['text', bytes, '\u0000', '\ud800'],
  ['uuid', new Uint8Array(16), 'x'],
  ['integer', 'x', 2_147_483_648, 1.5, '', Number.POSITIVE_INFINITY],
  ['varchar(5)', 'abcdef'],
  ['char(5)', 'abcdef'],
  ['bit(4)', '010'],
  ['numeric(10, 2)', 1e9],
  ['jsonb', { toJSON: () => null }, { a: '\u0000' }, circle],
  ['json', { toJSON: () => null }, '\ud800'],
  ['integer[]', [[1], [2, 3]], ['x'], 1, [circle]],
  ['mood', 'angry'],
  ['interval hour', '5'],
  ['short', 'abcd'],
]

const outcomeOf = async (work: Promise<unknown>): Promise<unknown> => {
  try {
    return await work
  } catch (thrown) {
    return thrown
  }
}

const each = (cases: readonly Case[]) => cases.map(([type, ...values]) => ({ type, values }))

const columnOf = (type: string): string => `c ${type}`.replaceAll('"', '')

describe('On postgres, a value in a multi-row insert', () => {
  let database: OpenDatabase
  let store: ManyRows
  beforeAll(async () => {
    const types = [...new Set([...postgresCases, ...single].map(([type]) => type))]
    database = await open('postgres', [
      `create type mood as enum ('glad', 'sad "very"')`,
      'create type pair as (a integer, b text)',
      'create domain short as varchar(3) check (value <> $$no$$)',
      'create domain folded as text',
      `create table things (id serial, ${types.map((type) => `"${columnOf(type)}" ${type}`).join(', ')})`,
    ])
    store = manyRows(database)
  })

  const asText = async (column: string): Promise<readonly unknown[]> => {
    const rows = await database.rows(`select "${column}"::text as held from things where id > 0 order by id`)
    return rows.map(({ held }) => held)
  }
  const empty = () => database.rows('delete from things')

  /** The rows of one column: as they are returned, and as the database has them. */
  const outcome = async (column: string, write: () => Promise<readonly Readonly<Record<string, unknown>>[]>) => {
    await empty()
    const returned = (await write()).map((row) => row[column])
    return { returned, held: await asText(column) }
  }

  test.each(each(postgresCases))('of the type $type is the same as in a single insert', async ({ type, values }) => {
    const column = columnOf(type)
    const taken: unknown[] = []
    for (const value of values) {
      const one = await outcomeOf(store.one({ [column]: value }))
      if (!(one instanceof Error)) taken.push(value)
    }
    expect(taken.length).toBeGreaterThan(0)
    const rows = taken.map((value) => ({ [column]: value }))
    const alike = await outcome(column, async () => {
      const made = []
      for (const row of rows) made.push(await store.one(row))
      return made
    })
    const together = await outcome(column, async () => (await store.many(rows)) ?? [])
    expect(together).toEqual(alike)
    expect(together.held).toHaveLength(taken.length)
  })

  test('is the same as in a single insert if all columns are set', async () => {
    const first = Object.fromEntries(postgresCases.map(([type, value]) => [columnOf(type), value]))
    const made = await store.one(first)
    const [one, other, ...more] = (await store.many([first, first])) ?? []
    expect(more).toEqual([])
    expect(one).toEqual({ ...made, id: Number(made['id']) + 1 })
    expect(other).toEqual({ ...made, id: Number(made['id']) + 2 })
  })

  test.each(each(single))(
    'of the type $type that may be converted, or is invalid, is left to a single insert',
    async ({ type, values }) => {
      const column = columnOf(type)
      for (const value of values) {
        await empty()
        expect(await store.many([{ [column]: null }, { [column]: value }])).toBeNull()
        expect(await asText(column)).toEqual([])
      }
    },
  )

  test('that a model encodes in another way is encoded so', async () => {
    const counted = await open('postgres', ['create table things (id serial, s bigint, ms bigint, b integer, j text)'])
    const columns = { s: 'epochSeconds', ms: 'epochMilliseconds', b: 'boolean', j: 'json' } as const
    const { one, many } = manyRows(counted, { columns })
    const row = { s: moments[0], ms: moments[0], b: true, j: { a: 1 } }
    const made = await one(row)
    expect(made).toMatchObject({ ms: moments[0], b: true, j: { a: 1 } })
    expect(await many([row, row])).toEqual([
      { ...made, id: 2 },
      { ...made, id: 3 },
    ])
  })

  test('cannot inject another value', async () => {
    const plain = await open('postgres', ['create table things (id serial, a text, j jsonb)'])
    const { many } = manyRows(plain, { columns: { j: 'text' } })
    const sly = '1},{"a":"sly"'
    expect(await many([{ a: sly }, { a: '"},{"a":"sly"}]' }])).toMatchObject([{ a: sly }, { a: '"},{"a":"sly"}]' }])
    expect(await many([{ j: sly }, { j: '1' }])).toBeNull()
    expect(await plain.rows('select a, j from things')).toHaveLength(2)
  })
})

describe('On sqlite, a value in a multi-row insert', () => {
  const cases: readonly Case[] = [
    ['text', ...texts, true, ['a'], { a: 1 }, moments[0], Number.NaN],
    ['integer', 1, '12', 2.5, 9_007_199_254_740_993n, true, 'x', -0],
    ['bigint', 9_007_199_254_740_993n, -(2n ** 63n)],
    ['real', 1, 0.1, 1e21, Number.POSITIVE_INFINITY],
    ['decimal', '1.50', 12.5, '12345678901234567890.01'],
    ['boolean', true, false, 1],
    ['datetime', moments[0], '2026-01-31 12:00:00'],
    ['date', '2026-01-31', moments[0]],
    ['time', '12:00:00', moments[0]],
    ['json', { a: [1, null] }, 'x', 1, 'null', { toJSON: () => null }],
    ['uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    ['blob', bytes, 'text', 1],
    ['odd', bytes, 'text', 1, 1.5],
  ]

  test.each(each(cases))('of the type $type is the same as in a single insert', async ({ type, values }) => {
    const database = await open('sqlite', [`create table things (id serial, c ${type})`])
    const { one, many } = manyRows(database)
    const rows = values.map((value) => ({ c: value }))
    const made = []
    for (const row of rows) made.push((await one(row))['c'])
    expect((await many(rows))?.map(({ c }) => c)).toEqual(made)
    const held = await database.rows('select typeof(c) as type, hex(c) as bytes from things order by id')
    expect(held.slice(rows.length)).toEqual(held.slice(0, rows.length))
    expect(held).toHaveLength(2 * rows.length)
  })

  test('that SQLite does not support is left to a single insert', async () => {
    const database = await open('sqlite', ['create table things (id serial, c json)'])
    const { many } = manyRows(database)
    expect(await many([{ c: 1 }, { c: circle }])).toBeNull()
    expect(await database.rows('select id from things')).toEqual([])
  })
})
