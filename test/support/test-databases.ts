import { inject } from 'vitest'
import type { SqlDataOptions } from 'ashlar/sql'
import type { DerivedTable } from './derived-tables.js'
import { mariadbDatabase } from './mariadb-database.js'
import { postgresDatabase } from './postgres-database.js'
import { sqliteDatabase } from './sqlite-database.js'
import type { TestDatabase } from './test-database.js'

/** The stores that are databases. */
export type SqlStoreName = 'sqlite' | 'postgres' | 'mariadb'

const databases: Readonly<Record<SqlStoreName, (tables: readonly DerivedTable[], hasKeys?: boolean) => TestDatabase>> =
  {
    sqlite: sqliteDatabase,
    postgres: postgresDatabase,
    mariadb: mariadbDatabase,
  }

/** A database of a store with these tables, and an empty one for `Idempotency-Key` if asked for. */
export function testDatabase(store: SqlStoreName, tables: readonly DerivedTable[], hasKeys = false): TestDatabase {
  return databases[store](tables, hasKeys)
}

/** The options of `sqlData()` for a database of a test. */
export function databaseOptions(
  store: SqlStoreName,
  { schema }: Pick<TestDatabase, 'schema'>,
): Pick<SqlDataOptions, 'schema' | 'engine'> {
  return {
    ...(schema === null ? {} : { schema }),
    ...(store === 'mariadb' ? { engine: inject('mysqlEngine') } : {}),
  }
}
