import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { DeclarationFault } from '../../declare/resource/parts/declaration-fault.js'
import { nearestWord } from '../../core/util/nearest-word.js'
import type { DataSource } from '../common/data-source.js'
import { isTypeList, servesType } from '../common/data-source.js'
import { tableNames } from '../common/table-names.js'
import { observedPersister } from '../observe/observed-persister.js'
import type { ObservableStore } from '../observe/store-events.js'
import { StoreListeners } from '../observe/store-events.js'
import { memoryJoins } from './change-memory-members.js'
import { memoryIdempotency } from './memory-idempotency.js'
import { memoryPersister } from './memory-persister.js'
import { memoryProvider } from './memory-provider.js'
import { memoryStore } from './memory-store.js'

/**
 * A data source that stores resources in memory.
 *
 * @example
 * ```ts
 * const data: MemoryData = memoryData()
 * data.on('saved', 'albums', ({ after }) => console.log(after))
 * ```
 */
export interface MemoryData extends DataSource, ObservableStore {}

/** The options of {@link memoryData}. */
export interface MemoryDataOptions {
  /** The names of the types that the store serves, if the server has several stores. Default: all that have a model. */
  readonly types?: readonly string[]
}

type Seeds = Readonly<Record<string, readonly object[]>>

/**
 * Stores the rows of every type in memory, with transactions. For tests, prototypes and small fixed data: a read of a
 * collection scans all rows of its table.
 *
 * @example
 * ```ts
 * const data = memoryData({ albums: [{ id: 1, title: 'OK Computer' }] })
 * ```
 *
 * @param seeds the initial rows, by the name of their model. Rows of a model that no type uses are ignored, unless the name is
 *   similar to that of a model without rows: then the build reports it.
 */
export function memoryData(seeds: Seeds = {}, options: MemoryDataOptions = {}): MemoryData {
  checkOptions(options)
  const { types } = options
  const store = memoryStore(seeds)
  const provider = memoryProvider(store)
  const listeners = new StoreListeners()
  const persister = observedPersister({
    provider,
    persister: memoryPersister(store, listeners),
    transactions: store,
    current: () => store.current(),
    joinRows: (relation, owner, { transaction }) => memoryJoins(store, relation, owner, transaction),
    listeners,
  })
  const serves = (type: CompiledType): boolean => type.model !== null && servesType(types, type.type)
  return Object.freeze({
    name: 'memory',
    ...(types === undefined ? {} : { types }),
    provider: (type) => (serves(type) ? provider : null),
    persister: (type) => (serves(type) ? persister : null),
    transactions: store,
    on: listeners.on,
    check(all) {
      const own = all.filter(serves)
      return [...listeners.check(own), ...seedFaults(seeds, tableNames(own))]
    },
    idempotency: memoryIdempotency(store),
  } satisfies MemoryData)
}

/** Returns a fault for rows that no type uses, if their name is that of a table without rows, misspelt. */
function seedFaults(seeds: Seeds, tables: ReadonlySet<string>): readonly DeclarationFault[] {
  const unseeded = [...tables].filter((table) => !Object.hasOwn(seeds, table))
  return Object.keys(seeds).flatMap((name) => {
    const nearest = tables.has(name) ? null : nearestWord(name, unseeded)
    if (nearest === null) return []
    const problem = `has rows of '${name}', which no type uses, and none of '${nearest}'`
    return [{ problem, remedy: `rename them: memoryData({ ${propertyName(nearest)}: […] })` }]
  })
}

function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`
}

/** Checks the options at run time, for JavaScript code: a misspelt option would be ignored silently. */
function checkOptions(options: MemoryDataOptions): void {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (name !== 'types') throw new TypeError(`memoryData() has no option '${name}': use types.`)
    if (value !== undefined && !isTypeList(value))
      throw new TypeError("The option 'types' of memoryData() must be an array of names of types.")
  }
}
