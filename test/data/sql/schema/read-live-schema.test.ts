import { afterEach, describe, expect, test } from 'vitest'
import type { LiveTable } from '../../../../src/stores/sql/schema/live-schema.js'
import { readLiveSchema } from '../../../../src/stores/sql/schema/read-live-schema.js'
import { tableName } from '../../../../src/stores/sql/schema/table-model.js'
import type { ScratchDatabase } from './scratch-databases.js'
import { scratchDatabases, scratchPostgres, scratchSqlite } from './scratch-databases.js'

const opened: ScratchDatabase[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((each) => each.end()))
})

async function database(
  open: () => Promise<ScratchDatabase>,
  ...statements: readonly string[]
): Promise<ScratchDatabase> {
  const made = await open()
  opened.push(made)
  for (const statement of statements) await made.run(statement)
  return made
}

async function tableIn({ driver }: ScratchDatabase, name: string): Promise<LiveTable | undefined> {
  return (await readLiveSchema(driver, [tableName(name)])).get(name)
}

function typesOf(table: LiveTable | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries((table?.columns ?? []).map(({ name, type }) => [name, type]))
}

describe.each(scratchDatabases)('The schema of a database on %s', (_, open) => {
  const music = [
    'create table artists (id integer primary key, name text not null)',
    `create table albums (
      id integer primary key,
      title varchar(200) not null,
      slug text unique,
      plays integer not null default 0,
      artist_id integer references artists,
      producer_id integer references artists (id)
    )`,
    'create index albums_by_artist on albums (artist_id, title)',
    'create unique index albums_loved on albums (lower(title)) where plays > 100',
    `create table pressings (
      country text, number integer, album_id integer, primary key (country, number),
      foreign key (album_id) references albums (id)
    )`,
    'create table copies (country text, number integer, foreign key (country, number) references pressings)',
    'create view popular as select id, title from albums where plays > 100',
  ]

  test('reads the columns of a table in their order, which may be null, and which need no value', async () => {
    const albums = await tableIn(await database(open, ...music), 'albums')
    const described = albums?.columns.map(({ name, type, nullable, hasDefault }) => [name, type, nullable, hasDefault])
    const isSqlite = open === scratchSqlite
    expect(described).toEqual([
      ['id', 'integer', false, isSqlite],
      ['title', 'text', false, false],
      ['slug', 'text', true, false],
      ['plays', 'integer', false, true],
      ['artist_id', 'integer', true, false],
      ['producer_id', 'integer', true, false],
    ])
  })

  test('reads keys of one column and of several, in the order of the key', async () => {
    const { driver } = await database(open, ...music)
    const tables = await readLiveSchema(driver, ['artists', 'pressings', 'copies', 'popular'].map(tableName))
    expect([...tables].map(([name, { primaryKey }]) => [name, primaryKey])).toEqual([
      ['artists', ['id']],
      ['pressings', ['country', 'number']],
      ['copies', []],
      ['popular', []],
    ])
  })

  test('reads indexes: those of constraints and keys too, with expressions as null', async () => {
    const albums = await tableIn(await database(open, ...music), 'albums')
    const described = albums?.indexes.map(({ columns, unique, partial }) => ({ columns, unique, partial })) ?? []
    expect(described).toHaveLength(4)
    expect(described).toEqual(
      expect.arrayContaining([
        { columns: ['id'], unique: true, partial: false },
        { columns: ['slug'], unique: true, partial: false },
        { columns: ['artist_id', 'title'], unique: false, partial: false },
        { columns: [null], unique: true, partial: true },
      ]),
    )
    expect(albums?.indexes.map(({ name }) => name)).toContain('albums_by_artist')
  })

  test('reads the columns of indexes over expressions, and which indexes sort texts by code points', async () => {
    const [plain, folded] = open === scratchSqlite ? ['binary', 'nocase'] : ['"C"', '"POSIX"']
    const made = await database(
      open,
      `create table t (a integer, b text collate ${plain}, c text collate ${folded})`,
      'create index a on t (lower(b), a)',
      'create index b on t (a)',
      'create index c on t (b)',
      'create index d on t (c)',
      `create index e on t (b collate ${folded})`,
      `create index f on t (c collate ${plain})`,
    )
    const indexes = (await tableIn(made, 't'))?.indexes ?? []
    expect(Object.fromEntries(indexes.map(({ name, sortsTexts }) => [name, sortsTexts]))).toEqual({
      a: true,
      b: true,
      c: true,
      d: false,
      e: false,
      f: true,
    })
    expect(indexes.filter(({ columns }) => columns.includes(null))).toMatchObject([
      { name: 'a', columns: [null, 'a'], expressed: expect.arrayContaining(['b']) },
    ])
    expect(indexes.filter(({ columns }) => !columns.includes(null)).flatMap(({ expressed }) => expressed)).toEqual([])
  })

  test('reads foreign keys, with the referenced columns that the constraint omits', async () => {
    const { driver } = await database(open, ...music)
    const tables = await readLiveSchema(driver, ['albums', 'copies'].map(tableName))
    const described = (name: string): unknown =>
      tables.get(name)?.foreignKeys.map(({ columns, table, references }) => ({ columns, table, references }))
    expect(described('albums')).toEqual(
      expect.arrayContaining([
        { columns: ['artist_id'], table: 'artists', references: ['id'] },
        { columns: ['producer_id'], table: 'artists', references: ['id'] },
      ]),
    )
    expect(described('copies')).toEqual([
      { columns: ['country', 'number'], table: 'pressings', references: ['country', 'number'] },
    ])
  })

  test('knows views', async () => {
    const popular = await tableIn(await database(open, ...music), 'popular')
    expect(typesOf(popular)).toEqual({ id: 'integer', title: 'text' })
    expect(popular?.indexes).toEqual([])
  })

  test('leaves out missing tables, and returns an empty map for no names', async () => {
    const { driver } = await database(open, ...music)
    const tables = await readLiveSchema(driver, ['albums', 'singles', 'no schema.albums'].map(tableName))
    expect([...tables.keys()]).toEqual(['albums'])
    expect(await readLiveSchema(driver, [])).toEqual(new Map())
  })

  test('returns a table for each requested name, with or without its schema', async () => {
    const made = await database(open, ...music)
    const names = ['albums', `${made.schema}.albums`]
    const tables = await readLiveSchema(made.driver, names.map(tableName))
    expect([...tables.keys()]).toEqual(names)
    expect(new Set([...tables.values()].map(({ schema }) => schema))).toEqual(new Set([made.schema]))
  })

  test('takes names as they are, with quotes and special characters', async () => {
    const made = await database(
      open,
      `create table "odd ""name"" %" ("the ""key""" integer primary key, "Straße" text)`,
    )
    const found = await readLiveSchema(made.driver, [{ schema: null, name: 'odd "name" %' }])
    expect([...found.values()].map(typesOf)).toEqual([{ 'the "key"': 'integer', Straße: 'text' }])
  })

  test('reads generated columns as those that need no value', async () => {
    const made = await database(
      open,
      'create table t (a integer, b integer not null generated always as (a * 2) stored)',
    )
    const described = (await tableIn(made, 't'))?.columns.map(({ name, hasDefault }) => [name, hasDefault])
    expect(described).toEqual([
      ['a', false],
      ['b', true],
    ])
  })
})

