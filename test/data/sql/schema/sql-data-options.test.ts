import { DatabaseSync } from '@photostructure/sqlite'
import { type SqlDataOptions, sqlData, table } from 'ashlar/sql'
import type { ReplicatedDatabase } from '../../../../src/stores/sql/replicas/replicated-database.js'
import { Pool } from 'pg'
import { afterAll, describe, expect, test } from 'vitest'

const database = new DatabaseSync(':memory:')
const pool = new Pool({ max: 1 })
afterAll(async () => {
  database.close()
  await pool.end()
})

const albums = table<{ id: number }>('albums')

const refused: readonly (readonly [options: object, sentence: string])[] = [
  [
    { statementTimout: 4 },
    "sqlData() has no option 'statementTimout': use one of types, tables, schema, naming, instants, isolation, retries, statementTimeout, session, reader, busyTimeout, engine, mapError, prepare, maxStatements, onStatement, slowStatements, waive, idempotencyTable, advisoryLocks.",
  ],
  [
    { isolation: 'nonsense' },
    "The option 'isolation' of sqlData() must be one of read committed, repeatable read, serializable.",
  ],
  [{ naming: 'kebab-case' }, "The option 'naming' of sqlData() must be one of same, snake_case."],
  [{ retries: -1 }, "The option 'retries' of sqlData() must be a whole number, 0 or more."],
  [{ busyTimeout: 0.5 }, "The option 'busyTimeout' of sqlData() must be a whole number, 0 or more."],
  [{ maxStatements: '500' }, "The option 'maxStatements' of sqlData() must be a whole number, 0 or more."],
  [{ statementTimeout: 0 }, "The option 'statementTimeout' of sqlData() must be a number of milliseconds above 0."],
  [{ prepare: 'no' }, "The option 'prepare' of sqlData() must be true or false."],
  [{ advisoryLocks: 1 }, "The option 'advisoryLocks' of sqlData() must be true or false."],
  [{ schema: '' }, "The option 'schema' of sqlData() must be a non-empty string."],
  [{ onStatement: {} }, "The option 'onStatement' of sqlData() must be a function."],
  ...[{ logger: {} }, { milliseconds: -1, logger: console }, { limit: 5, logger: console }, 200].map(
    (slowStatements) =>
      [
        { slowStatements },
        "The option 'slowStatements' of sqlData() must be an object with 'logger', which has a function 'warn', and 'milliseconds', a number of 0 or more.",
      ] as const,
  ),
  [
    { waive: { 'unique-key:albums': '' } },
    "The option 'waive' of sqlData() must be an object with a reason for each name of a finding.",
  ],
  [
    { waive: ['unique-key:albums'] },
    "The option 'waive' of sqlData() must be an object with a reason for each name of a finding.",
  ],
  [{ session: { role: 'app' } }, "The option 'session' of sqlData() must be a function."],
  [
    { session: () => null },
    "The option 'session' of sqlData() needs PostgreSQL: SQLite has no roles and no row-level security. Leave it out, and write the rule with 'scope'.",
  ],
  [{ reader: {} }, "The option 'reader' of sqlData() must be an SQLite database."],
  [{ types: 'albums' }, "The option 'types' of sqlData() must be an array of names of types."],
  [{ tables: ['albums'] }, "The option 'tables' of sqlData() must be an array of models made with table()."],
  [{ tables: albums }, "The option 'tables' of sqlData() must be an array of models made with table()."],
  [
    { tables: [albums, table<{ id: number }>('albums', { naming: 'snake_case' })] },
    "sqlData() has two tables with the name 'albums' in 'tables': each name must be unique.",
  ],
]

describe('sqlData()', () => {
  test.each(refused)('refuses %o immediately', (options, sentence) => {
    expect(() => sqlData(database, options as SqlDataOptions)).toThrow(new TypeError(sentence))
  })

  test.each<readonly [members: object, sentence: string]>([
    [{ replicas: [] }, "needs PostgreSQL: 'primary' must be a Pool of pg. For SQLite, pass the database itself."],
    [
      { primary: database, replicas: [database] },
      "needs PostgreSQL: 'primary' must be a Pool of pg. For SQLite, pass the database itself.",
    ],
    [
      { primary: pool },
      "needs PostgreSQL: 'replicas' must be an array of Pools of pg. For SQLite, pass the database itself.",
    ],
    [
      { primary: pool, replicas: [database] },
      "needs PostgreSQL: 'replicas' must be an array of Pools of pg. For SQLite, pass the database itself.",
    ],
    [{ primary: pool, replicas: [pool] }, "has its 'primary' in 'replicas' too: remove it there."],
    [
      { primary: pool, replicas: [], maxLag: 1999 },
      "needs a number of at least 2,000 milliseconds as 'maxLag', or Infinity: replicas are polled once a second.",
    ],
    [{ primary: pool, replica: pool, replicas: [] }, "has no member 'replica': use one of primary, replicas, maxLag."],
  ])('refuses invalid replicas: %#', (members, sentence) => {
    expect(() => sqlData(members as ReplicatedDatabase)).toThrow(
      new TypeError(`sqlData({ primary, replicas }) ${sentence}`),
    )
  })

  test('takes all its options, and undefined for optional ones', () => {
    const options = { tables: [albums, albums], schema: undefined, retries: 0, busyTimeout: 0, maxStatements: 0 }
    expect(sqlData(database, options as object).name).toBe('sqlite')
    expect(
      sqlData(pool, { isolation: 'serializable', statementTimeout: 1.5, prepare: false, session: () => null }).name,
    ).toBe('postgres')
  })
})
