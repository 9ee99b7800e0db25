import { DatabaseSync } from '@photostructure/sqlite'
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
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
  /** Returns the same database with a copy of the files, of which a server is loaded anew. */
  copied(): PulledDatabase
  /** Pulls it into the folder of another one. */
  pullInto(other: PulledDatabase, ...args: readonly string[]): Promise<Ended>
  /** Returns the text of a file below `src`. */
  text(path: string): string
  /** Returns the texts of all TypeScript files below `src`, by path. */
  texts(): Readonly<Record<string, string>>
  check(): Promise<Ended>
  /** Serves it over HTTP, and verifies it. */
  verify(...args: readonly string[]): Promise<Ended>
  /** Returns a client with a token, after the server is changed to permit writes. */
  client(): Promise<PulledClient>
  /** Returns the server as it is pulled. */
  server(options?: { readonly token: string | undefined }): Promise<Server<[]>>
}

export const databases = { SQLite: onSqlite, PostgreSQL: onPostgres } as const

/** A project of its own, so that no file is written next to the tests. */
const project = { 'package.json': '{ "type": "module" }' }

async function onSqlite(sql: string): Promise<PulledDatabase> {
  const folder = sourceFolder(project)
  const file = join(folder, 'data.db')
  const run = async (statements: string): Promise<void> => {
    const database = new DatabaseSync(file)
    // Each statement is a transaction of its own.
    database.exec(`pragma synchronous = off; pragma journal_mode = memory; ${statements}`)
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
  return pulledDatabase({ folder: sourceFolder(project), address: scratch.url, run })
}

const tokenOfTests = 'token-of-tests'

const headers = { authorization: `Bearer ${tokenOfTests}` }

/** Changes the line of the server that denies all writes, as its comment proposes. */
function permitWrites(serverFile: string): void {
  const text = readFileSync(serverFile, 'utf8')
  if (text.includes('view: p.signedIn(), create')) return
  const [, rules = ''] = /To let them write, add: (.*)/.exec(text) ?? []
  writeFileSync(serverFile, text.replace('view: p.signedIn() })', `view: p.signedIn(), ${rules} })`))
}

interface Opened extends Pick<PulledDatabase, 'folder' | 'run'> {
  readonly address: string
}

interface ServerModule {
  readonly server: Server<[]>
  readonly database: { close(): Promise<void> }
}

function pulledDatabase({ folder, address, run }: Opened): PulledDatabase {
  const source = join(folder, 'src')
  const serverFile = join(source, 'server.ts')
  const pullArguments = ['pull', address, '--output', join(source, 'resources')]
  const text = (path: string): string => readFileSync(join(source, path), 'utf8')
  const load = async (token: string | undefined): Promise<ServerModule> => {
    vi.stubEnv('DATABASE_FILE', address)
    vi.stubEnv('API_TOKEN', token)
    const module = (await import(/* @vite-ignore */ pathToFileURL(serverFile).href)) as ServerModule
    return module
  }
  const closing = async (token: string | undefined): Promise<ServerModule> => {
    const module = await load(token)
    onTestFinished(() => module.database.close())
    return module
  }
  let opened: Promise<ServerModule> | null = null
  const once = (token: string | undefined): Promise<ServerModule> => (opened ??= closing(token))
  const permitting = (): Promise<ServerModule> => {
    permitWrites(serverFile)
    return once(tokenOfTests)
  }
  return {
    folder,
    run,
    pullArguments,
    pull: (...args) => ashlar(...pullArguments, ...args),
    pullInto: (other, ...args) => ashlar('pull', address, '--output', join(other.folder, 'src/resources'), ...args),
    copied() {
      const copy = sourceFolder(project)
      cpSync(source, join(copy, 'src'), { recursive: true })
      return pulledDatabase({ folder: copy, address, run })
    },
    text,
    texts: () =>
      Object.fromEntries(
        readdirSync(source, { recursive: true, encoding: 'utf8' })
          .filter((path) => path.endsWith('.ts'))
          .toSorted()
          .map((path) => [path.replaceAll('\\', '/'), text(path)]),
      ),
    async check() {
      await permitting()
      return ashlar('check', serverFile, '--database')
    },
    async verify(...args) {
      const listening = await listen((await permitting()).server)
      try {
        return await ashlar('verify', listening.url, '--header', `Authorization: ${headers.authorization}`, ...args)
      } finally {
        await listening.close()
      }
    },
    server: async (options = { token: tokenOfTests }) => (await once(options.token)).server,
    async client() {
      const api = testClient((await permitting()).server)
      return {
        get: (path) => api.get(path, { headers }),
        post: (path, body) => api.post(path, { body, headers }),
        patch: (path, body) => api.patch(path, { body, headers }),
        delete: (path, body) => api.delete(path, body === undefined ? { headers } : { body, headers }),
      }
    },
  }
}
