import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { runCli } from '../../src/cli/run-cli.js'
import { type BuiltPackage, builtPackage } from '../support/built-package.js'
import { type ScratchSchema, scratchSchema } from '../support/scratch-schema.js'

/** What keeps a server from starting is one sentence and an exit code, of a program of one's own and of `ashlar check`. */

const main = 'test/cli/modules/main.ts'
const folder = mkdtempSync(join(tmpdir(), 'ashlar-broken-'))
const schemas: ScratchSchema[] = []
let built: BuiltPackage

beforeAll(() => {
  built = builtPackage([main])
})
afterAll(() => {
  built.remove()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(async () => {
  for (const schema of schemas.splice(0)) await schema.drop()
})

/** An SQLite file in which statements have run. */
function file(name: string, ...statements: readonly string[]): string {
  const path = join(folder, name)
  const database = new DatabaseSync(path)
  for (const statement of statements) database.exec(statement)
  database.close()
  return path
}

async function emptySchema(): Promise<string> {
  const schema = await scratchSchema()
  schemas.push(schema)
  return schema.url
}

function changed(change: (url: URL) => void): string {
  const url = new URL(inject('databaseUrl'))
  change(url)
  return url.href
}

interface Ended {
  readonly code: number
  readonly out: string
  readonly err: string
}

function started(place: string): Promise<Ended> {
  return new Promise((resolve) => {
    const options = { env: { ...env, ALBUMS_PLACE: place }, timeout: 30_000 }
    execFile(execPath, [built.pathOf(main)], options, (error, stdout, stderr) =>
      resolve({
        code: typeof error?.code === 'number' ? error.code : error === null ? 0 : -1,
        out: stdout,
        err: stderr,
      }),
    )
  })
}

async function checked(place: string): Promise<Ended> {
  vi.stubEnv('ALBUMS_PLACE', place)
  const [out, err]: [string[], string[]] = [[], []]
  const module = fileURLToPath(new URL('modules/placed.ts', import.meta.url))
  const code = await runCli(['check', module, '--database'], {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

describe('A database without trouble', () => {
  test('is served', async () => {
    const place = file('sound.db', 'create table albums (id integer primary key, title text)')
    expect(await started(place)).toEqual({ code: 0, out: '200\n', err: '' })
    expect(await checked(place)).toMatchObject({ code: 0, err: '' })
  })
})

test('a database that may only be read serves types that are only read', async () => {
  const place = file('archive.db', 'create table albums (id integer primary key)')
  const albums = defineResource('albums', { model: table<{ id: number }>('albums'), id: id(), readOnly: true })
  const database = new DatabaseSync(place, { readOnly: true })
  await expect(createServer({ resources: [albums], data: sqlData(database) }).ready()).resolves.toBeUndefined()
  database.close()
})

test.each([
  {
    name: 'a table that is missing, on SQLite',
    place: () => file('empty.db'),
    says: "The database has no table 'albums', where the type 'albums' would be kept.",
  },
  {
    name: 'a column that is missing, on SQLite',
    place: () => file('narrow.db', 'create table albums (id integer primary key, name text)'),
    says: "The table 'albums' has no column 'title' for the attribute 'title' of 'albums'.",
  },
  {
    name: 'a file that is no database',
    place: () => {
      writeFileSync(join(folder, 'text.db'), 'These are no rows. '.repeat(100))
      return join(folder, 'text.db')
    },
    says: 'The file is not an SQLite database.',
  },
  {
    name: 'a database that may only be read',
    place: () => `file:${file('protected.db', 'create table albums (id integer primary key, title text)')}?mode=ro`,
    says: 'The SQLite database may only be read: its file or its folder is write-protected.',
  },
  {
    name: 'a table that is missing, on PostgreSQL',
    place: emptySchema,
    says: "The database has no table 'albums', where the type 'albums' would be kept.",
  },
  {
    name: 'a server that is not there',
    place: () => changed((url) => (url.port = '1')),
    says: 'No PostgreSQL server listens at 127.0.0.1:1.',
  },
  {
    name: 'a password that is wrong',
    place: () => changed((url) => (url.password = 'wrong')),
    says: "PostgreSQL refuses the password of the user '",
  },
  {
    name: 'a database that is not there',
    place: () => changed((url) => (url.pathname = '/absent')),
    says: "PostgreSQL has no database 'absent'.",
  },
])('$name keeps a server from starting, in one sentence', async ({ place, says }) => {
  const broken = await place()
  const [program, command] = [await started(broken), await checked(broken)]
  expect(program).toMatchObject({ code: 1, out: '' })
  expect(command).toMatchObject({ code: 1 })
  for (const { err } of [program, command]) {
    expect(err).toContain(says)
    expect(err).not.toMatch(/\n\s+at |wrong/)
  }
  expect(program.err.trimEnd()).not.toContain('\n')
})

test('a folder that is not there is told by the library that opens the file, and by ashlar check with the line that does', async () => {
  const place = join(folder, 'none', 'albums.db')
  const says = 'Failed to open database: unable to open database file'
  expect(await started(place)).toEqual({ code: 1, out: '', err: `${says}\n` })
  const { code, err } = await checked(place)
  expect(code).toBe(1)
  expect(err).toMatch(new RegExp(`cannot be loaded: Error: ${says}\n[^]*placed\\.ts`))
})
