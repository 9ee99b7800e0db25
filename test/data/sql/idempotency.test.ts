import { DatabaseSync } from '@photostructure/sqlite'
import { atomic } from 'ashlar'
import { idempotencyTable, type RanStatement, type SqlDataOptions } from 'ashlar/sql'
import type { Isolation } from '../../../src/stores/sql/transactions/sql-transactions.js'
import { expectStatements, statementCounter, type TestClient, type TestRequestOptions } from 'ashlar/testing'
import { Pool } from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { client, resourceBody } from '../../support/client.js'
import { musicEngines } from '../../support/music-engines.js'
import { migrateMusic } from '../../support/music-migrations.js'
import { scratchSchema } from '../../support/scratch-schema.js'
import { signal } from '../../support/signal.js'
import { musicServer, type OpenMusic } from '../../support/sql-music.js'

const ending: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end()
})

const engineOf = { PostgreSQL: 'postgres', SQLite: 'sqlite' } as const

async function opened(open: () => Promise<OpenMusic>): Promise<OpenMusic> {
  const music = await open()
  ending.push(() => music.close())
  return music
}

/** Runs a statement. On SQLite, `rows()` does not take one that returns nothing. */
async function execute(music: OpenMusic, statement: string): Promise<void> {
  if (music.database instanceof Pool) await music.rows(statement)
  else music.database.exec(statement)
}

const settings = { idempotency: true, extensions: [atomic()], logger: null }

const serverOn = ({ database }: Pick<OpenMusic, 'database'>, options: SqlDataOptions = {}) =>
  musicServer(database, { ...options, settings })

const keyed = (key: string | null, name: string): TestRequestOptions => ({
  body: resourceBody('artists', { name }),
  headers: { 'Idempotency-Key': key },
})
const isReplayed = async (response: ReturnType<TestClient['post']>): Promise<boolean> =>
  (await response).headers.has('idempotency-replayed')

