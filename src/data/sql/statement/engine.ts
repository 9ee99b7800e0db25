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

/** A database type with any tables, since the store knows its tables at run time only. */
// oxlint-disable-next-line typescript/no-explicit-any -- only with `any` do Kysely's builders take any table and column
export type AnyDatabase = any

/** A query that can be compiled to a statement. */
export interface CompilableQuery {
  compile(): CompiledQuery
}

/** A Kysely instance for any tables. */
export type SqlBuilder = Kysely<AnyDatabase>

/** Returns a Kysely instance that builds statements and never runs them. */
export function sqlBuilder(engine: EngineName): SqlBuilder {
  return new Kysely<AnyDatabase>({ dialect: dialectOf(engine) })
}

/** Returns the Kysely dialect of an engine. Its driver runs no statements. */
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
