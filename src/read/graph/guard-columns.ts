import type { ResourceRows } from '../../operation/response-value.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { FieldGuard } from '../../resource/fields/field-guard.js'
import type { Awaitable } from '../../util/types.js'
import type { ReadContext } from '../read-context.js'
import { holdAbility } from '../rows/held-abilities.js'
import type { GraphNode } from './graph-node.js'
import { objectOf } from './graph-node.js'

/**
 * Adds the columns of guards to the rows of resources: for each ability that a shown field needs, whether the caller has it
 * for the row. All resources of a type are asked about together. Resources that have the columns are skipped. Returns no
 * promise if no resource needs them.
 */
export function addGuardColumns(
  nodes: readonly GraphNode[],
  guardsOf: (served: ServedType) => readonly FieldGuard[],
  request: ReadContext,
): Awaitable<void> {
  const byType = new Map<ServedType, GraphNode[]>()
  let typeWithoutGuards: ServedType | null = null
  for (const node of nodes) {
    const { served, columns } = node.rows
    // Resources of one type follow each other, so this skips most resources whose type has no guards.
    if (served === typeWithoutGuards) continue
    const [first] = guardsOf(served)
    if (first === undefined) typeWithoutGuards = served
    else if (!columns.includes(first.column)) {
      const sameType = byType.get(served)
      if (sameType === undefined) byType.set(served, [node])
      else sameType.push(node)
    }
  }
  if (byType.size === 0) return
  return addToTypes(byType, guardsOf, request)
}

async function addToTypes(
  byType: ReadonlyMap<ServedType, readonly GraphNode[]>,
  guardsOf: (served: ServedType) => readonly FieldGuard[],
  request: ReadContext,
): Promise<void> {
  await Promise.all([...byType].map(([served, nodes]) => addColumns(nodes, guardsOf(served), request)))
}

async function addColumns(
  nodes: readonly GraphNode[],
  guards: readonly FieldGuard[],
  request: ReadContext,
): Promise<void> {
  const [first] = nodes
  if (first === undefined) return
  const objects = nodes.map(objectOf)
  const held = await Promise.all(guards.map(({ ability }) => holdAbility(first.rows.served, ability, objects, request)))
  const widened = new Map<ResourceRows, ResourceRows>()
  for (const [index, node] of nodes.entries()) {
    const { served, columns } = node.rows
    const rows = widened.get(node.rows) ?? { served, columns: [...columns, ...guards.map(({ column }) => column)] }
    widened.set(node.rows, rows)
    node.rows = rows
    node.row = [...node.row, ...held.map((ofAbility) => ofAbility[index] === true)]
  }
}
