import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { type Kysely, Migrator, sql } from 'kysely'
import { expect, test } from 'vitest'
import { client, resourceBody } from '../../support/client.js'
import { ownDatabases } from '../../support/own-databases.js'

/** `data.db`: Kysely for a program's own statements where there is no request. */

interface Tables {
  albums: { id: number; title: string; explicit: boolean; released: Date }
}

const made = (db: Kysely<unknown>, engine: string) =>
  sql`create table albums (id integer primary key, title text not null, explicit ${sql.raw(engine === 'SQLite' ? 'integer' : 'boolean')}, released ${sql.raw(engine === 'SQLite' ? 'text' : 'timestamptz')})`.execute(
    db,
  )

const row = { id: 1, title: 'Kid A', explicit: false, released: new Date('2000-10-02T00:00:00Z') }

test.each(ownDatabases)('%s: writes and reads by itself, values as the store keeps them', async (engine, open) => {
  const own = await open()
  const { db } = sqlData<Tables>(own.database)
  await made(db.withoutPlugins() as Kysely<unknown>, engine)
  await db.insertInto('albums').values(row).execute()
  const [read] = await own.rows('select * from albums')
  expect(read).toEqual(engine === 'SQLite' ? { ...row, explicit: 0, released: '2000-10-02T00:00:00.000Z' } : row)
  expect(await db.selectFrom('albums').select('title').executeTakeFirst()).toEqual({ title: 'Kid A' })
  await own.end()
})

test.each(ownDatabases)('%s: what its transactions undo was never there', async (engine, open) => {
  const own = await open()
  const { db } = sqlData<Tables>(own.database)
  await made(db as unknown as Kysely<unknown>, engine)
  const undone = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('albums').values(row).execute()
    throw new Error('No.')
  })
  await expect(undone).rejects.toThrow('No.')
  expect(await own.rows('select * from albums')).toEqual([])
  await own.end()
})

test.each(ownDatabases)('%s: is no part of the transaction of a request that runs meanwhile', async (engine, open) => {
  const own = await open()
  const data = sqlData<Tables>(own.database)
  await made(data.db as unknown as Kysely<unknown>, engine)
  let beside: Promise<unknown> | null = null
  const albums = defineResource('albums', {
    model: table<Tables['albums']>('albums'),
    id: id().requireClientId(),
    attributes: (a) => ({ title: a.string().required() }),
    hooks: {
      async beforeCreate() {
        beside = data.db
          .insertInto('albums')
          .values({ ...row, id: 2 })
          .execute()
        await new Promise((resolve) => setTimeout(resolve, 20))
        throw new Error('The request fails.')
      },
    },
  })
  const server = createServer({ resources: [albums], data, logger: { error: () => undefined } })
  const answer = await client(server).post('/albums', { body: resourceBody('albums', { title: 'OK Computer' }, '1') })
  expect(answer.status).toBe(500)
  await beside
  expect(await own.rows('select id from albums')).toEqual([{ id: 2 }])
  await own.end()
})

test.each(ownDatabases)("%s: runs the migrations of Kysely's Migrator, each once", async (engine, open) => {
  const own = await open()
  const { db } = sqlData(own.database)
  const provider = {
    getMigrations: async () => ({ '1_albums': { up: async (at: Kysely<unknown>) => void (await made(at, engine)) } }),
  }
  const migrate = () => new Migrator({ db, provider }).migrateToLatest()
  expect(await migrate()).toEqual({ results: [{ migrationName: '1_albums', direction: 'Up', status: 'Success' }] })
  expect(await migrate()).toEqual({ results: [] })
  expect(await own.rows('select * from albums')).toEqual([])
  await own.end()
})

test.each(ownDatabases)(
  '%s: transactions that run beside each other have nothing to do with each other',
  async (_engine, open) => {
    const own = await open()
    const { db } = sqlData<{ notes: { key: number; work: number } }>(own.database)
    await sql`create table notes (key integer primary key, work integer not null)`.execute(db)
    let last = 0
    /** What it waits for before it begins wakes it from the socket of a connection that others wait for, too. */
    const work = async (own: number, fails: boolean): Promise<void> => {
      await sql`select 1`.execute(db)
      await sql`select 1`.execute(db)
      await db.transaction().execute(async (transaction) => {
        for (let count = 0; count < 3; count += 1) {
          await transaction.insertInto('notes').values({ key: ++last, work: own }).execute()
        }
        if (fails) throw new Error('No.')
      })
    }
    for (let round = 0; round < 60; round += 2) {
      const fails = round % 4 === 0
      const ends = await Promise.allSettled([work(round, false), work(round + 1, fails)])
      const kept = await db.selectFrom('notes').select('work').where('work', '>=', round).orderBy('key').execute()
      const rows = [round, round + 1].map((number) => kept.filter(({ work: of }) => of === number).length)
      expect({ ends: ends.map(({ status }) => status), rows }).toEqual({
        ends: ['fulfilled', fails ? 'rejected' : 'fulfilled'],
        rows: [3, fails ? 0 : 3],
      })
    }
    await own.end()
  },
)
