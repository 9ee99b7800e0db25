import type { CompiledType } from '../../resource/compiled-type.js'
import type { Transaction } from '../../resource/capabilities/transactions.js'
import type { OperationKind, RequestContext } from '../../resource/request-context.js'
import { hasKept } from './driver/asking-request.js'
import type { SqlDriver, SqlResult, SqlStatement } from './driver/sql-driver.js'
import { rethrowFault } from './driver/raise-fault.js'
import { readTables } from './schema/resolve-tables.js'
import type { SqlTables } from './schema/sql-table.js'
import type { ColumnNaming, TableModel } from './schema/table-model.js'
import type { SqlOccasion, SqlStore } from './sql-store.js'
import type { SqlBuilder } from './statement/engine.js'
import { sqlBuilder } from './statement/engine.js'
import type { RanStatement } from './statement/ran-statement.js'
import { unwatched, watchedBy } from './statement/ran-statement.js'
import { statementCache } from './statement/statement-cache.js'
import { kyselyOn } from './transactions/kysely-on.js'
import type { SqlTransactions } from './transactions/sql-transactions.js'
import { sqlTransactionOf } from './transactions/sql-transactions.js'

export interface StoreParts {
  readonly driver: SqlDriver
  /** Where requests that only read may be sent instead. */
  readonly replica: SqlDriver | null
  readonly transactions: SqlTransactions
}

export interface StoreOptions {
  /** Tables of join rows, and of types whose model is only a name: `model('albums')` is then the table of that name. */
  readonly tables?: readonly TableModel<unknown>[]
  /** Where tables are that say nothing of it. Default: where connections look first. */
  readonly schema?: string
  /** How columns are called whose tables say nothing of it. Default: `same`. */
  readonly naming?: ColumnNaming
  /** Whether connections keep statements prepared. Turn it off behind a pooler that does not know them. Default: true. */
  readonly prepare?: boolean
  /** How many statement texts are kept. Default: 500. */
  readonly maxStatements?: number
  /** Told of every statement, after it has run. */
  readonly onStatement?: (ran: RanStatement) => void
}

/** A store that learns, while servers are built, which types it serves. */
export interface OpenStore extends SqlStore {
  learn(type: CompiledType): void
  /** For an author's own statements, which are told of like those of the store. */
  handle(place: SqlOccasion): SqlBuilder
}

export function openStore({ driver, replica, transactions }: StoreParts, options: StoreOptions): OpenStore {
  const {
    tables: models = [],
    schema = null,
    naming = 'same',
    prepare = true,
    maxStatements = 500,
    onStatement,
  } = options
  const types = new Set<CompiledType>()
  let found: Promise<SqlTables> | null = null
  let known: SqlTables | null = null
  let staleAt = Infinity
  const isWatched = onStatement !== undefined
  const watched = isWatched ? watchedBy(onStatement, driver.engine) : unwatched

  const ask = (statement: SqlStatement, { transaction, context }: SqlOccasion): Promise<SqlResult> => {
    if (transaction !== null) return sqlTransactionOf(transaction).connection.run(statement, { context })
    return (replica !== null && onlyReads(context) ? replica : driver).read(statement, { context })
  }

  /** Two servers may share a store; what the second brings is looked up anew. */
  async function find(): Promise<SqlTables> {
    try {
      const { tables, problems } = await readTables(driver, { types: [...types], models, naming, schema })
      if (problems.length > 0) staleAt = performance.now() + 1000
      return tables
    } catch (thrown) {
      return rethrowFault(thrown, driver)
    }
  }

  return {
    engine: driver.engine,
    driver,
    transactions,
    builder: sqlBuilder(driver.engine),
    statements: statementCache({ size: maxStatements, prepares: prepare }),
    handle(place) {
      const db = kyselyOn(driver, { ...place, watch: watched })
      return schema === null ? db : db.withSchema(schema)
    },
    learn(type) {
      if (types.has(type)) return
      types.add(type)
      found = null
      known = null
    },
    knownTables: () => (staleAt === Infinity ? known : null),
    tables() {
      // What is missing may be made meanwhile. A transaction may have the only connection: nobody asks within one.
      if (performance.now() > staleAt && transactions.current() === null) {
        found = null
        known = null
        staleAt = Infinity
      }
      // What could not be read, because the database was away, is asked for again.
      const asking = (found ??= find().then(
        (tables) => {
          if (found === asking) known = tables
          return tables
        },
        (thrown: unknown) => {
          if (found === asking) found = null
          throw thrown
        },
      ))
      return asking
    },
    async read(statement, occasion) {
      try {
        return await (isWatched
          ? watched(statement, occasion, () => ask(statement, occasion))
          : ask(statement, occasion))
      } catch (thrown) {
        return rethrowFault(thrown, driver)
      }
    },
    writeAlone(statement, context) {
      if (!transactions.letsAlone()) return null
      const run = (): Promise<SqlResult> => driver.write(statement, { context })
      return isWatched ? watched(statement, { transaction: null, context }, run) : run()
    },
    write(statement, { transaction, context }) {
      const run = (open: Transaction): Promise<SqlResult> =>
        watched(statement, { transaction: open, context }, () =>
          sqlTransactionOf(open).connection.run(statement, { context }),
        )
      return transaction === null ? transactions.run(run) : run(transaction)
    },
  }
}

const reads: ReadonlySet<OperationKind | 'CustomAction'> = new Set([
  'FetchResource',
  'FetchRelated',
  'FetchRelationship',
])

/** A request that writes reads where it has written, also afterwards. */
function onlyReads(context: RequestContext | null): boolean {
  return context !== null && reads.has(context.operation) && !hasKept(context)
}
