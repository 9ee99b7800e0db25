import { type AttributeKit, createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { TestResponse } from 'ashlar/testing'
import { Pool } from 'pg'
import { expect, it } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { scratchSchema } from '../../../support/scratch-schema.js'
import { relayTo } from './relay.js'

interface Album {
  readonly id: number
  readonly title: string
}

it('A write waits for the server once, and in a transaction as seldom as it can', async () => {
  const schema = await scratchSchema()
  const relay = await relayTo(schema.url, 20)
  const pool = new Pool({ connectionString: relay.url, max: 1 })
  try {
    await pool.query('create table albums (id integer primary key, title text)')
    const declared = {
      model: table<Album>('albums'),
      id: id().requireClientId(),
      attributes: (a: AttributeKit<Album>) => ({ title: a.string() }),
    }
    const albums = defineResource('albums', declared)
    // Hooks before a write need a transaction.
    const hooked = defineResource('hooked', { ...declared, hooks: { beforeSave() {}, beforeDelete() {} } })
    const api = client(createServer({ resources: [albums, hooked], data: sqlData(pool) }))
    const create = (type: string, key: number) =>
      api.post(`/${type}`, { body: resourceBody(type, { title: 'Kid A' }, String(key)) })
    const update = (type: string, key: number) =>
      api.patch(`/${type}/${key}`, { body: resourceBody(type, { title: 'Amnesiac' }, String(key)) })
    // The schema is read once.
    expect((await create('albums', 1)).status).toBe(201)
    relay.roundTrips()
    const roundTrips = async (send: Promise<TestResponse>, status: number): Promise<number> => {
      expect((await send).status).toBe(status)
      return relay.roundTrips()
    }
    expect(await roundTrips(create('albums', 2), 201)).toBe(1)
    expect(await roundTrips(update('albums', 2), 200)).toBe(1)
    expect(await roundTrips(api.get('/albums/2'), 200)).toBe(1)
    expect(await roundTrips(api.delete('/albums/2'), 204)).toBe(1)
    expect(await roundTrips(create('hooked', 3), 201)).toBe(3)
    expect(await roundTrips(update('hooked', 3), 200)).toBe(4)
    expect(await roundTrips(api.delete('/hooked/3'), 204)).toBe(4)
  } finally {
    await pool.end()
    await relay.close()
    await schema.drop()
  }
})
