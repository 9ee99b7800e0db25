import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'

/** A separate, empty database on the PostgreSQL server of this run. */
export interface ScratchDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** Makes one; for tests of the project `postgres`. */
export async function scratchDatabase(): Promise<ScratchDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await execute(`create database ${name}`)
  const url = serverAddress({ pathname: `/${name}` })
  return { url, drop: () => execute(`drop database ${name} with (force)`) }
}

/** The address of the PostgreSQL server of this run, with other parts. */
export function serverAddress(parts: Partial<Pick<URL, 'pathname' | 'password'>>): string {
  return Object.assign(new URL(inject('databaseUrl')), parts).href
}

/** Runs statements on their own connection. */
export async function execute(statements: string, address: string = inject('databaseUrl')): Promise<void> {
  const connection = new Client({ connectionString: address })
  await connection.connect()
  try {
    await connection.query(statements)
  } finally {
    await connection.end()
  }
}
