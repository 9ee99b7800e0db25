import type { CreateRow, CreateShortcuts, Persister } from '../../declare/resource/capabilities/persister.js'
import type { Transaction } from '../../declare/resource/request/transactions.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import { storeConflict } from '../../declare/resource/capabilities/store-conflict.js'
import { isComposite, keyColumns, keyIn } from '../../declare/resource/parts/key-columns.js'
import { isIdOfMembers } from '../../declare/resource/compiled/cleared-columns.js'
import { columnsOfField } from '../../declare/resource/compiled/unique-sets.js'
import type { Awaitable } from '../../core/util/types.js'
import type { StoreListeners } from '../observe/store-events.js'
import type { StoredRow } from './layered-rows.js'
import { changeMemoryMembers } from './change-memory-members.js'
import type { MemoryStore } from './memory-store.js'
import type { KeyFormat, MemoryTable, TableDraft } from './memory-table.js'
import { draftOf, insertInto, removeFrom, replaceIn, findTableRow } from './memory-table.js'
import { modelOf } from './memory-query-context.js'
import { throwConflicts, uniqueConflicts } from './unique-conflicts.js'

export function memoryPersister(store: MemoryStore, { isObserved }: Pick<StoreListeners, 'isObserved'>): Persister {
  /** Runs a write in its transaction. A write without one gets its own, which waits in the queue like the others. */
  const inTransaction = <Result>(
    transaction: Transaction | null,
    write: (transaction: Transaction) => Result,
  ): Awaitable<Result> =>
    transaction === null ? store.run(async (autocommit) => write(autocommit)) : write(transaction)
  /** Applies a change to a draft of a table. If the change throws, the draft is dropped and the table is unchanged. */
  const inDraft = <Result>(
    type: CompiledType,
    transaction: Transaction | null,
    change: (draft: TableDraft) => Result,
  ): Awaitable<Result> =>
    inTransaction(transaction, (open) => {
      const model = modelOf(type)
      const draft = draftOf(store.table(model, open))
      const result = change(draft)
      store.write(model.name, draft, open)
      return result
    })
  const create: CreateRow = (type, values, { transaction }) =>
    inDraft(type, transaction, (draft) => createIn(draft, type, values))
  const many: CreateShortcuts['many'] = (type, rows, { transaction }) =>
    isObserved(type) ? null : inDraft(type, transaction, (draft) => rows.map((values) => createIn(draft, type, values)))
  return Object.freeze<Persister>({
    create,
    update: (type, key, values, { transaction }) =>
      inDraft(type, transaction, (draft) => updateIn(draft, type, { key, values })),
    delete: (type, key, { transaction }) => inDraft(type, transaction, (draft) => deleteFrom(draft, type, key)),
    mutateRelationship: (relation, owner, change, { transaction }) =>
      inTransaction(transaction, (open) => changeMemoryMembers(store, relation, { owner, change, transaction: open })),
    shortcuts: Object.freeze({ create: Object.freeze({ insteadOf: create, many }) }),
  })
}

function createIn(draft: TableDraft, type: CompiledType, values: StoredRow): StoredRow {
  const complete = withKeyOfMembers(type, draft, values)
  checkKeyForm(type, draft, complete)
  checkKeys(type, draft, complete, null)
  const row = insertInto(draft, complete, keyFormat(type))
  throwConflicts(uniqueConflicts(type, draft, [{ row, stored: null }]))
  return row
}

/**
 * Adds a missing column of a key that members make, as a number, if no member of the resource can set it. Throws a conflict if a member
 * could have set it.
 */
function withKeyOfMembers(type: CompiledType, { counter }: MemoryTable, values: StoredRow): StoredRow {
  if (!isIdOfMembers(type)) return values
  const missing = keyColumns(type.id.column).filter((column) => (values[column] ?? null) === null)
  const members = [...type.attributes, ...type.relations].flatMap(({ name }) => columnsOfField(type, name))
  const required = missing.filter((column) => members.includes(column))
  if (required.length > 0) throw storeConflict({ kind: 'null', type: type.type, columns: required })
  return { ...values, ...Object.fromEntries(missing.map((column) => [column, counter + 1])) }
}

function updateIn(
  draft: TableDraft,
  type: CompiledType,
  { key, values }: { readonly key: unknown; readonly values: StoredRow },
): StoredRow | null {
  const stored = findTableRow(draft, type.id.column, key)
  if (stored === undefined) return null
  checkKeys(type, draft, values, stored.row)
  const row = replaceIn(draft, stored, values)
  throwConflicts(uniqueConflicts(type, draft, [{ row, stored: stored.row }]))
  return row
}

function deleteFrom(draft: TableDraft, type: CompiledType, key: unknown): boolean {
  const stored = findTableRow(draft, type.id.column, key)
  if (stored === undefined) return false
  removeFrom(draft, stored)
  return true
}

/**
 * Returns the format of the keys that the store generates. If the id is the key and has a format, the keys have that
 * format. Otherwise they are numbers, or `any` if the client or the application supplies the key, or a codec converts
 * it.
 */
function keyFormat({ id, model }: CompiledType): KeyFormat {
  const { format, fallback, clientIds, codec } = id.spec
  if (id.column !== model?.key) return 'number'
  if (format === 'uuid' || format === 'ulid') return format
  return fallback.kind === 'store' && clientIds !== 'required' && codec === null ? 'number' : 'any'
}

/**
 * Throws a conflict if a key of text does not fit into a table whose keys are numbers, as an integer column of a
 * database would. If only the declaration shows that they are numbers, only texts of digits are checked.
 */
function checkKeyForm(type: CompiledType, table: MemoryTable, values: StoredRow): void {
  const { key: column, numbered, hasNumbers, rows } = table
  const key = values[column]
  if (typeof key !== 'string' || /^(?:0|-?[1-9]\d*)$/.test(key)) return
  const expectsNumbers = rows.size === 0 ? keyFormat(type) === 'number' : numbered
  if (expectsNumbers && (hasNumbers || /^[-+]?\d+$/.test(key)))
    throw storeConflict({ kind: 'value', type: type.type, columns: [column] })
}

/**
 * Throws a conflict if another row has the same id, or the same key if the id is another column. Without this check, a
 * write would replace the other row.
 */
function checkKeys(type: CompiledType, table: MemoryTable, values: StoredRow, stored: StoredRow | null): void {
  for (const column of new Set([type.id.column, table.key])) {
    const key = isComposite(column) ? keyIn({ ...stored, ...values }, column) : values[column]
    const other = findTableRow(table, column, key)
    if (other !== undefined && other.row !== stored) throwConflicts([{ kind: 'key', type: type.type, key }])
  }
}
