import {
  reply,
  createServer,
  defineResource,
  hasMany,
  HttpError,
  id,
  metaResult,
  model,
  type WorkContext,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { sqlData, type SqlDataOptions, table } from 'ashlar/sql'
import { expectErrors, type TestClient } from 'ashlar/testing'
import type { Kysely } from 'kysely'
import { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { exemptFromDescription } from '../../../support/described-exchange.js'
import { openPool, takeSchema } from '../../../support/open-databases.js'
import { type Scratch, scratches, sqliteScratch } from './scratch-drivers.js'

interface AlbumRow {
  id: number
  title: string
}

type Music = Kysely<{ albums: AlbumRow }>

const dbOf = (context: WorkContext): Music => context.db as Music

interface Serving {
  readonly api: TestClient
  readonly logged: unknown[]
}

function serving(database: Scratch['database'], options: SqlDataOptions = {}): Serving {
  const albums = defineResource('albums', {
    model: table<AlbumRow>('albums'),
    id: id().requireClientId(),
    attributes: (a) => ({ title: a.string() }),
    hooks: {
      async beforeCreate({ title }, context) {
        await dbOf(context)
          .insertInto('albums')
          .values({ id: 100, title: `Before ${title}` })
          .execute()
        if (title === 'Refused') throw new HttpError(403, 'No.')
      },
      async afterCreate({ title }, context) {
        await dbOf(context)
          .insertInto('albums')
          .values({ id: 200, title: `After ${title}` })
          .execute()
      },
    },
    actions: (a) => ({
      titles: a.collection({
        methods: ['GET'],
        responds: metaResult(),
        async handle({ context }) {
          expect(context.db).toBe(context.db)
          const rows = await dbOf(context).selectFrom('albums').select('title').orderBy('id').execute()
          return reply.meta({ titles: rows.map(({ title }) => title) })
        },
      }),
    }),
  })
  const logged: unknown[] = []
  const logger = { error: ({ err }: { err: unknown }) => logged.push(err) }
  return { api: client(createServer({ resources: [albums], data: sqlData(database, options), logger })), logged }
}

async function titles(api: TestClient): Promise<unknown> {
  return (await api.get('/albums/-actions/titles')).document?.meta?.['titles']
}

describe.each(scratches)('context.db on %s', (_name, open) => {
  let scratch: Scratch
  beforeEach(async () => {
    scratch = await open()
  })
  afterEach(() => scratch.end())

  it('is committed with the write in whose hooks it is used, and works after the commit', async () => {
    const { api } = serving(scratch.database)
    const created = await api.post('/albums', { body: resourceBody('albums', { title: 'Kid A' }, '1') })
    expect(created.status).toBe(201)
    expect(await titles(api)).toEqual(['Kid A', 'Before Kid A', 'After Kid A'])
  })

  it('is rolled back with it', async () => {
    const { api } = serving(scratch.database)
    const refused = await api.post('/albums', { body: resourceBody('albums', { title: 'Refused' }, '1') })
    expectErrors(refused, [{ status: 403 }])
    expect(await titles(api)).toEqual([])
  })
})

test('context.db looks for tables in the same schema as the store', async () => {
  const [pool, { schema }] = [openPool(), takeSchema('context.db')]
  await pool.query(`create schema ${schema}; create table ${schema}.albums (id integer primary key, title text)`)
  const { api } = serving(pool, { schema })
  expect((await api.post('/albums', { body: resourceBody('albums', { title: 'Kid A' }, '1') })).status).toBe(201)
  expect(await titles(api)).toEqual(['Kid A', 'Before Kid A', 'After Kid A'])
})

describe('If there is no context.db', () => {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: { tracks: hasMany('tracks').via('albumId') },
    hooks: {
      afterFetchOne(_row, context) {
        // Inspecting the context does not read it.
        return reply.meta({ members: Object.keys({ ...context }).toSorted() })
      },
      beforeRelationshipMutate: (_row, context) => void context.db,
    },
  })
  const tracks = defineResource('tracks', { model: model<{ id: number; albumId: number | null }>('tracks'), id: id() })
  const data = memoryData({ albums: [{ id: 1, title: 'Kid A' }] })

  it('reading it throws a TypeError, and copying the context does not read it', async () => {
    exemptFromDescription('exchanges', 'A hook that returns another document with the usual status is not described.')
    const logged: unknown[] = []
    const logger = { error: ({ err }: { err: unknown }) => logged.push(err) }
    const api = client(createServer({ resources: [albums, tracks], data, logger }))
    expect((await api.get('/albums/1')).document?.meta?.['members']).not.toContain('db')
    expectErrors(await api.patch('/albums/1/relationships/tracks', { body: { data: [] } }), [{ status: 500 }])
    expect(logged).toEqual([new TypeError("context.db is not available: the store of 'albums' has no database.")])
  })
})

describe('An unavailable database', () => {
  it('is 503 with Retry-After, and the cause is logged', async () => {
    const scratch = await sqliteScratch()
    const { api, logged } = serving(scratch.database)
    expect((await api.get('/albums')).status).toBe(200)
    await scratch.end()
    const unavailable = [{ status: 503, code: 'STORE_UNAVAILABLE' }]
    const read = await api.get('/albums')
    expectErrors(read, unavailable)
    expect(read.headers.get('retry-after')).toBe('1')
    expectErrors(await api.post('/albums', { body: resourceBody('albums', { title: 'Kid A' }, '1') }), unavailable)
    expect(logged).toHaveLength(2)
    expect(logged[0]).toMatchObject({ cause: { message: 'database is not open' } })
  })

  it('that was never available is 503 too, on PostgreSQL', async () => {
    // No server listens on this port, which is reserved.
    const pool = new Pool({ host: '127.0.0.1', port: 1, connectionTimeoutMillis: 2000 })
    const { api } = serving(pool)
    expectErrors(await api.get('/albums'), [{ status: 503, code: 'STORE_UNAVAILABLE' }])
    await pool.end()
  })
})
