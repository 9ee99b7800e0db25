import { sql } from 'kysely'
import { pointer } from '../../../../core/document/json-pointer.js'
import type { HttpError } from '../../../../core/errors/http-error.js'
import { JsonApiError } from '../../../../core/errors/json-api-error.js'
import type { Conflict, StoreConflict } from '../../../../declare/resource/capabilities/store-conflict.js'
import { storeConflict } from '../../../../declare/resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../../../declare/resource/compiled/compiled-type.js'
import { referenceColumn } from '../../../../declare/resource/compiled/relation-link.js'
import { keyText } from '../../../row-query/key-text.js'
import { mappedFault } from '../../driver/database-error.js'
import type { SqlFault } from '../../driver/sql-statement.js'
import type { LiveForeignKey, LiveIndex } from '../../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../../schema/sql-table.js'
import { columnOf, columnReference, namesOf, partsOf, propertiesOf } from '../../schema/sql-table.js'
import { areEqual } from '../../statement/row-value.js'
import type { JoinRow, KeyChange, OwnerJoins } from '../member-change.js'
import type { SetColumns } from '../statement-target.js'
import type { SqlWriting } from '../sql-writing.js'
import {
  atomically,
  columnNames,
  hasOneOfKeys,
  hasOwnerKey,
  keyOperand,
  runRead,
  startStatement,
} from '../sql-writing.js'
import { updateRow } from '../write-row.js'
import {
  columnsNamed,
  constraintTable,
  invalidValues,
  missingReferences,
  referringColumns,
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
  return conflictError(fault === null ? [] : await conflictsOf(fault, write, writing), thrown) ?? thrown
}

/** Adds the pointer of the resource to problems that have no source: the database does not report the value that caused them. */
function withResourcePointer(error: JsonApiError | HttpError): JsonApiError | HttpError {
  if (!JsonApiError.is(error)) return error
  const problems = error.problems.map((each) => ({ ...each, source: each.source ?? { pointer: pointer('data') } }))
  return new JsonApiError(problems, { headers: error.headers, cause: error.cause })
}

/** A row that was refused, and the name of its type. */
interface RefusedRow {
  readonly table: SqlTable
  readonly set: SetColumns
  readonly type: string
}

/** Returns the conflicts of the values of one row: with their columns, with a check, or because they are null. */
async function valueConflicts(
  fault: SqlFault,
  row: RefusedRow,
  writing: SqlWriting,
): Promise<readonly (Conflict & { readonly columns: readonly string[] })[]> {
  const { table, type } = row
  switch (fault.kind) {
    case 'value': {
      const [named] = columnsNamed(table, [fault.column ?? null])
      if (named !== undefined) return [{ kind: 'value', type, columns: [named.property] }]
      const invalid = await invalidValues(row, writing)
      if (invalid.length === 0) return [{ kind: 'value', type, columns: [] }]
      return invalid.map(({ column, allowed }) => {
        return { kind: 'value', type, columns: [column.property], ...(allowed !== null && { allowed }) }
      })
    }
    case 'notNull': {
      const columns = columnsNamed(table, [fault.column])
      const isWrittenTable = columns.length > 0 && (await constraintTable(fault, table, writing)) !== null
      return isWrittenTable ? [{ kind: 'null', type, columns: propertiesOf(columns) }] : []
    }
    case 'check': {
      const constrained = await constraintTable(fault, table, writing)
      if (constrained === null) return []
      const { columns, allowed } = await violatedCheck(fault, { table, constrained }, writing)
      return [
        { kind: 'check', type, columns: propertiesOf(columns), name: fault.constraint, ...(allowed && { allowed }) },
      ]
    }
    default:
      return []
  }
}

/** Adds the error of the database to a conflict, for logs. */
function conflictError([first, ...others]: readonly Conflict[], cause: unknown): StoreConflict | null {
  return first === undefined ? null : Object.assign(storeConflict(first, ...others), { cause })
}

