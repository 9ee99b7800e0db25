import { statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync } from '@photostructure/sqlite'
import { describe, expect, it } from 'vitest'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import type { SqliteDatabase } from '../../../../src/stores/sql/dialect/sqlite/driver/sqlite-database.js'
import { isSqliteDatabase } from '../../../../src/stores/sql/dialect/sqlite/driver/sqlite-database.js'
import { type SqliteOptions, sqliteDriver } from '../../../../src/stores/sql/dialect/sqlite/driver/sqlite-driver.js'
import { BetterSqlite } from './better-sqlite.js'
import { noRequest, rows, scratchFiles, statement, written } from './scratch-files.js'

const files = scratchFiles()

const albums = 'create table albums (id integer primary key, title text not null unique)'

function driverOn(database: SqliteDatabase, options?: SqliteOptions): SqlDriver {
  database.exec(albums)
  return files.closing(sqliteDriver(database, options))
}

const libraries = [
  ['node:sqlite', (name: string): SqliteDatabase => files.open(name)],
  [
    'better-sqlite3',
    (name: string): SqliteDatabase => files.closing(new BetterSqlite(name === ':memory:' ? name : files.path(name))),
  ],
] as const

describe.each(libraries)('On a database with the API of %s', (_library, open) => {
  it('is distinguished from other values', () => {
    expect(isSqliteDatabase(open(':memory:'))).toBe(true)
    expect([null, {}, { exec() {}, prepare() {} }, 'music.db'].some(isSqliteDatabase)).toBe(false)
  })

  it('a statement returns its columns, its rows by position, and the number of written rows', async () => {
    const driver = driverOn(open('music.db'))
    expect(await written(driver, 'insert into albums values (1, ?), (2, ?)', 'Kid A', 'Amnesiac')).toMatchObject({
      columns: [],
      rows: [],
      changes: 2,
      insertId: 2,
    })
    expect(await written(driver, "update albums set title = title || '!' returning id, title as id")).toEqual({
      columns: ['id', 'id'],
      rows: [
        [1, 'Kid A!'],
        [2, 'Amnesiac!'],
      ],
      changes: 2,
    })
    const none = await driver.read(statement('select id, title from albums where id > 2'), noRequest)
    expect(none).toEqual({ columns: ['id', 'title'], rows: [], changes: 0 })
  })

  it('whole numbers are exact: those beyond a double as bigint, and all others as numbers', async () => {
    const driver = driverOn(open('music.db'))
    const sql = 'select 9007199254740991, 9007199254740992, -9007199254740993, 7, 2.5, 1e300'
    const exact = [[9_007_199_254_740_991, 9_007_199_254_740_992n, -9_007_199_254_740_993n, 7, 2.5, 1e300]]
    expect(await rows(driver, sql)).toEqual(exact)
    expect(await rows(driver, sql)).toEqual(exact)
    const inserted = 'insert into albums values (?, ?) returning id'
    expect(await written(driver, inserted, 2n ** 60n, 'large')).toMatchObject({ rows: [[2n ** 60n]] })
    expect(await written(driver, inserted, 5, 'small')).toMatchObject({ rows: [[5]] })
    expect(await rows(driver, 'with all_of as (select id from albums) select max(id) from all_of')).toEqual([
      [2n ** 60n],
    ])
  })

  it('bytes are read as they were written', async () => {
    const driver = driverOn(open('music.db'))
    const found = (await rows(driver, 'select ?', new Uint8Array([1, 2, 255]))) as readonly (readonly Uint8Array[])[]
    expect([...(found[0]?.[0] ?? [])]).toEqual([1, 2, 255])
  })

  it('reads outside of a transaction see what is committed, and do not wait', async () => {
    const driver = driverOn(open('music.db'))
    const held = await driver.hold(noRequest)
    await held.run(statement('begin immediate'))
    await held.run(statement('insert into albums values (1, ?)', 'Kid A'))
    expect(await rows(driver, 'select count(*) from albums')).toEqual([[0]])
    expect((await held.run(statement('select count(*) from albums'))).rows).toEqual([[1]])
    await held.run(statement('commit'))
    held.release(false)
    expect(await rows(driver, 'select count(*) from albums')).toEqual([[1]])
  })

  it('a database in memory has reads wait until the transaction is over', async () => {
    const driver = driverOn(open(':memory:'))
    const held = await driver.hold(noRequest)
    await held.run(statement('begin immediate'))
    await held.run(statement('insert into albums values (1, ?)', 'Kid A'))
    const seen = rows(driver, 'select count(*) from albums')
    expect(await Promise.race([seen, sleep(20, 'waits')])).toBe('waits')
    await held.run(statement('rollback'))
    held.release(false)
    expect(await seen).toEqual([[0]])
  })

  it('a database in memory runs reads within the work of a transaction in it', async () => {
    const driver = driverOn(open(':memory:'))
    const held = await driver.hold(noRequest)
    await held.run(statement('begin immediate'))
    const seen = await held.runWork?.(async () => {
      await held.run(statement('insert into albums values (1, ?)', 'Kid A'))
      return rows(driver, 'select count(*) from albums')
    })
    expect(seen).toEqual([[1]])
    const later = held.runWork?.(async () => {
      await sleep(10)
      return rows(driver, 'select count(*) from albums')
    })
    held.release(false)
    expect(await later).toEqual([[0]])
  })

  it('the write-ahead log is on, foreign keys are enforced, and the busy timeout is short', async () => {
    const driver = driverOn(open('music.db'))
    expect(await rows(driver, 'pragma journal_mode')).toEqual([['wal']])
    const held = await driver.hold(noRequest)
    expect((await held.run(statement('pragma foreign_keys'))).rows).toEqual([[1]])
    expect((await held.run(statement('pragma synchronous'))).rows).toEqual([[1]])
    held.release(false)
  })

  it('writes wait up to the busy timeout if there is no write-ahead log', async () => {
    const database = open(':memory:')
    database.exec('pragma synchronous = extra')
    const driver = driverOn(database)
    expect(await rows(driver, 'pragma synchronous')).toEqual([[3]])
  })

  it('the connection for reading cannot write', async () => {
    const driver = driverOn(open('music.db'))
    await expect(driver.read(statement("insert into albums values (1, 'Kid A')"), noRequest)).rejects.toThrow(
      /readonly/,
    )
  })

  it('errors are classified alike', async () => {
    const driver = driverOn(open('music.db'))
    await written(driver, "insert into albums values (1, 'Kid A')")
    const thrown = await written(driver, "insert into albums values (2, 'Kid A')").catch((error: unknown) => error)
    expect(driver.faultOf(thrown)).toEqual({ kind: 'unique', table: 'albums', columns: ['title'], constraint: null })
  })

  it('a database that was closed is unavailable, for reads too', async () => {
    const database = open('music.db')
    const driver = driverOn(database)
    expect(await rows(driver, 'select 1')).toEqual([[1]])
    database.close()
    for (const access of [() => rows(driver, 'select 1'), () => written(driver, 'delete from albums')]) {
      const thrown = await access().catch((error: unknown) => error)
      expect(driver.faultOf(thrown)).toEqual({ kind: 'unavailable' })
    }
  })
})

