import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { createServer, defineResource, id, type WorkContext } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, it } from 'vitest'
import type { SqliteDatabase } from '../../../../src/stores/sql/dialect/sqlite/driver/sqlite-database.js'
import { client, resourceBody } from '../../../support/client.js'
import { signal } from '../../../support/signal.js'
import { scratchFiles } from './scratch-files.js'

const files = scratchFiles()

interface Album {
  readonly id: number
  readonly title: string
}

type BeforeCreate = (context: WorkContext) => unknown

/** A server with its own store over the database. */
function serving(database: SqliteDatabase, beforeCreate: BeforeCreate = () => undefined): TestClient {
  const albums = defineResource('albums', {
    model: table<Album>('albums'),
    id: id().requireClientId(),
    attributes: (a) => ({ title: a.string() }),
    hooks: {
      async beforeCreate(_values, context) {
        await beforeCreate(context)
      },
    },
  })
  const data = files.closing(sqlData(database))
  return client(createServer({ resources: [albums], data, logger: { error: () => undefined } }))
}

const create = (api: TestClient, key: number) =>
  api.post('/albums', { body: resourceBody('albums', { title: `Album ${key}` }, String(key)) })

const rowsOf = (database: SqliteDatabase): unknown => database.prepare('select id from albums order by id').all()

describe('The additional connection of a store', () => {
  it('is closed with the store, and opened again for a later request', async () => {
    const opened: DatabaseSyncInstance[] = []
    class Listed extends DatabaseSync {
      constructor(...parts: ConstructorParameters<typeof DatabaseSync>) {
        super(...parts)
        opened.push(this)
      }
    }
    const database = files.closing(new Listed(files.path('music.db')))
    database.exec('create table albums (id integer primary key, title text)')
    const data = files.closing(sqlData(database))
    const albums = defineResource('albums', { model: table<Album>('albums'), id: id() })
    const api = client(createServer({ resources: [albums], data }))
    for (const _ of ['once', 'and again']) {
      expect((await api.get('/albums')).status).toBe(200)
      data.close()
      data.close()
    }
    expect(opened.map(({ isOpen }) => isOpen)).toEqual([true, false, false])
  })
})

describe.each(['music.db', ':memory:'])('Two stores over one database, %s', (name) => {
  const open = (): SqliteDatabase => {
    const database = files.open(name)
    database.exec('create table albums (id integer primary key, title text)')
    return database
  }

  it('wait for each other, and roll back only their own writes', async () => {
    const database = open()
    const begun = signal()
    const slow = serving(database, async (context) => {
      const rows = context.rows('albums')
      await rows.create({ id: 100, title: 'Before' })
      begun.give()
      // Time for the other one to write in between, if it does not wait.
      await sleep(40)
      await rows.create({ id: 101, title: 'Before' })
      throw new Error('No.')
    })
    const other = serving(database)
    const refused = create(slow, 1)
    await begun.given
    const [first, second] = await Promise.all([refused, create(other, 2)])
    expectErrors(first, [{ status: 500 }])
    expect(second.status).toBe(201)
    expect(rowsOf(database)).toEqual([{ id: 2 }])
  })

  it('one within the transaction of the other is part of it', async () => {
    const database = open()
    const inner = serving(database)
    const statuses: number[] = []
    const outer = serving(database, async () => {
      statuses.push((await create(inner, 2)).status)
      throw new Error('No.')
    })
    expectErrors(await create(outer, 1), [{ status: 500 }])
    expect(statuses).toEqual([201])
    expect(rowsOf(database)).toEqual([])
    expect((await create(inner, 3)).status).toBe(201)
  })

  it('do not change a transaction that the application has begun on the connection', async () => {
    const database = open()
    const api = serving(database)
    const beginning = [{ status: 503, code: 'STORE_UNAVAILABLE' }]
    for (const _ of ['before the store has read the schema', 'and afterwards']) {
      database.exec("begin; insert into albums values (100, 'Own')")
      expectErrors(await create(api, 1), beginning)
      database.exec('commit; delete from albums where id = 100')
      expect((await api.get('/albums')).status).toBe(200)
    }
    database.exec("begin; insert into albums values (100, 'Own')")
    expectErrors(await create(api, 1), beginning)
    database.exec('commit')
    expect((await create(api, 1)).status).toBe(201)
    expect(rowsOf(database)).toEqual([{ id: 1 }, { id: 100 }])
  })
})
