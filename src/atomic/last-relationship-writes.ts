import type { PlannedOperation } from './plan-batch.js'

/** Returns the last operation of a batch on each relationship. Its result shows the relationship after the batch. */
export function lastRelationshipWrites(operations: readonly PlannedOperation[]): ReadonlySet<PlannedOperation> {
  const last = new Map<string, PlannedOperation>()
  for (const operation of operations) {
    const { type, id, lid, relationship } = operation.target
    if (relationship !== null) last.set(JSON.stringify([type, id, lid, relationship]), operation)
  }
  return new Set(last.values())
}
