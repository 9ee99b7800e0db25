import type { ResourceRows } from '../../operation/response-value.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { FieldGuard } from '../../../declare/resource/fields/field-guard.js'
import { memoize } from '../../../core/util/memoize.js'
import type { Awaitable } from '../../../core/util/types.js'
import type { ReadContext } from '../read-context.js'
import { holdAbility } from '../rows/held-abilities.js'
import type { GraphNode } from './graph-node.js'
import { objectOf } from './graph-node.js'

/** Returns whether rows have the flags of guards. */
function hasFlags({ columns }: ResourceRows, guards: readonly FieldGuard[]): boolean {
  for (const { flag } of guards) if (!columns.includes(flag)) return false
  return true
}

/**
 * Adds the flags of guards to resources that were read without them: the store leaves flags out, a write or user-defined code
 * returned the row, or `check()` decides. The flags of all resources of a type are determined together. Returns no promise if
 * no flag is missing.
 */
export function addMissingFlags(
  nodes: readonly GraphNode[],
  guardsOf: (served: ServedType) => readonly FieldGuard[],
  request: ReadContext,
): Awaitable<void> {
  const byType = new Map<ServedType, GraphNode[]>()
  let complete: ResourceRows | null = null
  for (const node of nodes) {
    const { rows } = node
    // Resources of one read follow each other, and share their columns.
    if (rows === complete) continue
    if (hasFlags(rows, guardsOf(rows.served))) complete = rows
    else {
      const sameType = byType.get(rows.served)
      if (sameType === undefined) byType.set(rows.served, [node])
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
  await Promise.all(Array.from(byType, ([served, nodes]) => addFlags(served, nodes, guardsOf(served), request)))
}

async function addFlags(
  served: ServedType,
  nodes: readonly GraphNode[],
  guards: readonly FieldGuard[],
  request: ReadContext,
): Promise<void> {
  const missing = await Promise.all(
    guards.map(async ({ flag, ability }) => {
      const lacking = nodes.filter(({ rows }) => !rows.columns.includes(flag))
      return { flag, lacking, held: await holdAbility(served, ability, lacking.map(objectOf), request) }
    }),
  )
  for (const { flag, lacking, held } of missing) {
    const widened = memoize(({ columns }: ResourceRows): ResourceRows => ({ served, columns: [...columns, flag] }))
    for (const [index, node] of lacking.entries()) {
      node.rows = widened(node.rows)
      node.row = [...node.row, held[index] === true]
    }
  }
}
