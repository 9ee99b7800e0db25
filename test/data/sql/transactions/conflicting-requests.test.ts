import { reply, atomic, createServer, defineResource, id, metaResult, type WorkContext } from 'ashlar'
import { idempotencyTable, sqlData, type SqlDataOptions, table } from 'ashlar/sql'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import type { Kysely } from 'kysely'
import { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batchClient, add, batchHeaders, update, type BatchClient } from '../../../atomic/batch-client.js'
import { resourceBody } from '../../../support/client.js'
import { type ScratchSchema, scratchSchema } from '../../../support/scratch-schema.js'
import { meeting } from '../../../support/signal.js'

interface AlbumRow {
  id: number
  title: string
  position: number
}

type Music = Kysely<{ albums: AlbumRow }>

const dbOf = ({ db }: WorkContext): Music => db as Music

let schema: ScratchSchema
let pool: Pool
beforeEach(async () => {
  schema = await scratchSchema()
  pool = new Pool({ connectionString: schema.url, max: 4 })
  await pool.query(`
    create table albums (id int generated always as identity primary key, title text not null, position int not null);
    ${idempotencyTable('postgres').join(';')}`)
})
afterEach(async () => {
  await pool.end()
  await schema.drop()
})

interface NumberedMusic {
  readonly api: BatchClient
  /** How often hooks have run. */
  readonly runs: { before: number; after: number }
}

/**
 * A server that numbers its albums. Two requests count before either of them writes, so that PostgreSQL can commit only
 * one of both; the later runs do not wait for another.
 */
function numbering(options: SqlDataOptions = {}): NumberedMusic {
  const runs = { before: 0, after: 0 }
  const bothHaveRead = meeting(2)
  const nextPosition = async (context: WorkContext): Promise<number> => {
    runs.before += 1
    const { count } = await dbOf(context)
      .selectFrom('albums')
      .select(({ fn }) => fn.countAll<string>().as('count'))
      .executeTakeFirstOrThrow()
    await bothHaveRead()
    return Number(count) + 1
  }
  const albums = defineResource('albums', {
    model: table<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().required(), position: a.integer().readOnly() }),
    hooks: {
      async beforeCreate(draft, context) {
        draft.position = await nextPosition(context)
      },
      afterCreate() {
        runs.after += 1
      },
      async beforeUpdate() {
        runs.before += 1
        await bothHaveRead()
      },
      afterUpdate() {
        runs.after += 1
      },
    },
    actions: (a) => ({
      press: a.collection({
        methods: ['POST'],
        responds: metaResult(),
        async handle({ context }) {
          const position = await nextPosition(context)
          await dbOf(context)
            .insertInto('albums')
            .values({ title: 'Pressed', position } as AlbumRow)
            .execute()
          return reply.meta({ position })
        },
      }),
    }),
  })
  const data = sqlData(pool, { isolation: 'serializable', ...options })
  const server = createServer({
    resources: [albums],
    data,
    extensions: [atomic()],
    idempotency: true,
    logger: null,
  })
  return { api: batchClient(server), runs }
}

async function positions(): Promise<readonly number[]> {
  const { rows } = await pool.query<AlbumRow>('select position from albums order by position')
  return rows.map(({ position }) => position)
}

const keyed = (title: string) => ({ 'Idempotency-Key': `"${title}"` })

type Send = (api: BatchClient, title: string) => Promise<TestResponse>

const create: Send = (api, title) => api.post('/albums', { body: resourceBody('albums', { title }) })

const writes: readonly (readonly [name: string, send: Send])[] = [
  ['a create', create],
  ['a batch', (api, title) => api.batch([add('albums', { title })])],
  [
    'a create with a key',
    (api, title) => api.post('/albums', { headers: keyed(title), body: resourceBody('albums', { title }) }),
  ],
  [
    'a batch with a key',
    (api, title) =>
      api.post('/operations', {
        headers: { ...batchHeaders, ...keyed(title) },
        body: { 'atomic:operations': [add('albums', { title })] },
      }),
  ],
  ['an action', (api) => api.post('/albums/-actions/press')],
]

describe('Two requests of which PostgreSQL can commit one', () => {
  it.each(writes)('both succeed, because one is retried: %s', async (name, send) => {
    const { api, runs } = numbering()
    const responses = await Promise.all(['Kid A', 'Amnesiac'].map((title) => send(api, title)))
    for (const { status } of responses) expect(status).toBeLessThan(300)
    expect(await positions()).toEqual([1, 2])
    // Hooks before the write run again with it. Hooks after the commit run once for each request.
    expect(runs).toEqual({ before: 3, after: name === 'an action' ? 0 : 2 })
  })

  it('both succeed if each waits for a row that the other has locked', async () => {
    await pool.query("insert into albums (title, position) values ('A', 1), ('B', 2)")
    const { api, runs } = numbering({ isolation: 'read committed' })
    const responses = await Promise.all([
      api.batch([update('albums', '1', { title: 'A1' }), update('albums', '2', { title: 'B1' })]),
      api.batch([update('albums', '2', { title: 'B2' }), update('albums', '1', { title: 'A2' })]),
    ])
    expect(responses.map(({ status }) => status)).toEqual([200, 200])
    // The retried one starts again, so that both its operations run twice, unless the second had not begun.
    expect(runs.after).toBe(4)
    expect(runs.before).toBeGreaterThan(4)
    const { rows } = await pool.query<AlbumRow>('select title from albums order by id')
    expect(['A1 B1', 'A2 B2']).toContain(rows.map(({ title }) => title).join(' '))
  })

  it('are 503 for one of them after the last retry, which writes nothing and may be sent again', async () => {
    const { api, runs } = numbering({ retries: 0 })
    const send = (title: string): Promise<TestResponse> =>
      api.post('/albums', { headers: keyed(title), body: resourceBody('albums', { title }) })
    const titles = ['Kid A', 'Amnesiac']
    const responses = await Promise.all(titles.map(send))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 503])
    const refused = responses.findIndex(({ status }) => status === 503)
    const response = responses[refused]
    if (response === undefined) throw new Error('None was refused.')
    expectErrors(response, [{ status: 503, code: 'STORE_UNAVAILABLE' }])
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await positions()).toEqual([1])
    expect(runs).toEqual({ before: 2, after: 1 })
    const repeated = await send(titles[refused] ?? '')
    expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect(await positions()).toEqual([1, 2])
  })
})

/** The first statements fail: numbers of a sequence are not rolled back. */
const failing = (count: number): Promise<unknown> =>
  pool.query(`
    insert into albums (title, position) values ('Kid A', 1);
    create sequence tries;
    create function is_retried() returns boolean language plpgsql as $$ begin
      if nextval('tries') <= ${count} then raise exception 'could not serialize access' using errcode = '40001'; end if;
      return true;
    end $$;
    create view listed as select * from albums where is_retried()`)

const reading = (options: SqlDataOptions): BatchClient => {
  const albums = defineResource('albums', {
    model: table<AlbumRow>('listed'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    readOnly: true,
  })
  return batchClient(createServer({ resources: [albums], data: sqlData(pool, options), logger: null }))
}

describe('A read that PostgreSQL rejects because of concurrent transactions', () => {
  it('is retried', async () => {
    await failing(3)
    const { status, resources } = await reading({}).get('/albums')
    expect([status, resources.length]).toEqual([200, 1])
  })

  it('is 503 after the last retry', async () => {
    await failing(3)
    const response = await reading({ retries: 2 }).get('/albums')
    expectErrors(response, [{ status: 503, code: 'STORE_UNAVAILABLE' }])
    expect(response.headers.get('retry-after')).toBe('1')
  })
})
