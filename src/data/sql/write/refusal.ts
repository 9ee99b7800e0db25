import type { Conflict } from '../../../resource/capabilities/store-conflict.js'
import { storeConflict } from '../../../resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { SqlFault } from '../driver/sql-fault.js'
import type { LiveForeignKey } from '../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { violatedCheckColumns } from './violated-check-columns.js'
import { keyOperand } from './key-condition.js'
import { missingReferences } from './missing-references.js'
import type { SetColumns } from './new-row.js'
import { refusedPlace } from './refused-place.js'
import type { SqlWriting } from './sql-writing.js'
import { columnsNamed, violatedColumns } from './violated-columns.js'
import { updateRow } from './write-row.js'

/** A write of a row of a type. */
export interface RefusedWrite {
  readonly kind: 'insert' | 'update' | 'delete'
  readonly type: CompiledType
  readonly table: SqlTable
  readonly set: SetColumns
}

/**
 * What to throw for an error of the database: a conflict where it says what stood against the row, else the error itself.
 * The write is undone by now, so that what the database did not get to say can be looked up.
 */
export async function refusal(thrown: unknown, write: RefusedWrite, writing: SqlWriting): Promise<unknown> {
  const fault = writing.store.driver.faultOf(thrown)
  const conflict = fault === null ? null : await conflictOf(fault, write, writing)
  return conflict === null ? thrown : causedBy(storeConflict(conflict), thrown)
}

/** For logs: what the database said stays with the conflict. */
export function causedBy(error: Error, cause: unknown): Error {
  return Object.assign(error, { cause })
}

async function conflictOf(fault: SqlFault, write: RefusedWrite, writing: SqlWriting): Promise<Conflict | null> {
  const { table } = write
  const { type } = write.type
  switch (fault.kind) {
    case 'unique': {
      const isHere = (await refusedPlace(fault, table, writing)) !== null
      return isHere ? uniqueConflict(violatedColumns(fault, table), write, writing) : null
    }
    case 'foreignKey': {
      const columns = write.kind === 'delete' ? [] : await missingReferences(fault, write, writing)
      return columns.length === 0 ? { kind: 'inUse', type } : { kind: 'reference', type, columns: names(columns) }
    }
    case 'notNull': {
      if (write.kind === 'delete' && isPointedAt(table, fault, writing)) return { kind: 'inUse', type }
      const columns = columnsNamed(table, [fault.column])
      const isHere = columns.length > 0 && (await refusedPlace(fault, table, writing)) !== null
      return isHere ? { kind: 'null', type, columns: names(columns) } : null
    }
    case 'check': {
      const place = await refusedPlace(fault, table, writing)
      if (place === null) return null
      const columns = await violatedCheckColumns(fault, { table, place }, writing)
      return { kind: 'check', type, columns: names(columns), name: fault.constraint }
    }
    case 'value':
      return { kind: 'value', type, columns: [] }
    default:
      return null
  }
}

/** Whether a foreign key took its value from a row, which must have one, as what it pointed at was deleted. */
function isPointedAt(
  { live: { name: pointedAt } }: SqlTable,
  { table: told, column }: Extract<SqlFault, { kind: 'notNull' }>,
  { tables }: SqlWriting,
): boolean {
  const isEmptied = ({ table, columns }: LiveForeignKey): boolean =>
    table === pointedAt && column !== null && columns.includes(column)
  return [...tables.values()].some(({ live }) => live.name === told && live.foreignKeys.some(isEmptied))
}

/** A key that is taken comes before everything else that is: databases name what they happen to look at first. */
async function uniqueConflict(
  violated: readonly SqlColumn[],
  write: RefusedWrite,
  writing: SqlWriting,
): Promise<Conflict> {
  const { type, table, set, kind } = write
  const keys = [...new Set([type.id.column, table.key])].flatMap((property) => {
    return property === null ? [] : (table.columnOf.get(property) ?? [])
  })
  const [only, ...others] = violated
  if (only !== undefined && others.length === 0 && keys.includes(only)) {
    return { kind: 'key', type: type.type, key: set.get(only) }
  }
  for (const column of kind === 'insert' ? keys : []) {
    const key = set.get(column)
    if (key !== undefined && keyOperand(column, key, writing.store.engine) !== null) {
      const holder = await updateRow(writing, { table, column, key }, new Map())
      if (holder !== null) return { kind: 'key', type: type.type, key }
    }
  }
  return { kind: 'unique', type: type.type, columns: names(violated) }
}

function names(columns: readonly SqlColumn[]): readonly string[] {
  return columns.map(({ property }) => property)
}
