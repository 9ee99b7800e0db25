import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EmptyDatabase, emptyDatabases } from '../../../support/empty-databases.js'
import { isLong } from '../../../support/runs.js'
import { checkPair, kinds } from './pair-check.js'

/**
 * Each kind over each declared type of SQLite, with values of all storage classes: values can be sent back, filtered and sorted by, or
 * `ready()` refuses the pair.
 */

const values = [
  "'abc'", "'12'", "'1.50'", "''", "'true'", "'É 😀'", "'a,b'", '0', '1', '12', '-7', '1.5', '1e-7', '1e20', '9e999', '-9e999',
  '9007199254740993', '-9223372036854775808', '9223372036854775807', '9007199254740991', "x'00ff'", "x''",
  "'2026-01-31'", "'2026-01-31 12:00:00'", "'2026-01-31T12:00:00.123Z'", "'2026-01-31 00:00:00'", "'2026-01-31T23:30:00-02:00'",
  "'2020-02-30'", "'0000-00-00'", "'12:30:00'", "'12:30'", `'["a", "b"]'`, `'[1, 1.5, 9007199254740993]'`, `'[true, null]'`, `'{"a": 1}'`,
  "'null'", "'-0044-03-15'", "'9e999'", 'null',
] // biome-ignore format: a table

const all = ['integer()', 'bigint()', 'decimal()', 'boolean()', 'dateTime()', 'date()', 'time()']
const json = kinds.filter(({ isScalar }) => !isScalar).map(({ name }) => name)
const whole = ['integer()', 'bigint()', 'decimal()', 'boolean()']
const counted = ['integer()', 'bigint()', 'decimal()']

/** The declared type, and the kinds that are served in addition to those of text. */
const types: readonly (readonly [type: string, fits: readonly string[]])[] = [
  ['', [...all, ...json]],
  ['any', [...all, ...json]],
  ['text', [...all, ...json]],
  ['integer', whole],
  ['real', ['integer()', 'decimal()', 'boolean()']],
  ['numeric', whole],
  ['boolean', whole],
  ['datetime', [...counted, 'dateTime()', 'date()']],
  ['date', [...counted, 'dateTime()', 'date()']],
  ['time', [...counted, 'time()']],
  ['json', json],
  ['uuid', []],
  ['blob', []],
]

/** Further names of types that have the affinity and the meaning of one above. */
const aliases: typeof types = [
  ['varchar(40)', [...all, ...json]],
  ['nvarchar(40)', [...all, ...json]],
  ['clob', [...all, ...json]],
  ['int', whole],
  ['tinyint(1)', whole],
  ['decimal(8,2)', whole],
  ['bigint', whole],
  ['unsigned big int', whole],
  ['double precision', ['integer()', 'decimal()', 'boolean()']],
  ['float', ['integer()', 'decimal()', 'boolean()']],
  ['timestamp', [...counted, 'dateTime()', 'date()']],
]

let scratch: EmptyDatabase
beforeEach(async () => {
  scratch = await emptyDatabases[1][1]()
})
afterEach(() => scratch.end())

/** The types that decide how SQLite stores a value. It stores values of the others as those of one of these, or as they are. */
const affinities = new Set(['text', 'integer', 'real', 'numeric'])

/** A short run tries all values over columns of these types, and a third of them, not always the same, over each other one. */
function valuesFor(type: string): readonly string[] {
  if (isLong || affinities.has(type)) return values
  const turn = types.findIndex(([name]) => name === type) % 3
  return values.filter((_, index) => index % 3 === turn)
}

test.each(isLong ? [...types, ...aliases] : types)('%j', async (type, fits) => {
  const rows = valuesFor(type)
    .map((value) => `(${value})`)
    .join(', ')
  const served: string[] = []
  // A pair that is refused writes nothing, so the next one takes its table.
  let isFresh = false
  for (const kind of kinds) {
    if (!isFresh) {
      await scratch.run(
        `drop table if exists things; create table things (id integer primary key, v ${type}, note text); insert into things (v) values ${rows}`,
      )
    }
    isFresh = (await checkPair({ scratch, kind, columnText: 'typeof(v) || quote(v)' })) !== null
    if (!isFresh) served.push(kind.name)
  }
  expect(served).toEqual(kinds.map(({ name }) => name).filter((name) => name === 'string()' || fits.includes(name)))
})
