import type { DataSource, Inspection } from '../../stores/common/data-source.js'
import type { AnyPaginator } from '../../declare/pagination/paginator.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'

interface InspectionContext {
  /** The paginator of types that declare none. */
  readonly paginator: AnyPaginator | null
  /** The stores that the setting `idempotency` of a server stores responses in. */
  readonly responseStores: ReadonlySet<DataSource>
}

/** Compares the declarations with the schema of every store. Rejects if a store cannot be reached. */
export async function inspectStores(
  sources: readonly DataSource[],
  types: readonly CompiledType[],
  { paginator, responseStores }: InspectionContext,
): Promise<Inspection> {
  const inspections = await Promise.all(
    sources.map(
      async (source) =>
        source.inspect?.(types, { paginator, storesResponses: responseStores.has(source) }) ?? noFindings,
    ),
  )
  return {
    missing: inspections.flatMap(({ missing }) => missing),
    unsound: inspections.flatMap(({ unsound }) => unsound),
    advice: inspections.flatMap(({ advice }) => advice),
    named: inspections.flatMap(({ named = [] }) => named),
  }
}

const noFindings: Inspection = Object.freeze({ missing: [], unsound: [], advice: [] })

/** Returns the sentence of a finding, with its name if it can be waived: `… [unique-key:albums]`. */
export function withName(sentence: string, { named = [] }: Inspection): string {
  const found = named.find((finding) => finding.sentence === sentence)
  return found === undefined ? sentence : `${sentence} [${found.name}]`
}

/**
 * Returns the error that `server.ready()` rejects with: one sentence for each missing thing; `null` if nothing is
 * missing.
 */
export function notReady(inspection: Inspection): Error | null {
  const missing = inspection.missing.map((sentence) => withName(sentence, inspection))
  const [first, ...others] = missing
  if (first === undefined) return null
  if (others.length === 0) return new Error(first)
  return new Error(['The stores are not ready:', ...missing.map((sentence) => `  - ${sentence}`)].join('\n'))
}
