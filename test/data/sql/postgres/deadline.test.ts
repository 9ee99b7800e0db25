import { randomUUID } from 'node:crypto'
import { createServer, defineResource, id, type WorkContext } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { type Kysely, sql } from 'kysely'
import { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { type ScratchSchema, scratchSchema } from '../../../support/scratch-schema.js'
import { signal } from '../../../support/signal.js'
import { untilReturned } from './driver-helpers.js'

/** The deadline of the setting `overload` stops running statements. */

interface Album {
  readonly id: number
  readonly title: string
}

let schema: ScratchSchema
let pool: Pool
/** Other tests run statements in the same database. */
const application = `deadline ${randomUUID()}`
beforeEach(async () => {
  schema = await scratchSchema()
  pool = new Pool({ connectionString: schema.url, max: 2, application_name: application })
  await pool.query('create table albums (id integer generated always as identity primary key, title text)')
})
afterEach(async () => {
  await pool.end()
  await schema.drop()
})

const late = { status: 503, code: 'DEADLINE_EXCEEDED' } as const

/** Longer than any test takes. */
const sleep = (context: WorkContext): Promise<unknown> =>
  sql`select pg_sleep(600)`.execute(context.db as Kysely<{ albums: Album }>)

type Hook = (row: unknown, context: WorkContext) => Promise<void>

const sleeping: Hook = async (_row, context) => void (await sleep(context))

function music(model: string, beforeCreate = sleeping): TestClient {
  const albums = defineResource('albums', {
    model: table<Album>(model),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    hooks: { beforeCreate },
  })
  const overload = { deadline: 300 }
  const logger = { error: () => undefined }
  return client(createServer({ resources: [albums], data: sqlData(pool), overload, logger }))
}

async function runningStatements(): Promise<readonly string[]> {
  const { rows } = await pool.query<{ query: string }>(
    "select query from pg_stat_activity where application_name = $1 and state <> 'idle' and pid <> pg_backend_pid()",
    [application],
  )
  return rows.map(({ query }) => query)
}

describe('The deadline', () => {
  it('cancels the statement of a read', async () => {
    await pool.query('create view slow as select 1 as id, pg_sleep(600)::text as title')
    expectErrors(await music('slow').get('/albums'), [late])
    await untilReturned(pool)
    expect(await runningStatements()).toEqual([])
  })

  it('rolls back the transaction of a write', async () => {
    expectErrors(await music('albums').post('/albums', { body: resourceBody('albums', { title: 'Kid A' }) }), [late])
    await untilReturned(pool)
    expect(await runningStatements()).toEqual([])
    expect((await pool.query('select * from albums')).rows).toEqual([])
  })

  it('rolls back a write that waits for a lock', async () => {
    await pool.query("insert into albums (title) values ('Kid A')")
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query('select * from albums for update')
    const body = resourceBody('albums', { title: 'Amnesiac' }, '1')
    expectErrors(await music('albums').patch('/albums/1', { body }), [late])
    await holder.query('rollback')
    holder.release()
    await untilReturned(pool)
    expect((await pool.query('select title from albums')).rows).toEqual([{ title: 'Kid A' }])
  })

  it('rolls back a write whose hook continues after the response', async () => {
    const end = signal()
    const hook: Hook = async (_row, context) => {
      // The transaction has a connection from now on.
      await sql`select 1`.execute(context.db as Kysely<{ albums: Album }>)
      await end.given
    }
    const body = resourceBody('albums', { title: 'Kid A' })
    expectErrors(await music('albums', hook).post('/albums', { body }), [late])
    expect(pool.idleCount).toBeLessThan(pool.totalCount)
    end.give()
    await untilReturned(pool)
    expect((await pool.query('select * from albums')).rows).toEqual([])
  })
})
