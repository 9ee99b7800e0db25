import type {
  CreateRow,
  DeleteRow,
  MutateRelationship,
  Persister,
  UpdateRow,
  WriteContext,
} from '../../declare/resource/capabilities/persister.js'
import { shortcutsFor } from '../../declare/resource/capabilities/own-functions.js'
import { isReply } from '../../declare/resource/replies/reply.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import { invariant } from '../../core/util/invariant.js'
import { observedJoins, observedKeys } from './observed-members.js'
import type { ObservedStore, ObservedWrite } from './observed-store.js'
import { objectsIn } from './observed-store.js'
import { modelName } from './store-events.js'

/**
 * Returns a persister that fires the events of the store around each row. Rows of a table without listeners are written as without events.
 * Other rows are written one by one, in a transaction: the shortcuts of the store do nothing for their tables.
 */
export function observedPersister(store: ObservedStore): Persister {
  const { persister, listeners } = store
  const { isObserved } = listeners
  const inTransaction = <Result>(
    write: WriteContext,
    work: (inner: ObservedWrite) => Promise<Result>,
  ): Promise<Result> => {
    const open = write.transaction ?? store.current()
    if (open !== null) return work({ ...write, transaction: open })
    return store.transactions.run((begun) => work({ ...write, transaction: begun }), undefined, write.context)
  }
  const create: CreateRow = (type, values, write) => {
    if (!isObserved(type)) return persister.create(type, values, write)
    return inTransaction(write, (inner) => observedCreate(store, type, values, inner))
  }
  const update: UpdateRow = (type, key, values, write) => {
    if (!isObserved(type)) return persister.update(type, key, values, write)
    return inTransaction(write, (inner) => observedUpdate(store, type, { key, values }, inner))
  }
  const remove: DeleteRow = (type, key, write) => {
    if (!isObserved(type)) return persister.delete(type, key, write)
    return inTransaction(write, (inner) => observedDelete(store, type, key, inner))
  }
  const mutateRelationship: MutateRelationship = (relation, owner, change, write) => {
    const { storage, targets } = relation
    const mutate = async (inner: WriteContext): Promise<void> =>
      persister.mutateRelationship?.(relation, owner, change, inner)
    const mutation = { relation, owner, change, mutate }
    if (storage.kind === 'join' && listeners.areJoinsObserved(relation)) {
      return inTransaction(write, (inner) => observedJoins(store, { ...mutation, storage }, inner))
    }
    if (storage.kind === 'relatedKey' && targets.some(isObserved)) {
      return inTransaction(write, (inner) => observedKeys(store, { ...mutation, storage }, inner))
    }
    return mutate(write)
  }
  const functions = { create, update, delete: remove, mutateRelationship }
  return Object.freeze<Persister>({
    ...persister,
    create,
    update,
    delete: remove,
    ...(persister.mutateRelationship && { mutateRelationship }),
    isObserved,
    shortcuts: shortcutsFor(functions, persister),
  })
}

async function observedCreate(
  { persister, listeners }: ObservedStore,
  type: CompiledType,
  values: RowObject,
  write: ObservedWrite,
): Promise<object> {
  const event = { table: modelName(type), before: null, context: write.context }
  await listeners.fire({ ...event, event: 'saving', after: values })
  const stored = await persister.create(type, values, write)
  if (!isReply(stored)) await listeners.fire({ ...event, event: 'saved', after: onlyRow(stored) })
  return stored
}

async function observedUpdate(
  store: ObservedStore,
  type: CompiledType,
  { key, values }: { readonly key: unknown; readonly values: RowObject },
  write: ObservedWrite,
): Promise<object | null> {
  const { persister, listeners } = store
  const before = await storedRow(store, type, key, write)
  if (before === null) return persister.update(type, key, values, write)
  const event = { table: modelName(type), before, context: write.context }
  await listeners.fire({ ...event, event: 'saving', after: { ...before, ...values } })
  const stored = await persister.update(type, key, values, write)
  if (stored !== null && !isReply(stored)) await listeners.fire({ ...event, event: 'saved', after: onlyRow(stored) })
  return stored
}

async function observedDelete(
  store: ObservedStore,
  type: CompiledType,
  key: unknown,
  write: ObservedWrite,
): Promise<boolean> {
  const { persister, listeners } = store
  const before = await storedRow(store, type, key, write)
  if (before === null) return persister.delete(type, key, write)
  const event = { table: modelName(type), before, after: null, context: write.context }
  await listeners.fire({ ...event, event: 'deleting' })
  const isDeleted = await persister.delete(type, key, write)
  if (isDeleted) await listeners.fire({ ...event, event: 'deleted' })
  return isDeleted
}

/** Returns the row with a key, and locks it; `null` if there is none. */
async function storedRow(
  { provider }: ObservedStore,
  type: CompiledType,
  key: unknown,
  { transaction, context }: ObservedWrite,
): Promise<RowObject | null> {
  const criteria = { columns: null, conditions: [], transaction, context, forChange: true }
  const found = await provider.fetchOne(type, type.id.encode(key), criteria)
  return found === null ? null : (objectsIn('rows' in found ? found.rows : found)[0] ?? null)
}

function onlyRow(stored: object): RowObject {
  const [row] = objectsIn(stored)
  invariant(row !== undefined, 'a written row was not returned')
  return row
}
