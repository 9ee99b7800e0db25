import { createServer, defineResource, id } from 'ashlar'
import type { RequestContext } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PostgresDriverOptions } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import { postgresDriver } from '../../../../src/stores/sql/dialect/postgres/driver/postgres-driver.js'
import type { SqlDriver } from '../../../../src/stores/sql/driver/sql-driver.js'
import type { SqlStatement } from '../../../../src/stores/sql/driver/sql-statement.js'
import { client, resourceBody } from '../../../support/client.js'
import { type ScratchSchema, scratchSchema } from '../../../support/scratch-schema.js'
import { cancellableClient, ignoringErrors, noRequest, statement, until, untilReturned } from './driver-helpers.js'
import { relayTo } from './relay.js'

let schema: ScratchSchema
let pool: Pool
beforeEach(async () => {
  schema = await scratchSchema()
  pool = new Pool({ connectionString: schema.url, max: 1 })
  await pool.query('create table albums (id int4 primary key, title text)')
})
afterEach(async () => {
  await pool.end()
  await schema.drop()
})

function named(sql: string, ...values: unknown[]): SqlStatement {
  return { sql, values, name: `ashlar_failing_${sql.length}` }
}

async function kindOf(work: Promise<unknown>, driver: SqlDriver): Promise<string | undefined> {
  return work.then(
    () => 'none',
    (thrown: unknown) => driver.faultOf(thrown)?.kind,
  )
}

const said = (text: string): SqlStatement => named('select $1::text as said, n from generate_series(1, 3) n', text)
const inserted = (key: number, title: string): SqlStatement =>
  named('insert into albums values ($1, $2) returning id, title', key, title)

describe('A connection that ends in the middle of a result', () => {
  it('returns the complete results, and no part of the others', async () => {
    const relay = await relayTo(schema.url)
    const relayed = ignoringErrors(new Pool({ connectionString: relay.url, max: 1 }))
    const driver = postgresDriver(relayed)
    for (let time = 1; time <= 2; time += 1) await driver.read(said('prepared'), noRequest)
    relay.cutIn('interrupted')
    const { context } = cancellableClient()
    const [first, ...others] = ['complete', 'interrupted', 'later'].map((text) => driver.read(said(text), { context }))
    const kinds = Promise.all(others.map((read) => kindOf(read, driver)))
    expect((await first)?.rows).toEqual([1, 2, 3].map((n) => ['complete', n]))
    expect(await kinds).toEqual(['unavailable', 'unavailable'])
    expect((await driver.read(said('again'), noRequest)).rows).toHaveLength(3)
    await relayed.end()
    await relay.close()
  })

  it('does not repeat a write, which may be committed', async () => {
    const relay = await relayTo(schema.url)
    const relayed = ignoringErrors(new Pool({ connectionString: relay.url, max: 1 }))
    const driver = postgresDriver(relayed)
    for (const key of [1, 2]) await driver.write(inserted(key, 'prepared'), noRequest)
    relay.cutIn('interrupted')
    relay.sent()
    expect(await kindOf(driver.write(inserted(3, 'interrupted'), noRequest), driver)).toBe('unavailable')
    expect(relay.sent().split('interrupted')).toHaveLength(2)
    await relayed.end()
    await relay.close()
    expect((await pool.query('select from albums')).rows).toHaveLength(3)
  })
})

const session: PostgresDriverOptions['session'] = ({ caller }) => ({ settings: { 'app.user': String(caller) } })

function contextOf(caller: string): RequestContext {
  return { ...cancellableClient().context, caller }
}

describe('A connection whose prepared statements are gone', () => {
  it('prepares the statement of a session again, and its values reach every statement', async () => {
    const driver = postgresDriver(pool, { session })
    const who = named("select current_setting('app.user', true), $1::int4", 7)
    for (const reset of ['discard all', 'deallocate all', 'select 1', 'discard all']) {
      for (const caller of ['alice', 'bob', 'carol']) {
        const context = contextOf(caller)
        expect((await driver.read(who, { context })).rows).toEqual([[caller, 7]])
        expect((await driver.write(who, { context })).rows).toEqual([[caller, 7]])
      }
      await pool.query(reset)
      const context = contextOf('dave')
      expect((await driver.write(who, { context })).rows).toEqual([['dave', 7]])
      await pool.query(reset)
      expect((await driver.read(who, { context })).rows).toEqual([['dave', 7]])
    }
    await untilReturned(pool)
    expect(pool.totalCount).toBe(1)
  })

  it('reports a conflict in a transaction, which is repeated as a whole', async () => {
    const driver = postgresDriver(pool)
    const held = await driver.hold(noRequest)
    for (let time = 1; time <= 2; time += 1) await held.run(said('prepared'))
    await held.run(statement('begin'))
    await held.run(inserted(1, 'Blue'))
    await held.run(statement('deallocate all'))
    expect(await kindOf(held.run(said('forgotten')), driver)).toBe('conflict')
    await held.run(statement('rollback'))
    await held.run(statement('begin'))
    expect((await held.run(said('again'))).rows).toHaveLength(3)
    await held.run(statement('commit'))
    held.release(false)
    expect((await pool.query('select from albums')).rows).toEqual([])
  })
})

describe('A table that changes under load', () => {
  it.each([
    ['without a session', {}],
    ['with a session', { session: () => ({ settings: { 'app.user': 'alice' } }) }],
  ])('lets no request fail %s', async (_name, options) => {
    const several = new Pool({ connectionString: schema.url, max: 4 })
    const albums = defineResource('albums', {
      model: table<{ id: number; title: string }>('albums'),
      id: id().requireClientId(),
      attributes: (a) => ({ title: a.string() }),
    })
    const api = client(createServer({ resources: [albums], data: sqlData(several, options), logger: null }))
    const load = { isRunning: true, created: 0 }
    const statuses = new Map<string, number>()
    const count = (method: string, { status }: { readonly status: number }): void => {
      const key = `${method} ${status}`
      statuses.set(key, (statuses.get(key) ?? 0) + 1)
    }
    const work = async (): Promise<void> => {
      while (load.isRunning) {
        load.created += 1
        const key = String(load.created)
        count('POST', await api.post('/albums', { body: resourceBody('albums', { title: 'Blue' }, key) }))
        count('GET', await api.get(`/albums/${key}`))
      }
    }
    const workers = Promise.all([1, 2, 3, 4].map(work))
    for (let time = 1; time <= 12; time += 1) {
      const enough = load.created + 8
      await until(() => load.created >= enough)
      await pool.query(`alter table albums alter column title type ${time % 2 === 0 ? 'text' : 'varchar(200)'}`)
    }
    load.isRunning = false
    await workers
    await several.end()
    expect(Object.fromEntries(statuses)).toEqual({ 'POST 201': load.created, 'GET 200': load.created })
  })
})
