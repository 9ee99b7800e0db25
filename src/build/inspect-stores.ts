import type { DataSource, Inspection } from '../data/data-source.js'
import type { AnyPaginator } from '../pagination/paginator.js'
import type { CompiledType } from '../resource/compiled-type.js'

/** Compares the declarations with the schema of every store. Rejects if a store cannot be reached. */
export async function inspectStores(
  sources: readonly DataSource[],
  types: readonly CompiledType[],
  paginator: AnyPaginator | null,
): Promise<Inspection> {
  const inspections = await Promise.all(
    sources.map(async (source) => source.inspect?.(types, { paginator }) ?? noFindings),
  )
  const all = (part: keyof Inspection): readonly string[] => inspections.flatMap((inspection) => inspection[part])
  return { missing: all('missing'), unsound: all('unsound'), advice: all('advice') }
}

const noFindings: Inspection = Object.freeze({ missing: [], unsound: [], advice: [] })

/**
 * Returns the error that `server.ready()` rejects with: one sentence for each missing thing; `null` if nothing is
 * missing.
 */
export function notReady({ missing }: Inspection): Error | null {
  const [first, ...others] = missing
  if (first === undefined) return null
  if (others.length === 0) return new Error(first)
  return new Error(['The stores are not ready:', ...missing.map((sentence) => `  - ${sentence}`)].join('\n'))
}
