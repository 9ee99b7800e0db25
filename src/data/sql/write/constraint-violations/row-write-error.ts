import { pointer } from '../../../../document/json-pointer.js'
import type { HttpError } from '../../../../errors/http-error.js'
import { JsonApiError } from '../../../../errors/json-api-error.js'
import type { Conflict } from '../../../../resource/capabilities/store-conflict.js'
import { storeConflict } from '../../../../resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../../../resource/compiled-type.js'
import { mappedFault } from '../../driver/database-error.js'
import type { SqlFault } from '../../driver/sql-fault.js'
import type { LiveForeignKey } from '../../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../../schema/sql-table.js'
import { keyOperand } from '../key-condition.js'
import type { SetColumns } from '../new-row.js'
import type { SqlWriting } from '../sql-writing.js'
import { updateRow } from '../write-row.js'
import {
  columnsNamed,
  constraintTable,
  invalidValues,
  missingReferences,
  verifiedFault,
  violatedCheck,
  violatedColumns,
} from './violated-constraint.js'

/** The write that the database refused. */
export interface FailedWrite {
  readonly kind: 'insert' | 'update' | 'delete'
  readonly type: CompiledType
  readonly table: SqlTable
  readonly set: SetColumns
}

/**
 * Returns the error to throw for an error of the database: a store conflict if the row violates a constraint, else the
 * error itself. The write has been rolled back, so that details that the database did not report can be read.
 */
export async function rowWriteError(thrown: unknown, write: FailedWrite, writing: SqlWriting): Promise<unknown> {
  const { driver } = writing.store
  const fault = await verifiedFault(driver.faultOf(thrown), write.table, writing)
  const mapped = mappedFault(thrown, fault, driver)
  if (mapped !== null) return write.kind === 'delete' ? mapped : withResourcePointer(mapped)
  const [first, ...others] = fault === null ? [] : await conflictsOf(fault, write, writing)
  return first === undefined ? thrown : withCause(storeConflict(first, ...others), thrown)
}

/** Adds the pointer of the resource to problems that have no source: the database does not report the value that caused them. */
function withResourcePointer(error: JsonApiError | HttpError): JsonApiError | HttpError {
  if (!JsonApiError.is(error)) return error
  const problems = error.problems.map((each) => ({ ...each, source: each.source ?? { pointer: pointer('data') } }))
  return new JsonApiError(problems, { headers: error.headers, cause: error.cause })
}

async function conflictsOf(fault: SqlFault, write: FailedWrite, writing: SqlWriting): Promise<readonly Conflict[]> {
  const { type } = write.type
  if (fault.kind === 'value') {
    const invalid = await invalidValues(write, writing)
    if (invalid.length === 0) return [{ kind: 'value', type, columns: [] }]
    return invalid.map(({ column, allowed }) => {
      return { kind: 'value', type, columns: [column.property], ...(allowed !== null && { allowed }) }
    })
  }
  const conflict = await conflictOf(fault, write, writing)
  return conflict === null ? [] : [conflict]
}

/** Adds the error of the database to a conflict, for logs. */
export function withCause(error: Error, cause: unknown): Error {
  return Object.assign(error, { cause })
}

async function conflictOf(fault: SqlFault, write: FailedWrite, writing: SqlWriting): Promise<Conflict | null> {
  const { table } = write
  const { type } = write.type
  switch (fault.kind) {
    case 'unique': {
      const isWrittenTable = (await constraintTable(fault, table, writing)) !== null
      return isWrittenTable ? uniqueConflict(violatedColumns(fault, table), write, writing) : null
    }
    case 'foreignKey': {
      const columns = write.kind === 'delete' ? [] : await missingReferences(fault, write, writing)
      return columns.length === 0 ? { kind: 'inUse', type } : { kind: 'reference', type, columns: names(columns) }
    }
    case 'notNull': {
      if (write.kind === 'delete' && isReferenced(table, fault, writing)) return { kind: 'inUse', type }
      const columns = columnsNamed(table, [fault.column])
      const isWrittenTable = columns.length > 0 && (await constraintTable(fault, table, writing)) !== null
      return isWrittenTable ? { kind: 'null', type, columns: names(columns) } : null
    }
    case 'check': {
      const constrained = await constraintTable(fault, table, writing)
      if (constrained === null) return null
      const { columns, allowed } = await violatedCheck(fault, { table, constrained }, writing)
      return { kind: 'check', type, columns: names(columns), name: fault.constraint, ...(allowed && { allowed }) }
    }
    default:
      return null
  }
}

/** Returns whether a delete failed because ON DELETE SET NULL would set a foreign key to null that must not be null. */
function isReferenced(
  { live: { name: referencedTable } }: SqlTable,
  { table: reportedTable, column }: Extract<SqlFault, { kind: 'notNull' }>,
  { tables }: SqlWriting,
): boolean {
  const isEmptied = ({ table, columns }: LiveForeignKey): boolean =>
    table === referencedTable && column !== null && columns.includes(column)
  return [...tables.values()].some(({ live }) => live.name === reportedTable && live.foreignKeys.some(isEmptied))
}

/**
 * Returns the conflict of a unique index. A taken key is reported first: databases report whichever index they check
 * first.
 */
async function uniqueConflict(
  violated: readonly SqlColumn[],
  write: FailedWrite,
  writing: SqlWriting,
): Promise<Conflict> {
  const { type, table, set, kind } = write
  const keys = [...new Set([type.id.column, table.key])].flatMap((property) => {
    return property === null ? [] : (table.columnOf.get(property) ?? [])
  })
  const composite = compositeConflict(violated, write)
  if (composite !== null) return composite
  const [only, ...others] = violated
  if (only !== undefined && others.length === 0 && keys.includes(only)) {
    return { kind: 'key', type: type.type, key: set.get(only) }
  }
  for (const column of kind === 'insert' ? keys : []) {
    const key = set.get(column)
    if (key !== undefined && keyOperand(column, key, writing.store.dialect) !== null) {
      const holder = await updateRow(writing, { table, column, key }, new Map())
      if (holder !== null) return { kind: 'key', type: type.type, key }
    }
  }
  return { kind: 'unique', type: type.type, columns: names(violated) }
}

/** Returns the conflict of a taken composite key; `null` if the violated index is another one. */
function compositeConflict(violated: readonly SqlColumn[], { type, table, set }: FailedWrite): Conflict | null {
  const parts = table.columnOf.get(type.id.column)?.parts
  if (parts === undefined || violated.length !== parts.length) return null
  if (!parts.every((part) => violated.includes(part) && set.has(part))) return null
  return { kind: 'key', type: type.type, key: parts.map((part) => set.get(part)) }
}

function names(columns: readonly SqlColumn[]): readonly string[] {
  return columns.map(({ property }) => property)
}
