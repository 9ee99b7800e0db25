import type { ColumnValues, AutocommitWrite } from '../../../resource/capabilities/persister.js'
import { isStoreConflict } from '../../../resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowCondition } from '../../../resource/querying/row-condition.js'
import type { RowSet } from '../../../rows/row-set.js'
import { rowSet } from '../../../rows/row-set.js'
import type { StatementBuild } from '../query/statement-build.js'
import { statementBuild } from '../query/statement-build.js'
import { rethrowFault } from '../driver/rethrow-fault.js'
import type { SqlResult, SqlStatement } from '../driver/sql-statement.js'
import type { SqlTable } from '../schema/sql-table.js'
import { isCheckedAsStored, tableFor } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { isRefused } from './autocommit.js'
import { cachedInserts } from './cached-inserts.js'
import type { NewRow, SetColumns } from './new-row.js'
import { newRow } from './new-row.js'
import type { ReferencedRow } from './referenced-rows.js'
import { referencedRows, referencesExist } from './referenced-rows.js'
import { rowCheck } from './row-check.js'
import { insertText } from './write-row.js'

/**
 * Inserts a row by one statement without a transaction, and returns the stored row. The statement itself looks for the rows that the new
 * one refers to, and inserts nothing if one is missing. Returns `null` if the row was not inserted, or cannot be inserted by one statement.
 */
export async function insertAutocommit(
  store: SqlStore,
  type: CompiledType,
  values: ColumnValues,
  { context, references, conditions }: AutocommitWrite,
): Promise<RowSet | null> {
  const { dialect } = store
  const tables = store.knownTables() ?? (await store.tables())
  const table = tableFor(tables, type)
  // Some tables need a second statement, and the effect of a write to a view is unknown.
  if (table.needsSecondRead || table.live.isView || isCheckedAsStored(table, type)) return null
  const referenced = referencedRows(references, values, { tables, dialect })
  if (referenced === null) return null
  let row: NewRow
  try {
    row = newRow({ type, table, dialect }, values, referenced.keys)
  } catch (thrown) {
    // A key that the column cannot hold is reported by the insert in a transaction.
    if (isStoreConflict(thrown)) return null
    throw thrown
  }
  const { statementOf, columns, decode } = cachedInserts(store, table)
  const statement =
    conditions.length === 0
      ? statementOf(row.set, referenced.rows, { tables, context })
      : checkedInsert(
          store,
          { ...row, type, table, conditions, referenced: referenced.rows },
          statementBuild(store, tables, context),
        )
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

interface CheckedRow {
  readonly type: CompiledType
  readonly table: SqlTable
  readonly set: SetColumns
  readonly referenced: readonly ReferencedRow[]
  /** The conditions that the row must meet as it is stored. */
  readonly conditions: readonly RowCondition[]
}

function checkedInsert(
  { statements, builder, dialect }: SqlStore,
  { type, table, set, referenced, conditions }: CheckedRow,
  build: StatementBuild,
): SqlStatement {
  const { shape } = build
  const condition = referenced.length === 0 ? null : referencesExist(referenced, build)
  const insert = insertText(
    shape,
    { table, set, condition, check: rowCheck(conditions, { type, table }, build) },
    dialect,
  )
  return statements.statement(shape, () => ({ compile: () => insert().compile(builder) }))
}
