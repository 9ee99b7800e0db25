import type { Conflict } from '../../../resource/capabilities/store-conflict.js'
import { storeConflict } from '../../../resource/capabilities/store-conflict.js'
import { mappedFault } from '../driver/database-error.js'
import type { SqlFault } from '../driver/sql-fault.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { atomically } from './atomically.js'
import { violatedCheck } from './violated-check.js'
import { constraintColumns } from './constraint-columns.js'
import type { JoinRow, OwnerJoins } from './member-change.js'
import { realFault } from './real-fault.js'
import { causedBy } from './refusal.js'
import { refusingTable } from './refusing-table.js'
import type { SqlWriting } from './sql-writing.js'
import { unfitValues } from './unfit-values.js'
import { columnsNamed, violatedColumns } from './violated-columns.js'

interface RefusedJoins {
  readonly joins: OwnerJoins
  readonly rows: readonly JoinRow[]
  readonly writing: SqlWriting
  /** Repeats the write with only some of the rows. */
  readonly writeSome: (writing: SqlWriting, some: ReadonlySet<JoinRow>) => Promise<void>
}

/** Returns the error to throw if the database refuses join rows: a conflict of their members, else the error itself. */
export async function refusedJoins(thrown: unknown, refused: RefusedJoins): Promise<unknown> {
  const { driver } = refused.writing.store
  const fault = await realFault(driver.faultOf(thrown), refused.joins.table, refused.writing)
  const mapped = mappedFault(thrown, fault, driver)
  if (mapped !== null) return mapped
  const conflict = fault === null ? null : await conflictOf(fault, refused)
  return conflict === null ? thrown : causedBy(storeConflict(conflict), thrown)
}

async function conflictOf(fault: SqlFault, refused: RefusedJoins): Promise<Conflict | null> {
  const {
    joins: { table },
    rows,
    writing,
  } = refused
  const [first] = rows
  if (first === undefined) return null
  const refusing = await refusingTable('table' in fault ? fault : { table: null }, table, writing)
  if (refusing === null) return null
  const conflictColumns = (columns: readonly SqlColumn[], row: JoinRow | undefined) => ({
    type: (row ?? first).member.type,
    columns: columns.map(({ property }) => property),
    ...(row === undefined ? {} : { key: row.member.key }),
  })
  switch (fault.kind) {
    case 'unique':
      return { kind: 'unique', ...conflictColumns(violatedColumns(fault, table), await refusedRow(fault, refused)) }
    case 'foreignKey': {
      const columns =
        fault.constraint === null
          ? columnsNamed(
              table,
              table.live.foreignKeys.flatMap((key) => key.columns),
            )
          : await constraintColumns(fault.constraint, { table, refusing }, writing)
      return { kind: 'reference', ...conflictColumns(columns, rows.length === 1 ? first : undefined) }
    }
    case 'notNull': {
      const columns = columnsNamed(table, [fault.column])
      const incomplete = rows.find(({ set }) => columns.some((column) => (set.get(column) ?? null) === null))
      return { kind: 'null', ...conflictColumns(columns, incomplete) }
    }
    case 'check': {
      const { columns, allowed } = await violatedCheck(fault, { table, refusing }, writing)
      const row = await refusedRow(fault, refused)
      return { kind: 'check', ...conflictColumns(columns, row), name: fault.constraint, ...(allowed && { allowed }) }
    }
    case 'value': {
      const row = await refusedRow(fault, refused)
      const [unfit] = row === undefined ? [] : await unfitValues({ table, set: row.set }, writing)
      if (unfit === undefined) return { kind: 'value', ...conflictColumns([], row) }
      const { column, allowed } = unfit
      return { kind: 'value', ...conflictColumns([column], row), ...(allowed !== null && { allowed }) }
    }
    default:
      return null
  }
}

/**
 * Returns the row that was refused. Databases do not report which of several rows it was, so it is found by binary search: half of the
 * candidates are written and rolled back, until one is left. Returns `undefined` if that one is not refused by itself: then two of the rows
 * conflict with each other.
 */
async function refusedRow(fault: SqlFault, refused: RefusedJoins): Promise<JoinRow | undefined> {
  let suspects = refused.rows
  while (suspects.length > 1) {
    const half = suspects.slice(0, Math.floor(suspects.length / 2))
    suspects = (await isRefused(half, fault, refused)) ? half : suspects.slice(half.length)
  }
  const isCause = refused.rows.length === 1 || (await isRefused(suspects, fault, refused))
  return isCause ? suspects[0] : undefined
}

async function isRefused(
  rows: readonly JoinRow[],
  { kind }: SqlFault,
  { writing, writeSome }: RefusedJoins,
): Promise<boolean> {
  const rollback = new Error('Roll back the rows that were written for a test.')
  try {
    return await atomically(writing, true, async (inner) => {
      await writeSome(inner, new Set(rows))
      throw rollback
    })
  } catch (thrown) {
    return thrown !== rollback && writing.store.driver.faultOf(thrown)?.kind === kind
  }
}
