import type { CompiledType } from '../../resource/compiled-type.js'
import type { DeclarationFault } from '../../resource/declaration-fault.js'
import type { DataSource } from '../data-source.js'
import { memoryPersister } from './memory-persister.js'
import { memoryProvider } from './memory-provider.js'
import { memoryStore } from './memory-store.js'

/**
 * Stores the rows of every type in memory, with transactions. For tests, prototypes and small fixed data: a read of a
 * collection scans all rows of its table.
 *
 * @example
 * ```ts
 * const data = memoryData({ albums: [{ id: 1, title: 'OK Computer' }] })
 * ```
 *
 * @param seeds the initial rows, by the name of their model
 */
export function memoryData(seeds: Readonly<Record<string, readonly object[]>> = {}): DataSource {
  const store = memoryStore(seeds)
  const provider = memoryProvider(store)
  const persister = memoryPersister(store)
  return Object.freeze({
    name: 'memory',
    provider: (type) => (type.model === null ? null : provider),
    persister: (type) => (type.model === null ? null : persister),
    transactions: store,
    check: (types) => unknownModels(Object.keys(seeds), types),
  } satisfies DataSource)
}

/** Reports seeds of models that no type and no relation uses: no request could read these rows. */
function unknownModels(names: readonly string[], types: readonly CompiledType[]): readonly DeclarationFault[] {
  const models = new Set(
    types.flatMap(({ model, relations }) => [
      ...(model === null ? [] : [model.name]),
      ...relations.flatMap(({ spec }) => (spec.join === null ? [] : [spec.join.model])),
    ]),
  )
  return names
    .filter((name) => !models.has(name))
    .map((name) => ({
      problem: `has rows of the unknown model '${name}'`,
      remedy: models.size === 0 ? 'declare a type with that model' : `use one of ${[...models].join(', ')}`,
    }))
}