describe('A writer', () => {
  it('gets its turn in the order of requests', async () => {
    const driver = driverOn(files.open('music.db'))
    const order: number[] = []
    await Promise.all(
      [1, 2, 3, 4].map(async (at) => {
        const held = await driver.hold(noRequest)
        await sleep(5 - at)
        order.push(at)
        held.release(false)
      }),
    )
    expect(order).toEqual([1, 2, 3, 4])
  })

  it('waits no longer than the limit, and later writers still get their turns', async () => {
    const driver = driverOn(files.open('music.db'), { lockTimeout: 20 })
    const first = await driver.hold(noRequest)
    const late = await driver.hold(noRequest).catch((error: unknown) => error)
    expect(driver.faultOf(late)).toEqual({ kind: 'unavailable' })
    const next = driver.hold(noRequest)
    first.release(false)
    ;(await next).release(false)
  })

  it('leaves no open transaction, in any state of the released connection', async () => {
    const driver = driverOn(files.open('music.db'))
    const held = await driver.hold(noRequest)
    await held.run(statement('begin immediate'))
    await held.run(statement("insert into albums values (1, 'Kid A')"))
    held.release(true)
    held.release(true)
    await expect(held.run(statement('select 1'))).rejects.toThrow('The connection was released')
    expect(await rows(driver, 'select count(*) from albums')).toEqual([[0]])
    await written(driver, "insert into albums values (2, 'Amnesiac')")
  })

  it('writes nothing more after SQLite has rolled back the transaction by itself', async () => {
    const database = files.open('music.db')
    const driver = driverOn(database)
    const held = await driver.hold(noRequest)
    await held.run(statement('begin immediate'))
    await held.run(statement("insert into albums values (1, 'Kid A')"))
    // A conflict clause that rolls back has the effect of a full disk.
    await expect(held.run(statement("insert or rollback into albums values (1, 'Amnesiac')"))).rejects.toThrow('UNIQUE')
    await expect(held.run(statement("insert into albums values (2, 'Hail')"))).rejects.toThrow(
      'SQLite has rolled back the whole transaction.',
    )
    held.release(true)
    expect(await rows(driver, 'select count(*) from albums')).toEqual([[0]])
  })

  it('has statements run in the order in which they were given', async () => {
    const driver = driverOn(files.open(':memory:'))
    const held = await driver.hold(noRequest)
    const runs = ['a', 'b', 'c'].map((title) => held.run(statement('insert into albums (title) values (?)', title)))
    const refused = held.run(statement("insert into albums (title) values ('a')")).catch(() => 'refused')
    const all = held.run(statement('select title from albums order by id'))
    expect(await refused).toBe('refused')
    expect((await all).rows).toEqual([['a'], ['b'], ['c']])
    await Promise.all(runs)
    held.release(false)
  })
})

