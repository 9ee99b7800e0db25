import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'

/** Returns a type and all types that its relations reach; of an aggregate, also the type whose rows its filters test. */
export function reachableTypes(root: ServedType): readonly ServedType[] {
  const reached = new Set(root.source === null ? [root] : [root, root.source])
  // The loop also visits types that are added while it runs.
  for (const { relations } of reached) {
    for (const { related } of relations.values()) for (const next of related.values()) reached.add(next)
  }
  return [...reached]
}
