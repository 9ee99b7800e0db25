import type { CreateRow, Persister } from '../../resource/capabilities/persister.js'
import type { Transaction } from '../../resource/capabilities/transactions.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { Awaitable } from '../../util/types.js'
import type { StoredRow } from './layered-rows.js'
import { changeMembers } from './memory-members.js'
import type { MemoryStore } from './memory-store.js'
import type { KeyFormat, MemoryTable, TableDraft } from './memory-table.js'
import { draftOf, insertInto, removeFrom, replaceIn, rowWith } from './memory-table.js'
import { modelOf } from './memory-world.js'
import { refuse, uniqueConflicts } from './unique-conflicts.js'

export function memoryPersister(store: MemoryStore): Persister {
  /** A write that belongs to no transaction is one by itself: it waits for its turn like the others. */
  const inTurn = <Result>(
    transaction: Transaction | null,
    write: (transaction: Transaction) => Result,
  ): Awaitable<Result> => (transaction === null ? store.run(async (own) => write(own)) : write(transaction))
  /** What is refused leaves the draft behind, and the table as it was. */
  const inDraft = <Result>(
    type: CompiledType,
    transaction: Transaction | null,
    change: (draft: TableDraft) => Result,
  ): Awaitable<Result> =>
    inTurn(transaction, (open) => {
      const model = modelOf(type)
      const draft = draftOf(store.table(model, open))
      const result = change(draft)
      store.write(model.name, draft, open)
      return result
    })
  const create: CreateRow = (type, values, { transaction }) =>
    inDraft(type, transaction, (draft) => createIn(draft, type, values))
  const many: CreateRow['many'] = (type, rows, { transaction }) =>
    inDraft(type, transaction, (draft) => rows.map((values) => createIn(draft, type, values)))
  return Object.freeze<Persister>({
    create: Object.assign(create, { many }),
    update: (type, key, values, { transaction }) =>
      inDraft(type, transaction, (draft) => updateIn(draft, type, { key, values })),
    delete: (type, key, { transaction }) => inDraft(type, transaction, (draft) => deleteFrom(draft, type, key)),
    mutateRelationship: (relation, owner, change, { transaction }) =>
      inTurn(transaction, (open) => changeMembers(store, relation, { owner, change, transaction: open })),
  })
}

function createIn(draft: TableDraft, type: CompiledType, values: StoredRow): StoredRow {
  checkKeys(type, draft, values, null)
  const row = insertInto(draft, values, keyFormat(type))
  refuse(uniqueConflicts(type, draft, [{ row, stored: null }]))
  return row
}

function updateIn(
  draft: TableDraft,
  type: CompiledType,
  { key, values }: { readonly key: unknown; readonly values: StoredRow },
): StoredRow | null {
  const stored = rowWith(draft, type.id.column, key)
  if (stored === undefined) return null
  checkKeys(type, draft, values, stored.row)
  const row = replaceIn(draft, stored, values)
  refuse(uniqueConflicts(type, draft, [{ row, stored: stored.row }]))
  return row
}

function deleteFrom(draft: TableDraft, type: CompiledType, key: unknown): boolean {
  const stored = rowWith(draft, type.id.column, key)
  if (stored === undefined) return false
  removeFrom(draft, stored)
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
    if (other !== undefined && other.row !== stored) refuse([{ kind: 'key', type: type.type, key }])
  }
}
