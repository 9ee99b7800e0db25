import { isDeepStrictEqual } from 'node:util'
import { fail, failAll } from '../../errors/json-api-error.js'
import type { Persister } from '../../resource/capabilities/persister.js'
import type { Transaction } from '../../resource/capabilities/transactions.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { Awaitable } from '../../util/types.js'
import { keyText } from '../row-query/key-text.js'
import { changeMembers } from './memory-members.js'
import { takenProblem, uniqueSets } from '../../resource/unique-sets.js'
import type { MemoryStore } from './memory-store.js'
import type { KeyFormat, MemoryTable, StoredRow } from './memory-table.js'
import { draftOf, insertInto, removeFrom, replaceIn, rowWith } from './memory-table.js'
import { modelOf } from './memory-world.js'

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
  checkFree(type, table, values)
  checkUnique(type, table, values, null)
  const draft = draftOf(table)
  const row = insertInto(draft, values, keyFormat(type))
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
  checkKept(type, table, stored, values)
  checkUnique(type, table, { ...stored, ...values }, stored)
  const draft = draftOf(table)
  const row = replaceIn(draft, stored, values)
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

/** No two rows have one id, nor one key where the id is another column. */
function checkFree(type: CompiledType, table: MemoryTable, values: StoredRow): void {
  const taken = [type.id.column, table.key].some((column) => {
    const key = values[column]
    return key !== undefined && key !== null && rowWith(table, column, key) !== undefined
  })
  if (!taken) return
  const id = type.id.encode(values[type.id.column])
  fail('CLIENT_GENERATED_ID_ALREADY_EXISTS', { id }, { source: { pointer: '/data/id' } })
}

/** Clients change no keys; code of the author's that gives a row the key of another would have it take its place. */
function checkKept(type: CompiledType, table: MemoryTable, stored: StoredRow, values: StoredRow): void {
  for (const column of new Set([type.id.column, table.key])) {
    const other = Object.hasOwn(values, column) ? rowWith(table, column, values[column]) : undefined
    if (other === undefined || other === stored) continue
    throw new Error(`A row of '${type.type}' was to get the key '${keyText(values[column])}', which another one has.`)
  }
}

/** What a database's unique index would refuse. Like there, null equals nothing. */
function checkUnique(type: CompiledType, table: MemoryTable, row: StoredRow, stored: StoredRow | null): void {
  const problems = uniqueSets(type)
    .filter(({ columns }) => isTaken(table, row, columns, stored))
    .map(takenProblem)
  if (problems.length > 0) failAll(problems)
}

function isTaken(table: MemoryTable, row: StoredRow, columns: readonly string[], stored: StoredRow | null): boolean {
  if (columns.some((column) => row[column] === null || row[column] === undefined)) return false
  for (const other of table.rows.values()) {
    if (other !== stored && columns.every((column) => isDeepStrictEqual(other[column], row[column]))) return true
  }
  return false
}
