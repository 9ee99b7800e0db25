import type { Contract } from '../model/contract.js'

/** Whether a type has a relation, in any role. */
export function hasRelation({ types }: Contract, type: string, relation: string): boolean {
  const nodes = Object.values(types.get(type)?.members ?? {})
  return nodes.some(({ children }) => (children.get(`.${relation}`)?.linkage ?? null) !== null)
}
