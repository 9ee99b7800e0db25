import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { runCli } from '../../src/tools/cli/run-cli.js'
import { builtPackage } from '../support/built-package.js'
import { endPrograms, startProgram } from '../support/program.js'
import { type ScratchSchema, scratchSchema } from '../support/scratch-schema.js'

/** A program and `ashlar check` both report in one sentence why a server cannot start, and end with exit code 1. */

const folder = mkdtempSync(join(inject('runFolder'), 'broken-'))
let schema: ScratchSchema

/** Makes an SQLite file in which statements have run. */
function file(name: string, ...statements: readonly string[]): string {
  const path = join(folder, name)
  const database = new DatabaseSync(path)
  for (const statement of statements) database.exec(statement)
  database.close()
  return path
}

/** Returns the address of the PostgreSQL server of this run, after a change. */
function changed(change: (url: URL) => void): string {
  const url = new URL(inject('databaseUrl'))
  change(url)
  return url.href
}

interface Broken {
  readonly name: string
  readonly address: () => string
  readonly message: string
}

const broken: readonly Broken[] = [
  {
    name: 'a table that is missing, on SQLite',
    address: () => file('empty.db'),
    message:
      "The database has no table 'albums', which would store the type 'albums'. Create it in a new migration, or correct the name.",
  },
  {
    name: 'a column that is missing, on SQLite',
    address: () => file('narrow.db', 'create table albums (id integer primary key, name text)'),
    message:
      "The table 'albums' has no column 'title' for the attribute 'title' of 'albums'. Add it in a new migration, or name another column with storedAs().",
  },
  {
    name: 'a file that is no database',
    address: () => {
      writeFileSync(join(folder, 'text.db'), 'These are no rows. '.repeat(100))
      return join(folder, 'text.db')
    },
    message: 'The file is not an SQLite database.',
  },
  {
    name: 'a database that may only be read',
    address: () => `file:${file('protected.db', 'create table albums (id integer primary key, title text)')}?mode=ro`,
    message: 'The SQLite database is read-only: its file or its folder is write-protected.',
  },
  {
    name: 'a table that is missing, on PostgreSQL',
    address: () => schema.url,
    message:
      "The database has no table 'albums', which would store the type 'albums'. Create it in a new migration, or correct the name.",
  },
  {
    name: 'a server that is not there',
    address: () => changed((url) => (url.port = '1')),
    message: 'No PostgreSQL server listens at 127.0.0.1:1.',
  },
  {
    name: 'a password that is wrong',
    address: () => changed((url) => (url.password = 'wrong')),
    message: "PostgreSQL refuses the password of the user '",
  },
  {
    name: 'a database that is not there',
    address: () => changed((url) => (url.pathname = '/absent')),
    message: "PostgreSQL has no database 'absent'.",
  },
]

const missing = {
  address: join(folder, 'none', 'albums.db'),
  message: 'Failed to open database: unable to open database file',
}

/** The databases of `broken`, in their order. */
let addresses: readonly string[]
let validDatabase: string

beforeAll(async () => {
  schema = await scratchSchema()
  addresses = broken.map(({ address }) => address())
  validDatabase = file('sound.db', 'create table albums (id integer primary key, title text)')
})
afterAll(async () => {
  await endPrograms()
  await schema.drop()
  rmSync(folder, { recursive: true, force: true })
})

interface Checked {
  readonly code: number
  readonly err: string
}

async function checked(address: string): Promise<Checked> {
  vi.stubEnv('ALBUMS_DATABASE', address)
  const err: string[] = []
  const module = fileURLToPath(new URL('modules/database-from-environment.ts', import.meta.url))
  const code = await runCli(['check', module, '--database'], {
    out: () => undefined,
    err: (text) => err.push(text),
  })
  return { code, err: err.join('\n') }
}

// One process for all of them: it ends by itself, so none of them leaves a handle open, nor an unhandled error.
test('a program reports each broken database in one sentence, still serves the valid one, and ends by itself', async () => {
  const program = startProgram(builtPackage().pathOf('test/cli/modules/main.ts'), {
    args: [...addresses, missing.address, validDatabase],
  })
  const code = await program.ended
  const { stdout, stderr } = program.output()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '200\n' })
  const messages = [...broken.map(({ message }) => expect.stringContaining(message) as string), missing.message, '']
  expect(stderr.split('\n')).toEqual(messages)
  expect(stderr).not.toContain('wrong')
})

test('a process that must not generate code reports it before it listens, in one sentence', async () => {
  const program = startProgram(builtPackage().pathOf('test/cli/modules/main.ts'), {
    args: [validDatabase],
    environment: { NODE_OPTIONS: '--disallow-code-generation-from-strings' },
  })
  expect(await program.ended).toBe(1)
  const { stdout, stderr } = program.output()
  expect(stdout).toBe('')
  expect(stderr.split('\n')).toEqual([
    expect.stringMatching(/^The type 'albums' checks values by JSON Schemas,.*--disallow-code-generation-from-strings/),
    '',
  ])
})

test.each(broken.map(({ name, message }, index) => ({ name, message, index })))(
  'ashlar check reports $name, in one sentence',
  async ({ message, index }) => {
    const { code, err } = await checked(addresses[index] ?? '')
    expect(code).toBe(1)
    expect(err).toContain(message)
    expect(err).not.toMatch(/\n\s+at |wrong/)
  },
)

test('ashlar check accepts a valid database', async () => {
  expect(await checked(validDatabase)).toEqual({ code: 0, err: '' })
})

test('ashlar check reports an error of the library that opens the file with the line that caused it', async () => {
  const { code, err } = await checked(missing.address)
  expect(code).toBe(1)
  expect(err).toMatch(new RegExp(`cannot be loaded: Error: ${missing.message}\n[^]*database-from-environment\\.ts`))
})

test('a read-only database serves read-only types', async () => {
  const address = file('archive.db', 'create table albums (id integer primary key)')
  const albums = defineResource('albums', { model: table<{ id: number }>('albums'), id: id(), readOnly: true })
  const database = new DatabaseSync(address, { readOnly: true })
  await expect(createServer({ resources: [albums], data: sqlData(database) }).ready()).resolves.toBeUndefined()
  database.close()
})
