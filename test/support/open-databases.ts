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
  /** The definition of its tables. */
  readonly shape: string
}

/**
 * Connections and tables of this worker, for all test files that it runs: to connect and to create tables takes longer than
 * most tests. The end of the run drops the schemas: see postgres-setup.ts.
 */
interface Shared {
  pool: Pool | null
  /** Schemas that no test uses any more, by the shape of their tables. */
  readonly free: Map<string, string[]>
}

/** The databases that the running test file has opened. */
interface Open {
  /** All schemas of the file, with the last work on each that fills it. */
  schemas: Map<string, Promise<unknown>>
  /** Databases of the running test. */
  taken: Schema[]
  /** Databases of the file that were created outside of tests. */
  lasting: Schema[]
  /** Where SQLite files are. */
  folder: string | null
  files: DatabaseSyncInstance[]
  isInTest: boolean
}

const nothing = (): Open => ({
  schemas: new Map(),
  taken: [],
  lasting: [],
  folder: null,
  files: [],
  isInTest: false,
})

const shared: Shared = { pool: null, free: new Map() }
let open = nothing()

/** One pool for all stores of the worker. */
export function openPool(): Pool {
  shared.pool ??= new Pool({ connectionString: inject('databaseUrl') }).on('error', () => {
    // The server ends before the worker does.
  })
  return shared.pool
}

/** A schema with tables of this shape that an earlier test has used, or the name for a new one. */
export function takeSchema(shape: string): { readonly schema: string; readonly isNew: boolean } {
  const left = shared.free.get(shape)?.pop()
  const schema = left ?? `${inject('sharedSchemas')}${randomBytes(8).toString('hex')}`
  if (!open.schemas.has(schema)) open.schemas.set(schema, Promise.resolve())
  // Databases that are created outside of tests are used by all of them.
  const list = open.isInTest ? open.taken : open.lasting
  list.push({ schema, shape })
  return { schema, isNew: left === undefined }
}

/** Fills a schema, after its former user has done so: a test may end without using its stores. */
export function fillSchema(schema: string, text: string, run = runOnPostgres): Promise<unknown> {
  const filled = (open.schemas.get(schema) ?? Promise.resolve()).then(() => run(text))
  open.schemas.set(schema, filled)
  filled.catch((error: Error) => {
    withdrawSchema(schema)
    // Waiting users see it as a lost server.
    console.error(`The tables of a test store cannot be made: ${error.message}`)
  })
  return filled
}

function runOnPostgres(text: string): Promise<unknown> {
  return openPool().query(text)
}

/** Withdraws a schema from reuse, because its tables have changed. */
export function withdrawSchema(schema: string): void {
  const isOther = (each: Schema): boolean => each.schema !== schema
  open.taken = open.taken.filter(isOther)
  open.lasting = open.lasting.filter(isOther)
}

/** An empty database in a file that is removed after the test file. */
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

/** After each test: its stores are no longer used. */
export function endTest(): void {
  open.isInTest = false
  free(open.taken.splice(0))
}

/** After each test file. */
export async function closeDatabases(): Promise<void> {
  const { schemas, taken, lasting, files, folder } = open
  open = nothing()
  for (const file of files) if (file.isOpen) file.close()
  if (folder !== null) rmSync(folder, { recursive: true, force: true })
  await Promise.allSettled(schemas.values())
  free([...taken, ...lasting])
}

function free(schemas: readonly Schema[]): void {
  for (const { schema, shape } of schemas) shared.free.set(shape, [...(shared.free.get(shape) ?? []), schema])
}
