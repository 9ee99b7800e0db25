import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import type { ScratchSchema } from '../../../support/scratch-schema.js'
import { scratchSchema } from '../../../support/scratch-schema.js'
import { noRequest, statement, until } from './driver-helpers.js'
import type { SqlFault } from '../../../../src/stores/sql/driver/sql-statement.js'
import { postgresFault } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-fault.js'

let schema: ScratchSchema
let pool: Pool
let driver: SqlDriver

beforeAll(async () => {
  schema = await scratchSchema()
  pool = new Pool({ connectionString: schema.url, max: 3 })
  driver = postgresDriver(pool)
  await pool.query(`
    create table artists (id int4 primary key, name varchar(10) not null, email text);
    create unique index artists_email on artists (lower(email));
    insert into artists values (1, 'Joni', 'joni@music.example');
    create table albums (
      id int4 primary key,
      artist_id int4 references artists,
      guest_id int4 references artists on delete restrict,
      "Some ""odd"", Name" int4,
      year int2 check (year > 1900),
      rating numeric(3, 1),
      released_at timestamptz,
      day date,
      tags jsonb,
      mark uuid,
      title text,
      during int4range,
      exclude using gist (during with &&),
      constraint albums_odd unique (artist_id, "Some ""odd"", Name"),
      unique (title)
    );
    insert into albums (id, artist_id, "Some ""odd"", Name", title, during) values (1, 1, 7, 'Blue', '[1,5)');
    insert into artists values (2, 'Kate', 'kate@music.example');
    insert into albums (id, guest_id) values (2, 2);
    create view old_albums as select * from albums where year < 2000 with check option;
    create table turns (id int4 primary key, taken int4);
    insert into turns values (1, 0), (2, 0);
  `)
})
afterAll(async () => {
  await pool.end()
  await schema.drop()
})

async function faultOf(work: Promise<unknown>): Promise<SqlFault | null> {
  return work.then(
    () => expect.fail('nothing was refused'),
    (thrown: unknown) => driver.faultOf(thrown),
  )
}

const refused = (sql: string, ...values: unknown[]): Promise<SqlFault | null> =>
  faultOf(driver.read(statement(sql, ...values), noRequest))

describe('A taken value', () => {
  it('names table, constraint and column', async () => {
    expect(await refused("insert into albums (id, title) values (3, 'Blue')")).toEqual({
      kind: 'unique',
      table: 'albums',
      constraint: 'albums_title_key',
      columns: ['title'],
    })
  })

  it('names all columns, as they are called', async () => {
    expect(await refused(`insert into albums (id, artist_id, "Some ""odd"", Name") values (3, 1, 7)`)).toMatchObject({
      constraint: 'albums_odd',
      columns: ['artist_id', 'Some "odd", Name'],
    })
  })

  it('names no columns where an expression is unique', async () => {
    expect(await refused("insert into artists values (3, 'J', 'JONI@music.example')")).toEqual({
      kind: 'unique',
      table: 'artists',
      constraint: 'artists_email',
      columns: null,
    })
  })

  it.each([
    ['Schlüssel »(code, "a b")=(1, x)« existiert bereits.', ['code', 'a b']],
    ['Key (lower(x))=(foo (y)=(z)) already exists.', null],
    ['Key (a, (b || c))=(1, 2) already exists.', null],
    ['Key ("a"")=(b", c)=(1, 2) already exists.', ['a")=(b', 'c']],
    [undefined, null],
  ])('is read from the detail %s', (detail, columns) => {
    const thrown = Object.assign(new Error('duplicate'), { severity: 'ERROR', code: '23505', detail })
    expect(postgresFault(thrown)).toMatchObject({ kind: 'unique', columns })
  })

  it('may be one that only overlaps', async () => {
    expect(await refused("insert into albums (id, during) values (3, '[4,6)')")).toEqual({
      kind: 'unique',
      table: 'albums',
      constraint: 'albums_during_excl',
      columns: null,
    })
  })
})

describe('Other refusals', () => {
  it.each([
    ['an invalid key', 'insert into albums (id, artist_id) values (3, 99)', 'albums_artist_id_fkey'],
    ['a row that is still pointed at', 'delete from artists where id = 1', 'albums_artist_id_fkey'],
    [
      'a row that must not be deleted before rows that refer to it',
      'delete from artists where id = 2',
      'albums_guest_id_fkey',
    ],
  ])('name the foreign key of %s', async (_, sql, constraint) => {
    const fault = { kind: 'foreignKey', table: expect.any(String), constraint }
    expect(await refused(sql)).toEqual(fault)
  })

  it('name the column that must have a value', async () => {
    expect(await refused('insert into artists (id) values (3)')).toEqual({
      kind: 'notNull',
      table: 'artists',
      column: 'name',
    })
  })

  it('name the check that does not hold', async () => {
    expect(await refused('insert into albums (id, year) values (3, 1800)')).toEqual({
      kind: 'check',
      table: 'albums',
      constraint: 'albums_year_check',
    })
    expect(await refused('insert into old_albums (id, year) values (3, 2020)')).toMatchObject({ kind: 'check' })
  })

  it.each([
    ['too long', 'insert into artists (id, name) values (3, $1)', 'a name that is too long'],
    ['too large for its column', 'insert into albums (id, year) values (3, $1)', 100_000],
    ['too large for its digits', 'insert into albums (id, rating) values (3, $1)', '100.5'],
    ['no instant', 'insert into albums (id, released_at) values (3, $1)', 'yesterday-ish'],
    ['a day that there is not', 'insert into albums (id, day) values (3, $1)', '2026-02-31'],
    ['no JSON', 'insert into albums (id, tags) values (3, $1)', '{'],
    ['no UUID', 'insert into albums (id, mark) values (3, $1)', 'x'],
    ['no number', 'insert into albums (id) values ($1)', 'one'],
    ['text with a zero', 'insert into albums (id, title) values (3, $1)', 'a\u0000b'],
    ['JSON with a zero', 'insert into albums (id, tags) values (3, $1)', String.raw`"\u0000"`],
    ['too long for the index', 'insert into albums (id, title) values (3, $1)', randomText(20_000)],
    ['nothing that can be divided by', 'select 1 / $1::int4', 0],
  ])('report a value that is %s', async (_, sql, value) => {
    expect(await refused(sql, value)).toEqual({ kind: 'value' })
  })

  it.each(['select * from no_such_table', 'select no_such_column', 'selec 1', 'select no_such_function()'])(
    'are not classified: %s',
    async (sql) => {
      expect(await refused(sql)).toEqual({ kind: 'other' })
    },
  )
})