describe.each(musicEngines)('on %s', (name, open) => {
  const engine = engineOf[name]

  test('the server is not ready without the table, and the message explains how to create it', async () => {
    const music = await opened(open)
    const server = serverOn(music)
    await expect(server.ready()).rejects.toThrow(
      new RegExp(
        String.raw`^The table 'ashlar_idempotency' for the setting 'idempotency' cannot be read: .*ashlar_idempotency.*\. Create it by the statements that idempotencyTable\('${engine}'\) of ashlar/sql returns\.$`,
      ),
    )
    expect((await client(server).post('/artists', keyed('k', 'Low'))).status).toBe(500)
    await musicServer(music.database).ready()
    for (const statement of [...idempotencyTable(engine), ...idempotencyTable(engine)]) await execute(music, statement)
    await server.ready()
    expect((await client(server).post('/artists', keyed('k', 'Low'))).status).toBe(201)
    expect(await music.rows('select name from artists')).toEqual([{ name: 'Low' }])
  })

  test('the table may have another name', async () => {
    const music = await opened(open)
    const server = serverOn(music, { idempotencyTable: 'repeated "requests"' })
    await expect(server.ready()).rejects.toThrow(`idempotencyTable('${engine}', 'repeated "requests"')`)
    for (const statement of idempotencyTable(engine, 'repeated "requests"')) await execute(music, statement)
    await server.ready()
    await client(server).post('/artists', keyed('k', 'Low'))
    expect(await isReplayed(client(server).post('/artists', keyed('k', 'Low')))).toBe(true)
    const [row] = await music.rows('select * from "repeated ""requests"""')
    expect(row).toMatchObject({ idempotency_key: 'k', request: 'POST /artists', status: 201 })
  })

  test('a key takes a few statements, and without one there are none', async () => {
    const music = await opened(open)
    for (const statement of idempotencyTable(engine)) await execute(music, statement)
    const counter = statementCounter()
    const api = client(serverOn(music, { onStatement: counter.onStatement }))
    const plain = client(musicServer(music.database, { onStatement: counter.onStatement }))
    await api.post('/artists', keyed(null, 'first'))
    const without = await counter.during(() => plain.post('/artists', keyed('k', 'x')))
    expectStatements(await counter.during(() => api.post('/artists', keyed(null, 'x'))), without.length)
    expectStatements(await counter.during(() => api.get('/artists/1', { headers: { 'Idempotency-Key': 'k' } })), 1)
    // Finding the key, and the lock; the write; storing the response, and removing others. The first time also the count of the keys.
    const reads = engine === 'postgres' ? 2 : 1
    expectStatements(await counter.during(() => api.post('/artists', keyed('j', 'x'))), { reads: reads + 1, writes: 3 })
    expectStatements(await counter.during(() => api.post('/artists', keyed('k', 'x'))), { reads, writes: 3 })
    expectStatements(await counter.during(() => api.post('/artists', keyed('k', 'x'))), { reads, writes: 0 })
  })

  test('a caller has as many keys as the setting allows, counted by the primary key', async () => {
    const music = await opened(open)
    for (const statement of idempotencyTable(engine)) await execute(music, statement)
    const statements: RanStatement[] = []
    const idempotency = { maxKeys: 2 }
    const onStatement = (event: RanStatement): void => void statements.push(event)
    const api = client(musicServer(music.database, { onStatement, settings: { ...settings, idempotency } }))
    const statuses: number[] = []
    for (const key of ['a', 'b', 'c', 'a']) statuses.push((await api.post('/artists', keyed(key, key))).status)
    expect(statuses).toEqual([201, 201, 429, 201])
    expect(await music.rows('select name from artists order by name')).toEqual([{ name: 'a' }, { name: 'b' }])
    const count = statements.find(({ sql }) => sql.startsWith('select count(*), min('))?.sql ?? ''
    expect(await planOf(music, count)).toMatch(
      engine === 'sqlite' ? /\(caller=\?\)/ : /Index Cond: \(caller = 'x'::text\)/,
    )
  })

  test('a few responses that have expired are removed by each write', async () => {
    const music = await opened(open)
    for (const statement of idempotencyTable(engine)) await execute(music, statement)
    const server = serverOn(music)
    for (let turn = 1; turn <= 25; turn += 1) {
      const values = `'c', 'k${turn}', 'POST /x', 'h', 201, '[]', null, ${turn}`
      await execute(music, `insert into ashlar_idempotency values (${values})`)
    }
    const count = async (): Promise<unknown> => {
      const [row] = await music.rows('select count(*) as count, min(expires_at) as first from ashlar_idempotency')
      return [Number(row?.['count']), Number(row?.['first'])]
    }
    await client(server).post('/artists', keyed('k', 'Low'))
    expect(await count()).toEqual([16, 11])
    expect(await server.removeExpiredKeys()).toBe(15)
    expect(await isReplayed(client(server).post('/artists', keyed('k', 'Low')))).toBe(true)
  })
})

/** Returns how a database runs a statement, if the table were large. */
async function planOf({ database }: OpenMusic, sql: string): Promise<string> {
  if (!(database instanceof Pool)) return JSON.stringify(database.prepare(`explain query plan ${sql}`).all('x', 0, 1))
  const connection = await database.connect()
  try {
    await connection.query('begin; set local enable_seqscan = off; set local enable_bitmapscan = off')
    const bound = sql.replace('$1', "'x'").replace('$2', '0').replace('$3', '1')
    return JSON.stringify((await connection.query(`explain ${bound}`)).rows)
  } finally {
    await connection.query('rollback')
    connection.release()
  }
}

/** Two servers with their own connections. */
async function servers(options: SqlDataOptions = {}) {
  const schema = await scratchSchema()
  ending.push(() => schema.drop())
  const pools = [1, 2].map(() => new Pool({ connectionString: schema.url, max: 6 }))
  ending.push(() => Promise.all(pools.map((pool) => pool.end())))
  const [first] = pools
  if (first === undefined) throw new Error('There is no pool.')
  await migrateMusic(first, 0)
  for (const statement of idempotencyTable('postgres')) await first.query(statement)
  const both = pools.map((database) => serverOn({ database }, options))
  const names = async (): Promise<readonly string[]> =>
    (await first.query<{ name: string }>('select name from artists order by id')).rows.map(({ name }) => name)
  return { both, names, pool: first }
}

