import type { CompiledType } from '../../resource/compiled-type.js'
import type { DeclarationFault } from '../../resource/declaration-fault.js'
import type { DataSource } from '../data-source.js'
import { memoryPersister } from './memory-persister.js'
import { memoryProvider } from './memory-provider.js'
import { memoryStore } from './memory-store.js'

/**
 * Keeps the rows of every type in memory, with transactions. For tests, prototypes and small fixed data: a list is
 * read by going through all rows of its table.
 *
 * @example
 * ```ts
 * const data = memoryData({ albums: [{ id: 1, title: 'OK Computer' }] })
 * ```
 *
 * @param seeds the first rows by the name of their model
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
    check: (types) => strangeSeeds(Object.keys(seeds), types),
  } satisfies DataSource)
}

/** Seeds of a model that no type and no relation knows would be rows that nobody ever sees. */
function strangeSeeds(names: readonly string[], types: readonly CompiledType[]): readonly DeclarationFault[] {
  const models = new Set(
    types.flatMap(({ model, relations }) => [
      ...(model === null ? [] : [model.name]),
      ...relations.flatMap(({ spec }) => (spec.join === null ? [] : [spec.join.model])),
    ]),
  )
  return names
    .filter((name) => !models.has(name))
    .map((name) => ({
      problem: `has rows of '${name}', which is no model of any type`,
      remedy: models.size === 0 ? 'declare a type with that model' : `use one of ${[...models].join(', ')}`,
    }))
}
