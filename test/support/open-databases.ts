import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { Pool } from 'pg'
import { inject } from 'vitest'

interface Schema {
  readonly schema: string
  /** What its tables are like. */
  readonly shape: string
}

/** What the running test file has opened. */
interface Open {
  pool: Pool | null
  /** All schemas of the file, with the last work on each that fills it. */
  schemas: Map<string, Promise<unknown>>
  /** Those of the test that runs. */
  taken: Schema[]
  /** Those of tests that are over, by the shape of their tables. */
  free: Map<string, string[]>
  /** Where SQLite files are. */
  folder: string | null
  files: DatabaseSyncInstance[]
  isInTest: boolean
}

const nothing = (): Open => ({
  pool: null,
  schemas: new Map(),
  taken: [],
  free: new Map(),
  folder: null,
  files: [],
  isInTest: false,
})

let open = nothing()

/** One pool for all stores of a file. */
export function openPool(): Pool {
  open.pool ??= new Pool({ connectionString: inject('databaseUrl') })
  return open.pool
}

/** A schema that is dropped after the file: one with such tables that a test has left, or a name for a new one. */
export function takeSchema(shape: string): { readonly schema: string; readonly isNew: boolean } {
  const left = open.free.get(shape)?.pop()
  const schema = left ?? `test_${randomBytes(8).toString('hex')}`
  if (left === undefined) open.schemas.set(schema, Promise.resolve())
  // What is made outside of tests is there for all of them.
  if (open.isInTest) open.taken.push({ schema, shape })
  return { schema, isNew: left === undefined }
}

/** Fills a schema, after whoever had it before has done so: a test may end without ever asking its stores for anything. */
export function fillSchema(schema: string, text: string): Promise<unknown> {
  const pool = openPool()
  const filled = (open.schemas.get(schema) ?? Promise.resolve()).then(() => pool.query(text))
  open.schemas.set(schema, filled)
  filled.catch((error: Error) => {
    keepSchema(schema)
    // Those who wait for it take it for a server that is gone.
    console.error(`The tables of a test store cannot be made: ${error.message}`)
  })
  return filled
}

/** Nobody takes this one again: it has got other tables. */
export function keepSchema(schema: string): void {
  open.taken = open.taken.filter((each) => each.schema !== schema)
}

/** An empty database in a file that is gone after the test file. */
export function newFile(): DatabaseSyncInstance {
  // In memory where the system has such a folder.
  open.folder ??= mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'ashlar-sqlite-'))
  const database = new DatabaseSync(join(open.folder, `${open.files.length}.db`))
  open.files.push(database)
  return database
}

/** Before each test. */
export function beginTest(): void {
  open.isInTest = true
}

/** After each test: nobody asks its stores for anything any more. */
export function endTest(): void {
  open.isInTest = false
  for (const { schema, shape } of open.taken) open.free.set(shape, [...(open.free.get(shape) ?? []), schema])
  open.taken = []
}

/** After each test file. */
export async function closeDatabases(): Promise<void> {
  const { pool, schemas, files, folder } = open
  open = nothing()
  for (const file of files) if (file.isOpen) file.close()
  if (folder !== null) rmSync(folder, { recursive: true, force: true })
  if (pool === null) return
  await Promise.allSettled(schemas.values())
  for (const schema of schemas.keys()) await pool.query(`drop schema if exists ${schema} cascade`)
  await pool.end()
}
