import { Kysely } from 'kysely'
import type { SqlDialect } from '../dialect/dialect.js'

/** A database type with any tables, since the store knows its tables at run time only. */
// oxlint-disable-next-line typescript/no-explicit-any -- only with `any` do Kysely's builders take any table and column
export type AnyDatabase = any

/** A Kysely instance for any tables. */
export type SqlBuilder = Kysely<AnyDatabase>

/** Returns a Kysely instance that builds statements and never runs them. */
export function sqlBuilder({ kysely }: SqlDialect): SqlBuilder {
  return new Kysely<AnyDatabase>({ dialect: kysely })
}