describe('If another connection writes', () => {
  it('the writer waits, and the process continues meanwhile', async () => {
    const driver = driverOn(files.open('music.db'))
    const other = files.open('music.db')
    other.exec('begin immediate')
    let ticks = 0
    const clock = setInterval(() => {
      ticks += 1
      if (ticks === 10) other.exec('commit')
    }, 5)
    const held = await driver.hold(noRequest)
    await held.run(statement('begin immediate'))
    await held.run(statement("insert into albums values (1, 'Kid A')"))
    await held.run(statement('commit'))
    held.release(false)
    clearInterval(clock)
    expect(ticks).toBeGreaterThanOrEqual(10)
  })

  it('it is a timeout if that takes too long, so that nothing waits as long again', async () => {
    const driver = driverOn(files.open('music.db'), { busyTimeout: 50 })
    await rows(driver, 'select 1')
    const other = files.open('music.db')
    other.exec('begin immediate')
    const thrown = await written(driver, "insert into albums values (1, 'Kid A')").catch((error: unknown) => error)
    expect(driver.faultOf(thrown)).toEqual({ kind: 'timeout' })
    other.exec('rollback')
    await written(driver, "insert into albums values (1, 'Kid A')")
  })

  it('reads continue', async () => {
    const driver = driverOn(files.open('music.db'), { busyTimeout: 0 })
    await rows(driver, 'select 1')
    const other = files.open('music.db')
    other.exec("begin immediate; insert into albums values (1, 'Kid A')")
    expect(await rows(driver, 'select count(*) from albums')).toEqual([[0]])
    other.exec('commit')
    expect(await rows(driver, 'select count(*) from albums')).toEqual([[1]])
  })
})

