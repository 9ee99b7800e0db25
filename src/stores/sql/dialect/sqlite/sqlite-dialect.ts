import { DummyDriver, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { SqlDialect } from '../dialect.js'
import { sqliteSchema } from './schema/sqlite-schema.js'
import { sqliteCodec } from './sqlite-codec.js'
import { irregularValue, sqliteDay, sqliteOperands, sqliteReadAs } from './sqlite-comparison.js'
import { sqliteConstraints } from './sqlite-constraints.js'
import { sqliteGroups } from './sqlite-groups.js'
import { sqliteSearch } from './sqlite-search.js'
import { sqliteLists, sqliteSpelling } from './sqlite-spelling.js'

/** SQLite 3.35 and later. */
export const sqliteDialect: SqlDialect = Object.freeze<SqlDialect>({
  name: 'sqlite',
  kysely: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
  can: {
    returnRows: true,
    returnInserted: true,
    returnByAlias: false,
    orderNulls: 'byClause',
    // If the key is the rowid, a range of row values uses only the first column, and reads all rows that are equal in it.
    compareRows: 'equality',
    mergeSortedParts: true,
    typeColumns: false,
    typeUuids: false,
    countViewWrites: false,
    // Only the refused statement is rolled back.
    continueAfterErrors: true,
    writeConcurrently: false,
  },
  spell: sqliteSpelling,
  lists: sqliteLists,
  search: sqliteSearch,
  values: {
    codec: sqliteCodec,
    operands: sqliteOperands,
    readAs: sqliteReadAs,
    dayIn: sqliteDay,
    instantPosition: null,
    irregular: irregularValue,
    ofApplication,
  },
  groups: sqliteGroups,
  // Plans have no numbers of rows.
  estimates: null,
  schema: sqliteSchema,
  constraints: sqliteConstraints,
  transactions: {
    // A transaction that begins with a read and writes later could fail with a conflict that waiting cannot resolve.
    begin: () => 'begin immediate',
    snapshot: 'begin',
    tryLock: null,
    // All statements are prepared, and cached by their name.
    isPrepared: true,
  },
  log: null,
  limits: { parameters: 32_766 },
})

/** Converts booleans and dates, which SQLite does not have, as the store does. */
function ofApplication(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  return value instanceof Date ? value.toISOString() : value
}
