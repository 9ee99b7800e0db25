import { pointer } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import { fail, failAll, problem } from '../../errors/json-api-error.js'
import type { Persister } from '../../resource/capabilities/persister.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import { modelOf } from './memory-provider.js'
import type { MemoryStore } from './memory-store.js'
import type { MemoryTable, StoredRow } from './memory-table.js'
import { inserted, keyText, removed, replaced } from './memory-table.js'

export function memoryPersister(store: MemoryStore): Persister {
  return Object.freeze<Persister>({
    create(type, values, { transaction }) {
      const model = modelOf(type)
      const table = store.table(model, transaction)
      const key = values[table.key]
      if (key !== undefined && key !== null && table.rows.has(keyText(key))) {
        fail('CLIENT_GENERATED_ID_ALREADY_EXISTS', { id: type.id.encode(key) }, { source: { pointer: '/data/id' } })
      }
      checkUnique(type, table, values, null)
      const written = inserted(table, values)
      store.write(model.name, written.table, transaction)
      return written.row
    },

    update(type, key, values, { transaction }) {
      const model = modelOf(type)
      const table = store.table(model, transaction)
      const stored = table.rows.get(keyText(key))
      if (stored === undefined) return null
      const row = Object.freeze({ ...stored, ...values })
      checkUnique(type, table, row, stored)
      store.write(model.name, replaced(table, row), transaction)
      return row
    },

    delete(type, key, { transaction }) {
      const model = modelOf(type)
      const table = store.table(model, transaction)
      if (!table.rows.has(keyText(key))) return false
      store.write(model.name, removed(table, keyText(key)), transaction)
      return true
    },
  })
}

/** What a database's unique index would refuse. Like there, null equals nothing. */
function checkUnique(type: CompiledType, table: MemoryTable, row: StoredRow, stored: StoredRow | null): void {
  const problems: Problem[] = []
  for (const { name, column, spec } of type.attributes) {
    for (const constraint of spec.constraints) {
      if (constraint.kind !== 'unique' || column === null) continue
      const others = constraint.fields.map((field) => type.attributeNamed.get(field)?.column ?? field)
      const columns = [column, ...others]
      if (columns.some((member) => row[member] === null || row[member] === undefined)) continue
      const taken = [...table.rows.values()].some(
        (other) => other !== stored && columns.every((member) => other[member] === row[member]),
      )
      const message = constraint.message ?? 'This value is already taken.'
      if (taken)
        problems.push(
          problem('VALIDATION_FAILED', { message }, { source: { pointer: pointer('data', 'attributes', name) } }),
        )
    }
  }
  if (problems.length > 0) failAll(problems)
}
