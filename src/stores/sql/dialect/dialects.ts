import type { EngineName, PoolEngineName } from '../../../core/util/engine-name.js'
import type { SqlDialect } from './dialect.js'
import { mariadbDialect } from './mariadb/mariadb-dialect.js'
import { mysqlDialect } from './mysql/mysql-dialect.js'
import { postgresDialect } from './postgres/postgres-dialect.js'
import { sqliteDialect } from './sqlite/sqlite-dialect.js'

/** The dialects of the engines that a pool of `mysql2` may connect to. */
export const poolDialects: Readonly<Record<PoolEngineName, SqlDialect>> = {
  mysql: mysqlDialect,
  mariadb: mariadbDialect,
}

export const defaultPoolEngine: PoolEngineName = 'mysql'

/** The dialects by the name of their engine. */
export const dialects: Readonly<Record<EngineName, SqlDialect>> = {
  postgres: postgresDialect,
  sqlite: sqliteDialect,
  ...poolDialects,
}
