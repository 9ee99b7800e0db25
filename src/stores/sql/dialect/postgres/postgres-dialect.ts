import { DummyDriver, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { unnamed } from '../../driver/sql-statement.js'
import type { SqlDialect } from '../dialect.js'
import { postgresCodec } from './postgres-codec.js'
import { instantPosition, postgresDay, postgresOperands, postgresReadAs } from './postgres-comparison.js'
import { postgresConstraints } from './postgres-constraints.js'
import { postgresEstimates } from './postgres-estimates.js'
import { postgresGroups } from './postgres-groups.js'
import { postgresSearch } from './postgres-search.js'
import { postgresLists, postgresSpelling } from './postgres-spelling.js'
import { postgresSchema } from './schema/postgres-schema.js'
import { readPosition } from './wal-position.js'

/** PostgreSQL 12 and later. */
export const postgresDialect: SqlDialect = Object.freeze<SqlDialect>({
  name: 'postgres',
  kysely: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  can: {
    returnRows: true,
    returnInserted: true,
    returnByAlias: true,
    // An index can be used without a clause.
    orderNulls: 'asLargest',
    compareRows: 'ranges',
    mergeSortedParts: false,
    typeColumns: true,
    typeUuids: true,
    countViewWrites: true,
    // After a failed statement, it runs nothing until a rollback to an earlier savepoint, and turns a commit into a rollback.
    continueAfterErrors: false,
    writeConcurrently: true,
  },
  spell: postgresSpelling,
  lists: postgresLists,
  search: postgresSearch,
  values: {
    codec: postgresCodec,
    operands: postgresOperands,
    readAs: postgresReadAs,
    dayIn: postgresDay,
    // Seconds since the epoch, so that no microseconds are lost.
    instantPosition: { read: (reference) => sql`extract(epoch from ${reference})`, decode: instantPosition },
    irregular: () => null,
    ofApplication: (value) => value,
  },
  groups: postgresGroups,
  estimates: postgresEstimates,
  schema: postgresSchema,
  constraints: postgresConstraints,
  transactions: {
    begin: (isolation, access) =>
      `begin${isolation === undefined ? '' : ` isolation level ${isolation}`}${access === undefined ? '' : ` ${access}`}`,
    snapshot: 'begin isolation level repeatable read read only',
    tryLock: (number) => sql`pg_try_advisory_xact_lock(${number}::bigint)`,
    // Statements without parameters run fastest unprepared.
    isPrepared: false,
  },
  log: {
    // Unlike the insert position, it is never beyond the last record.
    written: unnamed('select pg_current_wal_lsn()::text'),
    // A server in recovery replays the log of another one.
    replayed: unnamed('select pg_is_in_recovery(), pg_last_wal_replay_lsn()::text'),
    notReplica: 'The server is not in recovery, so it is not a replica.',
    readPosition,
  },
  limits: { parameters: 65_535 },
})