describe('The schema of a database on PostgreSQL', () => {
  test('reads every type, domains as their base types', async () => {
    const made = await database(
      scratchPostgres,
      `create type mood as enum ('calm', 'loud')`,
      `create domain code as varchar(8) default 'none' not null`,
      'create domain short_code as code check (length(value) < 4)',
      `create table held (
        a smallint, b integer, c bigint, d real, e double precision, f numeric(10, 2), g boolean, h text,
        i varchar(20), j char(3), k uuid, l bytea, m json, n jsonb, o timestamptz, p timestamp(3), q date, r time,
        s timetz, t interval, u integer[], v mood, w short_code, x inet, y mood[], z int4range, money money
      )`,
    )
    const held = await tableIn(made, 'held')
    expect(typesOf(held)).toEqual({
      a: 'integer',
      b: 'integer',
      c: 'bigint',
      d: 'real',
      e: 'number',
      f: 'decimal',
      g: 'boolean',
      h: 'text',
      i: 'text',
      j: 'text',
      k: 'uuid',
      l: 'bytes',
      m: 'json',
      n: 'json',
      o: 'instant',
      p: 'timestamp',
      q: 'date',
      r: 'time',
      s: 'other',
      t: 'other',
      u: 'list',
      v: 'other',
      w: 'text',
      x: 'other',
      y: 'list',
      z: 'other',
      money: 'other',
    })
    const columns = new Map(held?.columns.map((column) => [column.name, column]))
    expect(columns.get('i')?.databaseType).toBe('character varying(20)')
    expect(columns.get('w')).toMatchObject({ databaseType: 'short_code', nullable: false, hasDefault: true })
  })

  test('reads identities and sequences as columns that need no value, and forgets columns that were dropped', async () => {
    const made = await database(
      scratchPostgres,
      'create table t (a integer generated by default as identity, gone text, b serial, c text)',
      'alter table t drop column gone',
    )
    const described = (await tableIn(made, 't'))?.columns.map(({ name, hasDefault }) => [name, hasDefault])
    expect(described).toEqual([
      ['a', true],
      ['b', true],
      ['c', false],
    ])
  })

  test('knows partitioned tables and materialised views', async () => {
    const made = await database(
      scratchPostgres,
      'create table plays (id integer, day date, primary key (id, day)) partition by range (day)',
      `create table plays_2026 partition of plays for values from ('2026-01-01') to ('2027-01-01')`,
      'create materialized view played as select id from plays',
      'create unique index played_once on played (id)',
    )
    expect(await tableIn(made, 'plays')).toMatchObject({ primaryKey: ['id', 'day'] })
    expect((await tableIn(made, 'plays'))?.indexes).toHaveLength(1)
    expect((await tableIn(made, 'played'))?.indexes).toEqual([
      expect.objectContaining({
        name: 'played_once',
        columns: ['id'],
        unique: true,
        partial: false,
        deferrable: false,
      }),
    ])
  })

  test('counts only the columns that an index is about', async () => {
    const made = await database(
      scratchPostgres,
      'create table t (a integer, b text)',
      'create unique index t_a on t (a desc) include (b)',
    )
    expect((await tableIn(made, 't'))?.indexes).toEqual([
      expect.objectContaining({ name: 't_a', columns: ['a'], unique: true, partial: false, deferrable: false }),
    ])
  })

  test('distinguishes upper case, as the database does', async () => {
    const made = await database(scratchPostgres, 'create table "Albums" (id integer)')
    expect(await tableIn(made, 'albums')).toBeUndefined()
    expect(await tableIn(made, 'Albums')).toMatchObject({ name: 'Albums' })
  })

  test('does not take a sequence or an index for a table', async () => {
    const made = await database(scratchPostgres, 'create table t (id serial primary key)')
    expect(await tableIn(made, 't_id_seq')).toBeUndefined()
    expect(await tableIn(made, 't_pkey')).toBeUndefined()
  })
})

