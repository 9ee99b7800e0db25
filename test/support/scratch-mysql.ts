import { randomBytes } from 'node:crypto'
import { createPool, type Pool, type PoolOptions } from 'mysql2'
import { afterAll, inject } from 'vitest'
import { runScript, scriptOn } from './mysql-pool.js'

/** A separate database of a test file, with connections to it. */
export interface ScratchMysql {
  readonly pool: Pool
  readonly name: string
  readonly url: string
  /** Runs statements without the store, and returns the rows of the last one. */
  readonly run: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** Makes a database with tables, which is removed after the test file. */
export async function scratchMysql(statements: readonly string[] = []): Promise<ScratchMysql> {
  const { drop, ...scratch } = await newScratchMysql(statements)
  afterAll(drop)
  return scratch
}

/** Makes a database with tables. */
export async function newScratchMysql(
  statements: readonly string[] = [],
  options: PoolOptions = {},
): Promise<ScratchMysql & { readonly drop: () => Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await runScript(`create database ${name}`)
  const url = Object.assign(new URL(inject('mysqlUrl')), { pathname: `/${name}` }).href
  const pool = createPool({ uri: url, connectionLimit: 8, ...options })
  const scripts = createPool({ uri: url, connectionLimit: 1, multipleStatements: true, timezone: 'Z' })
  const drop = async (): Promise<void> => {
    await Promise.all([pool, scripts].map((each) => each.promise().end()))
    await runScript(`drop database ${name}`)
  }
  const run: ScratchMysql['run'] = (sql) => scriptOn(scripts, sql)
  for (const statement of statements) await run(statement)
  return { pool, name, url, run, drop }
}
