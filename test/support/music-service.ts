import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { listen, type Listening } from 'ashlar/node'
import type { TestClient } from 'ashlar/testing'
import { sql } from 'kysely'
import { Client } from 'pg'
import { inject } from 'vitest'
import { withArtwork } from '../../examples/music/src/artwork.js'
import { importCatalogue } from '../../examples/music/src/jobs/import-catalogue.js'
import { musicServer } from '../../examples/music/src/service.js'
import { seed } from '../../examples/music/src/storage/seed.js'
import { openStorage, type Storage } from '../../examples/music/src/storage/storage.js'
import { client } from './client.js'

/** The music catalogue of `examples/music` with its first rows, in a database of its own. */
export interface MusicService {
  readonly server: ReturnType<typeof musicServer>
  /** Speaks to it without a socket. */
  readonly api: TestClient
  readonly storage: Storage
  /** Does a job, as the worker would, which is not started here. */
  work(jobId: number): Promise<void>
  /** Gives it its first rows again, and keys count from them on. */
  reset(): Promise<void>
  /** Serves it over HTTP, on a free port. */
  listen(): Promise<Listening>
  close(): Promise<void>
}

/** Opens the catalogue on each engine; for tests of the project `postgres`. To open one takes long, `reset()` does not. */
export const musicServices: readonly (readonly [engine: 'SQLite' | 'PostgreSQL', open: () => Promise<MusicService>])[] =
  [
    ['SQLite', sqlite],
    ['PostgreSQL', postgres],
  ]

const inbox = fileURLToPath(new URL('../../examples/music/inbox', import.meta.url))

async function sqlite(): Promise<MusicService> {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-music-'))
  return service(await openStorage({ folder }), async () => rmSync(folder, { recursive: true }))
}

async function postgres(): Promise<MusicService> {
  const name = `music_${randomBytes(8).toString('hex')}`
  await run(`create database ${name}`)
  const url = new URL(inject('databaseUrl'))
  url.pathname = `/${name}`
  return service(await openStorage({ url: url.href, folder: '' }), () => run(`drop database ${name} with (force)`))
}

function service(storage: Storage, remove: () => Promise<void>): MusicService {
  const server = musicServer(storage)
  const listening: Listening[] = []
  return {
    server,
    api: client(server),
    storage,
    work: (jobId) => importCatalogue(jobId, { db: storage.db, inbox }),
    async reset() {
      await empty(storage)
      await seed(storage)
    },
    async listen() {
      const opened = await listen(withArtwork(server.handle, storage.db))
      listening.push(opened)
      return opened
    },
    async close() {
      for (const each of listening) await each.close()
      await storage.close()
      await remove()
    },
  }
}

/** Those that point at others come first. */
const tables =
  'artworks plays favorites library_items libraries playlist_tracks playlists jobs imports devices genres products tracks albums artists users'.split(
    ' ',
  )

async function empty({ engine, db }: Storage): Promise<void> {
  const plain = db.withoutPlugins()
  if (engine === 'postgres') {
    await sql`truncate ${sql.raw(tables.join(', '))} restart identity`.execute(plain)
    return
  }
  await plain.transaction().execute(async (transaction) => {
    for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(transaction)
    await sql`delete from sqlite_sequence`.execute(transaction)
  })
}

async function run(statement: string): Promise<void> {
  const connection = new Client({ connectionString: inject('databaseUrl') })
  await connection.connect()
  try {
    await connection.query(statement)
  } finally {
    await connection.end()
  }
}
