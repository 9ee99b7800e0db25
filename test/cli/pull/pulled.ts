import { DatabaseSync } from '@photostructure/sqlite'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listen } from 'ashlar/node'
import { testClient, type TestResponse } from 'ashlar/testing'
import { onTestFinished, vi } from 'vitest'
import type { Server } from 'ashlar'
import { ashlar, type Ended } from '../../support/cli.js'
import { execute, scratchDatabase } from '../../support/scratch-database.js'
import { scratchSchema } from '../../support/scratch-schema.js'
import { sourceFolder } from '../../support/source-folder.js'

/** Requests to the pulled service, with the documents that they send. */
interface PulledClient {
  get(path: string): Promise<TestResponse>
  post(path: string, body: object): Promise<TestResponse>
  patch(path: string, body: object): Promise<TestResponse>
  delete(path: string, body?: object): Promise<TestResponse>
}

/** A database with tables, and a folder into which they are pulled. */
export interface PulledDatabase {
  readonly folder: string
  run(sql: string): Promise<void>
  pull(...args: readonly string[]): Promise<Ended>
  /** The arguments of the command line that pull it. */
  readonly pullArguments: readonly string[]
  /** Pulls it into the folder of another one. */
  pullInto(other: PulledDatabase, ...args: readonly string[]): Promise<Ended>
  /** Returns the text of a file below `src`. */
  text(path: string): string
  /** Returns the texts of all TypeScript files below `src`, by path. */
  texts(): Readonly<Record<string, string>>
  check(): Promise<Ended>
  /** Serves it over HTTP, and verifies it. */
  verify(...args: readonly string[]): Promise<Ended>
  client(): Promise<PulledClient>
}

export const databases = { SQLite: onSqlite, PostgreSQL: onPostgres } as const

async function onSqlite(sql: string): Promise<PulledDatabase> {
  const folder = sourceFolder({})
  const file = join(folder, 'data.db')
  const run = async (statements: string): Promise<void> => {
    const database = new DatabaseSync(file)
    database.exec(statements)
    database.close()
  }
  await run(sql)
  return pulledDatabase({ folder, address: file, run })
}

async function onPostgres(sql: string): Promise<PulledDatabase> {
  const scratch = /\bcreate (?:schema|extension)\b/.test(sql) ? await scratchDatabase() : await scratchSchema()
  // A database is dropped only when every session of the server has noticed it, which may take a minute: no test waits for that.
  onTestFinished(() => ('name' in scratch ? scratch.drop() : void scratch.drop().catch(() => undefined)))
  vi.stubEnv('DATABASE_URL', scratch.url)
  const run = (statements: string): Promise<void> => execute(statements, scratch.url)
  await run(sql)
  return pulledDatabase({ folder: sourceFolder({}), address: scratch.url, run })
}

interface Opened extends Pick<PulledDatabase, 'folder' | 'run'> {
  readonly address: string
}

interface ServerModule {
  readonly server: Server<[]>
  readonly database: { readonly end?: () => Promise<void>; readonly close?: () => void }
}

function pulledDatabase({ folder, address, run }: Opened): PulledDatabase {
  const source = join(folder, 'src')
  const serverFile = join(source, 'server.ts')
  const pullArguments = ['pull', address, '--output', join(source, 'resources')]
  const text = (path: string): string => readFileSync(join(source, path), 'utf8')
  const load = async (): Promise<ServerModule> => {
    vi.stubEnv('DATABASE_FILE', address)
    const module = (await import(/* @vite-ignore */ pathToFileURL(serverFile).href)) as ServerModule
    return module
  }
  const closing = async (): Promise<ServerModule> => {
    const module = await load()
    onTestFinished(async () => {
      await module.database.end?.()
      module.database.close?.()
    })
    return module
  }
  let opened: Promise<ServerModule> | null = null
  const once = (): Promise<ServerModule> => (opened ??= closing())
  return {
    folder,
    run,
    pullArguments,
    pull: (...args) => ashlar(...pullArguments, ...args),
    pullInto: (other, ...args) => ashlar('pull', address, '--output', join(other.folder, 'src/resources'), ...args),
    text,
    texts: () =>
      Object.fromEntries(
        readdirSync(source, { recursive: true, encoding: 'utf8' })
          .filter((path) => path.endsWith('.ts'))
          .toSorted()
          .map((path) => [path.replaceAll('\\', '/'), text(path)]),
      ),
    async check() {
      await once()
      return ashlar('check', serverFile, '--database')
    },
    async verify(...args) {
      const listening = await listen((await once()).server)
      try {
        return await ashlar('verify', listening.url, ...args)
      } finally {
        await listening.close()
      }
    },
    async client() {
      const api = testClient((await once()).server)
      return {
        get: (path) => api.get(path),
        post: (path, body) => api.post(path, { body }),
        patch: (path, body) => api.patch(path, { body }),
        delete: (path, body) => api.delete(path, body === undefined ? {} : { body }),
      }
    },
  }
}
