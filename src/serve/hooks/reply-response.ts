import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, metaResponse, noContentResponse, seeOtherResponse } from '../operation/response-value.js'
import type { Reply, RedirectTarget, ResourceReply } from '../../declare/resource/replies/reply.js'
import { isReply } from '../../declare/resource/replies/reply.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import { isRowSet } from '../../core/rows/row-set.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import { planDocument } from '../read/plan/document-plan.js'
import { showResources } from '../read/graph/show-resources.js'
import type { ReadContext } from '../read/read-context.js'
import { nodesOf } from '../read/graph/graph-node.js'
import { checkedList, checkedRows } from '../read/rows/checked-rows.js'
import { acceptedResponse, acceptedWork, addressHeader } from './accepted-response.js'

/** The context of a reply that user-defined code returned. */
export interface ReplyContext {
  /** The type of the rows, if the reply names no type. */
  readonly served: ServedType
  /** The type that `accepted()` declares; `null` if it is not declared. */
  readonly jobType: string | null
  /**
   * The plan of a document with rows of `served`, made before the user-defined code ran. Without it, the include paths
   * of the request are ignored.
   */
  readonly plan?: DocumentPlan
}

/** Converts the reply of user-defined code to a response. Throws a `TypeError` if the reply is invalid. */
export async function replyResponse(
  reply: Reply,
  replyContext: ReplyContext,
  request: ReadContext,
): Promise<ResponseValue> {
  if (!isReply(reply))
    throw new TypeError(
      'The returned value is not a reply: create it with reply.resource() or another function of reply.',
    )
  switch (reply.kind) {
    case 'resource':
      return resourceResponse(reply, replyContext, request)
    case 'meta':
      return metaResponse(reply.meta)
    case 'noContent':
      return noContentResponse()
    case 'accepted':
      return acceptedResponse(acceptedWork(reply, replyContext.jobType, request), request)
    case 'seeOther':
      return locationResponse(reply.location, request)
  }
}

/** Returns a 303 response with a URL, which is used unchanged, or with the URL of a resource of this server. */
export function locationResponse(location: RedirectTarget, { services, context }: ReadContext): ResponseValue {
  if (typeof location === 'string') {
    addressHeader('Location', location)
    return seeOtherResponse(location)
  }
  if (typeof location !== 'object' || location === null)
    throw new TypeError('A location must be a URL, or an object with the type and the id of a resource.')
  const { type, id } = location
  const served = services.find(context.server, type)
  if (served === null) throw new TypeError(`A location names the type '${type}', which this server does not have.`)
  if (typeof id !== 'string' || id === '') throw new TypeError(`A location of the type '${type}' has no id.`)
  return seeOtherResponse({ uriType: served.type.uriType, id })
}

async function resourceResponse(
  { rows, type, meta }: ResourceReply,
  replyContext: ReplyContext,
  request: ReadContext,
): Promise<ResponseValue> {
  const served = replyType(type, replyContext, request)
  const many = Array.isArray(rows) || (rows !== null && isRowSet(rows))
  const checked = many ? checkedList(served, rows, request.context) : checkedRows(served, rows ?? [])
  const document = await plannedDocument(served, replyContext, request)
  const { resources, profiles } = await showResources(nodesOf(served, checked), many, document.plan, document.request)
  return dataResponse(resources, { meta, profiles })
}

function replyType(type: string | null, { served }: ReplyContext, { services, context }: ReadContext): ServedType {
  if (type === null || type === served.type.type) return served
  const named = services.find(context.server, type)
  if (named === null) throw new TypeError(`A reply names the type '${type}', which this server does not have.`)
  return named
}

interface PlannedDocument {
  readonly plan: DocumentPlan
  readonly request: ReadContext
}

/**
 * Returns the plan of the document. The include paths of the request were checked before the user-defined code ran, for
 * the expected type. For another type, or without a plan, nothing is included: it is too late to refuse the request.
 */
async function plannedDocument(
  served: ServedType,
  { served: expected, plan }: ReplyContext,
  request: ReadContext,
): Promise<PlannedDocument> {
  if (served === expected && plan !== undefined) return { plan, request }
  const { query } = request
  const include = query.include === null ? null : []
  const plainRequest = { ...request, query: { ...query, include, withCount: [], relatedQuery: new Map() } }
  return { plan: await planDocument([served], plainRequest), request: plainRequest }
}
