import type { ColumnValues, AutocommitWrite } from '../../../resource/capabilities/persister.js'
import { isStoreConflict } from '../../../resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowSet } from '../../../rows/row-set.js'
import { rowSet } from '../../../rows/row-set.js'
import { rethrowFault } from '../driver/rethrow-fault.js'
import type { SqlResult } from '../driver/sql-driver.js'
import { tableFor } from '../query/related-source.js'
import type { SqlStore } from '../sql-store.js'
import { isRefused } from './autocommit.js'
import { cachedInserts } from './cached-inserts.js'
import type { NewRow } from './new-row.js'
import { newRow } from './new-row.js'
import { referencedRows } from './referenced-rows.js'

/**
 * Inserts a row by one statement, in no transaction, and answers it as stored. The statement itself looks for the rows that
 * the new one points at, and inserts nothing where one is not there. `null` where the row cannot be created so, or was not.
 */
export async function insertAutocommit(
  store: SqlStore,
  type: CompiledType,
  values: ColumnValues,
  { context, references }: AutocommitWrite,
): Promise<RowSet | null> {
  const { engine } = store
  const tables = store.knownTables() ?? (await store.tables())
  const table = tableFor(tables, type)
  // What is computed takes a second statement, and behind a view there may be anything.
  if (table.computed.length > 0 || table.live.isView) return null
  const pointing = referencedRows(references, values, { tables, engine })
  if (pointing === null) return null
  let row: NewRow
  try {
    row = newRow(type, table, pointing.values, engine)
  } catch (thrown) {
    // A key that cannot be one is told elsewhere.
    if (isStoreConflict(thrown)) return null
    throw thrown
  }
  const { statementOf, columns, decode } = cachedInserts(store, table)
  const statement = statementOf(row.set, pointing.rows, { tables, context })
  const inserted = store.writeAutocommit(statement, context)
  if (inserted === null) return null
  let result: SqlResult
  try {
    result = await inserted
  } catch (thrown) {
    return isRefused(thrown, store) ? null : rethrowFault(thrown, store.driver)
  }
  const [stored] = result.rows
  return stored === undefined ? null : rowSet(columns, [decode(stored)])
}
