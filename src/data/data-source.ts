import type { AnyPaginator } from '../pagination/paginator.js'
import type { Persister } from '../resource/capabilities/persister.js'
import type { Provider } from '../resource/capabilities/provider.js'
import type { Transaction, Transactions } from '../resource/capabilities/transactions.js'
import type { CompiledType } from '../resource/compiled-type.js'
import type { DeclarationFault } from '../resource/declaration-fault.js'
import type { RequestContext } from '../resource/request-context.js'

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
  /** What `context.db` is for authors' code: it works in the transaction, and without one by itself. */
  handle?(transaction: Transaction | null, context: RequestContext): unknown
  /**
   * Holds the declarations against what the store has, as `server.ready()` and `ashlar check --database` want it. Rejects with
   * a sentence where the store cannot be reached.
   */
  inspect?(types: readonly CompiledType[], occasion: InspectionOccasion): Promise<Inspection>
}

/** What a store has against the declarations, in a sentence each. */
export interface Inspection {
  /** Without it some requests cannot be served: tables, columns. */
  readonly missing: readonly string[]
  /** Without it two requests at once may break what is declared, or relations are read slowly: indexes. */
  readonly unsound: readonly string[]
  /** What large tables would want. */
  readonly advice: readonly string[]
}

/** What an inspection needs to know of the server. */
export interface InspectionOccasion {
  /** Of types that say nothing of it. */
  readonly paginator: AnyPaginator | null
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
