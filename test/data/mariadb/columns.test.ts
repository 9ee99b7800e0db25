import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { expect, inject, test } from 'vitest'
import { client } from '../../support/client.js'
import { scratchMysql } from '../../support/scratch-mysql.js'

const engine = inject('mysqlEngine')
const text = `character set utf8mb4 collate ${engine === 'mariadb' ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'}`
const scratch = await scratchMysql([
  `create table things (
    id bigint unsigned auto_increment primary key,
    flag tinyint(1),
    small tinyint unsigned,
    big bigint,
    price decimal(20, 4),
    ratio double,
    at datetime(6),
    stamp timestamp(3) null,
    day date,
    hour time(3),
    note longtext ${text},
    mood enum('calm', 'wild') ${text},
    tags json,
    settings json,
    doubled bigint generated always as (big * 2) virtual
  )`,
])

interface Thing {
  id: number
  flag: boolean | null
  small: number | null
  big: bigint | null
  price: string | null
  ratio: number | null
  at: Date | null
  stamp: Date | null
  day: string | null
  hour: string | null
  note: string | null
  mood: string | null
  tags: readonly string[] | null
  settings: object | null
  doubled: bigint | null
}

const things = defineResource('things', {
  model: table<Thing>('things'),
  id: id(),
  attributes: (a) => ({
    flag: a.boolean().nullable(),
    small: a.integer().nullable(),
    big: a.bigint().nullable(),
    price: a.decimal().nullable(),
    ratio: a.decimal().nullable(),
    at: a.dateTime().nullable().sortable(),
    stamp: a.dateTime().nullable(),
    day: a.date().nullable(),
    hour: a.time().nullable(),
    note: a.string().nullable().sortable(),
    mood: a.string().nullable(),
    tags: a.arrayList().nullable(),
    settings: a.arrayHash().nullable(),
    doubled: a.bigint().nullable().readOnly(),
  }),
  filters: (f) => ({
    at: f.where(),
    note: f.where(),
    noteLike: f.contains('note'),
    big: f.where(),
    flag: f.where(),
    tag: f.where('tags'),
    mood: f.where(),
    from: f.dateRange('at'),
  }),
})

const api = client(createServer({ resources: [things], data: sqlData(scratch.pool, { engine }) }))

const sent = {
  flag: true,
  small: 255,
  big: '9007199254740993',
  price: 1234.5,
  ratio: 0.1,
  at: '2024-02-29T12:30:15.678Z',
  stamp: '2024-07-01T22:30:00.5Z',
  day: '2024-02-29',
  hour: '12:30:15',
  note: 'Ünïcode ☕ \\ % _',
  mood: 'wild',
  tags: ['rock', 'jazz', '1'],
  settings: { z: 1, a: { big: 1.5, text: '1' } },
}

test('values of each type are stored, and shown as they were sent', async () => {
  const created = await api.post('/things', { body: { data: { type: 'things', attributes: sent } } })
  expect(created.resource.attributes).toMatchObject({
    ...sent,
    at: expect.stringContaining('2024-02-29T12:30:15.678') as unknown,
    stamp: expect.stringContaining('2024-07-01T22:30:00.5') as unknown,
  })
  expect(created.resource.attributes?.['doubled']).toBe('18014398509481986')
  expect((await api.get(`/things/${created.resource.id}`)).resource).toEqual(created.resource)
  // The session runs in UTC, whatever the time zone of the server.
  const [row] = await scratch.run(`select cast(at as char) as at, json_type(settings) as type from things`)
  expect(row).toEqual({ at: '2024-02-29 12:30:15.678000', type: 'OBJECT' })
})

const found = async (query: string) => (await api.get(`/things?${query}`)).resources.length

test.each([
  ['filter[at]=2024-02-29T12:30:15.678Z', 1],
  ['filter[at]=2024-02-29T12:30:15.679Z', 0],
  ['filter[from][min]=2024-01-01T00:00:00Z', 1],
  ['filter[big]=9007199254740993', 1],
  ['filter[big]=9007199254740992', 0],
  ['filter[flag]=true', 1],
  ['filter[flag]=false', 0],
  ['filter[tag]=jazz', 1],
  ['filter[tag]=Jazz', 0],
  ['filter[mood]=wild', 1],
  ['filter[noteLike]=\\ %25 _', 1],
  ['filter[noteLike]=N%C3%AFCODE', 1],
  // Only ASCII letters match in both cases.
  ['filter[noteLike]=n%C3%8Fcode', 0],
  ['filter[noteLike]=unicode', 0],
])('%s finds %i rows', async (query, count) => {
  expect(await found(query)).toBe(count)
})

test('microseconds are found by the millisecond that is shown, and pages continue after them', async () => {
  await scratch.run(
    "insert into things (at, note) values ('2030-01-01 00:00:00.123456', 'a'), ('2030-01-01 00:00:00.123999', 'b')",
  )
  expect(await found('filter[at]=2030-01-01T00:00:00.123Z')).toBe(2)
  const first = await api.get('/things?filter[from][min]=2030-01-01T00:00:00Z&sort=at&page[size]=1')
  expect(first.resources.map(({ attributes }) => attributes?.['note'])).toEqual(['a'])
})

test('texts that a usual collation takes for equal are different', async () => {
  await scratch.run("insert into things (note) values ('Ab'), ('ab'), ('äb'), ('ab ')")
  expect(await found('filter[note]=ab')).toBe(1)
  const { resources } = await api.get('/things?sort=note&page[size]=50')
  const notes = resources
    .map(({ attributes }) => attributes?.['note'])
    .filter((note) => /^[aä]b ?$/i.test(String(note)))
  expect(notes).toEqual(['Ab', 'ab', 'ab ', 'äb'])
})
