import { markCommitted } from '../../../driver/committed-requests.js'
import type { LimitedDriver } from '../../../driver/sql-driver.js'
import type { HeldConnection, SqlStatement } from '../../../driver/sql-statement.js'
import { unnamed } from '../../../driver/sql-statement.js'
import type { SqlDialect } from '../../dialect.js'
import { mysqlFault } from './mysql-fault.js'
import type { CheckServer } from './mysql-lease.js'
import { runOn, takeLease } from './mysql-lease.js'
import type { MysqlPool, MysqlPromisePool } from './mysql-pool.js'
import { corePool } from './mysql-pool.js'

const isolationLevel = 'set transaction isolation level'

/** Separates the two statements that begin a transaction with an isolation level. */
const separator = '; '

/** Returns a driver that runs statements on the connections of a pool of `mysql2`. It never ends the pool: the application does. */
export function mysqlDriver(given: MysqlPool | MysqlPromisePool, dialect: SqlDialect): LimitedDriver {
  const pool = corePool(given)
  const check = serverCheck(dialect)
  const take = () => takeLease(pool, check)
  const runWithin: LimitedDriver['runWithin'] = async (statement, limit) => {
    const { connection } = await take()
    try {
      const result = await runOn(connection, statement, limit)
      connection.release()
      return result
    } catch (thrown) {
      // The state of the connection is unknown.
      connection.destroy()
      throw thrown
    }
  }
  const runOnce = async (statement: SqlStatement) => {
    const lease = await take()
    try {
      const result = await lease.run(statement)
      lease.release(false)
      return result
    } catch (thrown) {
      lease.release(false)
      throw thrown
    }
  }
  return {
    dialect,
    database: pool,
    read: runOnce,
    async write(statement, { context }) {
      const result = await runOnce(statement)
      markCommitted(context)
      return result
    },
    async hold(): Promise<HeldConnection> {
      const lease = await take()
      return {
        raw: lease.connection,
        async run(statement) {
          const [first, ...others] = statementsIn(statement)
          let result = await lease.run(first)
          for (const other of others) result = await lease.run(other)
          return result
        },
        release: (broken) => lease.release(broken),
      }
    },
    runWithin,
    ping: (limit) => runWithin(unnamed('select 1'), limit).then(() => undefined),
    faultOf: mysqlFault,
  }
}

/** Returns the statements that begin a transaction: an isolation level has a statement of its own. */
export function beginning(isolation: string | undefined, access: string | undefined): string {
  const start = `start transaction${access === undefined ? '' : ` ${access}`}`
  return isolation === undefined ? start : `${isolationLevel} ${isolation}${separator}${start}`
}

function statementsIn(statement: SqlStatement): readonly [SqlStatement, ...SqlStatement[]] {
  if (!statement.sql.startsWith(isolationLevel)) return [statement]
  const [first = '', ...others] = statement.sql.split(separator)
  return [unnamed(first), ...others.map((sql) => unnamed(sql))]
}

/** Returns a function that throws if a server is not the engine of the dialect. */
function serverCheck({ name }: SqlDialect): CheckServer {
  return async (connection) => {
    const { rows } = await runOn(connection, unnamed('select version()'))
    const version = String(rows[0]?.[0])
    const engine = /mariadb/i.test(version) ? 'mariadb' : 'mysql'
    if (engine !== name) {
      throw new Error(`The server has the version '${version}': pass the option engine: '${engine}' to sqlData().`)
    }
  }
}
