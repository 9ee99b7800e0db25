import type {
  ColumnValues,
  CreateRow,
  DeleteRow,
  MutateRelationship,
  Persister,
  UpdateRow,
  WriteContext,
} from '../../../resource/capabilities/persister.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowObject } from '../../../resource/fields/field-spec.js'
import { tableFor } from '../query/related-source.js'
import type { SqlTable } from '../schema/sql-table.js'
import { columnOf } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { asOne } from './as-one.js'
import { changeJoinsAutocommit, deleteAutocommit, updateAutocommit } from './autocommit.js'
import { changeMembers } from './change-members.js'
import { insertAutocommit } from './insert-autocommit.js'
import { createMany } from './create-many.js'
import { gaveTakenKey, passTakenKeys } from './pass-taken-keys.js'
import { changedColumns, checkKeys, newRow } from './new-row.js'
import { refusal } from './refusal.js'
import type { SqlWriting } from './sql-writing.js'
import { deleteRow, insertRow, updateRow } from './write-row.js'

/** Writes rows of a SQL store. What the database refuses because of what it holds is a conflict, as in other stores. */
export function sqlPersister(store: SqlStore): Persister {
  const writingFor = async ({ transaction, context }: WriteContext): Promise<SqlWriting> => {
    const tables = await store.tables()
    // A write that names no transaction waits for nobody, least of all for the one that its own caller runs in.
    return { store, tables, occasion: { transaction: transaction ?? store.transactions.current(), context } }
  }
  const create: CreateRow = Object.assign(
    async (...[type, values, write]: Parameters<CreateRow>) => createRow(await writingFor(write), type, values),
    {
      batch: async (...[type, rows, write]: Parameters<NonNullable<CreateRow['batch']>>) =>
        createMany(await writingFor(write), type, rows),
      autocommit: (...[type, values, write]: Parameters<NonNullable<CreateRow['autocommit']>>) =>
        insertAutocommit(store, type, values, write),
    },
  )
  const update: UpdateRow = Object.assign(
    async (...[type, key, values, write]: Parameters<UpdateRow>) =>
      updateRowOf(await writingFor(write), type, { key, values }),
    {
      autocommit: (...[type, key, values, write]: Parameters<NonNullable<UpdateRow['autocommit']>>) =>
        updateAutocommit(store, type, { key, values }, write),
    },
  )
  const remove: DeleteRow = Object.assign(
    async (...[type, key, write]: Parameters<DeleteRow>) => deleteRowOf(await writingFor(write), type, key),
    {
      autocommit: (...[type, key, write]: Parameters<NonNullable<DeleteRow['autocommit']>>) =>
        deleteAutocommit(store, type, key, write),
    },
  )
  const mutateRelationship: MutateRelationship = Object.assign(
    async (...[relation, owner, change, write]: Parameters<MutateRelationship>) =>
      changeMembers(await writingFor(write), relation, { owner, change }),
    {
      autocommit: (...[relation, change, write]: Parameters<NonNullable<MutateRelationship['autocommit']>>) =>
        changeJoinsAutocommit(store, relation, change, write),
    },
  )
  for (const write of [create, update, remove, mutateRelationship]) Object.freeze(write)
  return Object.freeze<Persister>({ create, update, delete: remove, mutateRelationship })
}

/** How often a key that the database gave may be taken before that is told. */
const attempts = 3

async function createRow(writing: SqlWriting, type: CompiledType, values: ColumnValues): Promise<RowObject> {
  const table = tableFor(writing.tables, type)
  const { set, isKeyGiven } = newRow(type, table, values, writing.store.engine)
  const row = { table, column: columnOf(table, type.id.column) }
  for (let attempt = 1; ; attempt++) {
    try {
      return await asOne(writing, isReadAgain(table), (inside) => insertRow(inside, row, set))
    } catch (thrown) {
      const isTaken = isKeyGiven && attempt < attempts && (await gaveTakenKey(thrown, table, writing))
      if (!isTaken) throw await refusal(thrown, { kind: 'insert', type, table, set }, writing)
      await passTakenKeys(table, writing)
    }
  }
}

/** Whether a row that is written is read by a second statement. */
function isReadAgain({ computed }: SqlTable): boolean {
  return computed.length > 0
}

async function updateRowOf(
  writing: SqlWriting,
  type: CompiledType,
  { key, values }: { readonly key: unknown; readonly values: ColumnValues },
): Promise<RowObject | null> {
  const table = tableFor(writing.tables, type)
  const set = changedColumns(table, values)
  checkKeys(type, table, set, writing.store.engine)
  const row = { table, column: columnOf(table, type.id.column), key }
  try {
    return await asOne(writing, isReadAgain(table), (inside) => updateRow(inside, row, set))
  } catch (thrown) {
    throw await refusal(thrown, { kind: 'update', type, table, set }, writing)
  }
}

async function deleteRowOf(writing: SqlWriting, type: CompiledType, key: unknown): Promise<boolean> {
  const table = tableFor(writing.tables, type)
  const row = { table, column: columnOf(table, type.id.column), key }
  try {
    return await asOne(writing, false, (inside) => deleteRow(inside, row))
  } catch (thrown) {
    throw await refusal(thrown, { kind: 'delete', type, table, set: new Map() }, writing)
  }
}
