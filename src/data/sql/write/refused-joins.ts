import type { Conflict } from '../../../resource/capabilities/store-conflict.js'
import { storeConflict } from '../../../resource/capabilities/store-conflict.js'
import type { SqlFault } from '../driver/sql-fault.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { asOne } from './as-one.js'
import { violatedCheckColumns } from './violated-check-columns.js'
import { constraintColumns } from './constraint-columns.js'
import type { JoinRow, OwnJoins } from './member-change.js'
import { causedBy } from './refusal.js'
import { refusedPlace } from './refused-place.js'
import type { SqlWriting } from './sql-writing.js'
import { columnsNamed, violatedColumns } from './violated-columns.js'

interface Refused {
  readonly joins: OwnJoins
  readonly rows: readonly JoinRow[]
  readonly writing: SqlWriting
  /** Writes some of the rows, with all else that there was to do. */
  readonly writeSome: (writing: SqlWriting, some: ReadonlySet<JoinRow>) => Promise<void>
}

/** What to throw where the database refuses join rows: a conflict of the members that they lead to, else the error itself. */
export async function refusedJoins(thrown: unknown, refused: Refused): Promise<unknown> {
  const fault = refused.writing.store.driver.faultOf(thrown)
  const conflict = fault === null ? null : await conflictOf(fault, refused)
  return conflict === null ? thrown : causedBy(storeConflict(conflict), thrown)
}

async function conflictOf(fault: SqlFault, refused: Refused): Promise<Conflict | null> {
  const {
    joins: { table },
    rows,
    writing,
  } = refused
  const [first] = rows
  if (first === undefined) return null
  const place = await refusedPlace('table' in fault ? fault : { table: null }, table, writing)
  if (place === null) return null
  const of = (columns: readonly SqlColumn[], row: JoinRow | undefined) => ({
    type: (row ?? first).member.type,
    columns: columns.map(({ property }) => property),
    ...(row === undefined ? {} : { key: row.member.key }),
  })
  switch (fault.kind) {
    case 'unique':
      return { kind: 'unique', ...of(violatedColumns(fault, table), await refusedRow(fault, refused)) }
    case 'foreignKey': {
      const columns =
        fault.constraint === null
          ? columnsNamed(
              table,
              table.live.foreignKeys.flatMap((key) => key.columns),
            )
          : await constraintColumns(fault.constraint, { table, place }, writing)
      return { kind: 'reference', ...of(columns, rows.length === 1 ? first : undefined) }
    }
    case 'notNull': {
      const columns = columnsNamed(table, [fault.column])
      const without = rows.find(({ set }) => columns.some((column) => (set.get(column) ?? null) === null))
      return { kind: 'null', ...of(columns, without) }
    }
    case 'check':
      return {
        kind: 'check',
        ...of(await violatedCheckColumns(fault, { table, place }, writing), await refusedRow(fault, refused)),
        name: fault.constraint,
      }
    case 'value':
      return { kind: 'value', ...of([], await refusedRow(fault, refused)) }
    default:
      return null
  }
}

/**
 * The row that was refused. Databases do not say which of several it was, so half of those that it may be is tried, and
 * undone, until one is left. `undefined` where that one is not refused by itself: then two of them stood against each other.
 */
async function refusedRow(fault: SqlFault, refused: Refused): Promise<JoinRow | undefined> {
  let suspects = refused.rows
  while (suspects.length > 1) {
    const half = suspects.slice(0, Math.floor(suspects.length / 2))
    suspects = (await isRefused(half, fault, refused)) ? half : suspects.slice(half.length)
  }
  const isSure = refused.rows.length === 1 || (await isRefused(suspects, fault, refused))
  return isSure ? suspects[0] : undefined
}

async function isRefused(
  rows: readonly JoinRow[],
  { kind }: SqlFault,
  { writing, writeSome }: Refused,
): Promise<boolean> {
  const undone = new Error('Rows were only tried.')
  try {
    return await asOne(writing, true, async (inside) => {
      await writeSome(inside, new Set(rows))
      throw undone
    })
  } catch (thrown) {
    return thrown !== undone && writing.store.driver.faultOf(thrown)?.kind === kind
  }
}
