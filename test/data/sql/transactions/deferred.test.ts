import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { expectErrors, type TestClient } from 'ashlar/testing'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { postgresScratch, type Scratch, scratches } from './scratch-drivers.js'

interface Album {
  readonly id: number
  readonly title: string
  readonly artist: number | null
}

function serving(database: Scratch['database']): TestClient {
  const artists = defineResource('artists', {
    model: table<{ readonly id: number }>('artists'),
    id: id().requireClientId(),
  })
  const albums = defineResource('albums', {
    model: table<Album>('albums'),
    id: id().requireClientId(),
    attributes: (a) => ({ title: a.string(), artist: a.integer().nullable() }),
  })
  return client(createServer({ resources: [artists, albums], data: sqlData(database) }))
}

const create = (api: TestClient, key: string, artist: number | null) =>
  api.post('/albums', { body: resourceBody('albums', { title: `Album ${key}`, artist }, key) })

describe.each(scratches)('A constraint that is checked at the commit, on %s', (_name, open) => {
  let scratch: Scratch
  let api: TestClient
  beforeEach(async () => {
    scratch = await open()
    api = serving(scratch.database)
  })
  afterEach(() => scratch.end())

  it('refuses a row with a dangling foreign key', async () => {
    expectErrors(await create(api, '1', 9), [{ status: 422, code: 'VALIDATION_FAILED' }])
    expect(await scratch.titles()).toEqual([])
  })

  it('refuses to delete a row that others refer to', async () => {
    expect((await api.post('/artists', { body: resourceBody('artists', {}, '9') })).status).toBe(201)
    expect((await create(api, '1', 9)).status).toBe(201)
    expectErrors(await api.delete('/artists/9'), [{ status: 409, code: 'RESOURCE_IN_USE' }])
    expect((await api.delete('/albums/1')).status).toBe(204)
    expect((await api.delete('/artists/9')).status).toBe(204)
  })
})

describe('A unique constraint that is checked at the commit', () => {
  it('refuses a duplicate row, on PostgreSQL', async () => {
    const scratch = await postgresScratch()
    try {
      const pool = scratch.database as Pool
      await pool.query('insert into artists values (9)')
      await pool.query('alter table albums add unique (artist) deferrable initially deferred')
      const api = serving(pool)
      expect((await create(api, '1', 9)).status).toBe(201)
      expectErrors(await create(api, '2', 9), [{ status: 422, code: 'VALIDATION_FAILED' }])
    } finally {
      await scratch.end()
    }
  })
})
