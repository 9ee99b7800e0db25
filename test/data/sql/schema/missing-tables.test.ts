import { setTimeout as pause } from 'node:timers/promises'
import { type AnyResource, createServer, defineResource, id } from 'ashlar'
import { type SqlDatabase, sqlData, table } from 'ashlar/sql'
import type { TestClient } from 'ashlar/testing'
import { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { type EmptyDatabase, emptyDatabases } from '../../../support/empty-databases.js'
import { patience } from '../../../support/patience.js'
import { scratchSchema } from '../../../support/scratch-schema.js'

const albums = defineResource('albums', { model: table<{ id: number }>('albums'), id: id() })

function serving(database: SqlDatabase, ...resources: readonly AnyResource[]): TestClient {
  return client(createServer({ resources: resources as never, data: sqlData(database), logger: null }))
}

describe.each(emptyDatabases)('On %s', (_name, open) => {
  let scratch: EmptyDatabase
  beforeEach(async () => {
    scratch = await open()
  })
  afterEach(() => scratch.end())

  test('a table that was missing at first is found after it is created', async () => {
    const api = serving(scratch.database, albums)
    expect((await api.get('/albums')).status).toBe(500)
    await scratch.run('create table albums (id integer primary key)')
    await expect.poll(async () => (await api.get('/albums')).status, { timeout: patience(60_000) }).toBe(200)
  })
})

test('a transaction that has the only connection does not look for missing tables on another one', async () => {
  const schema = await scratchSchema()
  const pool = new Pool({ connectionString: schema.url, max: 1, connectionTimeoutMillis: patience(10_000) })
  try {
    await pool.query('create table notes (id integer primary key, text text)')
    const notes = defineResource('notes', {
      model: table<{ id: number; text: string }>('notes'),
      id: id().allowClientId(),
      attributes: (a) => ({ text: a.string() }),
      // Missing tables are looked up again after a second.
      hooks: { beforeCreate: () => pause(1100) },
    })
    const api = serving(pool, albums, notes)
    const body = { data: { type: 'notes', id: '1', attributes: { text: 'long' } } }
    expect((await api.get('/notes')).status).toBe(200)
    expect((await api.post('/notes', { body })).status).toBe(201)
  } finally {
    await pool.end()
    await schema.drop()
  }
})
