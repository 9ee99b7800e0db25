import { idempotencyTable } from 'ashlar/sql'
import type { Pool, PoolClient } from 'pg'
import type { DerivedTable, SeedRow } from './derived-tables.js'
import { fillSchema, withdrawSchema, openPool, takeSchema } from './open-databases.js'
import type { TestDatabase } from './test-database.js'
import { postgresContents, postgresTables, quoted } from './table-statements.js'

/** Represents the name of the schema when tables are compared with those of others. */
const anySchema = '*'

/** A separate schema in the database of this run. Creating tables takes long: those of closed stores are filled again. */
export function postgresDatabase(tables: readonly DerivedTable[], hasKeys = false): TestDatabase {
  const pool = openPool()
  const { schema, isNew } = takeSchema(`${postgresTables(anySchema, tables)}${hasKeys ? ' with keys' : ''}`)
  const made = isNew ? `create schema ${schema};\n${postgresTables(schema, tables)};\n` : ''
  const keys = hasKeys ? `${keyStatements(schema).join(';\n')};\n` : ''
  // One journey to the server.
  let isFilled = fillSchema(schema, made + keys + postgresContents(schema, tables))
  return {
    database: waitingPool(pool, () => isFilled),
    schema,
    add(more) {
      if (more.length === 0) return
      withdrawSchema(schema)
      isFilled = fillSchema(schema, `${postgresTables(schema, more)};\n${postgresContents(schema, more)}`)
    },
    async refill(all) {
      await isFilled
      await pool.query(postgresContents(schema, all))
    },
    async rows({ name, key }) {
      await isFilled
      const order = key === null ? 'each::text' : `each.${quoted(key)}`
      const text = `select * from ${schema}.${quoted(name)} each order by ${order}`
      return (await pool.query<SeedRow>({ text, types: plainValues })).rows
    },
  }
}

/** An empty table for `Idempotency-Key`. */
function keyStatements(schema: string): readonly string[] {
  const name = `${schema}.ashlar_idempotency`
  return [...idempotencyTable('postgres', name), `delete from ${name}`]
}

/** By the numbers that PostgreSQL gives its types; all others are texts. */
const parsers = new Map<number, (held: string) => unknown>([
  [16, (held) => held === 't'],
  [20, Number],
  [114, (held) => JSON.parse(held) as unknown],
  [701, Number],
  [1184, (held) => new Date(held)],
])

const plainValues = { getTypeParser: (oid: number) => parsers.get(oid) ?? String }

type Taken = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void

/** The same pool for all users, which gives no connection before the schema is ready. */
function waitingPool(pool: Pool, isDone: () => Promise<unknown>): Pool {
  const connect = (taken: Taken): void => {
    void isDone().then(
      () => pool.connect(taken),
      (error: Error) => taken(error, undefined, () => undefined),
    )
  }
  return new Proxy(pool, {
    get: (target, member) => (member === 'connect' ? connect : Reflect.get(target, member, target)),
  })
}
