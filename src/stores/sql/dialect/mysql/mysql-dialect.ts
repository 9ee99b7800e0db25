import { DummyDriver, MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, sql } from 'kysely'
import type { SqlDialect } from '../dialect.js'
import { beginning } from './driver/mysql-driver.js'
import { mysqlCodec } from './mysql-codec.js'
import { mysqlDay, mysqlOperands, mysqlReadAs } from './mysql-comparison.js'
import { mysqlConstraints } from './mysql-constraints.js'
import { mysqlGroups } from './mysql-groups.js'
import { instantPosition } from './mysql-instant.js'
import { mysqlLists } from './mysql-lists.js'
import { mysqlSpelling } from './mysql-spelling.js'
import { mysqlSchema } from './schema/mysql-schema.js'
import type { CatalogueRules } from './schema/read-mysql-tables.js'

/** In what the engines that speak this protocol differ. */
interface FamilyMember extends CatalogueRules {
  readonly name: SqlDialect['name']
  readonly returnInserted: SqlDialect['can']['returnInserted']
  /** Whether the catalogue names the table of a check. */
  readonly checksHaveTables: boolean
}

/** Returns the record of an engine that speaks the protocol of MySQL. */
export function mysqlFamily({ name, checksHaveTables, returnInserted, ...catalogue }: FamilyMember): SqlDialect {
  const codePoints = sql.raw(catalogue.codePoints)
  return Object.freeze<SqlDialect>({
    name,
    kysely: {
      createAdapter: () => new MysqlAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new MysqlIntrospector(db),
      createQueryCompiler: () => new MysqlQueryCompiler(),
    },
    can: {
      returnRows: false,
      returnInserted,
      returnByAlias: false,
      orderNulls: 'byKey',
      // A range of row values does not use an index.
      compareRows: 'equality',
      mergeSortedParts: false,
      typeColumns: true,
      typeUuids: false,
      countViewWrites: true,
      // Only the refused statement is rolled back, unless the server rolls back all of a transaction.
      continueAfterErrors: true,
      writeConcurrently: true,
    },
    spell: mysqlSpelling(codePoints),
    lists: mysqlLists(codePoints),
    search: null,
    values: {
      codec: mysqlCodec,
      operands: mysqlOperands,
      readAs: mysqlReadAs(codePoints),
      dayIn: mysqlDay,
      // The text of an instant has all its digits.
      instantPosition: { read: (reference) => reference, decode: instantPosition },
      irregular: () => null,
      ofApplication,
    },
    groups: mysqlGroups(codePoints),
    estimates: null,
    schema: mysqlSchema(catalogue),
    constraints: mysqlConstraints({ checksHaveTables }),
    transactions: {
      begin: beginning,
      snapshot: beginning('repeatable read', 'with consistent snapshot, read only'),
      tryLock: null,
      // Statements without parameters run fastest unprepared.
      isPrepared: false,
    },
    log: null,
    limits: { parameters: 65_535 },
  })
}

/** MySQL 8.0.21 and later. */
export const mysqlDialect: SqlDialect = mysqlFamily({
  name: 'mysql',
  codePoints: 'utf8mb4_0900_bin',
  jsonColumns: null,
  indexExpression: 'expression',
  returnInserted: false,
  checksHaveTables: false,
})

/** Instants are in UTC in the database, whatever the time zone of this process is. */
function ofApplication(value: unknown): unknown {
  return value instanceof Date ? value.toISOString().slice(0, -1).replace('T', ' ') : value
}
