import type { GraphNode } from '../read/graph/graph-node.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, noContentResponse } from '../operation/response-value.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import { invariant } from '../util/invariant.js'
import type { Awaitable } from '../util/types.js'
import { mapAwaitable } from '../util/awaitable.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import { showResources } from '../read/graph/show-resources.js'
import type { ReadContext } from '../read/read-context.js'
import { nodesOf, objectOf } from '../read/graph/graph-node.js'
import { workContext } from '../hooks/work-context.js'
import { acceptedResponse } from '../hooks/accepted-response.js'
import { answerResponse } from '../hooks/answer-response.js'
import { runAfterCommit } from './persist/in-transaction.js'
import { runAfterHooks, hasAfterHooks } from '../hooks/run-hooks.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import { jobTypeOf } from './persist/write-outcome.js'

interface Kept {
  readonly mode: 'create' | 'update'
  readonly result: WriteOutcome
  /** What showing the resource takes. */
  readonly plan: DocumentPlan
}

/** What a client is told of a resource whose write is kept: what the author's steps after it say, else the resource. */
export function answerWrite(served: ServedType, kept: Kept, reading: ReadContext): Awaitable<ResponseValue> {
  const { mode, result } = kept
  if (result.kind === 'accepted') return acceptedResponse(result.work, reading)
  const { type } = served
  const node = nodesOf(served, result.rows)[0]
  invariant(node !== undefined, `a resource of '${type.type}' was written, and none came back`)
  return hasAfterHooks(type, mode) ? answerAfterSteps(node, kept, reading) : answerOf(node, kept, reading)
}

async function answerAfterSteps(node: GraphNode, kept: Kept, reading: ReadContext): Promise<ResponseValue> {
  const { mode, plan } = kept
  const { served } = node.rows
  const { type } = served
  const work = workContext(reading.context, null, reading.services)
  const replaced = await runAfterCommit(served, () => runAfterHooks(type, objectOf(node), mode === 'create', work))
  if (replaced === null) return answerOf(node, kept, reading)
  return answerResponse(replaced, { served, jobType: jobTypeOf(type.responses[mode]), plan }, reading)
}

/** The resource, or nothing, where the declaration says so. */
function answerOf(node: GraphNode, { mode, plan }: Kept, reading: ReadContext): Awaitable<ResponseValue> {
  const responses = node.rows.served.type.responses[mode]
  const shown = mode === 'create' ? 'created' : 'ok'
  if (responses.every(({ kind }) => kind !== shown)) return noContentResponse({ written: node })
  return mapAwaitable(showResources([node], false, plan, reading), ({ resources, profiles }) =>
    dataResponse(resources, mode === 'create' ? { status: 201, location: node, profiles } : { profiles }),
  )
}
