import { fail } from '../../../core/errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { FieldGuard } from '../../../declare/resource/fields/field-guard.js'
import { isSet } from '../../../core/rows/row-set.js'
import type { LinkagePlan, ParentRead } from '../plan/read-plan.js'
import { deny } from '../query/permission.js'
import type { ReadContext } from '../read-context.js'
import { fetchRow } from '../rows/fetch-row.js'
import { holdAbility } from '../rows/held-abilities.js'
import type { GraphNode } from './graph-node.js'
import { nodesOf, objectOf } from './graph-node.js'

/**
 * Reads the resource that owns a relation. Fails with 404 if it does not exist, or if the relation is hidden from the
 * client; with 401 or 403 if the client may not read the relation of this resource.
 */
export async function fetchParent(
  { owner, relation, id }: { readonly owner: ServedType; readonly relation: ServedRelation; readonly id: string },
  { parentColumns, parentFlags: flags, cacheKey }: ParentRead & Partial<Pick<LinkagePlan, 'cacheKey'>>,
  { context, open }: ReadContext,
): Promise<GraphNode> {
  const { readGuard } = relation.spec
  // A caller who has the ability for no row is denied before a row is read.
  if (readGuard !== null && readGuard.visibilityIn(context) === 'hidden') deny(owner, readGuard.ability, context)
  const [parent] = nodesOf(owner, await fetchRow(owner, id, parentColumns, { context, open, flags, cacheKey }))
  if (parent === undefined) return fail('RESOURCE_NOT_FOUND')
  await checkAddressable(parent, relation, { context, open })
  if (readGuard !== null && !(await holds(parent, readGuard, { context, open })))
    deny(owner, readGuard.ability, context)
  return parent
}

/** Fails with 404 if a predicate or `visibleIf()` hides a relation of this resource from the client. */
export async function checkAddressable(
  parent: GraphNode,
  { name, spec: { hidden, guard } }: ServedRelation,
  request: Pick<ReadContext, 'context' | 'open'>,
): Promise<void> {
  const isHidden =
    (typeof hidden === 'function' && hidden(objectOf(parent), request.context)) ||
    (guard !== null && !(await holds(parent, guard, request)))
  if (isHidden) fail('RELATIONSHIP_NOT_EXISTS', { relationship: name })
}

/** Whether the caller has the ability of a guard for one resource. Uses the flag of the guard if it was read. */
export async function holds(
  node: GraphNode,
  { ability, flag }: FieldGuard,
  request: Pick<ReadContext, 'context' | 'open'>,
): Promise<boolean> {
  const { columns } = node.rows
  if (columns.includes(flag)) return isSet(node.row[columns.indexOf(flag)])
  const [isHeld] = await holdAbility(node.rows.served, ability, [objectOf(node)], request)
  return isHeld === true
}