describe('Conflicts of transactions', () => {
  it('are reported if two transactions wait for each other', async () => {
    const [one, other] = await Promise.all([driver.hold(noRequest), driver.hold(noRequest)])
    const take = (held: typeof one, id: number): Promise<unknown> =>
      held.run(statement('update turns set taken = taken + 1 where id = $1', id))
    await Promise.all([one, other].map((held) => held.run(statement("begin; set local deadlock_timeout = '50ms'"))))
    await Promise.all([take(one, 1), take(other, 2)])
    const ends = await Promise.allSettled([take(one, 2), take(other, 1)])
    const faults = ends.flatMap((end) => (end.status === 'rejected' ? [driver.faultOf(end.reason)] : []))
    expect(faults).toEqual([{ kind: 'conflict' }])
    await Promise.all([one, other].map((held) => held.run(statement('rollback'))))
    for (const held of [one, other]) held.release(false)
  })

  it('are reported if both have read what the other writes', async () => {
    const [one, other] = await Promise.all([driver.hold(noRequest), driver.hold(noRequest)])
    const both = [one, other]
    await Promise.all(both.map((held) => held.run(statement('begin isolation level serializable'))))
    await Promise.all(both.map((held) => held.run(statement('select sum(taken) from turns'))))
    await one.run(statement('update turns set taken = 5 where id = 1'))
    await other.run(statement('update turns set taken = 6 where id = 2'))
    await one.run(statement('commit'))
    expect(await faultOf(other.run(statement('commit')))).toEqual({ kind: 'conflict' })
    for (const held of both) held.release(false)
    await until(() => pool.idleCount === pool.totalCount)
  })

  it('are reported if a lock is not available', async () => {
    const [one, other] = await Promise.all([driver.hold(noRequest), driver.hold(noRequest)])
    await one.run(statement('begin'))
    await one.run(statement('select * from turns where id = 1 for update'))
    const fault = await faultOf(other.run(statement('select * from turns where id = 1 for update nowait')))
    expect(fault).toEqual({ kind: 'conflict' })
    await one.run(statement('rollback'))
    for (const held of [one, other]) held.release(false)
  })
})

describe('An error', () => {
  it.each(['08006', '08001', '57P01', '57P02', '57P03', '53300', '53200', '28P01', '28000', '3D000', '25006'])(
    'of the server with the state %s means that it is unavailable',
    (code) => {
      expect(postgresFault(Object.assign(new Error('no'), { severity: 'FATAL', code }))).toEqual({
        kind: 'unavailable',
      })
    },
  )

  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'ETIMEDOUT', 'EAI_AGAIN', 'EHOSTUNREACH'])(
    'of the network means the same: %s',
    (code) => {
      expect(postgresFault(Object.assign(new Error('no'), { code }))).toEqual({ kind: 'unavailable' })
    },
  )

  it.each([
    ['Connection terminated', 'unavailable'],
    ['Connection terminated unexpectedly', 'unavailable'],
    ['Connection terminated due to connection timeout', 'unavailable'],
    ['timeout exceeded when trying to connect', 'unavailable'],
    ['Client has encountered a connection error and is not queryable', 'unavailable'],
    ['Query read timeout', 'timeout'],
  ])('of the client library is recognized by its message: %s', (message, kind) => {
    expect(postgresFault(new Error(message))).toEqual({ kind })
  })

  it('of other code is not classified as one of the database', () => {
    for (const thrown of [new TypeError('x'), Object.assign(new Error('no'), { code: 'EPERM' }), 'text', null, {}]) {
      expect(driver.faultOf(thrown)).toBeNull()
    }
  })

  it('of a closed pool means that there is no connection', async () => {
    const ended = new Pool({ connectionString: schema.url })
    await ended.end()
    const late = postgresDriver(ended)
    const thrown: unknown = await late.hold(noRequest).catch((error: unknown) => error)
    expect(late.faultOf(thrown)).toEqual({ kind: 'unavailable' })
  })
})

/** Text that cannot be made shorter. */
function randomText(length: number): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(length / 8)), (n) => n.toString(16).padStart(8, '0')).join(
    '',
  )
}
