import type { EngineName } from '../../../core/util/engine-name.js'
import type { SqlDialect } from './dialect.js'
import { postgresDialect } from './postgres/postgres-dialect.js'
import { sqliteDialect } from './sqlite/sqlite-dialect.js'

/** The dialects by the name of their engine. */
export const dialects: Readonly<Record<EngineName, SqlDialect>> = { postgres: postgresDialect, sqlite: sqliteDialect }
