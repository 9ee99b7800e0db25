import { createServer, defineResource, id } from 'ashlar'
import type { OverloadSettings } from '../../../../src/server/assembly/declared/overload-settings.js'
import { sqlData, table } from 'ashlar/sql'
import { expectErrors, type TestClient, type TestResponse } from 'ashlar/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SqliteDatabase } from '../../../../src/stores/sql/dialect/sqlite/driver/sqlite-database.js'
import { client, resourceBody } from '../../../support/client.js'
import { sqliteDriver } from '../../../../src/stores/sql/dialect/sqlite/driver/sqlite-driver.js'
import { noRequest, scratchFiles, statement, written } from './scratch-files.js'

/** Another connection holds the write lock of the file. Time is virtual: it passes only when a test says so. */

const files = scratchFiles()

interface Album {
  readonly id: number
  readonly title: string
}

const busyTimeout = 5000

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

interface Locked {
  readonly api: TestClient
  readonly database: SqliteDatabase
  readonly lock: () => void
  readonly free: () => void
}

interface Settings {
  readonly overload?: boolean | OverloadSettings
  readonly timeout?: number
}

const tables = 'create table if not exists albums (id integer primary key, title text not null unique)'

/** A server with its own connection. */
async function serving(database: SqliteDatabase, options: Settings = {}, hooks: object = {}): Promise<TestClient> {
  const { timeout = busyTimeout, ...settings } = options
  database.exec(tables)
  const albums = defineResource('albums', {
    model: table<Album>('albums'),
    id: id().allowClientId(),
    attributes: (a) => ({ title: a.string() }),
    hooks,
  })
  const data = files.closing(sqlData(database, { busyTimeout: timeout }))
  const api = client(createServer({ resources: [albums], data, logger: { error: () => undefined }, ...settings }))
  expect((await api.get('/albums')).status).toBe(200)
  return api
}

/** A server whose database another connection has locked. */
async function locked(settings: Settings = {}, hooks: object = {}): Promise<Locked> {
  const database = files.open('music.db')
  const api = await serving(database, settings, hooks)
  const other = files.open('music.db')
  const lock = (): void => other.exec('begin immediate')
  lock()
  return { api, database, lock, free: () => other.exec('rollback') }
}

const create = (api: TestClient, key: number): Promise<TestResponse> =>
  api.post('/albums', { body: resourceBody('albums', { title: `Album ${key}` }, String(key)) })

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Starts writes, and returns the list of the responses that have come so far. */
function creating(api: TestClient, count: number): TestResponse[] {
  const responses: TestResponse[] = []
  for (let key = 1; key <= count; key += 1) void create(api, key).then((response) => responses.push(response))
  return responses
}

