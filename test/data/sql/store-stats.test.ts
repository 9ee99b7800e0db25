import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../../support/client.js'
import { databases, engines } from './write/open-databases.js'

const open = databases()

interface Tables {
  readonly albums: { readonly id: number; readonly title: string }
}

const albums = defineResource('albums', {
  model: table<Tables['albums']>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  // A hook makes the write take a transaction.
  hooks: { beforeUpdate: () => undefined },
})

describe.each(engines)('server.stats() on %s', (engine) => {
  async function music(onStatement?: () => void) {
    const { database, options } = await open(engine, [
      'create table albums (id serial, title text not null)',
      "insert into albums (title) values ('Dummy')",
    ])
    const watched = onStatement === undefined ? {} : { onStatement }
    const data = sqlData<Tables>(database, { ...options, ...watched, maxStatements: 9 })
    const server = createServer({ resources: [albums], data })
    return { api: client(server), data, store: () => server.stats().stores[0] }
  }

  test.each([
    { name: 'that are reported', onStatement: () => undefined },
    { name: 'that are not reported', onStatement: undefined },
  ])('counts statements $name, and transactions', async ({ onStatement }) => {
    const { api, data, store } = await music(onStatement)
    expect(store()).toMatchObject({ name: engine, counts: { statements: 0, transactions: 0, retries: 0 } })
    await api.get('/albums')
    await api.get('/albums/1')
    await api.post('/albums', { body: resourceBody('albums', { title: 'Third' }) })
    expect(store()?.counts).toEqual({ statements: 3, transactions: 0, retries: 0 })
    await api.patch('/albums/1', { body: resourceBody('albums', { title: 'Portishead' }, '1') })
    expect(store()?.counts).toMatchObject({ statements: 5, transactions: 1 })
    await data.db.selectFrom('albums').select('id').execute()
    expect(store()?.counts?.statements).toBe(6)
    await data.db.transaction().execute((transaction) => transaction.deleteFrom('albums').execute())
    expect(store()?.counts).toEqual({ statements: 7, transactions: 2, retries: 0 })
  })

  test('shows the cache of statement texts, and the pool', async () => {
    const { api, store } = await music()
    await api.get('/albums/1')
    await api.get('/albums/1')
    await api.get('/albums?sort=-id')
    expect(store()?.caches).toEqual([{ name: 'statements', entries: 2, capacity: 9, hits: 0, misses: 2 }])
    expect(store()?.pools).toEqual(
      engine === 'sqlite'
        ? []
        : [{ size: expect.any(Number), open: expect.any(Number), idle: expect.any(Number), waiting: 0 }],
    )
  })
})