async function conflictsOf(fault: SqlFault, write: FailedWrite, writing: SqlWriting): Promise<readonly Conflict[]> {
  const { table, set } = write
  const { type } = write.type
  if (fault.kind === 'unique') {
    const isWrittenTable = (await constraintTable(fault, table, writing)) !== null
    return isWrittenTable ? [await uniqueConflict(violatedColumns(fault, table), write, writing)] : []
  }
  if (fault.kind === 'foreignKey') {
    const columns = write.kind === 'delete' ? [] : await missingReferences(fault, write, writing)
    return [
      columns.length === 0 ? { kind: 'inUse', type } : { kind: 'reference', type, columns: propertiesOf(columns) },
    ]
  }
  const isInUse = fault.kind === 'notNull' && write.kind === 'delete' && isReferenced(table, fault, writing)
  return isInUse ? [{ kind: 'inUse', type }] : valueConflicts(fault, { table, set, type }, writing)
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
  return { kind: 'unique', type: type.type, columns: propertiesOf(violated) }
}

/** Returns the conflict of a taken composite key; `null` if the violated index is another one. */
function compositeConflict(violated: readonly SqlColumn[], { type, table, set }: FailedWrite): Conflict | null {
  const parts = table.columnOf.get(type.id.column)?.parts
  if (parts === undefined || violated.length !== parts.length) return null
  if (!parts.every((part) => violated.includes(part) && set.has(part))) return null
  return { kind: 'key', type: type.type, key: parts.map((part) => set.get(part)) }
}

interface FailedJoinWrite {
  readonly joins: OwnerJoins
  readonly rows: readonly JoinRow[]
  readonly writing: SqlWriting
  /** Repeats the write with only some of the rows. */
  readonly write: (writing: SqlWriting, some: readonly JoinRow[]) => Promise<void>
}

/** Returns the error to throw if the database refuses join rows: a conflict of their members, else the error itself. */
export async function joinWriteError(thrown: unknown, failed: FailedJoinWrite): Promise<unknown> {
  const { driver } = failed.writing.store
  const fault = await verifiedFault(driver.faultOf(thrown), failed.joins.table, failed.writing)
  const mapped = mappedFault(thrown, fault, driver)
  if (mapped !== null) return mapped
  return conflictError(fault === null ? [] : await joinConflictsOf(fault, failed), thrown) ?? thrown
}

async function joinConflictsOf(fault: SqlFault, failed: FailedJoinWrite): Promise<readonly Conflict[]> {
  const { rows, writing } = failed
  const { table } = failed.joins
  const [first] = rows
  const constrained = await constraintTable('table' in fault ? fault : { table: null }, table, writing)
  if (first === undefined || constrained === null) return []
  const row = await refusedRow(fault, failed)
  const { type, key } = (row ?? first).member
  const member = { type, ...(row === undefined ? {} : { key }) }
  switch (fault.kind) {
    case 'unique':
      return [{ kind: 'unique', ...member, columns: propertiesOf(violatedColumns(fault, table)) }]
    case 'foreignKey': {
      const columns = await referringColumns(fault, { table, constrained }, writing)
      return [{ kind: 'reference', ...member, columns: propertiesOf(columns) }]
    }
    case 'notNull':
      return [{ kind: 'null', ...member, columns: propertiesOf(columnsNamed(table, [fault.column])) }]
    default: {
      const conflicts = await valueConflicts(fault, { table, set: row?.set ?? new Map(), type }, writing)
      return conflicts.slice(0, 1).map((conflict) => ({ ...conflict, ...member }))
    }
  }
}

