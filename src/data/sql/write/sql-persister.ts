import type {
  ColumnValues,
  CreateRow,
  DeleteRow,
  MutateRelationship,
  Persister,
  UpdateRow,
  WriteContext,
  WriteShortcuts,
} from '../../../resource/capabilities/persister.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowObject } from '../../../resource/fields/field-spec.js'
import type { SqlTable } from '../schema/sql-table.js'
import { columnOf, isKeyOfRows, tableFor } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { atomically } from './atomically.js'
import { changeJoinsAutocommit, deleteAutocommit, updateAutocommit } from './autocommit.js'
import { changeMembers } from './change-members.js'
import { insertAutocommit } from './insert-autocommit.js'
import { insertManyAutocommit } from './insert-many-autocommit.js'
import { createMany } from './create-many.js'
import { generatedTakenKey, advanceSequence } from './advance-sequence.js'
import { changedColumns, checkKeys, newRow } from './new-row.js'
import { rowWriteError } from './constraint-violations/row-write-error.js'
import type { SqlWriting } from './sql-writing.js'
import { deleteRow, insertRow, updateRow } from './write-row.js'

/**
 * Creates the persister of an SQL store. It throws a store conflict if the database refuses a row because of a
 * constraint.
 */
export function sqlPersister(store: SqlStore): Persister {
  const writingFor = async ({ transaction, context }: WriteContext): Promise<SqlWriting> => {
    const tables = await store.tables()
    // A write without a given transaction joins the current one. A new connection could wait for the locks of its own
    // caller.
    return { store, tables, options: { transaction: transaction ?? store.transactions.current(), context } }
  }
  const create: CreateRow = async (type, values, write) => createRow(await writingFor(write), type, values)
  const update: UpdateRow = async (type, key, values, write) =>
    updateRowOf(await writingFor(write), type, { key, values })
  const remove: DeleteRow = async (type, key, write) => deleteRowOf(await writingFor(write), type, key)
  const mutateRelationship: MutateRelationship = async (relation, owner, change, write) =>
    changeMembers(await writingFor(write), relation, { owner, change })
  const { can, spell } = store.dialect
  const shortcuts: WriteShortcuts = {
    create: {
      insteadOf: create,
      acceptsScopes: true,
      checksRows: true,
      many: async (type, rows, write) => createMany(await writingFor(write), type, rows, write),
      ...(can.returnRows && { autocommit: (type, values, write) => insertAutocommit(store, type, values, write) }),
      ...(spell.boundRows?.checkedInsert != null && {
        autocommitMany: (type, rows, write) => insertManyAutocommit(store, type, rows, write),
      }),
    },
    update: {
      insteadOf: update,
      acceptsScopes: true,
      raisesVersions: true,
      ...(can.returnRows && {
        autocommit: (type, key, values, write) => updateAutocommit(store, type, { key, values }, write),
      }),
    },
    delete: {
      insteadOf: remove,
      acceptsScopes: true,
      ...(can.returnRows && { autocommit: (type, key, write) => deleteAutocommit(store, type, key, write) }),
    },
    mutateRelationship: {
      insteadOf: mutateRelationship,
      acceptsScopes: true,
      autocommit: (relation, change, write) => changeJoinsAutocommit(store, relation, change, write),
    },
  }
  for (const group of Object.values(shortcuts)) Object.freeze(group)
  return Object.freeze<Persister>({
    create,
    update,
    delete: remove,
    mutateRelationship,
    shortcuts: Object.freeze(shortcuts),
  })
}

/** The maximum number of attempts if the generated key is taken. */
const maxAttempts = 3

async function createRow(writing: SqlWriting, type: CompiledType, values: ColumnValues): Promise<RowObject> {
  const table = tableFor(writing.tables, type)
  const { set, isKeyGenerated } = newRow({ type, table, dialect: writing.store.dialect }, values)
  const row = { table, column: columnOf(table, type.id.column) }
  for (let attempt = 1; ; attempt++) {
    try {
      return await atomically(writing, table.needsSecondRead, (inner) => insertRow(inner, row, set))
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
  const table = tableFor(writing.tables, type)
  const set = changedColumns(table, values)
  checkKeys({ type, table, dialect: writing.store.dialect }, set)
  const row = { table, column: columnOf(table, type.id.column), key }
  try {
    const isMultiple = table.needsSecondRead || mayChangeSeveral(table, type)
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
