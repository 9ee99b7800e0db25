import { acceptedResponse } from '../hooks/accepted-response.js'
import { answerResponse } from '../hooks/answer-response.js'
import { afterSteps, hasAfterHooks, hookAnswer } from '../hooks/run-hooks.js'
import { workContext } from '../hooks/work-context.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, metaResponse, noContentResponse } from '../operation/response-value.js'
import type { GraphNode } from '../read/graph/graph-node.js'
import { nodesOf, objectOf } from '../read/graph/graph-node.js'
import { linkageResponse } from '../read/graph/linkage-response.js'
import { showResources } from '../read/graph/show-resources.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import type { RowSet } from '../rows/row-set.js'
import { mapAwaitable } from '../util/awaitable.js'
import { invariant } from '../util/invariant.js'
import type { Awaitable } from '../util/types.js'
import type { MutatedRelationship } from './mutate-in-transaction.js'
import { relationshipContext } from './mutate-in-transaction.js'
import { runAfterCommit } from './persist/in-transaction.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import { jobTypeOf } from './persist/write-outcome.js'
import type { CreateWrite, DeleteWrite, RelationshipWrite, RestoreWrite, UpdateWrite } from './prepare-write.js'

/*
 * The last step of every write, after the commit: the hooks after the write run, and may replace the response.
 */

/** Responds with the resource that was created or updated. */
export function respond(write: CreateWrite | UpdateWrite, outcome: WriteOutcome): Awaitable<ResponseValue> {
  const { served, mode, request } = write
  const { type } = served
  if (outcome.kind === 'accepted') return acceptedResponse(outcome.work, request)
  const [node] = nodesOf(served, outcome.rows)
  invariant(node !== undefined, `a resource of '${type.type}' was written, and none came back`)
  return hasAfterHooks(type, mode) ? respondAfterHooks(write, node) : resourceResponse(write, node)
}

async function respondAfterHooks(write: CreateWrite | UpdateWrite, node: GraphNode): Promise<ResponseValue> {
  const { served, mode, plan, request } = write
  const { type } = served
  const work = workContext(request.context, null, request.services)
  const answer = await runAfterCommit(served, afterSteps(type, objectOf(node), mode === 'create', work))
  if (answer === null) return resourceResponse(write, node)
  return answerResponse(answer, { served, jobType: jobTypeOf(type.responses[mode]), plan }, request)
}

/** The resource, or no content where the declaration says so. */
function resourceResponse(
  { served, mode, plan, request }: CreateWrite | UpdateWrite,
  node: GraphNode,
): Awaitable<ResponseValue> {
  const shown = mode === 'create' ? 'created' : 'ok'
  if (served.type.responses[mode].every(({ kind }) => kind !== shown)) return noContentResponse({ written: node })
  return mapAwaitable(showResources([node], false, plan, request), ({ resources, profiles }) =>
    dataResponse(resources, mode === 'create' ? { status: 201, location: node, profiles } : { profiles }),
  )
}

/**
 * Responds to a delete.
 *
 * @param row the row as it was
 */
export async function respondToDelete(
  { served, isPermanent, request }: DeleteWrite,
  row: RowObject,
): Promise<ResponseValue> {
  const { context, services } = request
  const { hooks, responses } = served.type
  const answer = await runAfterCommit(served, [
    async () => hookAnswer(await hooks?.afterDelete?.(row, workContext(context, null, services))),
  ])
  if (answer !== null) return answerResponse(answer, { served, jobType: null }, request)
  const hasMeta = !isPermanent && responses.delete.some(({ kind }) => kind === 'metaResult')
  return hasMeta ? metaResponse({}) : noContentResponse()
}

/** Responds with the resource that was restored. */
export function respondToRestore({ served, plan, request }: RestoreWrite, rows: RowSet): Awaitable<ResponseValue> {
  return mapAwaitable(showResources(nodesOf(served, rows), false, plan, request), ({ resources, profiles }) =>
    dataResponse(resources, { profiles }),
  )
}

/** Responds to a relationship write in a transaction with the linkage that it leads to. */
export async function respondToMutation(
  write: RelationshipWrite,
  { outcome, linkage }: MutatedRelationship,
): Promise<ResponseValue> {
  const { owner, request } = write
  if (outcome.kind === 'accepted') return acceptedResponse(outcome.work, request)
  const [parent] = nodesOf(owner, outcome.rows)
  invariant(parent !== undefined, `a resource of '${owner.type.type}' was updated, and none came back`)
  const work = relationshipContext(write, linkage, workContext(request.context, null, request.services))
  const answer = await runAfterCommit(owner, [
    async () => hookAnswer(await owner.type.hooks?.afterRelationshipMutate?.(objectOf(parent), work)),
  ])
  if (answer === null) return respondWithLinkage(write, parent)
  return answerResponse(answer, { served: owner, jobType: jobTypeOf(owner.type.responses.update) }, request)
}

export function respondWithLinkage(
  { relation, plan, request }: RelationshipWrite,
  owner: GraphNode,
): Promise<ResponseValue> {
  return linkageResponse(relation, owner, plan.members(), request)
}
