import { createServer, defineResource, id } from 'ashlar'
import { table } from 'ashlar/drizzle'
import { sqlData } from 'ashlar/sql'
import * as pg from 'drizzle-orm/pg-core'
import * as lite from 'drizzle-orm/sqlite-core'
import { afterEach, describe, expect, test } from 'vitest'
import { type EmptyDatabase, emptyDatabases } from '../../support/empty-databases.js'

const [[, openPostgres], [, openSqlite]] = emptyDatabases

let scratch: EmptyDatabase | null = null
afterEach(async () => {
  await scratch?.end()
  scratch = null
})

interface ReceivedResponse {
  readonly status: number
  readonly document: { readonly data: unknown; readonly errors?: unknown }
}

type Send = (method: string, path: string, attributes?: object) => Promise<ReceivedResponse>

function sender(server: { readonly fetch: (request: Request) => Promise<Response> }): Send {
  return async (method, path, attributes) => {
    const body = attributes === undefined ? null : JSON.stringify({ data: { type: 'things', attributes } })
    const headers = body === null ? {} : { 'Content-Type': 'application/vnd.api+json' }
    const response = await server.fetch(new Request(`http://music.example${path}`, { method, headers, body }))
    return { status: response.status, document: (await response.json()) as ReceivedResponse['document'] }
  }
}

const ids = ({ document: { data } }: ReceivedResponse): readonly string[] =>
  (data as readonly { readonly id: string }[]).map((resource) => resource.id)

describe('On SQLite, rows', () => {
  const reversed = lite.customType<{ data: string; driverData: string }>({
    dataType: () => 'text',
    fromDriver: (held) => held.split('').toReversed().join(''),
    toDriver: (text) => text.split('').toReversed().join(''),
  })
  const things = lite.sqliteTable('things', {
    id: lite.integer().primaryKey(),
    seconds: lite.integer('seconds_at', { mode: 'timestamp' }),
    milliseconds: lite.integer('milliseconds_at', { mode: 'timestamp_ms' }),
    flag: lite.integer({ mode: 'boolean' }),
    words: lite.text({ mode: 'json' }).$type<readonly string[]>(),
    moment: lite.text(),
    price: lite.numeric(),
    weight: lite.numeric({ mode: 'number' }),
    large: lite.numeric({ mode: 'bigint' }),
    digest: lite.blob({ mode: 'buffer' }),
    huge: lite.blob({ mode: 'bigint' }),
    note: lite.blob({ mode: 'json' }).$type<{ readonly by: string }>(),
    secret: reversed(),
  })
  const columns = `id integer primary key, seconds_at integer, milliseconds_at integer, flag integer, words text,
    moment text, price numeric, weight numeric, large numeric, digest blob, huge blob, note blob, secret text`

  async function served(rows: unknown[] = []): Promise<Send> {
    scratch = await openSqlite()
    await scratch.run(`create table things (${columns})`)
    const resource = defineResource('things', {
      model: table(things),
      id: id(),
      attributes: (a) => ({
        seconds: a.dateTime().nullable().sortable(),
        milliseconds: a.dateTime().nullable().sortable(),
        flag: a.boolean().nullable(),
        words: a.arrayList().nullable(),
        moment: a.dateTime().nullable(),
        price: a.string().nullable(),
        secret: a.string().nullable(),
        seen: a.boolean().computed((row) => rows.push(row) > 0),
      }),
      filters: (f) => ({ seconds: f.dateRange(), milliseconds: f.dateRange(), flag: f.boolean() }),
    })
    return sender(createServer({ resources: [resource], data: sqlData(scratch.database) }))
  }

  test('have the values that Drizzle infers', async () => {
    const rows: unknown[] = []
    const send = await served(rows)
    await scratch?.run(`insert into things values (1, 1700000000, 1700000000123, 1, '["a","b"]',
      '2026-01-31 12:00:00', 12.5, 0.25, 12, x'0102', x'${Buffer.from('9007199254740993').toString('hex')}',
      x'${Buffer.from('{"by":"Low"}').toString('hex')}', 'olleh')`)
    const { status, document } = await send('GET', '/things/1')
    expect(status).toBe(200)
    expect(rows[0]).toEqual({
      id: 1,
      seconds: new Date(1_700_000_000_000),
      milliseconds: new Date(1_700_000_000_123),
      flag: true,
      words: ['a', 'b'],
      moment: '2026-01-31 12:00:00',
      price: '12.5',
      weight: 0.25,
      large: 12n,
      digest: Buffer.from([1, 2]),
      huge: 9_007_199_254_740_993n,
      note: { by: 'Low' },
      secret: 'hello',
    })
    expect(document.data).toMatchObject({
      attributes: {
        seconds: '2023-11-14T22:13:20+00:00',
        flag: true,
        words: ['a', 'b'],
        moment: '2026-01-31T12:00:00+00:00',
        price: '12.5',
        secret: 'hello',
      },
    })
  })

  test('are written as Drizzle would', async () => {
    const send = await served()
    const { status } = await send('POST', '/things', {
      seconds: '2023-11-14T22:13:20+00:00',
      milliseconds: '2023-11-14T22:13:20.123Z',
      flag: false,
      words: ['x'],
      secret: 'hello',
    })
    expect(status).toBe(201)
    const rows = scratch?.rows('select seconds_at, milliseconds_at, flag, words, secret from things')
    expect(await rows).toEqual([
      { seconds_at: 1_700_000_000, milliseconds_at: 1_700_000_000_123, flag: 0, words: '["x"]', secret: 'olleh' },
    ])
  })

  test('are filtered, sorted and distinguished by instants that are stored as numbers', async () => {
    const send = await served()
    await scratch?.run(`insert into things (id, seconds_at, milliseconds_at, flag) values
      (1, 1700000002, 1700000002000, 1), (2, 1700000001, 1700000001500, 0), (3, null, null, null)`)
    expect(ids(await send('GET', '/things?sort=seconds'))).toEqual(['2', '1', '3'])
    expect(ids(await send('GET', '/things?sort=-milliseconds'))).toEqual(['3', '1', '2'])
    expect(ids(await send('GET', '/things?filter[seconds][min]=2023-11-14T22:13:21.5Z'))).toEqual(['1'])
    expect(ids(await send('GET', '/things?filter[milliseconds][max]=2023-11-14T22:13:21.5Z'))).toEqual(['2'])
    expect(ids(await send('GET', '/things?filter[flag]=false'))).toEqual(['2'])
  })
})

