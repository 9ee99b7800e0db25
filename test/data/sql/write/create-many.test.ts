import { table } from 'ashlar/drizzle'
import { ownShortcuts } from '../../../../src/declare/resource/capabilities/own-functions.js'
import * as lite from 'drizzle-orm/sqlite-core'
import { describe, expect, test } from 'vitest'
import type { Persister } from '../../../../src/declare/resource/capabilities/persister.js'
import { id } from '../../../../src/declare/resource/fields/id-declaration.js'
import { manyRows } from './create-many-rows.js'
import { databases, engines } from './open-databases.js'

const open = databases()

const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, at) => ({ title: `t${from + at}` }))
const inserts = (ran: readonly string[]) => ran.filter((sql) => sql.startsWith('insert'))

const thrown = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

describe.each(engines)('On %s, rows that are created together', (engine) => {
  test('are returned in their order, with the keys that the database generates', async () => {
    const { many, ran } = manyRows(await open(engine, ['create table things (id serial, title text)']))
    const made = await many(numbered(1000))
    expect(made).toEqual(numbered(1000).map((row, at) => ({ id: at + 1, ...row })))
    // SQLite has a text for 64 rows, and for half of them, and so on: 1000 is 15 times 64, and 32, and 8.
    expect(inserts(ran)).toHaveLength(engine === 'postgres' ? 1 : 17)
    expect(await many(numbered(3))).toMatchObject([{ id: 1001 }, { id: 1002 }, { id: 1003 }])
    expect(new Set(inserts(ran)).size).toBe(engine === 'postgres' ? 1 : 5)
  })

  test('are returned in their order, with their given keys', async () => {
    const database = await open(engine, ['create table things (code text primary key, title text)'])
    const { many } = manyRows(database, { key: 'code' })
    const rows = ['b', 'c', 'a', '"', 'ü'].map((code, at) => ({ title: `t${at}`, code }))
    expect(await many(rows)).toEqual(rows)
  })

  test('get generated keys if the database generates none', async () => {
    const database = await open(engine, ['create table things (id text primary key, title text)'])
    const made = (await manyRows(database, { ids: id().uuid() }).many(numbered(5))) ?? []
    expect(made.map(({ title }) => title)).toEqual(['t0', 't1', 't2', 't3', 't4'])
    expect(new Set(made.map((row) => String(row['id']).length))).toEqual(new Set([36]))
    expect(new Set(made.map((row) => row['id'])).size).toBe(5)
  })

  test('are null where they set nothing, and have defaults where the table has some', async () => {
    const { many, one, ran } = manyRows(
      await open(engine, [`create table things (id serial, title text, note text, state text default 'new')`]),
    )
    const rows = [
      { title: 'a' },
      { note: 'b', title: undefined },
      { title: null, note: null, state: undefined },
      { title: 'd', state: null },
      { title: 'e', state: 'old' },
      { title: 'f' },
    ]
    const made = await many(rows)
    expect(inserts(ran)).toHaveLength(engine === 'postgres' ? 3 : 4)
    const single = []
    for (const row of rows) single.push(await one(row))
    expect(made).toEqual(single.map((row, at) => ({ ...row, id: at + 1 })))
    expect(made?.map(({ state }) => state)).toEqual(['new', 'new', 'new', null, 'old', 'new'])
  })

  test('may bring keys or get generated ones, alternately', async () => {
    const { many } = manyRows(await open(engine, ['create table things (id serial, title text)']))
    expect(
      await many([
        { id: 7, title: 'a' },
        { id: '5', title: 'b' },
        { id: null, title: 'c' },
      ]),
    ).toMatchObject([
      { id: 7, title: 'a' },
      { id: 5, title: 'b' },
      { id: engine === 'postgres' ? 1 : 8, title: 'c' },
    ])
  })

  test.each([
    ['a value that only one may have', { title: 't0' }],
    ['a value that must be there', { title: null }],
    ['a rule', { title: 'no' }],
    ['a row that is not there', { title: 'x', owner: 9 }],
    ['a key that is taken', { id: 1, title: 'x' }],
  ])('are all rolled back if one of them meets %s, and the transaction continues', async (_words, last) => {
    const database = await open(engine, [
      'create table owners (id serial)',
      `create table things (id serial, title text not null unique check (title <> 'no'), owner integer references owners (id))`,
      ...(engine === 'sqlite' ? ['pragma foreign_keys = on'] : []),
    ])
    const { many, one, run } = manyRows(database)
    const rows = [...numbered(3), last]
    await run(async (transaction) => {
      await one({ title: 'before' }, transaction)
      expect(await many(rows, transaction)).toBeNull()
      await one({ title: 'after' }, transaction)
      expect(await many(numbered(2, 7), transaction)).toHaveLength(2)
    })
    const titles = async () =>
      (await database.rows('select title from things order by title')).map((row) => row['title'])
    expect(await titles()).toEqual(['after', 'before', 't7', 't8'])
    expect(await many(rows)).toBeNull()
    expect(await titles()).toEqual(['after', 'before', 't7', 't8'])
  })

  test('are not written if one has a key that its column cannot hold', async () => {
    const database = await open(engine, ['create table things (id serial, title text)'])
    await expect(manyRows(database).many([{ title: 'a' }, { id: 'x', title: 'b' }])).rejects.toMatchObject({
      conflicts: [{ kind: 'value', columns: ['id'] }],
    })
    expect(await database.rows('select id from things')).toEqual([])
  })

  test('are all rolled back if a trigger skips one of them, which is reported for that one', async () => {
    const keeps =
      engine === 'sqlite'
        ? [`create trigger kept before insert on things when new.title = 'kept' begin select raise(ignore); end`]
        : [
            `create function keep() returns trigger language plpgsql as 'begin if new.title = ''kept'' then return null; end if; return new; end'`,
            'create trigger kept before insert on things for each row execute function keep()',
          ]
    const database = await open(engine, ['create table things (id serial, title text)', ...keeps])
    const { many, one } = manyRows(database)
    const expectedMessage = "The insert into 'things' returned no row"
    await expect(one({ title: 'kept' })).rejects.toThrow(expectedMessage)
    expect(await many([{ title: 'a' }, { title: 'kept' }])).toBeNull()
    expect(await database.rows('select id from things')).toEqual([])
  })

  test('that set nothing, and those of a table without a key, are created one by one', async () => {
    const database = await open(engine, [
      'create table things (id serial, title text)',
      'create table bare (title text)',
    ])
    expect(await manyRows(database).many([{}, { title: undefined }])).toBeNull()
    expect(await manyRows(database, { name: 'bare' }).many([{ title: 'a' }])).toBeNull()
    expect(await manyRows(database).many([])).toEqual([])
  })

  test('are left to a user-defined create that replaces that of the store', async () => {
    const { persister } = manyRows(await open(engine, ['create table things (id serial, title text)']))
    const replaced: Persister = { ...persister, create: (...given) => persister.create(...given) }
    expect(ownShortcuts(persister).create?.many).toBeTypeOf('function')
    expect(ownShortcuts({ ...persister })).toEqual(ownShortcuts(persister))
    expect(Object.keys(ownShortcuts(replaced))).toEqual(['update', 'delete', 'mutateRelationship'])
  })

  test('have the defaults of the table behind a view', async () => {
    const behind =
      engine === 'postgres'
        ? ['create view things as select * from kept']
        : [
            'create view things as select * from kept',
            `create trigger put instead of insert on things begin
              insert into kept values (new.id, new.title, coalesce(new.state, 'none')); end`,
          ]
    const database = await open(engine, [
      `create table kept (id text primary key, title text, state text default 'new')`,
      ...behind,
    ])
    const { many, one } = manyRows(database)
    const made = await many([
      { id: 'a', title: 'A' },
      { id: 'b', title: 'B', state: 'old' },
      { id: 'c', state: null },
    ])
    expect(made).toEqual(
      [
        await one({ id: 'd', title: 'A' }),
        await one({ id: 'e', title: 'B', state: 'old' }),
        await one({ id: 'f', state: null }),
      ].map((row, at) => ({ ...row, id: 'abc'[at] })),
    )
  })
})

