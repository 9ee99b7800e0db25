import { createServer, defineResource, id, type WorkContext } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { Kysely } from 'kysely'
import { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fetchAdapter } from '../../../../src/serve/adapters/fetch.js'
import { type ScratchSchema, scratchSchema } from '../../../support/scratch-schema.js'

interface Album {
  readonly id: number
  readonly title: string
}

let schema: ScratchSchema
let pool: Pool
beforeEach(async () => {
  schema = await scratchSchema()
  pool = new Pool({ connectionString: schema.url, max: 2 })
  await pool.query('create table albums (id integer primary key, title text)')
})
afterEach(async () => {
  await pool.end()
  await schema.drop()
})

const dbOf = (context: WorkContext): Kysely<{ albums: Album }> => context.db as Kysely<{ albums: Album }>

const titles = async (): Promise<readonly unknown[]> =>
  (await pool.query<Album>('select title from albums order by id')).rows.map(({ title }) => title)

type Work = (context: WorkContext) => Promise<unknown>

/** Disconnects a client in a hook before the rest of it runs, and returns the outcome of the rest. */
async function left(hook: 'beforeCreate' | 'afterCreate' | 'afterFetchOne', work: Work): Promise<unknown> {
  const leaving = new AbortController()
  let came: unknown = null
  const leave = async (_row: unknown, context: WorkContext): Promise<void> => {
    leaving.abort()
    came = await work(context).then(
      () => 'done',
      (thrown: unknown) => thrown,
    )
  }
  const albums = defineResource('albums', {
    model: table<Album>('albums'),
    id: id().requireClientId(),
    attributes: (a) => ({ title: a.string() }),
    hooks: { [hook]: leave },
  })
  const logger = { error: () => undefined }
  const server = createServer({ resources: [albums], data: sqlData(pool, { statementTimeout: 5000 }), logger })
  const serve = fetchAdapter(server.handle)
  const type = 'application/vnd.api+json'
  const body = JSON.stringify({ data: { type: 'albums', id: '1', attributes: { title: 'Kid A' } } })
  await serve(
    hook === 'afterFetchOne'
      ? new Request('http://127.0.0.1/albums/1', { headers: { accept: type }, signal: leaving.signal })
      : new Request('http://127.0.0.1/albums', {
          method: 'POST',
          headers: { accept: type, 'content-type': type },
          body,
          signal: leaving.signal,
        }),
  )
  return came
}

const autocommit: Work = (context) => dbOf(context).insertInto('albums').values({ id: 2, title: 'Alone' }).execute()

const listed: Work = (context) => context.rows('albums').list()

describe('The work of hooks for a client that has disconnected', () => {
  it.each<readonly [name: string, work: Work]>([
    ['a statement', autocommit],
    [
      'a transaction',
      (context) =>
        dbOf(context)
          .transaction()
          .execute((transaction) => transaction.insertInto('albums').values({ id: 2, title: 'Alone' }).execute()),
    ],
    ['a row', (context) => context.rows('albums').create({ id: 2, title: 'Alone' })],
    [
      'a row after a read',
      async (context) => {
        const [read] = await dbOf(context).selectFrom('albums').selectAll().execute()
        const row = await context.rows<Album>('albums').find(1)
        expect(row).toEqual(read)
        await context.rows('albums').create({ id: 2, title: 'Alone' })
      },
    ],
  ])('is done after a commit: %s', async (_name, work) => {
    expect(await left('afterCreate', work)).toBe('done')
    expect(await titles()).toEqual(['Kid A', 'Alone'])
  })

  it('is done if it is an autocommit write', async () => {
    await pool.query("insert into albums values (1, 'Kid A')")
    expect(await left('afterFetchOne', autocommit)).toBe('done')
    expect(await titles()).toEqual(['Kid A', 'Alone'])
  })

  it('is stopped before the commit, and nothing is stored', async () => {
    expect(await left('beforeCreate', autocommit)).toMatchObject({
      message: expect.stringContaining('disconnected') as string,
    })
    expect(await titles()).toEqual([])
  })

  it('is stopped if it only reads', async () => {
    await pool.query("insert into albums values (1, 'Kid A')")
    expect(await left('afterFetchOne', listed)).toMatchObject({ message: 'The client has disconnected.' })
  })
})
