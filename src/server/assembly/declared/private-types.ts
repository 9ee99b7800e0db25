import { memoize } from '../../../core/util/memoize.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { DeclaredType } from './build-rule.js'

/** Returns the types with a policy, and those that show resources of such types. Computed once for all types of a service. */
const privateTypes = memoize((types: readonly DeclaredType[]): ReadonlySet<CompiledType> => {
  const shownBy = new Map<string, CompiledType[]>()
  for (const { type } of types) {
    for (const target of reachedFrom(type)) {
      const showing = shownBy.get(target)
      if (showing === undefined) shownBy.set(target, [type])
      else showing.push(type)
    }
  }
  const found = new Set(types.map(({ type }) => type).filter(({ policy }) => policy !== null))
  // The loop also visits types that are added while it runs.
  for (const { type: name } of found) shownBy.get(name)?.forEach((each) => found.add(each))
  return found
})

/** Returns the types that a type refers to. An aggregate counts rows of its owner, which filters may choose by rows of other types. */
function reachedFrom({ relations, groupsOf }: CompiledType): readonly string[] {
  const targets = relations.flatMap(({ spec }) => spec.targets)
  return groupsOf === null ? targets : [...targets, groupsOf.owner]
}

/**
 * Returns whether responses of a type may show resources of a type with a policy, included or as linkage: such responses are for one
 * caller only.
 */
export function isPrivateType(type: CompiledType, types: readonly DeclaredType[]): boolean {
  return privateTypes(types).has(type)
}

/** Returns the name of the type with a policy because of which a type is private; `null` if it is not. */
export function privateBecauseOf(type: CompiledType, types: readonly DeclaredType[]): string | null {
  if (!isPrivateType(type, types)) return null
  const reached = new Set([type])
  for (const each of reached) {
    if (each.policy !== null) return each.type
    const targets = new Set(reachedFrom(each))
    for (const { type: target } of types) if (targets.has(target.type)) reached.add(target)
  }
  return null
}
