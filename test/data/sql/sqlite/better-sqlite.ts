import { DatabaseSync } from '@photostructure/sqlite'
import type {
  BetterSqliteDatabase,
  BetterSqliteStatement,
} from '../../../../src/stores/sql/dialect/sqlite/driver/sqlite-database.js'

/** The API of better-sqlite3 over another library: the part that the driver uses, with its results and errors. */
export class BetterSqlite implements BetterSqliteDatabase {
  readonly name: string
  readonly memory: boolean
  readonly options: object
  readonly #database: InstanceType<typeof DatabaseSync>

  constructor(name: string, options: { readonly readonly?: boolean } = {}) {
    this.name = name
    this.memory = name === ':memory:'
    this.options = options
    this.#database = new DatabaseSync(name, { readOnly: options.readonly === true })
  }

  get open(): boolean {
    return this.#database.isOpen
  }

  get inTransaction(): boolean {
    return this.#database.isTransaction
  }

  exec(sql: string): this {
    this.#database.exec(sql)
    return this
  }

  close(): this {
    this.#database.close()
    return this
  }

  prepare(sql: string): BetterSqliteStatement {
    if (!this.open) throw new TypeError('The database connection is not open')
    const statement = this.#database.prepare(sql)
    const reader = statement.columns().length > 0
    let isExact = false
    const columns = (): { name: string }[] => {
      if (!reader) throw new TypeError('The columns() method is only for statements that return data')
      return statement.columns().map(({ name }) => ({ name }))
    }
    return {
      reader,
      columns,
      raw(enabled) {
        columns()
        statement.setReturnArrays(enabled)
      },
      safeIntegers(enabled) {
        isExact = enabled
      },
      run(...values) {
        if (reader) throw new TypeError('This statement returns data. Use get(), all(), or iterate() instead')
        return asThere(() => statement.run(...values))
      },
      all(...values) {
        columns()
        statement.setReadBigInts(true)
        const rows = asThere(() => statement.all(...values)) as unknown[][]
        return isExact
          ? rows
          : rows.map((row) => row.map((value) => (typeof value === 'bigint' ? Number(value) : value)))
      },
    }
  }
}

/** Errors with the name and the codes of that library. */
function asThere<Result>(work: () => Result): Result {
  try {
    return work()
  } catch (thrown) {
    if (!(thrown instanceof Error)) throw thrown
    const code = codes.find(([message]) => thrown.message.startsWith(message))?.[1]
    if (code === undefined) throw thrown
    const error = Object.assign(new Error(thrown.message), { name: 'SqliteError', code })
    throw error
  }
}

const codes = [
  ['UNIQUE constraint failed', 'SQLITE_CONSTRAINT_UNIQUE'],
  ['FOREIGN KEY constraint failed', 'SQLITE_CONSTRAINT_FOREIGNKEY'],
  ['NOT NULL constraint failed', 'SQLITE_CONSTRAINT_NOTNULL'],
  ['database is locked', 'SQLITE_BUSY'],
] as const
