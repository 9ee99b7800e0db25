import { EventEmitter, once } from 'node:events'
import { atomic, belongsTo, createServer, defineResource, id } from 'ashlar'
import { table } from 'ashlar/sql'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, inject, test } from 'vitest'
import { add, batchClient, type BatchClient, idsOf, linked, remove, update } from './batch-client.js'
import { type TestStore, testStore } from './sql-store.js'

/** Batches that conflict with others in a database, or that it refuses only at the commit. */

const tables = `
  create table artists (id KEY, name text);
  create table albums (
    id KEY, title text, artist_id integer references artists (id),
    producer integer references artists (id) deferrable initially deferred
  );`

interface Shop extends TestStore {
  readonly api: BatchClient
  readonly logged: unknown[]
}

async function shop(hooks: object = {}, options: Parameters<typeof testStore>[1] = {}): Promise<Shop> {
  const store = await testStore(tables, { naming: 'snake_case', ...options })
  const logged: unknown[] = []
  const artists = defineResource('artists', {
    model: table<{ id: number; name: string }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
  })
  const albums = defineResource('albums', {
    model: table<{ id: number; title: string; artistId: number | null; producer: number | null }>('albums'),
    id: id(),
    // Only the database checks whether there is such a producer.
    attributes: (a) => ({ title: a.string(), producer: a.integer().nullable() }),
    relations: { artist: belongsTo('artists').nullable() },
    hooks,
  })
  const server = createServer({
    resources: [artists, albums],
    data: store.data,
    logger: { error: (details: { readonly err?: unknown }) => void logged.push(details.err) },
    extensions: [atomic()],
  })
  return { ...store, api: batchClient(server), logged }
}

/** MariaDB checks no constraint at the commit. */
const onSql = test.runIf(!['memory', 'mariadb'].includes(inject('store'))) as typeof test
const onPostgres = test.runIf(inject('store') === 'postgres') as typeof test

const produced = (producer: number) => add('albums', { title: 'x', producer })

describe('in a database, a constraint that is checked at the commit', () => {
  onSql.each<[string, readonly object[]]>([
    ['alone', [produced(9)]],
    ['among others', [add('artists', { name: 'a' }), produced(9), update('artists', '1', { name: 'b' })]],
    ['together with others', [add('artists', { name: 'a' }), produced(9), produced(1), produced(9)]],
  ])('refuses the batch, and no operation of it: %s', async (_name, operations) => {
    const { api, rows } = await shop()
    const response = await api.batch(operations)
    expectErrors(response, [{ status: 422, code: 'VALIDATION_FAILED' }])
    expect(response.errors[0]?.source?.pointer ?? '').not.toMatch(/^\/atomic:operations\/\d/)
    expect([await rows('select * from artists'), await rows('select * from albums')]).toEqual([[], []])
  })

  onSql('accepts a valid final state', async () => {
    const { api, rows } = await shop()
    await api.results([produced(1), add('artists', { name: 'late' })])
    expect(await rows('select producer from albums')).toMatchObject([{ producer: 1 }])
  })
})

const crossing = (name: string, [first, second]: readonly [string, string]) => [
  add('artists', { name }, { lid: 'new' }),
  add('albums', { title: name }, { lid: 'new', relationships: { artist: linked({ type: 'artists', lid: 'new' }) } }),
  update('albums', first, { title: `${name} first` }),
  add('albums', { title: `${name} meets` }),
  update('albums', second, { title: `${name} second` }),
  { op: 'update', data: { type: 'albums', lid: 'new', attributes: { title: `${name}, renamed` } } },
]

/** Two batches that both have written a row, and then write the row of the other. */
async function deadlocked(): Promise<readonly [Shop, string[]]> {
  const met = new EventEmitter()
  const waiting = new Set<string>()
  const runs: string[] = []
  const served = await shop({
    async beforeCreate({ title = '' }: { title?: string }) {
      if (!title.endsWith('meets')) return
      runs.push(title)
      waiting.add(title)
      if (waiting.size === 2) met.emit('both')
      else await once(met, 'both')
    },
  })
  await served.api.results([add('albums', { title: '1' }), add('albums', { title: '2' })])
  return [served, runs]
}

describe('on PostgreSQL, batches that wait for each other', () => {
  onPostgres('are both committed, one of them after a retry', async () => {
    const [{ api, rows }, runs] = await deadlocked()
    const responses = await Promise.all([
      api.results(crossing('a', ['1', '2'])),
      api.results(crossing('b', ['2', '1'])),
    ])
    expect(runs).toHaveLength(3)
    for (const [index, results] of responses.entries()) {
      const [artist, album, , , , renamed] = idsOf(results)
      expect(results).toHaveLength(6)
      expect(renamed).toBe(album)
      expect(await rows(`select title, artist_id from albums where id = ${album}`)).toEqual([
        { title: `${'ab'[index]}, renamed`, artist_id: Number(artist) },
      ])
    }
    expect(await rows('select * from artists')).toHaveLength(2)
    expect(await rows('select * from albums')).toHaveLength(6)
  })

  onPostgres('lose no update if each reads before it writes', async () => {
    const { api } = await shop(
      {
        beforeUpdate(draft: { title?: string }, { title }: { title: string }) {
          draft.title = `${title}+`
        },
      },
      { isolation: 'serializable', retries: 50 },
    )
    await api.results([add('albums', { title: '' }), add('albums', { title: '' })])
    const both = [update('albums', '1', { title: 'x' }), update('albums', '2', { title: 'x' })]
    const responses = await Promise.all(Array.from({ length: 8 }, () => api.batch(both)))
    const committed = responses.filter(({ status }) => status === 200).length
    expect(responses.every(({ status }) => status === 200 || status === 503)).toBe(true)
    const { resources } = await api.get('/albums')
    expect(resources.map(({ attributes }) => attributes?.['title'])).toEqual([
      '+'.repeat(committed),
      '+'.repeat(committed),
    ])
  })
})

describe('on PostgreSQL, a connection that is lost', () => {
  onPostgres('in the middle of a batch rolls it back', async () => {
    const served: Shop = await shop({
      async beforeDelete() {
        await served.pool?.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = current_setting('application_name') and pid <> pg_backend_pid()
           and state = 'idle in transaction'`,
        )
      },
    })
    await served.api.results([add('albums', { title: 'kept' })])
    const response = await served.api.batch([add('albums', { title: 'lost' }), remove('albums', '1')])
    // The store is lost for all of them, whichever operation was running.
    expectErrors(response, [{ status: 503, code: 'STORE_UNAVAILABLE', pointer: null }])
    expect(response.headers.get('Retry-After')).not.toBe(null)
    expect(await served.rows('select title from albums')).toEqual([{ title: 'kept' }])
    expect((await served.api.batch([add('albums', { title: 'next' })])).status).toBe(200)
  })
})
