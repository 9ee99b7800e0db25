import type { Pool, PoolClient } from 'pg'
import { types } from 'pg'
import type { SeedRow } from './derived-tables.js'
import { newSchema, openPool } from './open-databases.js'
import type { TestDatabase } from './sql-world.js'
import { postgresTables, quoted } from './table-statements.js'

/** A schema of its own in the database of this run. */
export function postgresDatabase(): TestDatabase {
  const pool = openPool()
  const schema = newSchema()
  const state = { isFilled: Promise.resolve() as Promise<unknown> }
  return {
    database: waitingPool(pool, () => state.isFilled),
    schema,
    fill(tables) {
      state.isFilled = pool.query(postgresTables(schema, tables))
      // Whoever waits for it is told.
      state.isFilled.catch(() => undefined)
    },
    async rows({ name, key }) {
      await state.isFilled
      const order = key === null ? 'ctid' : quoted(key)
      const text = `select * from ${schema}.${quoted(name)} order by ${order}`
      return (await pool.query<SeedRow>({ text, types: plainValues })).rows
    },
  }
}

const [int8, date] = [20, 1082]

/** Whole numbers as numbers, days as text. */
const plainValues = {
  getTypeParser(oid: number): (held: string) => unknown {
    if (oid === int8) return Number
    return oid === date ? String : types.getTypeParser(oid)
  },
}

type Taken = (error: Error | undefined, client: PoolClient | undefined, done: (release?: unknown) => void) => void

/** The same pool to everybody, who gets no connection before something is done. */
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
