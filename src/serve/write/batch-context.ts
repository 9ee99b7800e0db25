import { stepsAfterSave } from '../hooks/fire-events.js'
import { workContext } from '../hooks/work-context.js'
import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, noContentResponse } from '../operation/response-value.js'
import type { GraphNode } from '../read/graph/graph-node.js'
import { nodesOf, objectOf } from '../read/graph/graph-node.js'
import { isComplete, readGraph } from '../read/graph/show-resources.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import { planRead } from '../read/plan/read-plan.js'
import { permissionIn } from '../read/query/permission.js'
import { RowCheck } from '../../declare/resource/policy/rule-kit.js'
import type { ReadContext } from '../read/read-context.js'
import { readContextOf } from '../read/read-context.js'
import type { RequestServices } from '../read/read-context.js'
import { checkedRows } from '../read/rows/checked-rows.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { RowSet } from '../../core/rows/row-set.js'
import { isPromise } from '../../core/util/awaitable.js'
import type { Awaitable } from '../../core/util/types.js'
import { leaveToSteps } from './by-statement.js'
import type { WritableMembers } from './document/writable-members.js'
import { writableMembers } from './document/writable-members.js'
import type { NewResource } from './new-resource.js'
import { checkNewResource, newResource } from './new-resource.js'
import { runAfterCommit } from './persist/in-transaction.js'
import { addKnownLinkage } from './respond.js'
import { isFoundInBatch } from './write-strategy.js'

type CreateResource = Extract<Operation, { kind: 'CreateResource' }>

/** Creates of one type that follow each other in a batch; their operations share a context. */
export interface CreateOperations {
  readonly count: number
  at(index: number): CreateResource
}

/** The type, the plan and the request that all resources of a batch share. */
export interface BatchContext {
  readonly served: ServedType
  readonly plan: DocumentPlan
  readonly writable: WritableMembers
  /** The relations whose members are found for all resources together. */
  readonly batchRelations: ReadonlySet<ServedRelation>
  readonly request: ReadContext
}

/** The number of rows of one insert. Smaller chunks take more statements; with larger ones the store waits longer for the first. */
export const CHUNK_SIZE = 256

/**
 * Returns the context of a batch. Returns `null` if the resources cannot be shown together, or if an error has to be
 * reported to the client.
 */
export async function batchContext(
  creations: CreateOperations,
  served: ServedType,
  services: RequestServices,
): Promise<BatchContext | null> {
  const first = creations.at(0)
  // An operation that the policy refuses is run by itself, and reports it.
  const permission = permissionIn(served, 'create', first.context)
  if (permission === false || permission instanceof RowCheck) return null
  const request = readContextOf(first, services)
  try {
    const { document: plan } = await planRead({ kind: 'one', subject: served }, request)
    const batchRelations = new Set(
      [...served.relations.values()].filter((relation) => isFoundInBatch(relation, served, first.context)),
    )
    const writable = writableMembers(served, 'create', first.context)
    const batch = { served, plan, writable, batchRelations, request }
    return isShownInBatch(batch) ? batch : null
  } catch (thrown) {
    return leaveToSteps(thrown)
  }
}

/** Reads and checks the documents, up to the first that is not valid or that changes other rows too. */
export function readResources(
  creations: CreateOperations,
  start: number,
  end: number,
  { served, writable, batchRelations, request: reading }: BatchContext,
): Promise<readonly NewResource[]> {
  const positions = Array.from({ length: end - start }, (_, index) => start + index)
  return untilFirstFailure(positions, (position) => {
    const sent = creations.at(position).document
    const resource = newResource(sent, { served, writable }, reading)
    const { changes, selfLinkage } = resource
    // The id of a resource that links to itself is known after its row is stored.
    if (selfLinkage.length > 0 || !changes.every(({ relation }) => batchRelations.has(relation))) return null
    return checkNewResource(resource, reading)
  })
}

/** Returns the nodes of the rows that a persister has inserted. */
export function createdNodes(
  served: ServedType,
  stored: RowSet | readonly object[],
  count: number,
): readonly GraphNode[] {
  const nodes = nodesOf(served, checkedRows(served, stored))
  if (nodes.length === count) return nodes
  throw new TypeError(`The persister of '${served.type.type}' created ${count} rows, and returned ${nodes.length}.`)
}

/** Returns the responses to the created resources. */
export async function responsesTo(
  nodes: readonly GraphNode[],
  created: readonly NewResource[],
  { served, plan, request: reading }: BatchContext,
): Promise<readonly ResponseValue[]> {
  const { type } = served
  const { query, context, services } = reading
  for (const node of served.listeners.hasAfter('create') ? nodes : []) {
    await runAfterCommit(served, stepsAfterSave(served, objectOf(node), true, workContext(context, null, services)))
  }
  if (type.responses.create.every(({ kind }) => kind !== 'created')) {
    return nodes.map((node) => noContentResponse({ written: node }))
  }
  for (const [index, node] of nodes.entries()) addKnownLinkage(node, created[index]?.changes ?? [], plan)
  if (!isComplete(nodes, plan)) await readGraph(nodes, plan, reading)
  return nodes.map((node) => {
    const resources = { primary: [node], many: false, included: null, query, context }
    return dataResponse(resources, { status: 201, location: node })
  })
}

/** Whether the responses do not depend on how many resources of the batch have been created. */
function isShownInBatch({ served, plan, batchRelations }: BatchContext): boolean {
  if (plan.inclusion !== null || plan.primary.counted.length > 0 || plan.flattened(served).length > 0) return false
  // The rule of an ability may depend on other rows.
  if (plan.guards(served).length > 0) return false
  return plan.primaryLinkageToRead(served).every((relation) => {
    const { storage, spec } = relation
    const isKey = storage.kind === 'ownKey' && spec.identifierMeta === null
    return isKey && batchRelations.has(relation) && plan.primary.queryOf(relation) === null
  })
}

/** Makes items until one fails or is `null`: that one fails again, and is reported, when it is created by itself. */
export async function untilFirstFailure<Item, Made>(
  items: Iterable<Item>,
  make: (item: Item) => Awaitable<Made | null>,
): Promise<readonly Made[]> {
  const made: Made[] = []
  try {
    for (const item of items) {
      const making = make(item)
      const one = isPromise(making) ? await making : making
      if (one === null) break
      made.push(one)
    }
  } catch {
    // The item is reported later.
  }
  return made
}
