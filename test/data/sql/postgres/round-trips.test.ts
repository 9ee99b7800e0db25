import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { scratchSchema } from '../../../support/scratch-schema.js'
import { relayTo } from './relay.js'

interface Album {
  readonly id: number
  readonly title: string
}

it('A write waits for the server as seldom as it can', async () => {
  const schema = await scratchSchema()
  const relay = await relayTo(schema.url, 20)
  const pool = new Pool({ connectionString: relay.url, max: 1 })
  try {
    await pool.query('create table albums (id integer primary key, title text)')
    const albums = defineResource('albums', {
      model: table<Album>('albums'),
      id: id().requireClientId(),
      attributes: (a) => ({ title: a.string() }),
    })
    const api = client(createServer({ resources: [albums], data: sqlData(pool) }))
    const create = (key: number) =>
      api.post('/albums', { body: resourceBody('albums', { title: 'Kid A' }, String(key)) })
    // What the tables are is looked up once.
    expect((await create(1)).status).toBe(201)
    relay.roundTrips()
    expect((await create(2)).status).toBe(201)
    // One statement is kept by itself.
    expect(relay.roundTrips()).toBe(1)
    expect((await api.patch('/albums/2', { body: resourceBody('albums', { title: 'Amnesiac' }, '2') })).status).toBe(
      200,
    )
    expect(relay.roundTrips()).toBe(4)
    expect((await api.get('/albums/2')).status).toBe(200)
    expect(relay.roundTrips()).toBe(1)
  } finally {
    await pool.end()
    await relay.close()
    await schema.drop()
  }
})
