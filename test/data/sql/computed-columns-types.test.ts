import { createServer, cursorPage, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { ColumnType } from '../../../src/stores/sql/schema/column-type.js'
import type { TestClient } from 'ashlar/testing'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client } from '../../support/client.js'
import { type EmptyDatabase, emptyDatabases } from '../../support/empty-databases.js'

/** A computed column has values of its type everywhere: in responses, filters, orders and cursors. */

interface TrackRow {
  id: number
  seconds: number
  value: string
}

type Kind = 'string' | 'integer' | 'decimal' | 'boolean' | 'dateTime' | 'date' | 'time'

/** The result of an expression, and its type: mostly another name than the declared type. */
interface Case {
  readonly type: ColumnType
  readonly kind: Kind
  readonly expression: string
}

const onPostgres: readonly Case[] = [
  { type: 'text', kind: 'string', expression: 'seconds % 7' },
  { type: 'text', kind: 'string', expression: "('take ' || seconds % 7)::char(20)" },
  { type: 'integer', kind: 'integer', expression: 'seconds::numeric * 2' },
  { type: 'integer', kind: 'integer', expression: 'seconds::numeric / 3' },
  { type: 'bigint', kind: 'integer', expression: 'seconds::numeric / 3' },
  { type: 'number', kind: 'decimal', expression: 'seconds::numeric / 3' },
  { type: 'number', kind: 'decimal', expression: 'seconds::real / 3' },
  { type: 'number', kind: 'decimal', expression: 'seconds % 2 + seconds * 0.000000000000000000001' },
  { type: 'real', kind: 'decimal', expression: 'seconds::numeric / 3' },
  { type: 'real', kind: 'decimal', expression: 'seconds::double precision / 3' },
  { type: 'real', kind: 'decimal', expression: 'seconds % 2 + seconds * 0.000000000001' },
  { type: 'decimal', kind: 'decimal', expression: 'seconds::double precision / 8' },
  { type: 'boolean', kind: 'boolean', expression: 'seconds % 2' },
  { type: 'instant', kind: 'dateTime', expression: "timestamp '2026-01-01' + seconds * interval '1 hour'" },
  { type: 'timestamp', kind: 'dateTime', expression: "date '2026-01-01' + seconds" },
  { type: 'epochSeconds', kind: 'dateTime', expression: 'seconds + 1767225600.123456' },
  { type: 'epochSeconds', kind: 'dateTime', expression: '1 + seconds / 1000::double precision' },
  { type: 'epochMilliseconds', kind: 'dateTime', expression: 'seconds + 1767225600123.456' },
  { type: 'date', kind: 'date', expression: "timestamp '2026-01-01 10:00' + seconds * interval '1 hour'" },
  { type: 'time', kind: 'time', expression: "interval '1 minute' * seconds" },
  { type: 'uuid', kind: 'string', expression: 'md5(seconds::text)' },
  { type: 'other', kind: 'string', expression: "('10.0.0.' || seconds)::inet" },
]

const onSqlite: readonly Case[] = [
  { type: 'text', kind: 'string', expression: "'take ' || (seconds % 7)" },
  { type: 'integer', kind: 'integer', expression: 'seconds * 2' },
  { type: 'bigint', kind: 'integer', expression: 'seconds / 3' },
  { type: 'number', kind: 'decimal', expression: 'seconds / 3.0' },
  { type: 'real', kind: 'decimal', expression: 'seconds / 3.0' },
  { type: 'decimal', kind: 'decimal', expression: 'seconds / 8.0' },
  { type: 'decimal', kind: 'decimal', expression: "printf('%.3f', seconds / 8.0)" },
  { type: 'boolean', kind: 'boolean', expression: 'seconds % 2' },
  {
    type: 'instant',
    kind: 'dateTime',
    expression: "strftime('%Y-%m-%dT%H:%M:%fZ', 1767225600 + seconds, 'unixepoch')",
  },
  { type: 'epochSeconds', kind: 'dateTime', expression: '1 + seconds / 1000.0' },
  { type: 'epochMilliseconds', kind: 'dateTime', expression: 'seconds + 1767225600123' },
  { type: 'date', kind: 'date', expression: "date('2026-01-01', seconds || ' hours')" },
  { type: 'time', kind: 'time', expression: "time('00:00', seconds || ' minutes')" },
  { type: 'uuid', kind: 'string', expression: "printf('%08d-0000-4000-8000-000000000000', seconds)" },
]

