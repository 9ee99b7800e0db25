import type { ResourceRows } from '../../operation/response-value.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { FlattenedChain } from '../../../declare/resource/reading/flattened-chain.js'
import type { ReadContext } from '../read-context.js'
import { followChains, valueReader } from './follow-chains.js'
import type { GraphNode } from './graph-node.js'

/**
 * Adds the values of flattened attributes to the rows of resources. The rows that this needs are read in addition to
 * the document: they are not in `included`, and the limits of `include` do not count them.
 */
export async function addFlattenedValues(
  nodes: readonly GraphNode[],
  chainsOf: (served: ServedType) => readonly FlattenedChain[],
  request: ReadContext,
): Promise<void> {
  const byType = new Map<ServedType, GraphNode[]>()
  let typeWithoutChains: ServedType | null = null
  for (const node of nodes) {
    const { served } = node.rows
    // Resources of one type follow each other, so this skips most resources whose type has no chains.
    if (served === typeWithoutChains) continue
    const sameType = byType.get(served)
    if (sameType !== undefined) sameType.push(node)
    else if (chainsOf(served).length > 0) byType.set(served, [node])
    else typeWithoutChains = served
  }
  if (byType.size === 0) return
  await Promise.all([...byType].map(([served, sameType]) => addValues(sameType, chainsOf(served), request)))
}

async function addValues(
  nodes: readonly GraphNode[],
  chains: readonly FlattenedChain[],
  request: ReadContext,
): Promise<void> {
  const ends = await followChains(nodes, chains, { request })
  const readers = chains.map((chain) => valueReader(chain, ends))
  const widened = new Map<ResourceRows, ResourceRows>()
  for (const node of nodes) {
    const values = readers.map((valueFrom) => valueFrom(node))
    const { served, columns } = node.rows
    const rows = widened.get(node.rows) ?? {
      served,
      columns: [...columns, ...chains.map(({ valueColumn }) => valueColumn)],
    }
    widened.set(node.rows, rows)
    node.rows = rows
    node.row = [...node.row, ...values]
  }
}
