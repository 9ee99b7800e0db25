import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EmptyDatabase, emptyDatabases } from '../../../support/empty-databases.js'
import { isLong } from '../../../support/runs.js'
import { checkPair, kinds } from './pair-check.js'

/** Each kind over each type of PostgreSQL: values can be sent back, filtered and sorted by, or `ready()` refuses it. */

interface Column {
  readonly type: string
  readonly values: readonly string[]
  /** The kinds that are served, without those of text, which are always served. */
  readonly fits: readonly string[]
}

const text =
  "'abc', '12', '', 'É 😀', '1.50', 'true', '2026-01-31', '2026-01-31T12:00:00Z', '12:30:00', '2020-02-30', 'a,b'"
const numbers = ['integer()', 'decimal()']
const exact = ['integer()', 'bigint()', 'decimal()']
const whole = ['integer()', 'bigint()', 'decimal()', 'boolean()']
const parsed = ['integer()', 'bigint()', 'decimal()', 'boolean()', 'dateTime()', 'date()', 'time()']
const lists = ["arrayList().of('integer')", "arrayList().of('bigint')", "arrayList().of('number')"]

const column = (type: string, values: string, ...fits: readonly string[]): Column => {
  return { type, values: values.split(/, (?=(?:[^']*'[^']*')*[^']*$)/), fits }
}

const columns: readonly Column[] = [
  column('text', text, ...parsed),
  column('integer', '0, 1, -2147483648, 2147483647', ...whole),
  column('bigint', '0, 1, -9223372036854775808, 9223372036854775807, 9007199254740993, 9007199254740991', ...whole),
  column('numeric', "0, 1.50, 'NaN', 'Infinity', '-Infinity', 12345678901234567890.123, 0.12345678901234567893, 1e-7, 9007199254740993, 'NaN', 'Infinity'", ...exact),
  column('double precision', "0, 0.1, 1, 'NaN', 'Infinity', '-Infinity', 1e-7, 1e20, 1.7976931348623157e308, 'NaN', 'Infinity'", ...numbers),
  column('boolean', 'true, false', 'boolean()'),
  column('timestamptz', "'2026-01-31 12:00:00.123456+02', '2026-01-31 00:00:00Z', 'infinity', '-infinity', '0044-03-15 BC', '12026-01-01', '2026-01-31 00:00:00.1Z', 'infinity'", 'dateTime()', 'date()'),
  column('timestamp', "'2026-01-31 12:00:00.123456', '2026-01-31', 'infinity', '-infinity', '0044-03-15 BC', '12026-01-01'", 'dateTime()', 'date()'),
  column('date', "'2026-01-31', 'infinity', '-infinity', '0044-03-15 BC', '12026-01-01', '0001-01-01', 'infinity'", 'date()'),
  column('time', "'12:00:00', '12:00:00.123456', '24:00:00', '23:59:59.999999'", 'time()'),
  column('interval', "'1 day', '1 month 2 days 03:04:05', '-1 year'"),
  column('uuid', "'0f8fad5b-d9cb-469f-a165-70867728950e', '00000000-0000-0000-0000-000000000000'"),
  column('bytea', String.raw`'\x00ff', '\x'`),
  column('json', `'{"b": 1, "a": 2}', '[1, "a", null]', '"text"', '12', 'null', '{}', '[]'`, 'arrayList()', ...lists, "arrayList().of('boolean')", 'arrayHash()'),
  column('jsonb', `'{"b": 1, "a": 2}', '["a"]', '[1.5]', '"text"', '12', 'true'`, 'arrayList()', ...lists, "arrayList().of('boolean')", 'arrayHash()'),
  column('inet', "'10.0.0.1', '::1', '10.0.0.0/8'"),
  column('int4range', "'[1,5)', 'empty', '[1,)'"),
  column('mood', "'sad', 'glad'"),
  column('positive', '1, 12', ...whole),
  column('tags', "'{a,b}', '{}'", 'arrayList()'),
  column('text[]', `'{a,b}', '{}', '{NULL,a}', '{"a,b","c\\"d"}', '{{a},{b}}'`, 'arrayList()'),
  column('integer[]', "'{1,2}', '{}', '{NULL}', '[0:1]={3,4}'", ...lists),
  column('bigint[]', "'{1,9007199254740993}', '{-9223372036854775808}'", ...lists),
  column('numeric[]', "'{1.50,2}', '{NaN}', '{12345678901234567890.5}', '{9007199254740993}'", ...lists),
  column('double precision[]', "'{0.1,1e-7,1e20}', '{Infinity}'", lists[0] ?? '', lists[2] ?? ''),
  column('boolean[]', "'{t,f}', '{}'", "arrayList().of('boolean')"),
] // biome-ignore format: a table

/** Types that are read and written as one above is, and rare ones. */
const alike: readonly Column[] = [
  column('char(24)', text, ...parsed),
  column('"char"', "'a', 'b'"),
  column('money', '0, 1.5'),
  column('bit(4)', "B'1010', B'0000'"),
  column('tsvector', "'a:1 b:2', ''"),
  column('point', "'(1,2)'"),
  column('mood[]', "'{sad,glad}', '{}'", 'arrayList()'),
  column('jsonb[]', `'{"{\\"a\\": 1}"}'`),
  column('timestamptz[]', "'{2026-01-31}'"),
  column('date[]', "'{2026-01-31,infinity}'", 'arrayList()'),
  column('varchar(200)', text, ...parsed),
  column('name', text, ...parsed),
  column('smallint', '0, 1, -32768, 32767', ...whole),
  column('oid', '0, 1, 4294967295', ...whole),
  column('numeric(8,2)', "0, 1.50, -7, 'NaN', 123456.78", ...exact),
  column('real', "0, 0.1, 'NaN', 'Infinity', '-Infinity', 1e-7, 16777217, 'NaN', 'Infinity'", ...numbers),
  column('timestamptz(3)', "'2026-01-31 12:00:00.123+02', '2026-01-31 00:00:00Z'", 'dateTime()', 'date()'),
  column('timetz', "'12:00:00+02', '12:00:00.5-03'"),
  column('xml', "'<a>1</a>', 'x'"),
  column('cidr', "'10.0.0.0/8', '::1/128'"),
  column('macaddr', "'08:00:2b:01:02:03'"),
  column('bit varying', "B'10', B''"),
  column('tsquery', "'a & b'"),
  column('tstzrange', "'[2026-01-01,2026-02-01)'"),
  column('polygon', "'((0,0),(1,1),(1,0))'"),
  column('pg_lsn', "'16/B374D848'"),
  column('uuid[]', "'{0f8fad5b-d9cb-469f-a165-70867728950e}'", 'arrayList()'),
  column('inet[]', "'{10.0.0.1,::1}'", 'arrayList()'),
  column('smallint[]', "'{1,2}', '{}'", ...lists),
  column('real[]', "'{0.1,1e-7}', '{NaN}'", lists[0] ?? '', lists[2] ?? ''),
  column('bytea[]', String.raw`'{"\\x00"}'`),
] // biome-ignore format: a table

const always = new Set(['string()'])

let scratch: EmptyDatabase
beforeEach(async () => {
  scratch = await emptyDatabases[0][1]()
  await scratch.run(
    `create type mood as enum ('sad', 'glad'); create domain positive as integer check (value > 0); create domain tags as text[]`,
  )
})
afterEach(() => scratch.end())

test.each(isLong ? [...columns, ...alike] : columns)('$type', async ({ type, values, fits }) => {
  const rows = [...values, 'null'].map((value) => `(${value})`).join(', ')
  const served: string[] = []
  // A pair that is refused writes nothing, so the next one takes its table.
  let isFresh = false
  for (const kind of kinds) {
    if (!isFresh) {
      await scratch.run(
        `drop table if exists things; create table things (id integer generated by default as identity primary key, v ${type}, note text); insert into things (v) values ${rows}`,
      )
    }
    isFresh = (await checkPair({ scratch, kind, columnText: "format('%s', v)" })) !== null
    if (!isFresh) served.push(kind.name)
  }
  expect(served).toEqual(kinds.map(({ name }) => name).filter((name) => always.has(name) || fits.includes(name)))
})
