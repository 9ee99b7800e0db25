import { setTimeout } from 'node:timers/promises'
import { createServer, defineResource, id, type WorkContext } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { databases, engines } from './open-databases.js'

const open = databases()

interface ThingRow {
  id: number
  name: string | null
  isOpen: boolean | null
  madeAt: Date | null
  day: string | null
  size: number | null
  tags: readonly string[] | null
  extra: object | null
  rank: string | null
}

const things = [
  `create table things (id serial, name text default 'unnamed', "isOpen" boolean, "madeAt" timestamp, day date, size real8,
    tags json, extra json, rank integer)`,
]

const ofEngine = (statements: readonly string[], engine: string): readonly string[] =>
  statements.map((statement) =>
    engine === 'sqlite'
      ? statement.replaceAll('real8', 'real')
      : statement.replaceAll('real8', 'double precision').replaceAll('timestamp', 'timestamptz'),
  )

type Work = (context: WorkContext) => Promise<unknown>

const named = <Type extends string>(type: Type, key: ReturnType<typeof id>) =>
  defineResource(type, {
    model: table<{ id: string; name: string | null }>(type),
    id: key,
    attributes: (a) => ({ name: a.string().nullable() }),
  })

describe.each(engines)('on %s', (engine) => {
  /** Runs user-defined code in a request that creates a thing. */
  async function inRequest(work: Work) {
    const { database, options } = await open(engine, ofEngine(things, engine))
    const result: { reply: unknown } = { reply: null }
    const resource = defineResource('things', {
      model: table<ThingRow>('things'),
      id: id(),
      attributes: (a) => ({
        name: a.string().nullable(),
        isOpen: a.boolean().nullable(),
        madeAt: a.dateTime().nullable(),
        day: a.date().nullable(),
        size: a.decimal().nullable(),
        tags: a.arrayList().nullable(),
        extra: a.arrayHash().nullable(),
      }),
      hooks: {
        async beforeCreate(_draft, context) {
          result.reply = await work(context)
        },
      },
    })
    const server = createServer({ resources: [resource], data: sqlData(database, options) })
    const response = await client(server).post('/things', { body: resourceBody('things', { name: 'last' }) })
    return { reply: result.reply, status: response.status }
  }

  const whole = {
    name: 'Ünïcode \u{1f3b5}',
    isOpen: true,
    madeAt: new Date('2026-01-31T12:00:00.123Z'),
    size: 0.1,
    tags: ['a', 'b'],
    extra: { deep: [1, null, { x: 'y' }] },
  }

  test('a row is returned as it is stored, and read the same', async () => {
    const { reply, status } = await inRequest(async (context) => {
      const made = await context.rows<ThingRow>('things').create(whole)
      const found = await context.rows<ThingRow>('things').find(made.id)
      return [made, found]
    })
    expect(status).toBe(201)
    expect(reply).toEqual([
      { id: 1, ...whole, day: null, rank: null },
      { id: 1, ...whole, day: null, rank: null },
    ])
  })

  test('a missing value has its default, undefined is missing, and null is null', async () => {
    const { reply } = await inRequest(async (context) => {
      const rows = context.rows<ThingRow>('things')
      const some: Partial<Record<keyof ThingRow, undefined>> = { name: undefined }
      const made = [await rows.create({}), await rows.create(some as object), await rows.create({ name: null })]
      return made.map(({ name }) => name)
    })
    expect(reply).toEqual(['unnamed', 'unnamed', null])
  })

  test('an update sets the given columns, and returns null for a missing row', async () => {
    const { reply } = await inRequest(async (context) => {
      const rows = context.rows<ThingRow>('things')
      await rows.create(whole)
      const updated = await rows.update(1, { name: 'new', tags: null })
      const others = [
        await rows.update('1', {}),
        await rows.update(99, { name: 'x' }),
        await rows.update('x', { name: 'x' }),
      ]
      return [updated?.name, updated?.tags, updated?.size, others.map((row) => row?.name ?? null)]
    })
    expect(reply).toEqual(['new', null, 0.1, ['new', null, null]])
  })

  test('a delete returns whether the row existed', async () => {
    const { reply } = await inRequest(async (context) => {
      const rows = context.rows<ThingRow>('things')
      await rows.create({})
      const keys: readonly unknown[] = ['01', 'x', null, 2, 1, 1]
      const results: boolean[] = []
      for (const key of keys) results.push(await rows.delete(key))
      return results
    })
    expect(reply).toEqual([false, false, false, false, true, false])
  })

  test('rows of the same columns are one statement, with any values', async () => {
    const { database, options } = await open(engine, ofEngine(things, engine))
    const ran: string[] = []
    const resource = defineResource('things', {
      model: table<ThingRow>('things'),
      id: id(),
      attributes: (a) => ({ name: a.string().nullable(), size: a.decimal().nullable() }),
    })
    const data = sqlData(database, { ...options, onStatement: ({ sql }) => ran.push(sql) })
    const api = client(createServer({ resources: [resource], data }))
    for (const attributes of [
      { name: 'a', size: 1 },
      { name: null, size: 2.5 },
      { name: 'c', size: null },
    ]) {
      expect((await api.post('/things', { body: resourceBody('things', attributes) })).status).toBe(201)
    }
    expect(new Set(ran.filter((sql) => sql.startsWith('insert'))).size).toBe(1)
  })

  test('columns are distinguished by any names', async () => {
    const { database, options } = await open(engine, ['create table odd (id serial, a text, b text, "a\nb" text)'])
    const resource = defineResource('odd', {
      model: table<{ id: number; a: string | null; b: string | null; 'a\nb': string | null }>('odd'),
      id: id(),
      attributes: (a) => ({
        a: a.string().nullable(),
        b: a.string().nullable(),
        both: a.string().nullable().storedAs('a\nb'),
      }),
    })
    const api = client(createServer({ resources: [resource], data: sqlData(database, options) }))
    const made = [{ a: 'A', b: 'B' }, { both: 'AB' }]
    for (const attributes of made) {
      const { resource: shown } = await api.post('/odd', { body: resourceBody('odd', attributes) })
      expect(shown.attributes).toEqual({ a: null, b: null, both: null, ...attributes })
    }
  })

  test('keys of ids with a format are generated here if the database generates none', async () => {
    const { database, options } = await open(engine, [
      `create table tickets (id ${engine === 'sqlite' ? 'text' : 'uuid'} primary key, name text)`,
      'create table passes (id text primary key, name text)',
    ])
    const resources = [named('tickets', id().uuid()), named('passes', id().ulid())] as const
    const api = client(createServer({ resources, data: sqlData(database, options) }))
    expect((await api.post('/tickets', { body: resourceBody('tickets', { name: 'x' }) })).resource.id).toMatch(
      /^[0-9a-f-]{36}$/,
    )
    expect((await api.post('/passes', { body: resourceBody('passes', { name: 'x' }) })).resource.id).toMatch(
      /^[0-9A-Z]{26}$/,
    )
  })
})

