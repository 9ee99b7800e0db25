import type { Conflict } from '../../../resource/capabilities/store-conflict.js'
import { storeConflict } from '../../../resource/capabilities/store-conflict.js'
import type { SqlFault } from '../driver/sql-fault.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { checkColumns } from './check-columns.js'
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
}

/** What to throw where the database refuses join rows: a conflict of the members that they lead to, else the error itself. */
export async function refusedJoins(thrown: unknown, refused: Refused): Promise<unknown> {
  const fault = refused.writing.store.driver.faultOf(thrown)
  const conflict = fault === null ? null : await conflictOf(fault, refused)
  return conflict === null ? thrown : causedBy(storeConflict(conflict), thrown)
}

async function conflictOf(fault: SqlFault, { joins: { table }, rows, writing }: Refused): Promise<Conflict | null> {
  const [first, ...others] = rows
  if (first === undefined) return null
  const place = await refusedPlace('table' in fault ? fault : { table: null }, table, writing)
  if (place === null) return null
  const only = others.length === 0 ? first : undefined
  const of = (columns: readonly SqlColumn[], row: JoinRow | undefined) => ({
    type: (row ?? first).member.type,
    columns: columns.map(({ property }) => property),
    ...(row === undefined ? {} : { key: row.member.key }),
  })
  switch (fault.kind) {
    case 'unique':
      return { kind: 'unique', ...of(violatedColumns(fault, table), only) }
    case 'foreignKey': {
      const columns =
        fault.constraint === null
          ? columnsNamed(
              table,
              table.live.foreignKeys.flatMap((key) => key.columns),
            )
          : await constraintColumns(fault.constraint, { table, place }, writing)
      return { kind: 'reference', ...of(columns, only) }
    }
    case 'notNull': {
      const columns = columnsNamed(table, [fault.column])
      const without = rows.find(({ set }) => columns.some((column) => (set.get(column) ?? null) === null))
      return { kind: 'null', ...of(columns, without) }
    }
    case 'check':
      return {
        kind: 'check',
        ...of(await checkColumns(fault, { table, place }, writing), only),
        name: fault.constraint,
      }
    case 'value':
      return { kind: 'value', ...of([], only) }
    default:
      return null
  }
}