describe('On sqlite, rows that are created together', () => {
  test('use no more parameters than SQLite allows', async () => {
    const names = Array.from({ length: 700 }, (_, at) => `c${at}`)
    const database = await open('sqlite', [`create table things (id serial, ${names.join(', ')})`])
    const { many, ran } = manyRows(database)
    const wide = Object.fromEntries(names.map((name, at) => [name, at]))
    expect((await many(Array.from({ length: 70 }, () => wide)))?.map((row) => row['c699'])).toEqual(Array(70).fill(699))
    expect(inserts(ran)).toHaveLength(4)
  })

  test('are created one by one if the largest key is taken, and others are random', async () => {
    const database = await open('sqlite', ['create table things (id integer primary key, title text)'])
    const { many, one } = manyRows(database)
    await one({ id: 2n ** 63n - 1n, title: 'last' })
    expect(await many(numbered(20))).toBeNull()
    expect(await database.rows('select title from things')).toEqual([{ title: 'last' }])
  })

  test('may be of a Drizzle table that maps its keys', async () => {
    const key = lite.customType<{ data: string; driverData: number }>({
      dataType: () => 'integer',
      fromDriver: (held) => `thing_${held}`,
      toDriver: (value) => Number(value.slice(6)),
    })
    const things = lite.sqliteTable('things', { id: key('id').primaryKey(), title: lite.text('title') })
    const database = await open('sqlite', ['create table things (id integer primary key, title text)'])
    const { many } = manyRows(database, { model: table(things) })
    expect(await many(numbered(2))).toEqual([
      { id: 'thing_1', title: 't0' },
      { id: 'thing_2', title: 't1' },
    ])
    expect(
      await many([
        { id: 'thing_9', title: 'a' },
        { id: 'thing_5', title: 'b' },
      ]),
    ).toMatchObject([{ id: 'thing_9' }, { id: 'thing_5' }])
  })
})

