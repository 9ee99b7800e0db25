import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, defineResource, id, type ResourceHooks } from 'ashlar'
import { type SqlData, sqlData, table } from 'ashlar/sql'
import type { TestClient } from 'ashlar/testing'
import { DatabaseSync } from '@photostructure/sqlite'
import { type Kysely, Migrator, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client, resourceBody } from '../../support/client.js'
import { type EmptyDatabase, emptyDatabases, wholePostgres } from '../../support/empty-databases.js'

/** `data.db`: Kysely for statements of the application outside of requests. */

interface Tables {
  albums: { id: number; title: string; explicit: boolean; released: Date }
}

const made = (db: Kysely<unknown>, engine: string) =>
  sql`create table albums (id integer primary key, title text not null, explicit ${sql.raw(engine === 'SQLite' ? 'integer' : 'boolean')}, released ${sql.raw(engine === 'SQLite' ? 'text' : 'timestamptz')})`.execute(
    db,
  )

const row = { id: 1, title: 'Kid A', explicit: false, released: new Date('2000-10-02T00:00:00Z') }

test.each(emptyDatabases)('%s: writes and reads by itself, values as the store saves them', async (engine, open) => {
  const scratch = await open()
  const { db } = sqlData<Tables>(scratch.database)
  await made(db.withoutPlugins() as Kysely<unknown>, engine)
  await db.insertInto('albums').values(row).execute()
  const [read] = await scratch.rows('select * from albums')
  expect(read).toEqual(engine === 'SQLite' ? { ...row, explicit: 0, released: '2000-10-02T00:00:00.000Z' } : row)
  expect(await db.selectFrom('albums').select('title').executeTakeFirst()).toEqual({ title: 'Kid A' })
  await scratch.end()
})

test.each(emptyDatabases)('%s: a transaction that is rolled back leaves nothing', async (engine, open) => {
  const scratch = await open()
  const { db } = sqlData<Tables>(scratch.database)
  await made(db as unknown as Kysely<unknown>, engine)
  const undone = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('albums').values(row).execute()
    throw new Error('No.')
  })
  await expect(undone).rejects.toThrow('No.')
  expect(await scratch.rows('select * from albums')).toEqual([])
  await scratch.end()
})

/** A server of albums with user-defined work before and after a row is created. */
function serving(data: SqlData<Tables>, hooks: ResourceHooks<Tables['albums']>): Serving {
  const albums = defineResource('albums', {
    model: table<Tables['albums']>('albums'),
    id: id().requireClientId(),
    attributes: (a) => ({ title: a.string().required() }),
    hooks,
  })
  const logged: unknown[] = []
  const logger = { error: ({ err }: { err: unknown }) => logged.push(err) }
  const api = client(createServer({ resources: [albums], data, logger }))
  const create = async (key: number): Promise<number> => {
    const body = resourceBody('albums', { title: `Album ${key}` }, String(key))
    return (await api.post('/albums', { body })).status
  }
  return { api, create, logged }
}

interface Serving {
  readonly api: TestClient
  /** Creates an album by a request, and returns the status. */
  readonly create: (key: number) => Promise<number>
  readonly logged: readonly unknown[]
}

const album = (key: number) => ({ ...row, id: key })

test.each(emptyDatabases)('%s: is no part of the transaction of a concurrent request', async (engine, open) => {
  const scratch = await open()
  const data = sqlData<Tables>(scratch.database)
  await made(data.db as unknown as Kysely<unknown>, engine)
  const running = new EventEmitter()
  const concurrent = once(running, 'request').then(() => data.db.insertInto('albums').values(album(2)).execute())
  const { create } = serving(data, {
    async beforeCreate() {
      running.emit('request')
      await new Promise((resolve) => setTimeout(resolve, 20))
      throw new Error('The request fails.')
    },
  })
  expect(await create(1)).toBe(500)
  await concurrent
  expect(await scratch.rows('select id from albums')).toEqual([{ id: 2 }])
  await scratch.end()
})

