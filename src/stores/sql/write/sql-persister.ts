import type {
  ColumnValues,
  Persister,
  WriteContext,
  WriteShortcuts,
} from '../../../declare/resource/capabilities/persister.js'
import { storeConflict } from '../../../declare/resource/capabilities/store-conflict.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { RelationLink } from '../../../declare/resource/compiled/relation-link.js'
import { invariant } from '../../../core/util/invariant.js'
import type { StoreListeners } from '../../observe/store-events.js'
import type { SqlTable } from '../schema/sql-table.js'
import { columnOf, isKeyOfRows, namesOf, tableFor } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { deleteAutocommit, insertAutocommit, updateAutocommit } from './autocommit.js'
import { changeJoinsAutocommit } from './change-joins-autocommit.js'
import { changeJoins } from './change-joins.js'
import { changeKeys } from './change-keys.js'
import { constraintTable, violatedColumns } from './constraint-violations/violated-constraint.js'
import { rowWriteError } from './constraint-violations/write-error.js'
import { createMany } from './create-many.js'
import { insertManyAutocommit } from './insert-many-autocommit.js'
import type { Mutation } from './member-change.js'
import type { StatementTarget } from './statement-target.js'
import { changedColumns, statementTarget } from './statement-target.js'
import type { SqlWriting } from './sql-writing.js'
import { atomically, runWrite, startStatement } from './sql-writing.js'
import { deleteRow, insertRow, updateRow } from './write-row.js'

/**
 * Creates the persister of an SQL store. It throws a store conflict if the database refuses a row because of a
 * constraint.
 *
 * @param listeners the listeners of the store: its shortcuts do nothing for the tables that they watch
 */
export function sqlPersister(store: SqlStore, listeners: StoreListeners): Persister {
  const writingFor = async ({ transaction, context }: WriteContext): Promise<SqlWriting> => {
    const tables = await store.tables()
    // A write without a given transaction joins the current one. A new connection could wait for the locks of its own
    // caller.
    return { store, tables, options: { transaction: transaction ?? store.transactions.current(), context } }
  }
  const writes: Required<Pick<Persister, 'create' | 'update' | 'delete' | 'mutateRelationship'>> = {
    create: async (type, values, write) => createRow(await writingFor(write), type, values),
    update: async (type, key, values, write) => updateRowOf(await writingFor(write), type, { key, values }),
    delete: async (type, key, write) => deleteRowOf(await writingFor(write), type, key),
    mutateRelationship: async (relation, owner, change, write) =>
      changeMembers(await writingFor(write), relation, { owner, change }),
  }
  const { can, spell } = store.dialect
  const common = { acceptsScopes: true, joinsTransactions: true }
  const shortcuts: WriteShortcuts = {
    create: {
      insteadOf: writes.create,
      ...common,
      checksRows: true,
      many: async (type, rows, write) =>
        listeners.isObserved(type) ? null : createMany(await writingFor(write), type, rows, write),
      ...(can.returnRows && { autocommit: insertAutocommit(store, listeners) }),
      ...(spell.boundRows?.checkedInsert != null && {
        autocommitMany: (type, rows, write) =>
          listeners.isObserved(type) ? null : insertManyAutocommit(store, type, rows, write),
      }),
    },
    update: {
      insteadOf: writes.update,
      ...common,
      raisesVersions: true,
      ...(can.returnRows && { autocommit: updateAutocommit(store, listeners) }),
    },
    delete: {
      insteadOf: writes.delete,
      ...common,
      ...(can.returnRows && { autocommit: deleteAutocommit(store, listeners) }),
    },
    mutateRelationship: {
      insteadOf: writes.mutateRelationship,
      ...common,
      ...(can.returnRows && {
        autocommit: (relation, change, write) =>
          listeners.areJoinsObserved(relation) ? false : changeJoinsAutocommit(store, relation, change, write),
      }),
    },
  }
  for (const group of Object.values(shortcuts)) Object.freeze(group)
  return Object.freeze<Persister>({ ...writes, shortcuts: Object.freeze(shortcuts) })
}

function targetOf({ store: { dialect }, tables }: SqlWriting, type: CompiledType): StatementTarget {
  return statementTarget(type, { tables, dialect })
}

