import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { inject } from 'vitest'

/** A schema of its own in the PostgreSQL database of this run. */
export interface ScratchSchema {
  readonly name: string
  /** Connections to it find tables there that are named without a schema. */
  readonly url: string
  drop(): Promise<void>
}

/** Makes an empty schema; for tests of the project `postgres`. */
export async function scratchSchema(): Promise<ScratchSchema> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await run(`create schema ${name}`)
  const url = new URL(inject('databaseUrl'))
  url.searchParams.set('options', `-c search_path=${name}`)
  return { name, url: url.href, drop: () => run(`drop schema if exists ${name} cascade`) }
}

async function run(statement: string): Promise<void> {
  const client = new Client({ connectionString: inject('databaseUrl') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
