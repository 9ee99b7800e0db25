import type { Contract } from '../model/contract.js'
import type { SchemaNode } from '../model/schema-node.js'

/** Returns a relation of a type, from responses or else from requests; `null` if the type has no such relation. */
export function relationOf({ types }: Contract, type: string, relation: string): SchemaNode | null {
  const { read, ...others } = types.get(type)?.members ?? {}
  const nodes = [read, ...Object.values(others)].map((node) => node?.children.get(`.${relation}`))
  return nodes.find((node) => (node?.linkage ?? null) !== null) ?? null
}