describe('The schema of a database on SQLite', () => {
  test.each([
    ['INTEGER', 'integer'],
    ['int(11)', 'integer'],
    ['TINYINT', 'integer'],
    ['BIGINT', 'bigint'],
    ['UNSIGNED BIG INT', 'bigint'],
    ['REAL', 'number'],
    ['DOUBLE PRECISION', 'number'],
    ['FLOAT', 'number'],
    ['NUMERIC', 'decimal'],
    ['DECIMAL(10, 2)', 'decimal'],
    ['boolean', 'boolean'],
    ['DATETIME', 'instant'],
    ['TIMESTAMP WITH TIME ZONE', 'instant'],
    ['DATE', 'date'],
    ['TIME', 'time'],
    ['JSON', 'json'],
    ['UUID', 'uuid'],
    ['TEXT', 'text'],
    ['VARCHAR(255)', 'text'],
    ['NATIVE CHARACTER(70)', 'text'],
    ['BLOB', 'bytes'],
    ['VARBINARY(16)', 'bytes'],
    ['', 'other'],
    ['POINT', 'integer'],
    ['STRING', 'other'],
  ])('takes the type %s for %s', async (declared, type) => {
    const made = await database(scratchSqlite, `create table t (a ${declared})`)
    expect(typesOf(await tableIn(made, 't'))).toEqual({ a: type })
  })

  test('distinguishes keys that SQLite generates from other keys', async () => {
    const made = await database(
      scratchSqlite,
      'create table given (id integer primary key)',
      'create table kept (id integer primary key) without rowid',
      'create table named (id text primary key)',
    )
    const described = async (name: string): Promise<unknown> => {
      const table = await tableIn(made, name)
      return [table?.columns.map(({ nullable, hasDefault }) => ({ nullable, hasDefault })), table?.indexes.length]
    }
    expect(await described('given')).toEqual([[{ nullable: false, hasDefault: true }], 1])
    expect(await described('kept')).toEqual([[{ nullable: false, hasDefault: false }], 1])
    expect(await described('named')).toEqual([[{ nullable: true, hasDefault: false }], 1])
  })

  test('finds tables in whichever case, in files that are attached, and temporary ones first', async () => {
    const made = await database(
      scratchSqlite,
      `attach ':memory:' as shop`,
      'create table shop.orders (id integer, total real)',
      'create table Albums (id integer)',
      'create temporary table albums (id integer, mark text)',
    )
    expect(typesOf(await tableIn(made, 'orders'))).toEqual({ id: 'integer', total: 'number' })
    expect(await tableIn(made, 'albums')).toMatchObject({ schema: 'temp' })
    expect(await tableIn(made, 'main.albums')).toMatchObject({ name: 'Albums', schema: 'main' })
    expect(await tableIn(made, 'shop.albums')).toBeUndefined()
  })
})
