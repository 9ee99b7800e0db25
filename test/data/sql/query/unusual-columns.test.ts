import { type AttributeKit, createServer, cursorPage, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { newFile, openPool, takeSchema } from '../../../support/open-databases.js'
import { idsOf, pagesFrom } from '../../../support/paged-albums.js'

/** Columns whose values differ from those of JavaScript, or from their attributes. */

interface ThingRow {
  id: number
  v: unknown
}

type Kind = (a: AttributeKit<ThingRow>) => ReturnType<AttributeKit<ThingRow>['string']>

interface Column {
  readonly engine: 'sqlite' | 'postgres'
  readonly type: string
  /** SQL texts, in the order of the ids from 1 on. */
  readonly values: readonly string[]
  readonly kind: Kind
}

let count = 0

async function serving({ engine, type, values, kind }: Column): Promise<TestClient> {
  const things = defineResource('things', {
    model: table<ThingRow>('things'),
    id: id(),
    attributes: (a) => ({
      v: kind(a as never)
        .nullable()
        .sortable(),
    }),
    filters: (f) => ({ v: f.where('v'), not: f.where('v', '!='), among: f.in('v') }),
    pagination: cursorPage({ size: 1 }),
  })
  const rows = values.map((value, index) => `(${index + 1}, ${value})`).join(', ')
  const definition = `${type === 'odd_mood' ? "create type odd_mood as enum ('sad', 'glad');" : ''} create table things (id integer primary key not null, v ${type}); insert into things values ${rows}`
  if (engine === 'sqlite') {
    const file = newFile()
    file.exec(definition)
    return client(createServer({ resources: [things], data: sqlData(file) }))
  }
  count += 1
  const { schema } = takeSchema(`odd column ${count}`)
  await openPool().query(`create schema ${schema}; set local search_path to ${schema}; ${definition}`)
  return client(createServer({ resources: [things], data: sqlData(openPool(), { schema }) }))
}

async function walked(api: TestClient, sort: string): Promise<readonly string[]> {
  const pages = await pagesFrom(api, await api.get(`/things?sort=${sort}&fields[things]=`))
  const forward = pages.flatMap(idsOf)
  const last = pages.at(-1)
  const backward = last === undefined ? [] : (await pagesFrom(api, last, 'prev')).toReversed().flatMap(idsOf)
  expect(backward).toEqual(forward)
  return forward
}

const string: Kind = (a) => a.string()
const decimal: Kind = (a) => a.decimal() as never
const dateTime: Kind = (a) => a.dateTime() as never
const date: Kind = (a) => a.date() as never
const boolean: Kind = (a) => a.boolean() as never

const columns: readonly (readonly [name: string, column: Column, ascending: readonly number[]])[] = [
  ['single precision', { engine: 'postgres', type: 'real', values: ['0.1', '0.2', '0.3'], kind: decimal }, [1, 2, 3]],
  [
    'more digits than a double has',
    {
      engine: 'postgres',
      type: 'numeric',
      values: ['0.12345678901234567893', '0.12345678901234567891', '9007199254740993.5', '9007199254740993.25'],
      kind: decimal,
    },
    [2, 1, 4, 3],
  ],
  [
    'instants without an end',
    {
      engine: 'postgres',
      type: 'timestamptz',
      values: ["'infinity'", "'2020-01-01'", "'infinity'", "'-infinity'", "'0044-03-15 BC'", "'12026-01-01'", 'null'],
      kind: dateTime,
    },
    [4, 5, 2, 6, 1, 3, 7],
  ],
  [
    'microseconds',
    {
      engine: 'postgres',
      type: 'timestamp',
      values: ["'2020-01-01 00:00:00.000002'", "'2020-01-01 00:00:00.000001'", "'1969-12-31 23:59:59.999999'"],
      kind: dateTime,
    },
    [3, 2, 1],
  ],
  [
    'addresses, whose texts differ from the result of a cast',
    { engine: 'postgres', type: 'inet', values: ["'10.0.0.2'", "'10.0.0.1'", "'::1'", "'10.0.0.0/8'"], kind: string },
    [4, 2, 1, 3],
  ],
  ['enumerations', { engine: 'postgres', type: 'odd_mood', values: ["'sad'", "'glad'", 'null'], kind: string }, [2, 1, 3]],
  ['JSON', { engine: 'postgres', type: 'json', values: ["'[2]'", "'[1]'", 'null'], kind: string }, [2, 1, 3]],
  ['days without an end', { engine: 'postgres', type: 'date', values: ["'infinity'", "'2020-01-01'", "'infinity'"], kind: date }, [2, 1, 3]],
  ...(['sqlite', 'postgres'] as const).flatMap((engine) => [
    [
      `texts of which some are numbers, on ${engine}`,
      { engine, type: 'text not null', values: ["'3'", "'n/a'", "'10'", "''", "'1-2'", "'.'"], kind: decimal },
      [1, 3, 2, 4, 5, 6],
    ] as const,
    [
      `texts of which some are moments, on ${engine}`,
      {
        engine,
        type: 'text not null',
        values: ["'2020-02-29T00:00:00Z'", "'2020-02-30'", "'0000-00-00'", "'2020-01-01 00:00:00'", "'soon'", "'2019-02-29'"],
        kind: dateTime,
      },
      [4, 1, 2, 3, 5, 6],
    ] as const,
  ]),
] // biome-ignore format: a table

describe('Pages by cursor visit every row once', () => {
  test.each(columns)('%s', async (_name, column, ascending) => {
    const api = await serving(column)
    expect(await walked(api, 'v')).toEqual(ascending.map(String))
    expect((await walked(api, '-v')).toSorted()).toEqual(ascending.map(String).toSorted())
  })
})

async function found(column: Column, query: string): Promise<readonly string[]> {
  const { resources } = await (await serving(column)).get(`/things?${query}&page[size]=10&fields[things]=`)
  return resources.map((resource) => resource.id)
}

describe('A shown value finds its row', () => {
  test('addresses', async () => {
    const column: Column = { engine: 'postgres', type: 'inet', values: ["'10.0.0.1'", "'::1'"], kind: string }
    expect(await found(column, 'filter[v]=10.0.0.1')).toEqual(['1'])
    expect(await found(column, 'filter[among]=10.0.0.1,::1')).toEqual(['1', '2'])
  })

  test('numbers of single precision', async () => {
    const column: Column = { engine: 'postgres', type: 'real', values: ['0.1', '0.2'], kind: decimal }
    expect(await found(column, 'filter[v]=0.1')).toEqual(['1'])
    expect(await found(column, 'filter[among]=0.1,0.2')).toEqual(['1', '2'])
  })

  test.each(['sqlite', 'postgres'] as const)(
    'texts that are no numbers differ from every number, on %s',
    async (engine) => {
      const column: Column = { engine, type: 'text', values: ["'3'", "'n/a'", 'null', "'4'"], kind: decimal }
      expect(await found(column, 'filter[not]=3')).toEqual(['2', '4'])
      expect(await found(column, 'filter[v]=3')).toEqual(['1'])
    },
  )

  test.each(['sqlite', 'postgres'] as const)('booleans that are stored as text, on %s', async (engine) => {
    const column: Column = { engine, type: 'text', values: ["'true'", "'false'", 'null'], kind: boolean }
    expect(await found(column, 'filter[v]=true')).toEqual(['1'])
    expect(await found(column, 'filter[v]=false')).toEqual(['2'])
  })

  test.each(['sqlite', 'postgres'] as const)(
    'a text that no database can store finds nothing, on %s',
    async (engine) => {
      const notes = defineResource('notes', {
        model: table<{ id: string; text: string }>('notes'),
        id: id().allowClientId(),
        attributes: (a) => ({ text: a.string() }),
      })
      const definition = 'create table notes (id text primary key not null, text text)'
      const file = newFile()
      const { schema } = takeSchema('notes')
      if (engine === 'sqlite') file.exec(definition)
      else await openPool().query(`create schema ${schema}; set local search_path to ${schema}; ${definition}`)
      const data = engine === 'sqlite' ? sqlData(file) : sqlData(openPool(), { schema })
      const api = client(createServer({ resources: [notes], data }))
      expect((await api.get('/notes/%00')).status).toBe(404)
      expect((await api.delete('/notes/a%00')).status).toBe(404)
    },
  )
})

test('columns whose names have blanks are distinguished', async () => {
  const file = newFile()
  file.exec(`create table things (id integer primary key not null, "a b" text, a text, b text);
    insert into things values (1, 'both', 'only a', 'only b')`)
  const things = defineResource('things', {
    model: table<{ id: number; 'a b': string; a: string; b: string }>('things'),
    id: id(),
    attributes: (a) => ({ x: a.string().storedAs('a b'), a: a.string(), b: a.string() }),
  })
  const api = client(createServer({ resources: [things], data: sqlData(file) }))
  expect((await api.get('/things/1?fields[things]=a,b')).resource.attributes).toEqual({ a: 'only a', b: 'only b' })
  expect((await api.get('/things/1?fields[things]=x')).resource.attributes).toEqual({ x: 'both' })
  expect((await api.get('/things?fields[things]=a,b')).resources[0]?.attributes).toEqual({ a: 'only a', b: 'only b' })
  expect((await api.get('/things?fields[things]=x')).resources[0]?.attributes).toEqual({ x: 'both' })
})

test('a row that matches twice is counted once, if others are skipped', async () => {
  const file = newFile()
  file.exec(`create table things (id integer primary key not null, tags text);
    insert into things values (1, '["a"]'), (2, '["a", "a"]'), (3, '["b"]'), (4, '["a"]')`)
  const things = defineResource('things', {
    model: table<{ id: number; tags: string[] }>('things'),
    id: id(),
    attributes: (a) => ({ tags: a.arrayList() }),
    filters: (f) => ({ tags: f.in('tags') }),
  })
  const api = client(createServer({ resources: [things], data: sqlData(file) }))
  const page = await api.get('/things?filter[tags]=a&page[size]=1&page[number]=3')
  expect(page.resources.map((thing) => thing.id)).toEqual(['4'])
})
