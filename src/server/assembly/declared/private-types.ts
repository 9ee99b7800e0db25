import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { DeclaredType } from './build-rule.js'

/**
 * Returns the name of a type with a policy whose resources responses of a type may show, included or as linkage: such responses are
 * for one caller only. Returns `null` if there is none.
 */
export function privateBecauseOf(type: CompiledType, types: readonly DeclaredType[]): string | null {
  const named = new Map<string, CompiledType[]>()
  for (const { type: each } of types) named.set(each.type, [...(named.get(each.type) ?? []), each])
  const reached = new Set([type])
  // The loop also visits types that are added while it runs.
  for (const { policy, type: name, relations } of reached) {
    if (policy !== null) return name
    for (const { spec } of relations)
      for (const target of spec.targets) named.get(target)?.forEach((each) => reached.add(each))
  }
  return null
}