/** Returns the row that a fault is about; `undefined` if it is about several, or if that is unknown. */
async function refusedRow(fault: SqlFault, failed: FailedJoinWrite): Promise<JoinRow | undefined> {
  const { rows, joins } = failed
  switch (fault.kind) {
    case 'unique':
    case 'check':
    case 'value':
      return violatingRow(fault, failed)
    case 'foreignKey':
      return rows.length === 1 ? rows[0] : undefined
    case 'notNull': {
      const columns = columnsNamed(joins.table, [fault.column])
      return rows.find(({ set }) => columns.some((column) => (set.get(column) ?? null) === null))
    }
    default:
      return undefined
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
  { writing, write }: FailedJoinWrite,
): Promise<boolean> {
  const rollback = new Error('Roll back the rows that were written for a test.')
  try {
    return await atomically(writing, true, async (inner) => {
      await write(inner, rows)
      throw rollback
    })
  } catch (thrown) {
    return thrown !== rollback && writing.store.driver.faultOf(thrown)?.kind === kind
  }
}

/**
 * Returns the conflict of the members that violate a unique index on the owner key and other columns, because another
 * member of the owner has the same values. The database reports only the index, and stops at the first row, so all
 * members are checked. Returns `null` if the database refused the statement for another reason.
 */
export async function uniqueMemberConflict(
  thrown: unknown,
  change: KeyChange,
  writing: SqlWriting,
): Promise<StoreConflict | null> {
  const { table, ownerKey, target } = change
  const fault = writing.store.driver.faultOf(thrown)
  if (fault?.kind !== 'unique' || ownerKey.operands === null) return null
  if ((await constraintTable(fault, table, writing)) === null) return null
  const conflicts: Conflict[] = []
  for (const index of table.live.indexes) {
    const columns = checkedColumns(index, fault, change)
    if (columns === null) continue
    for (const key of await conflictingKeys(columns, change, writing)) {
      conflicts.push({ kind: 'unique', type: target.type, columns: propertiesOf(columns), key })
    }
  }
  return conflictError(conflicts, thrown)
}

/**
 * Returns the columns of a unique index that contains the owner key; `null` for other indexes. The rows of a partial
 * index are not known here, so a partial index is checked only if the database reported it.
 */
function checkedColumns(
  { name, unique, partial, columns }: LiveIndex,
  fault: Extract<SqlFault, { kind: 'unique' }>,
  { table, ownerKey }: KeyChange,
): readonly SqlColumn[] | null {
  const known = columnsNamed(table, columns)
  const isNamed = fault.constraint === null ? hasSameNames(columns, fault.columns) : name === fault.constraint
  const isChecked = unique && known.length === columns.length && (!partial || isNamed)
  return isChecked && known.some((column) => ownerKey.columns.includes(column)) ? known : null
}

function hasSameNames(some: readonly (string | null)[], others: readonly string[] | null): boolean {
  return some.length === others?.length && some.every((name) => name !== null && others.includes(name))
}

/**
 * Returns the keys of the added members that conflict. Checks the state after the change: removed members do not count,
 * all added ones do.
 */
async function conflictingKeys(
  columns: readonly SqlColumn[],
  { table, target, ownerKey, added, removed }: KeyChange,
  writing: SqlWriting,
): Promise<readonly unknown[]> {
  const key = columnOf(table, referenceColumn(target))
  const others = columns.filter((column) => !ownerKey.columns.includes(column))
  const { rows } = await runRead(writing, (shape, binding) => {
    const from = startStatement(shape, table, 'find taken members')
    shape.addKeyPart(namesOf(others))
    const isAdded = hasOneOfKeys(key, added, binding)
    const isRemoved = hasOneOfKeys(key, removed, binding)
    const isOwned = hasOwnerKey(ownerKey.operands ?? [], binding)
    return () => {
      const [memberKey, otherKey] = [columnReference(key, 'member'), columnReference(key, 'other')]
      const same = others.map(({ name }) => sql` and ${sql.id('other', name)} = ${sql.id('member', name)}`)
      return sql`select ${columnNames(partsOf(key), 'member')} from ${from} as member
        where ${isAdded('member')} and not coalesce(${isOwned('member')}, false)
        and exists (select 1 from ${from} as other where not ${areEqual(otherKey, memberKey, binding.dialect.can)}${sql.join(same, sql``)}
        and (${isAdded('other')} or (${isOwned('other')} and not (${isRemoved('other')}))))`
    }
  })
  const taken = new Set(rows.map((row) => keyText(key.parts === undefined ? row[0] : row)))
  return added.filter((each) => taken.has(keyText(each)))
}