test('on postgres, an identity that is always generated takes the key of a client', async () => {
  const { database, options } = await open('postgres', [
    'create table seats (id integer generated always as identity primary key, name text)',
  ])
  const seats = defineResource('seats', {
    model: table<{ id: number; name: string | null }>('seats'),
    id: id().allowClientId(),
    attributes: (a) => ({ name: a.string().nullable() }),
  })
  const api = client(createServer({ resources: [seats], data: sqlData(database, options) }))
  const keyOf = async (key?: string) =>
    (await api.post('/seats', { body: resourceBody('seats', { name: 'x' }, key) })).resource.id
  expect([
    await keyOf(),
    await keyOf('2'),
    await keyOf('3'),
    await keyOf('2147483647'),
    await keyOf(),
    await keyOf(),
  ]).toEqual(['1', '2', '3', '2147483647', '4', '5'])
})

test('on postgres, a sequence that others advance meanwhile is never set back', async () => {
  const { database, options, rows } = await open('postgres', [
    'create table seats (id integer generated by default as identity primary key, name text)',
    `insert into seats (id, name) select n, 'brought' from generate_series(1, 200000) as n`,
    'analyze seats',
  ])
  const api = client(createServer({ resources: [named('seats', id())], data: sqlData(database, options) }))
  const seat = { body: resourceBody('seats', { name: 'x' }) }
  const isDrawn = async () => {
    const [found] = await rows(`select pg_sequence_last_value(pg_get_serial_sequence('seats', 'id')::regclass) as last`)
    return found?.['last'] !== null
  }
  // By then the end of the used keys is searched, among so many.
  const moved = async () => {
    while (!(await isDrawn())) await setTimeout(1)
    await setTimeout(20)
    await rows(`select setval(pg_get_serial_sequence('seats', 'id'), 300000)`)
  }
  const [first] = await Promise.all([api.post('/seats', seat), moved()])
  expect(first.status).toBe(201)
  expect((await api.post('/seats', seat)).resource.id).toMatch(/^30000[12]$/)
})
