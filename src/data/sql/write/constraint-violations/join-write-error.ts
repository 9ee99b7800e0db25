import type { Conflict } from '../../../../resource/capabilities/store-conflict.js'
import { storeConflict } from '../../../../resource/capabilities/store-conflict.js'
import { mappedFault } from '../../driver/database-error.js'
import type { SqlFault } from '../../driver/sql-fault.js'
import type { SqlColumn } from '../../schema/sql-table.js'
import type { JoinRow, OwnerJoins } from '../member-change.js'
import type { SqlWriting } from '../sql-writing.js'
import { atomically } from '../sql-writing.js'
import { withCause } from './row-write-error.js'
import {
  columnsNamed,
  constraintTable,
  invalidValues,
  referringColumns,
  verifiedFault,
  violatedCheck,
  violatedColumns,
} from './violated-constraint.js'

interface FailedJoinWrite {
  readonly joins: OwnerJoins
  readonly rows: readonly JoinRow[]
  readonly writing: SqlWriting
  /** Repeats the write with only some of the rows. */
  readonly writeSome: (writing: SqlWriting, some: ReadonlySet<JoinRow>) => Promise<void>
}

/** Returns the error to throw if the database refuses join rows: a conflict of their members, else the error itself. */
export async function joinWriteError(thrown: unknown, failed: FailedJoinWrite): Promise<unknown> {
  const { driver } = failed.writing.store
  const fault = await verifiedFault(driver.faultOf(thrown), failed.joins.table, failed.writing)
  const mapped = mappedFault(thrown, fault, driver)
  if (mapped !== null) return mapped
  const conflict = fault === null ? null : await conflictOf(fault, failed)
  return conflict === null ? thrown : withCause(storeConflict(conflict), thrown)
}

async function conflictOf(fault: SqlFault, failed: FailedJoinWrite): Promise<Conflict | null> {
  const { rows, writing } = failed
  const { table } = failed.joins
  const [first] = rows
  if (first === undefined) return null
  const constrained = await constraintTable('table' in fault ? fault : { table: null }, table, writing)
  if (constrained === null) return null
  const conflictColumns = (columns: readonly SqlColumn[], row: JoinRow | undefined) => ({
    type: (row ?? first).member.type,
    columns: columns.map(({ property }) => property),
    ...(row === undefined ? {} : { key: row.member.key }),
  })
  switch (fault.kind) {
    case 'unique':
      return { kind: 'unique', ...conflictColumns(violatedColumns(fault, table), await violatingRow(fault, failed)) }
    case 'foreignKey': {
      const columns = await referringColumns(fault, { table, constrained }, writing)
      return { kind: 'reference', ...conflictColumns(columns, rows.length === 1 ? first : undefined) }
    }
    case 'notNull': {
      const columns = columnsNamed(table, [fault.column])
      const incomplete = rows.find(({ set }) => columns.some((column) => (set.get(column) ?? null) === null))
      return { kind: 'null', ...conflictColumns(columns, incomplete) }
    }
    case 'check': {
      const { columns, allowed } = await violatedCheck(fault, { table, constrained }, writing)
      const row = await violatingRow(fault, failed)
      return { kind: 'check', ...conflictColumns(columns, row), name: fault.constraint, ...(allowed && { allowed }) }
    }
    case 'value': {
      const row = await violatingRow(fault, failed)
      const [invalid] = row === undefined ? [] : await invalidValues({ table, set: row.set }, writing)
      if (invalid === undefined) return { kind: 'value', ...conflictColumns([], row) }
      const { column, allowed } = invalid
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
async function violatingRow(fault: SqlFault, failed: FailedJoinWrite): Promise<JoinRow | undefined> {
  let suspects = failed.rows
  while (suspects.length > 1) {
    const half = suspects.slice(0, Math.floor(suspects.length / 2))
    suspects = (await hasViolation(half, fault, failed)) ? half : suspects.slice(half.length)
  }
  const isCause = failed.rows.length === 1 || (await hasViolation(suspects, fault, failed))
  return isCause ? suspects[0] : undefined
}

async function hasViolation(
  rows: readonly JoinRow[],
  { kind }: SqlFault,
  { writing, writeSome }: FailedJoinWrite,
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
