import type { CompiledType } from '../../resource/compiled-type.js'
import type { DataSource } from '../data-source.js'
import { isTypeList, servesType } from '../data-source.js'
import { memoryIdempotency } from './memory-idempotency.js'
import { memoryPersister } from './memory-persister.js'
import { memoryProvider } from './memory-provider.js'
import { memoryStore } from './memory-store.js'

/** The options of {@link memoryData}. */
export interface MemoryDataOptions {
  /** The names of the types that the store serves, if the server has several stores. Default: all that have a model. */
  readonly types?: readonly string[]
}

/**
 * Stores the rows of every type in memory, with transactions. For tests, prototypes and small fixed data: a read of a
 * collection scans all rows of its table.
 *
 * @example
 * ```ts
 * const data = memoryData({ albums: [{ id: 1, title: 'OK Computer' }] })
 * ```
 *
 * @param seeds the initial rows, by the name of their model. Rows of a model that no type uses are ignored.
 */
export function memoryData(
  seeds: Readonly<Record<string, readonly object[]>> = {},
  options: MemoryDataOptions = {},
): DataSource {
  checkOptions(options)
  const { types } = options
  const store = memoryStore(seeds)
  const provider = memoryProvider(store)
  const persister = memoryPersister(store)
  const serves = (type: CompiledType): boolean => type.model !== null && servesType(types, type.type)
  return Object.freeze({
    name: 'memory',
    ...(types === undefined ? {} : { types }),
    provider: (type) => (serves(type) ? provider : null),
    persister: (type) => (serves(type) ? persister : null),
    transactions: store,
    idempotency: memoryIdempotency(store),
  } satisfies DataSource)
}

/** Checks the options at run time, for JavaScript code: a misspelt option would be ignored silently. */
function checkOptions(options: MemoryDataOptions): void {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (name !== 'types') throw new TypeError(`memoryData() has no option '${name}': use types.`)
    if (value !== undefined && !isTypeList(value))
      throw new TypeError("The option 'types' of memoryData() must be an array of names of types.")
  }
}
