import { idempotencyTable } from 'ashlar/sql'
import type { Pool, PoolConnection } from 'mysql2'
import { inject } from 'vitest'
import type { DerivedTable, SeedRow } from './derived-tables.js'
import { valueIn } from './held-values.js'
import { mariadbContents, mariadbTables, quoted } from './mariadb-tables.js'
import { mysqlPool, runScript } from './mysql-pool.js'
import { fillSchema, takeSchema, withdrawSchema } from './open-databases.js'
import type { TestDatabase } from './test-database.js'

/** Represents the name of the database when tables are compared with those of others. */
const anySchema = '*'

/** A separate database on the server of this run. Creating tables takes long: those of closed stores are filled again. */
export function mariadbDatabase(tables: readonly DerivedTable[], hasKeys = false): TestDatabase {
  const engine = inject('mysqlEngine')
  const shape = `${mariadbTables(anySchema, tables, engine)}${hasKeys ? ' with keys' : ''}`
  const { schema, isNew } = takeSchema(shape)
  const made = isNew ? `create database ${schema};\n${mariadbTables(schema, tables, engine)};\n` : ''
  const keys = hasKeys ? `${keyStatements(schema).join(';\n')};\n` : ''
  const fill = (text: string): Promise<unknown> => fillSchema(schema, text, runScript)
  let isFilled = fill(made + keys + mariadbContents(schema, tables))
  return {
    database: waitingPool(mysqlPool(), () => isFilled),
    schema,
    add(more) {
      if (more.length === 0) return
      withdrawSchema(schema)
      isFilled = fill(`${mariadbTables(schema, more, engine)};\n${mariadbContents(schema, more)}`)
    },
    async refill(all) {
      await isFilled
      await runScript(mariadbContents(schema, all))
    },
    async rows({ name, key, columns }) {
      await isFilled
      const order = key === null ? '' : ` order by ${quoted(key)}`
      const rows = await runScript<SeedRow>(
        `select ${columns.map((column) => quoted(column.name)).join(', ')} from ${quoted(schema)}.${quoted(name)}${order}`,
      )
      return rows.map((row) =>
        Object.fromEntries(columns.map((column) => [column.name, valueIn(row[column.name], column.held)])),
      )
    },
  }
}

/** An empty table for `Idempotency-Key`. */
function keyStatements(schema: string): readonly string[] {
  const name = `${schema}.ashlar_idempotency`
  return [...idempotencyTable(inject('mysqlEngine'), name), `delete from ${name}`]
}

type Taken = (error: Error | null, connection?: PoolConnection) => void

/** The same pool for all users, which gives no connection before the tables are there. */
function waitingPool(pool: Pool, isDone: () => Promise<unknown>): Pool {
  const getConnection = (taken: Taken): void => {
    void isDone().then(
      () => pool.getConnection((error, connection) => (error === null ? taken(null, connection) : taken(error))),
      (error: Error) => taken(error),
    )
  }
  return new Proxy(pool, {
    get: (target, member): unknown =>
      member === 'getConnection' ? getConnection : Reflect.get(target, member, target),
  })
}
