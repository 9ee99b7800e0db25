import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite'
import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { client } from '../../../support/client.js'

const albums = defineResource('albums', { model: table<{ id: number }>('albums'), id: id() })
const artists = defineResource('artists', { model: table<{ id: number }>('artists'), id: id() })

let database: DatabaseSyncInstance
beforeEach(() => {
  database = new DatabaseSync(':memory:')
})
afterEach(() => database.close())

/** Counts how often the columns of tables were read since. */
function schemaReads(): () => number {
  const prepare = vi.spyOn(database, 'prepare')
  return () => prepare.mock.calls.filter(([sql]) => sql.includes('pragma_table_xinfo')).length
}

test('the first request uses the tables that ready() has read', async () => {
  database.exec('create table albums (id integer primary key)')
  const server = createServer({ resources: [albums], data: sqlData(database) })
  const reads = schemaReads()
  await server.ready()
  expect(reads()).toBe(1)
  expect((await client(server).get('/albums')).status).toBe(200)
  expect(reads()).toBe(1)
})

test('without ready() the first request reads the tables, and an inspection reads them again', async () => {
  database.exec('create table albums (id integer primary key)')
  const server = createServer({ resources: [albums], data: sqlData(database) })
  const reads = schemaReads()
  expect((await client(server).get('/albums')).status).toBe(200)
  expect(reads()).toBe(1)
  database.exec('drop table albums')
  expect((await server.inspect()).missing).toHaveLength(1)
  expect(reads()).toBeGreaterThan(1)
})

test('tables that were missing in ready() are found by the first request after they are created', async () => {
  const server = createServer({ resources: [albums], data: sqlData(database) })
  await expect(server.ready()).rejects.toThrow("The database has no table 'albums'")
  database.exec('create table albums (id integer primary key)')
  expect((await client(server).get('/albums')).status).toBe(200)
})

test('servers that share a store have the tables of both, whichever of them was ready()', async () => {
  database.exec('create table albums (id integer primary key); create table artists (id integer primary key)')
  const data = sqlData(database)
  const first = createServer({ resources: [albums], data })
  await first.ready()
  const second = createServer({ resources: [artists], data })
  await second.ready()
  expect((await client(first).get('/albums')).status).toBe(200)
  expect((await client(second).get('/artists')).status).toBe(200)
})