describe('The write-ahead log', () => {
  const mebibyte = 2 ** 20

  /** Writes twice while a slow reader keeps the log from being reused, and twice after it has ended. Returns the sizes of the log. */
  async function sizesAround(prepare: (database: SqliteDatabase) => void): Promise<readonly [number, number]> {
    const database = files.open('music.db')
    prepare(database)
    const driver = driverOn(database)
    const size = (): number => statSync(`${files.path('music.db')}-wal`).size
    const titled = (title: string): Promise<unknown> => written(driver, 'insert into albums (title) values (?)', title)
    await titled('first')
    const reader = files.open('music.db')
    reader.exec('begin; select count(*) from albums')
    for (const letter of ['a', 'b', 'c']) await titled(letter.repeat(10 * mebibyte))
    const before = size()
    reader.exec('rollback')
    for (const title of ['Kid A', 'Amnesiac']) await titled(title)
    return [before, size()]
  }

  it('is cut after a slow reader has made it grow', async () => {
    const [before, after] = await sizesAround(() => undefined)
    expect(before).toBeGreaterThan(30 * mebibyte)
    expect(after).toBeLessThanOrEqual(16 * mebibyte)
  })

  it('has the size that the application allows', async () => {
    const [, after] = await sizesAround((database) => database.exec(`pragma journal_size_limit = ${mebibyte}`))
    expect(after).toBeLessThanOrEqual(mebibyte)
  })
})

describe('A connection for reading', () => {
  it('may be passed as an option', async () => {
    const database = files.open('music.db')
    const reader = files.closing(new DatabaseSync(files.path('music.db')))
    reader.function('twice', (n: number) => n * 2)
    const driver = driverOn(database, { reader })
    expect(await rows(driver, 'select twice(4)')).toEqual([[8]])
  })

  it('that was passed stays open when the driver closes its own', async () => {
    const database = files.open('music.db')
    const reader = files.open('music.db')
    database.exec(albums)
    const driver = sqliteDriver(database, { reader })
    await rows(driver, 'select 1')
    driver.close()
    expect(reader.isOpen).toBe(true)
    expect(database.isOpen).toBe(true)
  })

  it('is closed with the driver, and opened again if it is needed', async () => {
    const driver = sqliteDriver(files.open('music.db'))
    await rows(driver, 'select 1')
    driver.close()
    expect(await rows(driver, 'select 1')).toEqual([[1]])
    driver.close()
  })

  it('is not needed if the database is read-only', async () => {
    files.open('music.db').exec(albums)
    const database = files.closing(new DatabaseSync(files.path('music.db'), { readOnly: true }))
    const driver = files.closing(sqliteDriver(database))
    expect(await rows(driver, 'select count(*) from albums')).toEqual([[0]])
    await expect(written(driver, 'delete from albums')).rejects.toThrow(/readonly/)
  })

  it('sees tables that were created later', async () => {
    const driver = driverOn(files.open('music.db'))
    expect(await rows(driver, 'select * from albums')).toEqual([])
    await written(driver, 'alter table albums add column year integer')
    await written(driver, "insert into albums values (1, 'Kid A', 2000)")
    expect(await rows(driver, 'select title, year from albums')).toEqual([['Kid A', 2000]])
  })
})

it('A library that cannot return rows as arrays is refused with a sentence', async () => {
  const old = {
    isOpen: true,
    isTransaction: false,
    exec: () => undefined,
    location: () => null,
    close: () => undefined,
    prepare: () => ({ all: () => [], run: () => ({ changes: 0 }), setReadBigInts: () => undefined }),
  }
  const driver = sqliteDriver(old as unknown as SqliteDatabase)
  await expect(driver.read(statement('select 1'), noRequest)).rejects.toThrow('from Node 22.16 and 24 on')
})

it('Caches no more prepared statements than configured', async () => {
  const database = files.open(':memory:')
  let prepared = 0
  const counting = new Proxy(database, {
    get(target, name) {
      if (name === 'prepare') prepared += 1
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const driver = sqliteDriver(counting, { maxStatements: 2 })
  await rows(driver, 'select 1')
  prepared = 0
  for (const sql of ['select 1', 'select 2', 'select 1', 'select 3', 'select 1', 'select 2']) await rows(driver, sql)
  expect(prepared).toBe(3)
})
