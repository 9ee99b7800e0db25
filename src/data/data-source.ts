import type { Persister } from '../resource/capabilities/persister.js'
import type { Provider } from '../resource/capabilities/provider.js'
import type { Transactions } from '../resource/capabilities/transactions.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { DeclarationFault } from '../resource/declaration-fault.js'

/** A store that serves several types: it says for each whether it can read and write it. */
export interface DataSource {
  readonly name: string
  /** Sources are asked from the highest to the lowest; 0 unless said otherwise. */
  readonly priority?: number
  provider(type: CompiledType): Provider | null
  persister(type: CompiledType): Persister | null
  /** `null` where the store has no transactions. */
  readonly transactions: Transactions | null
  /** Asked once at build with all types: what keeps this store from serving them. */
  check?(types: readonly CompiledType[]): readonly DeclarationFault[]
}

/** The first source that serves something, with what serves it. */
export function firstServing<Capability>(
  sources: readonly DataSource[],
  ask: (source: DataSource) => Capability | null,
): { readonly source: DataSource; readonly capability: Capability } | null {
  for (const source of sources) {
    const capability = ask(source)
    if (capability !== null) return { source, capability }
  }
  return null
}

export function byPriority(sources: readonly DataSource[]): readonly DataSource[] {
  return sources.toSorted((a, b) => (b.priority ?? 0) - (a.priority ?? 0))
}
