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
import type { SqlTable } from '../schema/sql-table.js'
import { columnOf, isKeyOfRows, tableFor } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { acceptingScopes } from '../query/sql-provider.js'
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
  const create: CreateRow = Object.assign(
    async (...[type, values, write]: Parameters<CreateRow>) => createRow(await writingFor(write), type, values),
    {
      batch: async (...[type, rows, write]: Parameters<NonNullable<CreateRow['batch']>>) =>
        createMany(await writingFor(write), type, rows),
      autocommit: acceptingScopes((...[type, values, write]: Parameters<NonNullable<CreateRow['autocommit']>>) =>
        insertAutocommit(store, type, values, write),
      ),
      ...(store.engine === 'postgres' ? { autocommitBatch: manyAutocommit(store) } : {}),
    },
  )
  const update: UpdateRow = Object.assign(
    async (...[type, key, values, write]: Parameters<UpdateRow>) =>
      updateRowOf(await writingFor(write), type, { key, values }),
    {
      autocommit: Object.assign(updateByStatement(store), { acceptsScopes: true, raisesVersions: true } as const),
    },
  )
  const remove: DeleteRow = Object.assign(
    async (...[type, key, write]: Parameters<DeleteRow>) => deleteRowOf(await writingFor(write), type, key),
    {
      autocommit: acceptingScopes((...[type, key, write]: Parameters<NonNullable<DeleteRow['autocommit']>>) =>
        deleteAutocommit(store, type, key, write),
      ),
    },
  )
  const mutateRelationship: MutateRelationship = Object.assign(
    async (...[relation, owner, change, write]: Parameters<MutateRelationship>) =>
      changeMembers(await writingFor(write), relation, { owner, change }),
    {
      autocommit: acceptingScopes(
        (...[relation, change, write]: Parameters<NonNullable<MutateRelationship['autocommit']>>) =>
          changeJoinsAutocommit(store, relation, change, write),
      ),
    },
  )
  for (const write of [create, update, remove, mutateRelationship]) Object.freeze(write)
  return Object.freeze<Persister>({ create, update, delete: remove, mutateRelationship })
}

function updateByStatement(store: SqlStore): NonNullable<UpdateRow['autocommit']> {
  return (type, key, values, write) => updateAutocommit(store, type, { key, values }, write)
}

/** SQLite has no statement for any number of rows. There, the statements of a transaction cost less than on PostgreSQL. */
function manyAutocommit(store: SqlStore): NonNullable<CreateRow['autocommitBatch']> {
  return (type, rows, write) => insertManyAutocommit(store, type, rows, write)
}

/** The maximum number of attempts if the generated key is taken. */
const maxAttempts = 3

async function createRow(writing: SqlWriting, type: CompiledType, values: ColumnValues): Promise<RowObject> {
  const table = tableFor(writing.tables, type)
  const { set, isKeyGenerated } = newRow({ type, table, engine: writing.store.engine }, values)
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
  checkKeys({ type, table, engine: writing.store.engine }, set)
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
