import type { ResponseValue } from '../../operation/response-value.js'
import { dataResponse, noContentResponse } from '../../operation/response-value.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import { invariant } from '../../util/invariant.js'
import { isLater } from '../../util/when-known.js'
import type { DocumentPlan } from '../compound/document-plan.js'
import { showResources } from '../compound/show-resources.js'
import type { Reading } from '../reading.js'
import { nodesOf, objectOf } from '../relation/graph-node.js'
import { workContext } from '../work-context.js'
import { acceptedResponse } from './accepted-response.js'
import { answerResponse } from './answer-response.js'
import { whenKept } from './in-transaction.js'
import { afterWrite, hasStepsAfter } from './run-hooks.js'
import type { Written } from './written.js'
import { jobTypeOf } from './written.js'

interface Kept {
  readonly mode: 'create' | 'update'
  readonly result: Written
  /** What showing the resource takes. */
  readonly plan: DocumentPlan
}

/** What a client is told of a resource whose write is kept: what the author's steps after it say, else the resource. */
export async function answerWrite(
  served: ServedType,
  { mode, result, plan }: Kept,
  reading: Reading,
): Promise<ResponseValue> {
  if (result.kind === 'accepted') return acceptedResponse(result.work, reading)
  const { type } = served
  const { context, services } = reading
  const [node] = nodesOf(served, result.rows)
  invariant(node !== undefined, `a resource of '${type.type}' was written, and none came back`)
  const creating = mode === 'create'
  const replaced = hasStepsAfter(type, mode)
    ? await whenKept(served, () => afterWrite(type, objectOf(node), creating, workContext(context, null, services)))
    : null
  const responses = type.responses[mode]
  if (replaced !== null) return answerResponse(replaced, { served, jobType: jobTypeOf(responses), plan }, reading)
  if (responses.every(({ kind }) => kind !== (creating ? 'created' : 'ok'))) return noContentResponse({ written: node })
  const showing = showResources([node], false, plan, reading)
  const { resources, profiles } = isLater(showing) ? await showing : showing
  return dataResponse(resources, creating ? { status: 201, location: node, profiles } : { profiles })
}
