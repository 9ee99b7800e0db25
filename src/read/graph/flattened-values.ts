import type { ResourceRows } from '../../operation/response-value.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { FlattenedChain } from '../../resource/reading/flattened-chain.js'
import type { ReadContext } from '../read-context.js'
import { followChains, valueReader } from './follow-chains.js'
import type { GraphNode } from './graph-node.js'

/**
 * Adds to the rows of resources what their flattened attributes show. The rows that this takes are read besides the
 * document: they are in no `included`, and no limit of inclusion counts them.
 */
export async function addFlattenedValues(
  nodes: readonly GraphNode[],
  chainsOf: (served: ServedType) => readonly FlattenedChain[],
  reading: ReadContext,
): Promise<void> {
  const byType = new Map<ServedType, GraphNode[]>()
  let without: ServedType | null = null
  for (const node of nodes) {
    const { served } = node.rows
    // Resources of one type come one after the other.
    if (served === without) continue
    const same = byType.get(served)
    if (same !== undefined) same.push(node)
    else if (chainsOf(served).length > 0) byType.set(served, [node])
    else without = served
  }
  if (byType.size === 0) return
  await Promise.all([...byType].map(([served, same]) => addValues(same, chainsOf(served), reading)))
}

async function addValues(
  nodes: readonly GraphNode[],
  chains: readonly FlattenedChain[],
  reading: ReadContext,
): Promise<void> {
  const ends = await followChains(nodes, chains, { reading })
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
