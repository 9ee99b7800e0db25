import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import { openPool } from './open-databases.js'

/** A separate schema in the PostgreSQL database of this run. */
export interface ScratchSchema {
  readonly name: string
  /** Connections to it find tables there that are named without a schema. */
  readonly url: string
  drop(): Promise<void>
}

/** Makes an empty schema; for tests of the project `postgres`. */
export async function scratchSchema(): Promise<ScratchSchema> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await openPool().query(`create schema ${name}`)
  const url = new URL(inject('databaseUrl'))
  url.searchParams.set('options', `-c search_path=${name}`)
  return {
    name,
    url: url.href,
    async drop() {
      await openPool().query(`drop schema if exists ${name} cascade`)
    },
  }
}