/** The maximum number of attempts if the generated key is taken. */
const maxAttempts = 3

async function createRow(writing: SqlWriting, type: CompiledType, values: ColumnValues): Promise<RowObject> {
  const { table, column, newRow } = targetOf(writing, type)
  const { set, isKeyGenerated, conflict } = newRow(values)
  if (conflict !== null) throw storeConflict(conflict)
  const row = { table, column }
  for (let attempt = 1; ; attempt++) {
    try {
      const isMultiple = table.needsSecondRead || !writing.store.dialect.can.returnInserted
      return await atomically(writing, isMultiple, (inner) => insertRow(inner, row, set))
    } catch (thrown) {
      const isTaken = isKeyGenerated && attempt < maxAttempts && (await generatedTakenKey(thrown, table, writing))
      if (!isTaken) throw await rowWriteError(thrown, { kind: 'insert', type, table, set }, writing)
      await advanceSequence(table, writing)
    }
  }
}

/** Returns whether a statement may find several rows with one id. If it does, the call is rolled back. */
function mayChangeSeveral(table: SqlTable, { id }: CompiledType): boolean {
  return !isKeyOfRows(table, id.column)
}

async function updateRowOf(
  writing: SqlWriting,
  type: CompiledType,
  { key, values }: { readonly key: unknown; readonly values: ColumnValues },
): Promise<RowObject | null> {
  const { table, column, keyConflict } = targetOf(writing, type)
  const set = changedColumns(table, values)
  const conflict = keyConflict(set)
  if (conflict !== null) throw storeConflict(conflict)
  const row = { table, column, key }
  try {
    const isReadAgain = table.needsSecondRead || !writing.store.dialect.can.returnRows
    const isMultiple = isReadAgain || mayChangeSeveral(table, type)
    return await atomically(writing, isMultiple, (inner) => updateRow(inner, row, set))
  } catch (thrown) {
    throw await rowWriteError(thrown, { kind: 'update', type, table, set }, writing)
  }
}

async function deleteRowOf(writing: SqlWriting, type: CompiledType, key: unknown): Promise<boolean> {
  const table = tableFor(writing.tables, type)
  const row = { table, column: columnOf(table, type.id.column), key }
  try {
    return await atomically(writing, mayChangeSeveral(table, type), (inner) => deleteRow(inner, row))
  } catch (thrown) {
    throw await rowWriteError(thrown, { kind: 'delete', type, table, set: new Map() }, writing)
  }
}

/** Returns whether a new row was refused because a generated key is taken by a row that was inserted with an explicit key. */
async function generatedTakenKey(thrown: unknown, table: SqlTable, writing: SqlWriting): Promise<boolean> {
  const { dialect, driver } = writing.store
  const fault = dialect.spell.sequence === null ? null : driver.faultOf(thrown)
  if (fault?.kind !== 'unique') return false
  const [only, ...others] = violatedColumns(fault, table)
  if (only?.property !== table.key || others.length > 0) return false
  return (await constraintTable(fault, table, writing)) !== null
}

/** Moves the sequence of the keys to the end of the consecutive keys that are taken. */
async function advanceSequence(table: SqlTable, writing: SqlWriting): Promise<void> {
  const column = table.key === null ? undefined : table.columnOf.get(table.key)
  const { sequence } = writing.store.dialect.spell
  if (column === undefined || sequence === null) return
  await runWrite(writing, (shape) => {
    const rows = startStatement(shape, table, 'advance sequence')
    shape.addKeyPart(namesOf([column]))
    return sequence.advance({ table, column: column.name }, rows, shape)
  })
}

/**
 * Changes the members of a relation, in join rows or in rows of the members. The number of statements does not grow
 * with the members.
 */
async function changeMembers(writing: SqlWriting, relation: RelationLink, mutation: Mutation): Promise<void> {
  const { storage } = relation
  switch (storage.kind) {
    case 'relatedKey':
      return changeKeys(writing, relation, storage.key, mutation)
    case 'join':
      return changeJoins(writing, relation, storage, mutation)
    case 'ownKey':
    case 'function':
    case 'provider':
      invariant(false, `the SQL store cannot change the members of '${relation.name}', because it does not store them`)
  }
}