test.each([['PostgreSQL', wholePostgres], emptyDatabases[1]] as const)(
  "%s: runs the migrations of Kysely's Migrator, each once",
  async (engine, open) => {
    const scratch = await open()
    const { db } = sqlData(scratch.database)
    const provider = {
      getMigrations: async () => ({ '1_albums': { up: async (at: Kysely<unknown>) => void (await made(at, engine)) } }),
    }
    const migrate = () => new Migrator({ db, provider }).migrateToLatest()
    expect(await migrate()).toEqual({ results: [{ migrationName: '1_albums', direction: 'Up', status: 'Success' }] })
    expect(await migrate()).toEqual({ results: [] })
    expect(await scratch.rows('select * from albums')).toEqual([])
    await scratch.end()
  },
)

test.each(emptyDatabases)('%s: concurrent transactions are independent', async (_engine, open) => {
  const scratch = await open()
  const { db } = sqlData<{ notes: { key: number; work: number } }>(scratch.database)
  await sql`create table notes (key integer primary key, work integer not null)`.execute(db)
  let last = 0
  /** It resumes in the async context of another connection's socket, too. */
  const work = async (number: number, fails: boolean): Promise<void> => {
    await sql`select 1`.execute(db)
    await sql`select 1`.execute(db)
    await db.transaction().execute(async (transaction) => {
      for (let count = 0; count < 3; count += 1) {
        await transaction.insertInto('notes').values({ key: ++last, work: number }).execute()
      }
      if (fails) throw new Error('No.')
    })
  }
  for (let round = 0; round < 60; round += 2) {
    const fails = round % 4 === 0
    const ends = await Promise.allSettled([work(round, false), work(round + 1, fails)])
    const stored = await db.selectFrom('notes').select('work').where('work', '>=', round).orderBy('key').execute()
    const rows = [round, round + 1].map((number) => stored.filter(({ work: of }) => of === number).length)
    expect({ ends: ends.map(({ status }) => status), rows }).toEqual({
      ends: ['fulfilled', fails ? 'rejected' : 'fulfilled'],
      rows: [3, fails ? 0 : 3],
    })
  }
  await scratch.end()
})

const databases = [
  ['PostgreSQL', 'PostgreSQL', emptyDatabases[0][1]],
  ['SQLite in memory', 'SQLite', emptyDatabases[1][1]],
  ['SQLite in a file', 'SQLite', sqliteFile],
] as const

async function sqliteFile(): Promise<EmptyDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-db-outside-'))
  const database = new DatabaseSync(join(folder, 'music.db'))
  return {
    database,
    run: async (text) => database.exec(text),
    rows: async (text) => database.prepare(text).all(),
    async end() {
      database.close()
      rmSync(folder, { recursive: true })
    },
  }
}

