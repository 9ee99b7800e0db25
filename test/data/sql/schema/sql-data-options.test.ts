import { DatabaseSync } from '@photostructure/sqlite'
import { type SqlDataOptions, sqlData, table } from 'ashlar/sql'
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
    "sqlData() has an option 'statementTimout', which there is not: take one of tables, schema, naming, replica, isolation, retries, statementTimeout, reader, busyTimeout, prepare, maxStatements, onStatement.",
  ],
  [{ isolation: 'nonsense' }, "sqlData() takes as 'isolation' one of read committed, repeatable read, serializable."],
  [{ naming: 'kebab-case' }, "sqlData() takes as 'naming' one of same, snake_case."],
  [{ retries: -1 }, "sqlData() takes as 'retries' a whole number, 0 or more."],
  [{ busyTimeout: 0.5 }, "sqlData() takes as 'busyTimeout' a whole number, 0 or more."],
  [{ maxStatements: '500' }, "sqlData() takes as 'maxStatements' a whole number, 0 or more."],
  [{ statementTimeout: 0 }, "sqlData() takes as 'statementTimeout' a number of milliseconds above 0."],
  [{ prepare: 'no' }, "sqlData() takes as 'prepare' true or false."],
  [{ schema: '' }, "sqlData() takes as 'schema' a text."],
  [{ onStatement: {} }, "sqlData() takes as 'onStatement' a function."],
  [{ reader: {} }, "sqlData() takes as 'reader' an SQLite database."],
  [{ replica: null }, "sqlData() takes as 'replica' a database."],
  [{ replica: pool }, "sqlData() takes as 'replica' a database of the same kind as the first."],
  [{ tables: ['albums'] }, "sqlData() takes as 'tables' a list of what table() answers."],
  [{ tables: albums }, "sqlData() takes as 'tables' a list of what table() answers."],
  [
    { tables: [albums, table<{ id: number }>('albums', { naming: 'snake_case' })] },
    "sqlData() has two tables with the name 'albums' in 'tables', where one is found by its name.",
  ],
]

describe('sqlData()', () => {
  test.each(refused)('refuses %o at once', (options, sentence) => {
    expect(() => sqlData(database, options as SqlDataOptions)).toThrow(new TypeError(sentence))
  })

  test('takes what it offers, and nothing where something could be', () => {
    const options = { tables: [albums, albums], schema: undefined, retries: 0, busyTimeout: 0, maxStatements: 0 }
    expect(sqlData(database, options as object).name).toBe('sqlite')
    expect(sqlData(pool, { isolation: 'serializable', statementTimeout: 1.5, prepare: false }).name).toBe('postgres')
  })
})
