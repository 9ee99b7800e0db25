import { isModel } from '../../declare/resource/parts/model.js'
import { isTypeList } from '../common/data-source.js'
import type { Waivers } from './apply-waivers.js'
import { poolDialects } from './dialect/dialects.js'
import { isSqliteDatabase } from './dialect/sqlite/driver/sqlite-database.js'
import type { DriverOptions } from './driver/driver-of.js'
import type { StoreOptions } from './open-store.js'
import { instantNotations } from './schema/instant-notation.js'
import type { TableModel } from './schema/table-model.js'
import { isTableModel } from './schema/table-model.js'
import { isSlowStatementSettings } from './statement/ran-statement.js'
import type { SqlTransactionOptions } from './transactions/sql-transactions.js'

/** The options of `sqlData()`. */
export interface SqlDataOptions extends StoreOptions, SqlTransactionOptions, DriverOptions {
  /**
   * The names of the types that the store serves, if the server has several stores. Default: those whose model is made
   * with `table()` or named in `tables`.
   */
  readonly types?: readonly string[]
  /**
   * Findings of `server.ready()` and `ashlar check --database` that cannot be fixed, by name, each with the reason:
   * `{ 'unique-key:payments': 'Partitioned by month; ids come from one sequence.' }`.
   */
  readonly waive?: Waivers
  /**
   * The table of responses to requests with an `Idempotency-Key`, if a server has the setting `idempotency`. Default:
   * `ashlar_idempotency`, which {@link idempotencyTable} creates.
   */
  readonly idempotencyTable?: string
  /**
   * Whether an advisory lock marks an `Idempotency-Key` as used. Turn it off on a database that speaks the protocol of PostgreSQL
   * and has no such locks. PostgreSQL only. Default: true.
   */
  readonly advisoryLocks?: boolean
}

interface OptionRule {
  /** Completes the sentence "The option must be …". */
  readonly description: string
  readonly accepts: (value: unknown) => boolean
}

const text: OptionRule = {
  description: 'a non-empty string',
  accepts: (value) => typeof value === 'string' && value !== '',
}
const trueOrFalse: OptionRule = { description: 'true or false', accepts: (value) => typeof value === 'boolean' }
const count: OptionRule = {
  description: 'a whole number, 0 or more',
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
}

function oneOf(...choices: readonly string[]): OptionRule {
  return { description: `one of ${choices.join(', ')}`, accepts: (value) => choices.some((choice) => choice === value) }
}

const rules: { readonly [Name in keyof SqlDataOptions]-?: OptionRule } = {
  types: { description: 'an array of names of types', accepts: isTypeList },
  tables: { description: 'an array of models made with table()', accepts: isTables },
  schema: text,
  naming: oneOf('same', 'snake_case'),
  instants: oneOf(...instantNotations),
  isolation: oneOf('read committed', 'repeatable read', 'serializable'),
  retries: count,
  statementTimeout: {
    description: 'a number of milliseconds above 0',
    accepts: (value) => typeof value === 'number' && value > 0,
  },
  session: { description: 'a function', accepts: (value) => typeof value === 'function' },
  reader: { description: 'an SQLite database', accepts: isSqliteDatabase },
  busyTimeout: count,
  engine: oneOf(...Object.keys(poolDialects)),
  mapError: { description: 'a function', accepts: (value) => typeof value === 'function' },
  prepare: trueOrFalse,
  maxStatements: count,
  onStatement: { description: 'a function', accepts: (value) => typeof value === 'function' },
  slowStatements: {
    description: "an object with 'logger', which has a function 'warn', and 'milliseconds', a number of 0 or more",
    accepts: isSlowStatementSettings,
  },
  waive: { description: 'an object with a reason for each name of a finding', accepts: isWaivers },
  idempotencyTable: text,
  advisoryLocks: trueOrFalse,
}

/** Checks the options at run time, for JavaScript code: a misspelt option would be ignored silently. */
export function checkOptions(options: SqlDataOptions): void {
  const known = new Map<string, OptionRule>(Object.entries(rules))
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const rule = known.get(name)
    if (rule === undefined) {
      const names = [...known.keys()].join(', ')
      throw new TypeError(`sqlData() has no option '${name}': use one of ${names}.`)
    }
    if (value !== undefined && !rule.accepts(value))
      throw new TypeError(`The option '${name}' of sqlData() must be ${rule.description}.`)
  }
  checkNames(options.tables ?? [])
}

/** Rejects two tables with one name, since tables are looked up by name. */
function checkNames(tables: readonly TableModel<unknown>[]): void {
  const named = new Map<string, TableModel<unknown>>()
  for (const table of tables) {
    const { name } = table
    if ((named.get(name) ?? table) !== table) {
      throw new TypeError(`sqlData() has two tables with the name '${name}' in 'tables': each name must be unique.`)
    }
    named.set(name, table)
  }
}

function isWaivers(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  return Object.values(value).every((reason) => typeof reason === 'string' && reason !== '')
}

function isTables(value: unknown): boolean {
  return Array.isArray(value) && value.every((each: unknown) => isModel(each) && isTableModel(each))
}
