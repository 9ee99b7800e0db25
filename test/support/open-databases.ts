import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { Pool } from 'pg'
import { inject } from 'vitest'

/** What the running test file has opened. */
const open = {
  pool: null as Pool | null,
  schemas: [] as string[],
  files: [] as DatabaseSyncInstance[],
  folder: null as string | null,
}

/** One pool for all stores of a file. */
export function openPool(): Pool {
  open.pool ??= new Pool({ connectionString: inject('databaseUrl') })
  return open.pool
}

/** A name for a schema that is dropped after the file. */
export function newSchema(): string {
  const schema = `test_${randomBytes(8).toString('hex')}`
  open.schemas.push(schema)
  return schema
}

/** An empty database in a file that is gone after the test file. */
export function newFile(): DatabaseSyncInstance {
  // In memory where the system has such a folder.
  open.folder ??= mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'ashlar-sqlite-'))
  const database = new DatabaseSync(join(open.folder, `${open.files.length}.db`))
  open.files.push(database)
  return database
}

/** After each test file. */
export async function closeDatabases(): Promise<void> {
  const { pool, schemas, files, folder } = { ...open }
  Object.assign(open, { pool: null, schemas: [], files: [], folder: null })
  for (const file of files) if (file.isOpen) file.close()
  if (folder !== null) rmSync(folder, { recursive: true, force: true })
  if (pool === null) return
  for (const schema of schemas) await pool.query(`drop schema if exists ${schema} cascade`)
  await pool.end()
}