const counted = (responses: readonly TestResponse[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {}
  for (const { status, errors } of responses) {
    const name = `${status} ${errors[0]?.code ?? ''}`.trim()
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const keysIn = (database: SqliteDatabase): unknown => database.prepare('select id from albums order by id').all()

const hooked = { async beforeCreate() {} }

describe.each([
  ['a single statement', {}],
  ['a transaction', hooked],
])('A write that is %s', (_name, hooks) => {
  it('waits for the other process for the busy timeout in all, and is then 503', async () => {
    const { api, database, free } = await locked({}, hooks)
    const responses = creating(api, 1)
    await vi.advanceTimersByTimeAsync(busyTimeout - 100)
    expect(responses).toEqual([])
    await vi.advanceTimersByTimeAsync(200)
    expect(counted(responses)).toEqual({ '503 STORE_UNAVAILABLE': 1 })
    expect(responses[0]?.headers.get('Retry-After')).toBe('1')
    free()
    expect(keysIn(database)).toEqual([])
  })

  it('waits together with all others: none has to wait again after them', async () => {
    const { api } = await locked({}, hooks)
    const responses = creating(api, 150)
    await vi.advanceTimersByTimeAsync(busyTimeout + 100)
    expect(counted(responses)).toEqual({ '503 STORE_UNAVAILABLE': 150 })
  })

  it('happens if the lock is freed in time', async () => {
    const { api, database, free } = await locked({}, hooks)
    const responses = creating(api, 3)
    await vi.advanceTimersByTimeAsync(busyTimeout - 100)
    free()
    await vi.advanceTimersByTimeAsync(50)
    expect(counted(responses)).toEqual({ 201: 3 })
    expect(keysIn(database)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  })
})

it('A wait for the next lock of another process begins anew', async () => {
  const { api, lock, free } = await locked()
  for (const key of [1, 2]) {
    const response = create(api, key)
    await vi.advanceTimersByTimeAsync(busyTimeout - 100)
    free()
    await vi.advanceTimersByTimeAsync(50)
    expect((await response).status).toBe(201)
    lock()
  }
})

it('A unique value that the other process has taken is refused as usual', async () => {
  const { api, free } = await locked()
  const other = files.open('music.db')
  const response = create(api, 1)
  await vi.advanceTimersByTimeAsync(100)
  free()
  other.exec("insert into albums values (7, 'Album 1')")
  await vi.advanceTimersByTimeAsync(50)
  expectErrors(await response, [{ status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/title' }])
})

it('Of two processes that create the same unique values, one has each, and the other is refused as usual', async () => {
  const slow = { beforeCreate: () => pause(3) }
  // Shorter than all writes of one of them take together, 600 ms.
  const settings = { timeout: 400 }
  const both = [
    await serving(files.open('music.db'), settings, slow),
    await serving(files.open('music.db'), settings, slow),
  ]
  const responses: TestResponse[] = []
  for (let at = 0; at < 400; at += 1) {
    const [api, title] = [both[at % 2] as TestClient, `Album ${Math.floor(at / 2) % 40}`]
    void api.post('/albums', { body: resourceBody('albums', { title }) }).then((response) => responses.push(response))
  }
  await vi.advanceTimersByTimeAsync(busyTimeout)
  expect(counted(responses)).toEqual({ 201: 40, '422 VALIDATION_FAILED': 360 })
})

it('The connection never waits by itself, which would block the process', async () => {
  const { database } = await locked()
  expect(Object.values(database.prepare('pragma busy_timeout').all()[0] as object)).toEqual([0])
})

it('A process whose writers never cease leaves the lock to others from time to time', async () => {
  files.open('music.db').exec(tables)
  const [busy, other] = [1, 2].map(() => files.closing(sqliteDriver(files.open('music.db'), { busyTimeout })))
  if (busy === undefined || other === undefined) throw new Error('There is no driver.')
  for (const driver of [busy, other]) await written(driver, 'delete from albums')
  const ended: string[] = []
  /** A transaction of 3 ms. The next one begins in the same moment, so that others never find the lock free. */
  const transaction = async (): Promise<void> => {
    const held = await busy.hold(noRequest)
    await held.run(statement('begin immediate'))
    await pause(3)
    await held.run(statement('commit'))
    held.release(false)
    ended.push('busy')
  }
  const all = Promise.all(Array.from({ length: 1000 }, transaction))
  const write = written(other, "insert into albums (title) values ('other')").then(() => ended.push('other'))
  await vi.advanceTimersByTimeAsync(busyTimeout)
  await Promise.all([all, write])
  expect(ended.indexOf('other')).toBeLessThan(100)
})

describe('Writers that wait', () => {
  it('do not keep reads from being served', async () => {
    const { api, database, free } = await locked({ overload: true })
    const responses = creating(api, 100)
    const read = api.get('/albums')
    await vi.advanceTimersByTimeAsync(900)
    expect((await read).status).toBe(200)
    free()
    await vi.advanceTimersByTimeAsync(100)
    expect(counted(responses)).toEqual({ 201: 100 })
    expect(keysIn(database)).toHaveLength(100)
  })

  it('are as many as may run, and others are refused', async () => {
    const { api, database, free } = await locked({ overload: { concurrent: 10, queued: 50 } })
    const responses = creating(api, 40)
    await vi.advanceTimersByTimeAsync(2000)
    expect(counted(responses)).toEqual({ '503 SERVER_OVERLOADED': 30 })
    expect((await api.get('/albums')).status).toBe(200)
    free()
    await vi.advanceTimersByTimeAsync(100)
    expect(counted(responses)).toEqual({ 201: 10, '503 SERVER_OVERLOADED': 30 })
    expect(keysIn(database)).toHaveLength(10)
  })

  it('write nothing after their deadline', async () => {
    const { api, database, free } = await locked({ overload: { deadline: 1000 } })
    const responses = creating(api, 3)
    await vi.advanceTimersByTimeAsync(2000)
    expect(counted(responses)).toEqual({ '503 DEADLINE_EXCEEDED': 3 })
    free()
    await vi.advanceTimersByTimeAsync(100)
    expect(keysIn(database)).toEqual([])
  })
})
