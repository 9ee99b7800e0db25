import { isModel } from '../../resource/model.js'
import type { DriverOptions, SqlDatabase } from './driver/driver-of.js'
import { isPostgresPool } from './driver/postgres/postgres-pool.js'
import { isSqliteDatabase } from './driver/sqlite/sqlite-database.js'
import type { TableModel } from './schema/table-model.js'
import { isTableModel } from './schema/table-model.js'
import type { StoreOptions } from './open-store.js'
import type { SqlTransactionOptions } from './transactions/sql-transactions.js'

/** What a store is told besides its database: see `sqlData()`. */
export interface SqlDataOptions extends StoreOptions, SqlTransactionOptions, DriverOptions {
  /** Another server with the same rows, a little behind: requests that only read are sent there. */
  readonly replica?: SqlDatabase
}

interface Expected {
  readonly words: string
  readonly takes: (value: unknown) => boolean
}

const text: Expected = { words: 'a text', takes: (value) => typeof value === 'string' && value !== '' }
const truth: Expected = { words: 'true or false', takes: (value) => typeof value === 'boolean' }
const count: Expected = {
  words: 'a whole number, 0 or more',
  takes: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
}

function oneOf(...choices: readonly string[]): Expected {
  return { words: `one of ${choices.join(', ')}`, takes: (value) => choices.some((choice) => choice === value) }
}

const expected: { readonly [Name in keyof SqlDataOptions]-?: Expected } = {
  tables: { words: 'a list of what table() answers', takes: isTables },
  schema: text,
  naming: oneOf('same', 'snake_case'),
  replica: { words: 'a database', takes: (value) => isPostgresPool(value) || isSqliteDatabase(value) },
  isolation: oneOf('read committed', 'repeatable read', 'serializable'),
  retries: count,
  statementTimeout: {
    words: 'a number of milliseconds above 0',
    takes: (value) => typeof value === 'number' && value > 0,
  },
  reader: { words: 'an SQLite database', takes: isSqliteDatabase },
  busyTimeout: count,
  prepare: truth,
  maxStatements: count,
  onStatement: { words: 'a function', takes: (value) => typeof value === 'function' },
}

/** For authors whose compiler does not look: what is misspelt here would be passed over in silence. */
export function checkOptions(options: SqlDataOptions): void {
  const known = new Map<string, Expected>(Object.entries(expected))
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const wanted = known.get(name)
    if (wanted === undefined) {
      const names = [...known.keys()].join(', ')
      throw new TypeError(`sqlData() has an option '${name}', which there is not: take one of ${names}.`)
    }
    if (value !== undefined && !wanted.takes(value))
      throw new TypeError(`sqlData() takes as '${name}' ${wanted.words}.`)
  }
  checkNames(options.tables ?? [])
}

/** They are found by their names, so that of two with one name nobody would know which is meant. */
function checkNames(tables: readonly TableModel<unknown>[]): void {
  const named = new Map<string, TableModel<unknown>>()
  for (const table of tables) {
    const { name } = table
    if ((named.get(name) ?? table) !== table) {
      throw new TypeError(
        `sqlData() has two tables with the name '${name}' in 'tables', where one is found by its name.`,
      )
    }
    named.set(name, table)
  }
}

function isTables(value: unknown): boolean {
  return Array.isArray(value) && value.every((each: unknown) => isModel(each) && isTableModel(each))
}