const cases = { PostgreSQL: onPostgres, SQLite: onSqlite }

/** None in the order of their keys, and some thirds and remainders twice. */
const seconds = [61, 23, 40, 62, 22, 100, 5, 41, 22]

/** More pages than there are rows: a walk without rows ends there. */
const tooMany = 20

interface Walk {
  readonly keys: readonly string[]
  readonly last: string
}

/** The keys on the pages of a list, from a page on by its links, and the last page. */
async function walked(api: TestClient, from: string, link: 'next' | 'prev'): Promise<Walk> {
  const pages: string[][] = []
  let [at, last]: [unknown, string] = [from, from]
  while (typeof at === 'string' && pages.length < tooMany) {
    last = at.replace('http://localhost', '')
    const page = await api.get(last)
    pages.push(page.resources.map(({ id: key }) => key ?? ''))
    at = page.document?.links?.[link]
  }
  return { keys: (link === 'next' ? pages : pages.toReversed()).flat(), last }
}

describe.each(emptyDatabases)('On %s', (engine, open) => {
  let scratch: EmptyDatabase
  beforeEach(async () => {
    scratch = await open()
    await scratch.run('create table tracks (id integer primary key, seconds integer not null)')
    const rows = seconds.map((each, at) => `(${at + 1}, ${each})`)
    await scratch.run(`insert into tracks (id, seconds) values ${rows.join(', ')}`)
  })
  afterEach(() => scratch.end())

  const serving = ({ type, kind, expression }: Case): TestClient => {
    const tracks = defineResource('tracks', {
      model: table<TrackRow>('tracks', { columns: { value: { type, computed: () => sql.raw(expression) } } }),
      id: id(),
      attributes: (a) => ({ value: (a[kind]() as ReturnType<typeof a.string>).readOnly().sortable() }),
      filters: (f) => ({ value: f.where() }),
      pagination: cursorPage({ size: 2, maxSize: 20 }),
    })
    return client(createServer({ resources: [tracks], data: sqlData(scratch.database) }))
  }

  test.each(cases[engine])('$type of $expression: pages are those of the whole list', async (given) => {
    const api = serving(given)
    for (const sort of ['value', '-value']) {
      const whole = (await api.get(`/tracks?sort=${sort}&page[size]=20`)).resources.map(({ id: key }) => key)
      expect(whole).toHaveLength(seconds.length)
      const forth = await walked(api, `/tracks?sort=${sort}`, 'next')
      expect(forth.keys).toEqual(whole)
      expect((await walked(api, forth.last, 'prev')).keys).toEqual(whole)
    }
  })

  test.each(cases[engine])('$type of $expression: a filter by the served value finds the row', async (given) => {
    const api = serving(given)
    const all = (await api.get('/tracks?page[size]=20')).resources
    for (const { attributes } of all) {
      const value = attributes?.['value']
      const alike = all.filter((each) => each.attributes?.['value'] === value).map(({ id: key }) => key)
      const found = await api.get(`/tracks?filter[value]=${encodeURIComponent(String(value))}&page[size]=20`)
      expect([value, found.resources.map(({ id: key }) => key)]).toEqual([value, alike])
    }
  })
})

test.each([
  ['json', `'["a", "1"]'::text`, ['a', '1']],
  ['json', "to_jsonb('1'::text)", '1'],
  ['json', `'{"b": 1, "a": 2}'::json`, { b: 1, a: 2 }],
  ['list', "array['a', '1']", ['a', '1']],
  ['bytes', "'a'::text", new Uint8Array([97])],
] as const)('On PostgreSQL rows have as %s what is computed by %s', async (type, expression, expected) => {
  const scratch = await emptyDatabases[0][1]()
  await scratch.run('create table tracks (id integer primary key); insert into tracks values (1)')
  const seen: unknown[] = []
  const tracks = defineResource('tracks', {
    model: table<{ id: number; value: unknown }>('tracks', {
      columns: { value: { type, computed: () => sql.raw(expression) } },
    }),
    id: id(),
    hooks: { afterFetchOne: ({ value }) => void seen.push(value) },
  })
  const api = client(createServer({ resources: [tracks], data: sqlData(scratch.database) }))
  expect((await api.get('/tracks/1')).status).toBe(200)
  expect(seen).toEqual([expected])
  expect(JSON.stringify(seen)).toBe(JSON.stringify([expected]))
  await scratch.end()
})
