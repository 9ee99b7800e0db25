import { chmodSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import { describeOpenFailure, sqliteFaultOf } from '../../../../src/stores/sql/dialect/sqlite/driver/sqlite-faults.js'
import { sqliteDriver } from '../../../../src/stores/sql/dialect/sqlite/driver/sqlite-driver.js'
import { rows, scratchFiles, written } from './scratch-files.js'
import type { SqlFault } from '../../../../src/stores/sql/driver/sql-statement.js'

const files = scratchFiles()

const tables = `
  create table artists (id integer primary key, name text, unique (name));
  create table albums (
    id integer primary key,
    title text not null,
    artist_id integer references artists (id),
    year integer constraint plausible_year check (year > 1900),
    length integer check (length > 0),
    unique (title, artist_id)
  ) strict;
  create table codes (code text primary key, label text) without rowid;
  create unique index by_lower on artists (lower(name));
  insert into artists values (1, 'Radiohead');
  insert into albums values (1, 'Kid A', 1, 2000, 50);
  insert into codes values ('a', 'b');
`

async function faultOf(sql: string, ...values: readonly unknown[]): Promise<SqlFault | null> {
  const database = files.open('faults.db')
  database.exec(tables)
  const driver = files.closing(sqliteDriver(database))
  const thrown = await written(driver, sql, ...values).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(Error)
  return driver.faultOf(thrown)
}

const refused: readonly (readonly [string, string, readonly unknown[], SqlFault])[] = [
  [
    'a unique set',
    "insert into albums (title, artist_id) values ('Kid A', 1)",
    [],
    { kind: 'unique', table: 'albums', columns: ['title', 'artist_id'], constraint: null },
  ],
  [
    'a unique set, with rows that come back',
    "insert into albums (title, artist_id) values ('Kid A', 1) returning *",
    [],
    { kind: 'unique', table: 'albums', columns: ['title', 'artist_id'], constraint: null },
  ],
  [
    'a rowid',
    "insert into albums (id, title) values (1, 'Amnesiac')",
    [],
    { kind: 'unique', table: 'albums', columns: ['id'], constraint: null },
  ],
  [
    'a primary key that is no rowid',
    "insert into codes values ('a', 'c')",
    [],
    { kind: 'unique', table: 'codes', columns: ['code'], constraint: null },
  ],
  [
    'an index of an expression',
    "insert into artists (name) values ('RADIOHEAD')",
    [],
    { kind: 'unique', table: null, columns: null, constraint: 'by_lower' },
  ],
  [
    'a row with a dangling foreign key',
    "insert into albums (title, artist_id) values ('Amnesiac', 9)",
    [],
    { kind: 'foreignKey', table: null, constraint: null },
  ],
  ['a row that is pointed at', 'delete from artists', [], { kind: 'foreignKey', table: null, constraint: null }],
  [
    'null in a column that is not null',
    'insert into albums (title) values (null)',
    [],
    { kind: 'notNull', table: 'albums', column: 'title' },
  ],
  [
    'a check with a name',
    "insert into albums (title, year) values ('Amnesiac', 1)",
    [],
    { kind: 'check', table: null, constraint: 'plausible_year' },
  ],
  [
    'a check without a name, which is identified by its text',
    "insert into albums (title, length) values ('Amnesiac', 0)",
    [],
    { kind: 'check', table: null, constraint: 'length > 0' },
  ],
  ['text in a column of numbers', "insert into albums (title, year) values ('Amnesiac', 'x')", [], { kind: 'value' }],
  ['text as a rowid', "insert into artists (id) values ('x')", [], { kind: 'value' }],
  ['a number beyond 64 bits', 'insert into artists (id) values (?)', [2n ** 70n], { kind: 'value' }],
  ['an object', 'insert into artists (name) values (?)', [{ name: 'Björk' }], { kind: 'value' }],
  ['a list', 'insert into artists (name) values (?)', [['Björk']], { kind: 'value' }],
  ['a table that is not there', 'delete from tracks', [], { kind: 'other' }],
  ['an invalid statement', 'remove everything', [], { kind: 'other' }],
]

function faultIn(message: string, more: object): unknown {
  return sqliteFaultOf(Object.assign(new Error(message), more))
}

function node(errcode: number): object {
  return { code: 'ERR_SQLITE_ERROR', errcode }
}

async function classified(run: () => unknown): Promise<string | null> {
  try {
    await run()
  } catch (thrown) {
    return describeOpenFailure(thrown)
  }
  return 'nothing was thrown'
}

describe('A statement that SQLite refuses has a classified error', () => {
  it.each(refused)('%s', async (_what, sql, values, fault) => {
    expect(await faultOf(sql, ...values)).toEqual(fault)
  })

  it('errors that are not from the database are not classified', () => {
    for (const thrown of [null, 'UNIQUE constraint failed: a.b', new Error('UNIQUE constraint failed: a.b'), {}]) {
      expect(sqliteFaultOf(thrown)).toBeNull()
    }
  })

  it("by codes or by messages, with any properties of the library's errors", () => {
    expect(faultIn('FOREIGN KEY constraint failed', node(787))).toMatchObject({ kind: 'foreignKey' })
    expect(faultIn('constraint failed', node(2579))).toEqual({
      kind: 'unique',
      table: null,
      columns: null,
      constraint: null,
    })
    expect(faultIn('database is locked', node(517))).toEqual({ kind: 'conflict' })
    expect(faultIn('database table is locked: albums', node(262))).toEqual({ kind: 'conflict' })
    expect(faultIn('disk I/O error', node(778))).toEqual({ kind: 'unavailable' })
    expect(faultIn('database or disk is full', { name: 'SqliteError', code: 'SQLITE_FULL' })).toEqual({
      kind: 'unavailable',
    })
    expect(faultIn('disk I/O error', { name: 'SqliteError', code: 'SQLITE_IOERR_READ' })).toEqual({
      kind: 'unavailable',
    })
    expect(faultIn('file is not a database', node(26))).toEqual({ kind: 'other' })
    expect(faultIn('UNIQUE constraint failed: a.b.c, a.b.d', node(2067))).toMatchObject({ table: null, columns: null })
    expect(faultIn('Too loud', { code: 'ERR_SQLITE_ERROR', errcode: 1811 })).toEqual({ kind: 'raised' })
  })
})

describe('A database that cannot be opened is reported in one sentence', () => {
  it('a folder that does not exist', async () => {
    expect(await classified(() => new DatabaseSync(files.path('none/music.db')))).toBe(
      'The SQLite database cannot be opened: its folder does not exist or is not writable.',
    )
  })

  it('a file that is not a database', async () => {
    writeFileSync(files.path('music.db'), 'These are no rows. '.repeat(100))
    const driver = files.closing(sqliteDriver(files.open('music.db')))
    expect(await classified(() => rows(driver, 'select 1'))).toBe('The file is not an SQLite database.')
    expect(await classified(() => written(driver, 'select 1'))).toBe('The file is not an SQLite database.')
  })

  it('a read-only file', async () => {
    files.open('music.db').close()
    chmodSync(files.path('music.db'), 0o400)
    const database = files.closing(new DatabaseSync(files.path('music.db'), { readOnly: true }))
    const driver = files.closing(sqliteDriver(database))
    expect(await classified(() => written(driver, 'create table albums (id)'))).toBe(
      'The SQLite database is read-only: its file or its folder is write-protected.',
    )
  })

  it('a closed database', async () => {
    const database = files.open(':memory:')
    const driver = sqliteDriver(database)
    database.close()
    expect(await classified(() => rows(driver, 'select 1'))).toBe('The SQLite database was closed.')
  })

  it('a database that another process has locked', async () => {
    const other = files.open('music.db')
    other.exec('begin exclusive')
    const driver = files.closing(sqliteDriver(files.open('music.db'), { busyTimeout: 30 }))
    expect(await classified(() => rows(driver, 'select 1'))).toBe('Another process has locked the SQLite database.')
  })

  it('other errors are not reported so', async () => {
    const driver = files.closing(sqliteDriver(files.open('music.db')))
    expect(await classified(() => rows(driver, 'select * from albums'))).toBeNull()
    expect(await classified(() => Promise.reject(new Error('No.')))).toBeNull()
  })
})
