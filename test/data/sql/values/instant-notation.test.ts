import { createServer, cursorPage, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { InstantNotation } from '../../../../src/stores/sql/schema/instant-notation.js'
import type { TestClient } from 'ashlar/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { type EmptyDatabase, emptyDatabases } from '../../../support/empty-databases.js'

/** Tables of SQLite that other programs made have instants as `YYYY-MM-DD HH:MM:SS`, and retain that form. */

interface EmployeeRow {
  id: number
  hiredAt: Date
  bornOn: Date | string | null
}

const spaced: InstantNotation = 'YYYY-MM-DD HH:MM:SS'

let scratch: EmptyDatabase
beforeEach(async () => {
  scratch = await emptyDatabases[1][1]()
  await scratch.run(`
    create table employees (id integer primary key, hiredAt datetime not null, bornOn datetime);
    insert into employees values (1, '2002-08-14 00:00:00', '1962-02-18 00:00:00'), (2, '2002-05-01 08:30:00', '1958-12-08 13:00:00'),
      (3, '2003-10-17', null);
  `)
})
afterEach(() => scratch.end())

function serving(options: {
  readonly instants?: InstantNotation
  readonly ofTable?: InstantNotation
  readonly declared?: boolean
}): TestClient {
  const { instants, ofTable, declared } = options
  const employees = defineResource('employees', {
    model: table<EmployeeRow>('employees', {
      ...(ofTable === undefined ? {} : { instants: ofTable }),
      ...(declared === true ? { columns: { hiredAt: 'instant' } } : {}),
    }),
    id: id(),
    attributes: (a) => ({ hiredAt: a.dateTime().sortable(), bornOn: a.date().nullable().sortable() }),
    filters: (f) => ({ hiredAt: f.where(), since: f.where('hiredAt', '>='), bornOn: f.where(), among: f.in('bornOn') }),
    pagination: cursorPage({ size: 1, maxSize: 10 }),
  })
  return client(
    createServer({
      resources: [employees],
      data: sqlData(scratch.database, instants === undefined ? {} : { instants }),
    }),
  )
}

const found = async (api: TestClient, query: string): Promise<readonly string[]> =>
  (await api.get(`/employees?${query}&page[size]=10`)).resources.map((each) => each.id)

describe.each([
  ['of the store', { instants: spaced }],
  ['of the table', { ofTable: spaced }],
  ['of the table, with a declared column', { ofTable: spaced, declared: true }],
])('the option %s', (_name, options) => {
  test('writes instants in the notation of the table', async () => {
    const api = serving(options)
    const attributes = { hiredAt: '2026-01-31T12:00:00+02:00', bornOn: '1973-08-29' }
    const made = await api.post('/employees', { body: { data: { type: 'employees', attributes } } })
    expect(made.resource.attributes).toEqual({ hiredAt: '2026-01-31T10:00:00+00:00', bornOn: '1973-08-29' })
    await api.patch('/employees/1', {
      body: { data: { type: 'employees', id: '1', attributes: { hiredAt: '2026-01-31T12:00:00.500Z' } } },
    })
    expect(await scratch.rows('select * from employees where id in (1, 4)')).toEqual([
      { id: 1, hiredAt: '2026-01-31 12:00:00.500', bornOn: '1962-02-18 00:00:00' },
      { id: 4, hiredAt: '2026-01-31 10:00:00', bornOn: '1973-08-29 00:00:00' },
    ])
    expect(await found(api, 'filter[hiredAt]=2026-01-31T10:00:00Z')).toEqual(['4'])
    expect(await found(api, 'filter[since]=2026-01-31T10:00:00Z')).toEqual(['1', '4'])
  })

  test('pages by cursor visit every row once', async () => {
    const api = serving(options)
    const seen: string[] = []
    for (let next: unknown = '/employees?sort=hiredAt'; typeof next === 'string' && seen.length < 9; ) {
      const page = await api.get(next.replace('http://localhost', ''))
      seen.push(...page.resources.map((each) => each.id))
      next = page.document?.links?.['next']
    }
    expect(seen).toEqual(['2', '1', '3'])
  })
})

test('a date shows the day of an instant, finds and sorts by it, and leaves the time as it is', async () => {
  const api = serving({})
  const shown = (await api.get('/employees?page[size]=10')).resources.map(({ attributes }) => attributes?.['bornOn'])
  expect(shown).toEqual(['1962-02-18', '1958-12-08', null])
  expect(await found(api, 'filter[bornOn]=1958-12-08')).toEqual(['2'])
  expect(await found(api, 'filter[among]=1958-12-08,1962-02-18')).toEqual(['1', '2'])
  expect(await found(api, 'sort=bornOn')).toEqual(['2', '1', '3'])
  for (const key of ['1', '2', '3']) {
    const { resource } = await api.get(`/employees/${key}`)
    expect((await api.patch(`/employees/${key}`, { body: { data: resource } })).status).toBe(200)
  }
  expect(await scratch.rows('select bornOn from employees')).toEqual([
    { bornOn: '1962-02-18 00:00:00' },
    { bornOn: '1958-12-08 13:00:00' },
    { bornOn: null },
  ])
})
