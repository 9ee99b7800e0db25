import type { SqlDialect } from '../dialect.js'
import { mysqlFamily } from '../mysql/mysql-dialect.js'

/** MariaDB 10.6 and later. */
export const mariadbDialect: SqlDialect = mysqlFamily({
  name: 'mariadb',
  codePoints: 'utf8mb4_nopad_bin',
  // JSON is a name for texts with a check.
  jsonColumns: `select constraint_schema, table_name, constraint_name from information_schema.check_constraints
    where level = 'Column' and check_clause = concat('json_valid(\`', constraint_name, '\`)') and (constraint_schema, table_name) in (?)`,
  indexExpression: 'null',
  returnInserted: true,
  checksHaveTables: true,
})
