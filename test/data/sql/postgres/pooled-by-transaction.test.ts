import { createServer, defineResource, id } from 'ashlar'
import { idempotencyTable, sqlData, type SqlDataOptions, table } from 'ashlar/sql'
import { expectErrors, type TestClient } from 'ashlar/testing'
import process from 'node:process'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { openPool } from '../../../support/open-databases.js'
import { type ScratchSchema, scratchSchema } from '../../../support/scratch-schema.js'
import { runningOn, until, untilReturned } from './driver-helpers.js'
import { hasPgBouncer, preparesStatements, type RunningPgBouncer, startPgBouncer } from './pgbouncer.js'

const name = `Behind PgBouncer${hasPgBouncer ? '' : ' (skipped: pgbouncer is not installed)'}`

/** It shares one connection among all of the service, so that anything that stays on a connection would be noticed. */
describe.skipIf(!hasPgBouncer)(name, () => {
  let schema: ScratchSchema
  let bouncer: RunningPgBouncer
  let pool: Pool
  beforeAll(async () => {
    schema = await scratchSchema()
    await openPool().query(`
      set search_path = ${schema.name};
      create table albums (id int generated always as identity primary key, title text not null);
      create view slow as select 1 as id, pg_sleep(600)::text as title;
      ${idempotencyTable('postgres').join(';')};
      reset search_path`)
    bouncer = await startPgBouncer(inject('databaseUrl'))
    pool = new Pool({ connectionString: bouncer.url, max: 4 })
  })
  afterAll(async () => {
    await pool.end()
    await bouncer.end()
    await schema.drop()
  })

  /** With prepared statements if PgBouncer separates those of its clients. */
  function serving(model: string, options: SqlDataOptions = {}): TestClient {
    const albums = defineResource('albums', {
      model: table<{ id: number; title: string }>(model),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
    })
    const data = sqlData(pool, { schema: schema.name, prepare: preparesStatements, ...options })
    return client(createServer({ resources: [albums], data, idempotency: true, logger: null }))
  }

  it('serves reads and writes that run at the same time', async () => {
    const api = serving('albums')
    const sent = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0
        ? api.post('/albums', { body: resourceBody('albums', { title: `Album ${index}` }) })
        : api.get('/albums'),
    )
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    expect(statuses).toEqual(statuses.map((_, index) => (index % 2 === 0 ? 201 : 200)))
  })

  it('cancels a statement that takes too long, and no other', async () => {
    const late = serving('slow', { statementTimeout: 200 }).get('/albums')
    await until(async () => (await runningOn(openPool(), schema.name)) > 0)
    const others = [1, 2, 3].map(() => serving('albums').get('/albums'))
    expectErrors(await late, [{ status: 503, code: 'STORE_UNAVAILABLE' }])
    for (const { status } of await Promise.all(others)) expect(status).toBe(200)
    await untilReturned(pool)
    expect(await runningOn(openPool(), schema.name)).toBe(0)
  })

  it.skipIf(preparesStatements)('warns once if it mixes up prepared statements, and explains what to do', async () => {
    const warnings = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    const api = serving('albums', { prepare: true })
    await Promise.all(Array.from({ length: 8 }, () => api.get('/albums')))
    expect(warnings.mock.calls).toEqual([
      [
        'ashlar/sql: a connection has prepared statements of other clients, so a connection pooler shares connections without support for prepared statements. Set prepare: false in sqlData(), or use PgBouncer 1.21 or later with max_prepared_statements.',
        { code: 'ASHLAR_POOLER_MIXES_STATEMENTS' },
      ],
    ])
  })

  it('writes once for each key', async () => {
    const [one, other] = [serving('albums'), serving('albums')]
    const keyed = { body: resourceBody('albums', { title: 'Once' }), headers: { 'Idempotency-Key': 'k' } }
    const responses = await Promise.all([one, other, one, other].map((api) => api.post('/albums', keyed)))
    expect(responses.filter(({ status }) => status === 201).length).toBeGreaterThan(0)
    for (const { status } of responses) expect([201, 409]).toContain(status)
    const { rows } = await openPool().query(`select id from ${schema.name}.albums where title = 'Once'`)
    expect(rows).toHaveLength(1)
  })
})
