import type { ColumnValues, LoneWrite } from '../../../resource/capabilities/persister.js'
import { isStoreConflict } from '../../../resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowSet } from '../../../rows/row-set.js'
import { rowSet } from '../../../rows/row-set.js'
import { rethrowFault } from '../driver/raise-fault.js'
import type { SqlResult } from '../driver/sql-driver.js'
import { tableFor } from '../query/reach.js'
import { rowDecoder } from '../query/row-decoder.js'
import { propertiesOf } from '../query/wanted-columns.js'
import type { SqlTable } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import type { SqlTransactions } from '../transactions/sql-transactions.js'
import type { SetColumns } from './new-row.js'
import { newRow } from './new-row.js'
import { areThere, pointedRows } from './pointed-row.js'
import { statementOf } from './sql-writing.js'
import { insertText } from './write-row.js'

/**
 * Inserts a row by one statement, in no transaction, and answers it as stored. The statement itself looks for the rows that
 * the new one points at, and inserts nothing where one is not there. `null` where the row cannot be created so, or was not.
 */
export async function createAlone(
  store: SqlStore,
  type: CompiledType,
  values: ColumnValues,
  { context, references }: LoneWrite,
): Promise<RowSet | null> {
  const { engine } = store
  const tables = await store.tables()
  const table = tableFor(tables, type)
  // What is computed takes a second statement, and behind a view there may be anything.
  if (table.computed.length > 0 || table.live.isView) return null
  const pointed = pointedRows(references, values, { tables, engine })
  const set = pointed === null ? null : soundSet(type, table, pointed.values, store)
  if (pointed === null || set === null) return null
  const row = { table, set, ...(pointed.rows.length > 0 && { condition: areThere(pointed.rows, engine) }) }
  const statement = statementOf(store, (shape) => insertText(shape, row, engine))
  // The store is made with these.
  const transactions = store.transactions as SqlTransactions
  const inserted = transactions.alone((transaction) => store.write(statement, { transaction, context }), { context })
  const result = inserted === null ? null : await unlessRefused(inserted, store)
  const stored = result?.rows[0]
  if (stored === undefined) return null
  const { columns, decode } = answerOf(table)
  return rowSet(columns, [decode(stored)])
}

/** `null` for a row whose key cannot be one, which is told elsewhere. */
function soundSet(type: CompiledType, table: SqlTable, values: ColumnValues, { engine }: SqlStore): SetColumns | null {
  try {
    return newRow(type, table, values, engine).set
  } catch (thrown) {
    if (isStoreConflict(thrown)) return null
    throw thrown
  }
}

/**
 * What a statement comes to; `null` where the database refused it, so that nothing was stored. Where the connection was lost,
 * or the statement was stopped, nobody knows that: it must not be run again.
 */
async function unlessRefused(inserted: Promise<SqlResult>, { driver }: SqlStore): Promise<SqlResult | null> {
  try {
    return await inserted
  } catch (thrown) {
    switch (driver.faultOf(thrown)?.kind) {
      case undefined:
      case 'unavailable':
      case 'timeout':
      case 'cancelled':
        return rethrowFault(thrown, driver)
      default:
        return null
    }
  }
}

/** How rows of a table are answered. */
interface Answering {
  readonly columns: readonly string[]
  readonly decode: ReturnType<typeof rowDecoder>
}

const answering = new WeakMap<SqlTable, Answering>()

function answerOf(table: SqlTable): Answering {
  const known = answering.get(table)
  if (known !== undefined) return known
  const made = { columns: propertiesOf(table.stored), decode: rowDecoder(table.stored) }
  answering.set(table, made)
  return made
}