describe.each(databases)('%s', (name, engine, open) => {
  let scratch: EmptyDatabase
  let data: SqlData<Tables>
  beforeEach(async () => {
    scratch = await open()
    data = sqlData<Tables>(scratch.database)
    await made(data.db as unknown as Kysely<unknown>, engine)
  })
  afterEach(async () => {
    data.close()
    await scratch.end()
  })

  const ids = async (): Promise<readonly number[]> =>
    (await data.db.selectFrom('albums').select('id').orderBy('id').execute()).map(({ id: key }) => key)

  const writes: readonly (readonly [name: string, write: (db: Kysely<Tables>) => Promise<unknown>])[] = [
    ['a statement', (db) => db.insertInto('albums').values(album(2)).execute()],
    ['a text', (db) => sql`delete from albums`.execute(db)],
    [
      'a query that may write in its parts',
      (db) =>
        db
          .with('all', (all) => all.selectFrom('albums').selectAll())
          .selectFrom('all')
          .selectAll()
          .execute(),
    ],
    ['a statement on a connection', (db) => db.connection().execute((one) => one.deleteFrom('albums').execute())],
  ]
  const transactions: typeof writes = [
    ['a transaction', (db) => db.transaction().execute(async () => undefined)],
    ['a transaction that is controlled', (db) => db.startTransaction().execute()],
  ]

  test.each([...writes, ...transactions])(
    'the transaction of a request does not wait for %s outside of it: it is refused',
    async (_, write) => {
      const { create, logged } = serving(data, {
        async beforeCreate({ title }) {
          if (title === 'Album 1') await write(data.db)
        },
      })
      expect(await create(1)).toBe(500)
      expect(logged).toEqual([
        new Error(
          'This statement would run outside the transaction that the running code is part of: within a request, use context.db.',
        ),
      ])
      expect(await create(3)).toBe(201)
      expect(await ids()).toEqual([3])
    },
  )

  test('it is refused in a transaction of Kysely within that of a request, too', async () => {
    const { create } = serving(data, {
      async beforeCreate(_row, { db }) {
        await (db as Kysely<Tables>).transaction().execute(async (inner) => {
          await inner.insertInto('albums').values(album(2)).execute()
          const concurrent = data.db.transaction().execute(async () => undefined)
          await expect(concurrent).rejects.toThrow('use context.db')
        })
      },
    })
    expect(await create(1)).toBe(201)
    expect(await ids()).toEqual([1, 2])
  })

  test('a request reads there what is committed, or its own writes if there is one connection', async () => {
    const seen: (readonly number[])[] = []
    const { create } = serving(data, {
      async beforeCreate(_row, { db }) {
        await (db as Kysely<Tables>).insertInto('albums').values(album(2)).execute()
        seen.push(await ids())
      },
    })
    expect(await create(1)).toBe(201)
    expect(seen).toEqual([name === 'SQLite in memory' ? [2] : []])
  })

  test('it writes again after the commit of the request', async () => {
    const { create } = serving(data, {
      async afterCreate() {
        await data.db.insertInto('albums').values(album(2)).execute()
        await data.db
          .transaction()
          .execute((transaction) => transaction.insertInto('albums').values(album(3)).execute())
      },
    })
    expect(await create(1)).toBe(201)
    expect(await ids()).toEqual([1, 2, 3])
  })

  test.each(writes)('its own transaction does not wait for %s outside of it: it is refused', async (_, write) => {
    await data.db.transaction().execute(async (transaction) => {
      await expect(write(data.db)).rejects.toThrow(
        'This statement would run outside the transaction that the running code is part of: use the transaction that Kysely passes to the callback.',
      )
      await transaction.insertInto('albums').values(album(1)).execute()
    })
    await write(data.db)
  })

  test('a read outside its own transaction sees what is committed, or the transaction if there is one connection', async () => {
    await data.db.transaction().execute(async (transaction) => {
      await transaction.insertInto('albums').values(album(1)).execute()
      expect(await ids()).toEqual(name === 'SQLite in memory' ? [1] : [])
    })
    expect(await ids()).toEqual([1])
  })

  test('a request within its own transaction reads, and writes if it need not wait', async () => {
    const { api, create, logged } = serving(data, {})
    await data.db.transaction().execute(async (transaction) => {
      await transaction.insertInto('albums').values(album(1)).execute()
      expect((await api.get('/albums')).resources).toHaveLength(name === 'SQLite in memory' ? 1 : 0)
      expect(await create(2)).toBe(engine === 'SQLite' ? 500 : 201)
    })
    const refused = new Error(
      'This write would wait forever for the Kysely transaction that the running code is part of: SQLite has one transaction at a time. Write in that transaction, or after it.',
    )
    expect(logged).toEqual(engine === 'SQLite' ? [refused] : [])
    expect(await create(3)).toBe(201)
    expect(await ids()).toEqual(engine === 'SQLite' ? [1, 3] : [1, 2, 3])
  })
})
