import type { Persister } from '../../resource/capabilities/persister.js'
import type { Transaction } from '../../resource/capabilities/transactions.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { Awaitable } from '../../util/types.js'
import { changeMembers } from './memory-members.js'
import type { MemoryStore } from './memory-store.js'
import type { KeyFormat, MemoryTable, StoredRow } from './memory-table.js'
import { draftOf, insertInto, removeFrom, replaceIn, rowWith } from './memory-table.js'
import { modelOf } from './memory-world.js'
import { refuse, uniqueConflicts } from './unique-conflicts.js'

export function memoryPersister(store: MemoryStore): Persister {
  /** A write that belongs to no transaction is one by itself: it waits for its turn like the others. */
  const inTurn = <Result>(
    transaction: Transaction | null,
    write: (transaction: Transaction) => Result,
  ): Awaitable<Result> => (transaction === null ? store.run(async (own) => write(own)) : write(transaction))
  return Object.freeze<Persister>({
    create: (type, values, { transaction }) => inTurn(transaction, (open) => create(store, type, values, open)),
    update: (type, key, values, { transaction }) =>
      inTurn(transaction, (open) => update(store, type, { key, values }, open)),
    delete: (type, key, { transaction }) => inTurn(transaction, (open) => remove(store, type, key, open)),
    mutateRelationship: (relation, owner, change, { transaction }) =>
      inTurn(transaction, (open) => changeMembers(store, relation, { owner, change, transaction: open })),
  })
}

function create(store: MemoryStore, type: CompiledType, values: StoredRow, transaction: Transaction): StoredRow {
  const model = modelOf(type)
  const table = store.table(model, transaction)
  checkKeys(type, table, values, null)
  const draft = draftOf(table)
  const row = insertInto(draft, values, keyFormat(type))
  refuse(uniqueConflicts(type, draft, [{ row, stored: null }]))
  store.write(model.name, draft, transaction)
  return row
}

function update(
  store: MemoryStore,
  type: CompiledType,
  { key, values }: { readonly key: unknown; readonly values: StoredRow },
  transaction: Transaction,
): StoredRow | null {
  const model = modelOf(type)
  const table = store.table(model, transaction)
  const stored = rowWith(table, type.id.column, key)
  if (stored === undefined) return null
  checkKeys(type, table, values, stored)
  const draft = draftOf(table)
  const row = replaceIn(draft, stored, values)
  refuse(uniqueConflicts(type, draft, [{ row, stored }]))
  store.write(model.name, draft, transaction)
  return row
}

function remove(store: MemoryStore, type: CompiledType, key: unknown, transaction: Transaction): boolean {
  const model = modelOf(type)
  const table = store.table(model, transaction)
  const stored = rowWith(table, type.id.column, key)
  if (stored === undefined) return false
  const draft = draftOf(table)
  removeFrom(draft, stored)
  store.write(model.name, draft, transaction)
  return true
}

/** The keys of a type whose ids have a format must have it too; other keys are the store's where nobody else gives them. */
function keyFormat({ id, model }: CompiledType): KeyFormat {
  const { format, fallback, clientIds, codec } = id.spec
  if (id.column !== model?.key) return 'number'
  if (format === 'uuid' || format === 'ulid') return format
  return fallback.kind === 'store' && clientIds !== 'required' && codec === null ? 'number' : 'any'
}

/** No two rows have one id, nor one key where the id is another column: a row would take the place of another. */
function checkKeys(type: CompiledType, table: MemoryTable, values: StoredRow, stored: StoredRow | null): void {
  for (const column of new Set([type.id.column, table.key])) {
    const key = values[column]
    const other = rowWith(table, column, key)
    if (other !== undefined && other !== stored) refuse([{ kind: 'key', type: type.type, key }])
  }
}