describe('servers of several processes on PostgreSQL', () => {
  test('commit a replayed request as one that writes, so that it waits for a synchronous standby', async () => {
    const { both, pool } = await servers()
    const [one] = both
    if (one === undefined) throw new Error('There is no server.')
    await client(one).post('/artists', keyed('k', 'Low'))
    const ids = async (): Promise<string | undefined> =>
      (await pool.query<{ next: string }>('select pg_snapshot_xmax(pg_current_snapshot()) as next')).rows[0]?.next
    // Other tests may write meanwhile, but not in each of many tries.
    const grows = async (): Promise<boolean> => {
      const before = await ids()
      expect(await isReplayed(client(one).post('/artists', keyed('k', 'Low')))).toBe(true)
      return (await ids()) !== before
    }
    const all = []
    for (let run = 0; run < 5; run += 1) all.push(await grows())
    expect(all).toEqual([true, true, true, true, true])
  })

  test('do not use an advisory lock if the database has none', async () => {
    const counter = statementCounter()
    const { both } = await servers({ advisoryLocks: false, onStatement: counter.onStatement })
    const [one] = both
    if (one === undefined) throw new Error('There is no server.')
    await client(one).post('/artists', keyed('first', 'Low'))
    const ran = await counter.during(() => client(one).post('/artists', keyed('k', 'Can')))
    expectStatements(ran, { reads: 1, writes: 3 })
    expect(ran.some(({ sql }) => sql.includes('advisory'))).toBe(false)
  })

  test('refuse a key that another one uses, and replay its response afterwards', async () => {
    const { both, names } = await servers()
    const [one, other] = both
    if (one === undefined || other === undefined) throw new Error('There are no servers.')
    const [begun, go] = [signal(), signal()]
    const remove = one.on('BeforeCreate', async () => {
      begun.give()
      await go.given
    })
    const first = client(one).post('/artists', keyed('k', 'Low'))
    await begun.given
    const second = await client(other).post('/artists', keyed('k', 'Low'))
    expect([second.status, second.errors[0]?.code]).toEqual([409, 'IDEMPOTENCY_KEY_IN_USE'])
    expect((await client(other).post('/artists', keyed('l', 'Can'))).status).toBe(201)
    go.give()
    const { status, text } = await first
    const third = await client(other).post('/artists', keyed('k', 'Low'))
    expect([third.status, third.text, third.headers.get('idempotency-replayed')]).toEqual([status, text, 'true'])
    remove()
    expect(await names()).toEqual(['Can', 'Low'])
  })

  test.each<readonly [Isolation, advisoryLocks: boolean]>([
    ['read committed', true],
    ['repeatable read', true],
    ['serializable', true],
    ['read committed', false],
    ['repeatable read', false],
    ['serializable', false],
  ])('write once for each key, at isolation level %s, with advisory locks: %s', async (isolation, advisoryLocks) => {
    const { both, names } = await servers({ isolation, retries: 20, advisoryLocks })
    const keys = ['a', 'b', 'c']
    const sent = keys.flatMap((key) => both.flatMap((server) => [server, server].map((each) => [each, key] as const)))
    const responses = await Promise.all(
      sent.map(async ([server, key]) => [key, await client(server).post('/artists', keyed(key, key))] as const),
    )
    for (const key of keys) {
      const ofKey = responses.filter(([each]) => each === key).map(([, response]) => response)
      const created = ofKey.filter(({ status }) => status === 201)
      expect(new Set(created.map(({ text }) => text)).size).toBe(1)
      expect(created.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1)
      expect(ofKey.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual([])
    }
    expect((await names()).toSorted((a, b) => a.localeCompare(b))).toEqual(keys)
  })
})

test('the table may be in a schema, or in an attached database', async () => {
  expect(idempotencyTable('postgres', 'music.keys')[1]).toBe(
    'create index if not exists "keys_expires_at" on "music"."keys" ("expires_at")',
  )
  const database = new DatabaseSync(':memory:')
  ending.push(async () => database.close())
  await migrateMusic(database, 0)
  database.exec("attach ':memory:' as other")
  for (const statement of idempotencyTable('sqlite', 'other.keys')) database.exec(statement)
  const server = serverOn({ database }, { idempotencyTable: 'other.keys' })
  await client(server).post('/artists', keyed('k', 'Low'))
  expect(await isReplayed(client(server).post('/artists', keyed('k', 'Low')))).toBe(true)
})
