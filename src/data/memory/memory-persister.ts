import { isDeepStrictEqual } from 'node:util'
import { fail, failAll } from '../../errors/json-api-error.js'
import type { Persister } from '../../resource/capabilities/persister.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import { changeMembers } from './memory-members.js'
import { takenProblem, uniqueSets } from '../../resource/unique-sets.js'
import type { MemoryStore } from './memory-store.js'
import type { KeyFormat, MemoryTable, StoredRow } from './memory-table.js'
import { draftOf, insertInto, removeFrom, replaceIn, rowWith } from './memory-table.js'
import { modelOf } from './memory-world.js'

export function memoryPersister(store: MemoryStore): Persister {
  return Object.freeze<Persister>({
    create(type, values, { transaction }) {
      const model = modelOf(type)
      const table = store.table(model, transaction)
      checkFree(type, table, values)
      checkUnique(type, table, values, null)
      const draft = draftOf(table)
      const row = insertInto(draft, values, keyFormat(type))
      store.write(model.name, draft, transaction)
      return row
    },

    update(type, key, values, { transaction }) {
      const model = modelOf(type)
      const table = store.table(model, transaction)
      const stored = rowWith(table, type.id.column, key)
      if (stored === undefined) return null
      checkUnique(type, table, { ...stored, ...values }, stored)
      const draft = draftOf(table)
      const row = replaceIn(draft, stored, values)
      store.write(model.name, draft, transaction)
      return row
    },

    delete(type, key, { transaction }) {
      const model = modelOf(type)
      const table = store.table(model, transaction)
      const stored = rowWith(table, type.id.column, key)
      if (stored === undefined) return false
      const draft = draftOf(table)
      removeFrom(draft, stored)
      store.write(model.name, draft, transaction)
      return true
    },

    mutateRelationship: (relation, owner, change, { transaction }) =>
      changeMembers(store, relation, { owner, change, transaction }),
  })
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
