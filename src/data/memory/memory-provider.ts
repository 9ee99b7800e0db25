import type { Provider } from '../../resource/capabilities/provider.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { Model } from '../../resource/model.js'
import { rowSetOf } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import type { MemoryStore } from './memory-store.js'
import { rowWith } from './memory-table.js'

export function memoryProvider(store: MemoryStore): Provider {
  return Object.freeze<Provider>({
    fetchOne(type, id, { columns, transaction }) {
      const key = type.id.decode(id)
      const row = key === null ? undefined : rowWith(store.table(modelOf(type), transaction), type.id.column, key)
      return row === undefined ? null : rowSetOf([row], columns ?? undefined)
    },

    fetchCollection(type, { columns, transaction, wantsCount }) {
      const { rows } = store.table(modelOf(type), transaction)
      return { rows: rowSetOf([...rows.values()], columns ?? undefined), total: wantsCount ? rows.size : null }
    },
  })
}

export function modelOf(type: CompiledType): Model<unknown> {
  invariant(type.model !== null, `the memory store was asked for '${type.type}', which has no model`)
  return type.model
}
