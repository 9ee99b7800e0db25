import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import type { ServerHandle } from 'ashlar'
import type { HttpHandle } from '../../src/core/http/response.js'
import { listen, type Listening } from 'ashlar/node'
import type { TestClient } from 'ashlar/testing'
import { Client } from 'pg'
import { afterAll, beforeEach, test } from 'vitest'
import type { MusicCaller } from '../../examples/music/src/access/caller.js'
import { importCatalogue } from '../../examples/music/src/jobs/import-catalogue.js'
import { musicServer } from '../../examples/music/src/service.js'
import { openStorage, type Storage } from '../../examples/music/src/storage/storage.js'
import { client } from './client.js'
import { firstRowsAgain, putFirstRowsBy } from './first-rows.js'
import { scratchDatabase } from './scratch-database.js'

/** The music catalogue of `examples/music`, with its first rows for every test. */
export interface MusicService {
  /** The service, and its pictures. */
  readonly handle: ServerHandle
  /** The same for clients without a token: whatever they send, the admin sends it. */
  readonly adminHandle: HttpHandle
  /** Speaks to the service without a socket, as the admin unless a request names another caller. */
  readonly api: TestClient
  readonly storage: Storage
  /** Does a job, as the worker would, which is not started here. */
  work(jobId: number, inbox?: string): Promise<void>
  /** Gives it its first rows again, in the middle of a test; before each test it has them. */
  reset(): Promise<void>
  /** Serves it over HTTP, on a free port, until the tests of the `describe` are over. */
  listen(handle?: HttpHandle): Promise<Listening>
}

/** A catalogue with first rows that were put by. */
interface Catalogue {
  readonly storage: Storage
  reset(): Promise<void>
  close(): Promise<void>
}

/** One of each for all files of a worker: to make a database takes longer than most tests. */
const withCatalogues = test
  .extend('SQLite', { scope: 'worker' }, shared(sqlite))
  .extend('PostgreSQL', { scope: 'worker' }, shared(postgres))

type OnCleanup = (close: () => Promise<void>) => void

function shared(open: () => Promise<Catalogue>) {
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads there what is needed, and takes nothing but a pattern.
  return async ({}, { onCleanup }: { readonly onCleanup: OnCleanup }): Promise<Changeable> => {
    const catalogue = changeable(await open())
    onCleanup(() => catalogue.close())
    return catalogue
  }
}

/** Opens the catalogue on each engine for the tests of a `describe`; for tests of the project `postgres`. */
export const musicServices: readonly (readonly [engine: 'SQLite' | 'PostgreSQL', open: () => MusicService])[] = [
  ['SQLite', () => opened((found) => withCatalogues.beforeAll(({ SQLite }) => found(SQLite)))],
  ['PostgreSQL', () => opened((found) => withCatalogues.beforeAll(({ PostgreSQL }) => found(PostgreSQL)))],
]

function opened(onOpen: (found: (service: Changeable) => void) => void): MusicService {
  let service: Changeable
  const listening: Listening[] = []
  onOpen((found) => {
    service = found
  })
  beforeEach(() => service.refresh())
  afterAll(async () => {
    for (const each of listening.splice(0)) await each.close()
  })
  return {
    get handle() {
      return service.handle
    },
    get adminHandle(): HttpHandle {
      const { handle } = service
      return (request) => handle(request, { caller: callers.admin })
    },
    get api() {
      return service.api
    },
    get storage() {
      return service.storage
    },
    work: (jobId, inbox = shippedInbox) => importCatalogue(jobId, { db: service.storage.db, inbox }),
    reset: () => service.reset(),
    async listen(handle = service.handle) {
      const each = await listen(handle)
      listening.push(each)
      return each
    },
  }
}

interface Changeable extends Catalogue {
  readonly handle: ServerHandle
  readonly api: TestClient
  /** Resets it if it may have been changed. */
  refresh(): Promise<void>
}

/** Records whether there was a request that may write, and whether the storage was accessed. */
function changeable(catalogue: Catalogue): Changeable {
  const { storage } = catalogue
  let isChanged = false
  const server = musicServer(storage)
  const handle: ServerHandle = (request, options) => {
    isChanged ||= !['GET', 'HEAD'].includes(request.method)
    return server.handle(request, options)
  }
  return {
    handle,
    api: client({ ...server, handle }, { caller: callers.admin }),
    get storage() {
      isChanged = true
      return storage
    },
    reset: () => catalogue.reset(),
    async refresh() {
      if (isChanged) await catalogue.reset()
      isChanged = false
    },
    close: () => catalogue.close(),
  }
}

/** The users of the first rows. */
export const callers = {
  alice: { id: 1, admin: false },
  bob: { id: 2, admin: false },
  admin: { id: 3, admin: true },
} satisfies Readonly<Record<string, MusicCaller>>

/** The playlists of the first rows. */
export const roadTrip = 'b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c'
export const rainyDay = '2f1d6c5e-93b7-4d0a-9c58-7a1e0b4d3f62'

/** In milliseconds: on a busy machine, a batch of two hundred takes longer than the five seconds of the example. */
const statementTimeout = 3_600_000

const shippedInbox = fileURLToPath(new URL('../../examples/music/inbox', import.meta.url))

async function sqlite(): Promise<Catalogue> {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-music-'))
  const storage = await openStorage({ folder })
  const connection = new DatabaseSync(join(folder, 'music.db'))
  connection.exec(`attach ':memory:' as first_rows;\n${putFirstRowsBy}`)
  return {
    storage,
    reset: async () => connection.exec(firstRowsAgain.sqlite),
    async close() {
      connection.close()
      await storage.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function postgres(): Promise<Catalogue> {
  const database = await scratchDatabase()
  const storage = await openStorage({ url: database.url, folder: '', statementTimeout })
  const connection = new Client({ connectionString: database.url })
  connection.on('error', () => undefined)
  await connection.connect()
  await connection.query(`create schema first_rows;\n${putFirstRowsBy}`)
  return {
    storage,
    async reset() {
      await connection.query(firstRowsAgain.postgres)
    },
    async close() {
      await Promise.allSettled([connection.end(), storage.close()])
      // A server that this run has started ends with the last worker, with all its data, and does not wait.
      if (env['DATABASE_URL']) await database.drop()
    },
  }
}