describe('On PostgreSQL, rows', () => {
  const things = pg.pgTable('things', {
    id: pg.serial().primaryKey(),
    small: pg.bigint({ mode: 'number' }),
    large: pg.bigint({ mode: 'bigint' }),
    price: pg.numeric(),
    weight: pg.numeric({ mode: 'number' }),
    units: pg.numeric({ mode: 'bigint' }),
    moment: pg.timestamp('moment_at', { withTimezone: true }),
    local: pg.timestamp('local_at'),
    spelt: pg.timestamp('spelt_at', { withTimezone: true, mode: 'string' }),
    day: pg.date({ mode: 'date' }),
    dayText: pg.date('day_text', { mode: 'string' }),
    words: pg.text().array(),
    amounts: pg.bigint({ mode: 'bigint' }).array(),
    place: pg.point(),
    note: pg.jsonb().$type<{ readonly by: string }>(),
  })

  async function served(rows: unknown[] = []): Promise<Send> {
    scratch = await openPostgres()
    await scratch.run(`create table things (id serial primary key, small bigint, large bigint, price numeric,
      weight numeric, units numeric, moment_at timestamptz, local_at timestamp, spelt_at timestamptz, day date,
      day_text date, words text[], amounts bigint[], place point, note jsonb)`)
    const resource = defineResource('things', {
      model: table(things),
      id: id(),
      attributes: (a) => ({
        small: a.integer().nullable(),
        weight: a.decimal().nullable(),
        spelt: a.dateTime().nullable().sortable(),
        day: a.date().nullable().sortable(),
        words: a.arrayList().nullable(),
        seen: a.boolean().computed((row) => rows.push(row) > 0),
      }),
      filters: (f) => ({ spelt: f.dateRange(), day: f.dateRange() }),
    })
    return sender(createServer({ resources: [resource], data: sqlData(scratch.database) }))
  }

  test('have the values that Drizzle infers', async () => {
    const rows: unknown[] = []
    const send = await served(rows)
    await scratch?.run(`insert into things values (1, 5, 6, 12.50, 0.25, 12, '2026-01-31T12:00:00Z', '2026-01-31T12:00:00',
      '2026-01-31T12:00:00Z', '2026-01-31', '2026-01-31', '{a,b}', '{1,9007199254740993}', '(1,2)', '{"by":"Low"}')`)
    const { status, document } = await send('GET', '/things/1')
    expect(status).toBe(200)
    const instant = new Date('2026-01-31T12:00:00Z')
    expect(rows[0]).toEqual({
      id: 1,
      small: 5,
      large: 6n,
      price: '12.50',
      weight: 0.25,
      units: 12n,
      moment: instant,
      local: instant,
      spelt: '2026-01-31T12:00:00.000Z',
      day: new Date('2026-01-31T00:00:00Z'),
      dayText: '2026-01-31',
      words: ['a', 'b'],
      amounts: [1n, 9_007_199_254_740_993n],
      place: [1, 2],
      note: { by: 'Low' },
    })
    expect(document.data).toMatchObject({
      attributes: { small: 5, weight: 0.25, spelt: '2026-01-31T12:00:00+00:00', day: '2026-01-31', words: ['a', 'b'] },
    })
  })

  test('are written, filtered and sorted in every mode', async () => {
    const send = await served()
    const first = await send('POST', '/things', {
      small: 1,
      weight: 1.5,
      spelt: '2026-01-31T12:00:00Z',
      day: '2026-01-31',
    })
    expect(first.document.errors).toBeUndefined()
    await send('POST', '/things', {
      small: 2,
      weight: 2.5,
      spelt: '2026-01-30T12:00:00Z',
      day: '2026-02-01',
      words: ['x'],
    })
    expect(ids(await send('GET', '/things?sort=spelt'))).toEqual(['2', '1'])
    expect(ids(await send('GET', '/things?sort=-day'))).toEqual(['2', '1'])
    expect(ids(await send('GET', '/things?filter[spelt][min]=2026-01-31T00:00:00Z'))).toEqual(['1'])
    expect(ids(await send('GET', '/things?filter[day][min]=2026-02-01'))).toEqual(['2'])
    expect((await send('GET', '/things/2')).document.data).toMatchObject({
      attributes: { small: 2, weight: 2.5, spelt: '2026-01-30T12:00:00+00:00', day: '2026-02-01', words: ['x'] },
    })
  })
})
