import type { CompiledQuery, Dialect } from 'kysely'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { EngineName } from '../driver/sql-driver.js'

/** Any tables: the store knows them by its models, which are data. */
// oxlint-disable-next-line typescript/no-explicit-any -- Kysely's builders take any table and column only so
export type AnyDatabase = any

/** Something that can be written as a statement. */
export interface Writable {
  compile(): CompiledQuery
}

/** Builds statements and never runs them. */
export type SqlBuilder = Kysely<AnyDatabase>

export function sqlBuilder(engine: EngineName): SqlBuilder {
  return new Kysely<AnyDatabase>({ dialect: dialectOf(engine) })
}

/** How statements of an engine are written; it runs none. */
export function dialectOf(engine: EngineName): Dialect {
  return engine === 'postgres' ? postgres : sqlite
}

const postgres: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}

const sqlite: Dialect = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new SqliteQueryCompiler(),
}