describe('On postgres, rows that are created together', () => {
  test.each([
    ['integer generated always as identity'],
    ['bigint generated by default as identity (start with 9007199254740990)'],
    ['smallserial'],
    [`bigint default nextval('counted')`],
    ['integer generated always as identity (increment by 10 cache 5)'],
    [`integer default nextval('"Odd ""one"')`],
    [`integer default nextval('"it''s"')`, 'is not sure'],
    [`integer default nextval('counted'::text::regclass)`, 'is not sure'],
    ['integer generated always as identity (increment by -1)', 'goes down'],
    ['integer generated always as identity (maxvalue 7 cycle)', 'begins anew'],
    ['integer generated always as identity (maxvalue 12 cycle)'],
    [`integer default -nextval('counted')`, 'goes down'],
    ['integer default floor(random() * 1000000)', 'is any'],
    ['uuid default gen_random_uuid()', 'is any'],
    ['text default gen_random_uuid()', 'is any'],
  ])('have generated keys: %s', async (key, otherwise = '') => {
    const database = await open('postgres', [
      'create sequence counted',
      'create sequence "Odd ""one"',
      `create sequence "it's"`,
      `create table things (id ${key} primary key, title text)`,
    ])
    const made = await manyRows(database).many(numbered(9))
    expect(made?.map(({ title }) => title) ?? null).toEqual(
      otherwise === '' ? numbered(9).map(({ title }) => title) : null,
    )
    const stored = await database.rows('select title from things order by id')
    expect(stored).toEqual(otherwise === '' ? numbered(9) : [])
  })

  test('are created one by one if a trigger changes their keys', async () => {
    const database = await open('postgres', [
      'create table things (id serial, title text)',
      `create function turn() returns trigger language plpgsql as 'begin new.id := 1000 - new.id; return new; end'`,
      'create trigger turned before insert on things for each row execute function turn()',
    ])
    const { many } = manyRows(database)
    expect(await many(numbered(3))).toBeNull()
    expect(await many([{ id: 5, title: 'a' }])).toBeNull()
    expect(await database.rows('select id from things')).toEqual([])
  })

  test('are created one by one if a given key is taken, and a column has the name of the row number', async () => {
    const database = await open('postgres', [
      'create table things (id serial, title text)',
      `insert into things (id, title) values (2, 'brought')`,
      'create table odd (id serial, ordinality integer)',
    ])
    expect(await manyRows(database).many(numbered(3))).toBeNull()
    expect(await manyRows(database, { name: 'odd' }).many([{ ordinality: 1 }])).toBeNull()
    const { many } = manyRows(database, { name: 'odd' })
    expect(
      await many([
        { id: 4, ordinality: 1 },
        { id: 3, ordinality: 2 },
      ]),
    ).toMatchObject([{ id: 4 }, { id: 3 }])
  })

  test('retain identities that are always generated, if they bring keys', async () => {
    const { many } = manyRows(
      await open('postgres', ['create table things (id integer generated always as identity primary key, title text)']),
    )
    expect(
      await many([
        { id: 9, title: 'a' },
        { id: 3, title: 'b' },
      ]),
    ).toMatchObject([{ id: 9 }, { id: 3 }])
  })

  test.each(['40001', '40P01', '55P03', '57014', '08006', '53100'])(
    'fail like a single row if the error is not about them: %s',
    async (code) => {
      const database = await open('postgres', [
        'create table things (id serial, title text)',
        `create function stop() returns trigger language plpgsql as
          'begin raise exception ''stopped'' using errcode = ''${code}''; end'`,
        'create trigger stopped before insert on things for each row execute function stop()',
      ])
      const { many, one, run } = manyRows(database, { retries: 1 })
      const thrownInside = { one: null as unknown, many: null as unknown }
      await run(async (transaction) => {
        thrownInside.one = await thrown(one({ title: 'a' }, transaction))
        thrownInside.many = await thrown(many(numbered(2), transaction))
      })
      expect(thrownInside.one).toMatchObject({ code, message: 'stopped' })
      expect(thrownInside.many).toMatchObject({ code, message: 'stopped' })
      const single = await thrown(one({ title: 'a' }))
      expect(single).toMatchObject({ status: 503 })
      expect(await thrown(many(numbered(2)))).toEqual(single)
    },
  )
})
