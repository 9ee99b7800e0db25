import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, metaResponse, noContentResponse, seeOtherResponse } from '../operation/response-value.js'
import type { Answer, Place, ResourceAnswer } from '../resource/answer.js'
import { isAnswer } from '../resource/answer.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import { isRowSet } from '../rows/row-set.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import { planDocument } from '../read/plan/document-plan.js'
import { showResources } from '../read/graph/show-resources.js'
import type { ReadContext } from '../read/read-context.js'
import { nodesOf } from '../read/graph/graph-node.js'
import { checkedList, checkedRows } from '../read/rows/checked-rows.js'
import { acceptedResponse, acceptedWork } from './accepted-response.js'
import { addressHeader } from './address-header.js'

/** What surrounds an answer of the author's. */
export interface AnswerContext {
  /** The type of rows whose answer names none. */
  readonly served: ServedType
  /** The type that `accepted()` names where the answer is declared; `null` where none is. */
  readonly jobType: string | null
  /**
   * What showing rows of `served` takes, worked out before the author's code ran. Without it nothing is included that the
   * client asks for.
   */
  readonly plan?: DocumentPlan
}

/** What an author's own code answered, as a response. Answers that cannot be given are the author's fault: a `TypeError`. */
export async function answerResponse(
  answer: Answer,
  answering: AnswerContext,
  reading: ReadContext,
): Promise<ResponseValue> {
  if (!isAnswer(answer))
    throw new TypeError('What was answered is no answer: make it with answer.resource() and others.')
  switch (answer.kind) {
    case 'resource':
      return resourceResponse(answer, answering, reading)
    case 'meta':
      return metaResponse(answer.meta)
    case 'noContent':
      return noContentResponse()
    case 'accepted':
      return acceptedResponse(acceptedWork(answer, answering.jobType, reading), reading)
    case 'seeOther':
      return locationResponse(answer.location, reading)
  }
}

/** 303 to where something is: an address as it is, or a resource of this server. */
export function locationResponse(place: Place, { services, context }: ReadContext): ResponseValue {
  if (typeof place === 'string') {
    addressHeader('Location', place)
    return seeOtherResponse(place)
  }
  if (typeof place !== 'object' || place === null)
    throw new TypeError('A place is an address, or the type and the id of a resource.')
  const { type, id } = place
  const served = services.find(context.server, type)
  if (served === null) throw new TypeError(`A place is of the type '${type}', which this server does not have.`)
  if (typeof id !== 'string' || id === '') throw new TypeError(`A place of the type '${type}' has no id.`)
  return seeOtherResponse({ uriType: served.type.uriType, id })
}

async function resourceResponse(
  { rows, type, meta }: ResourceAnswer,
  answering: AnswerContext,
  reading: ReadContext,
): Promise<ResponseValue> {
  const served = typeNamed(type, answering, reading)
  const many = Array.isArray(rows) || (rows !== null && isRowSet(rows))
  const checked = many ? checkedList(served, rows) : checkedRows(served, rows ?? [])
  const { plan, as } = await showing(served, answering, reading)
  const { resources, profiles } = await showResources(nodesOf(served, checked), many, plan, as)
  return dataResponse(resources, { meta, profiles })
}

function typeNamed(type: string | null, { served }: AnswerContext, { services, context }: ReadContext): ServedType {
  if (type === null || type === served.type.type) return served
  const named = services.find(context.server, type)
  if (named === null) throw new TypeError(`An answer is of the type '${type}', which this server does not have.`)
  return named
}

interface Showing {
  readonly plan: DocumentPlan
  readonly as: ReadContext
}

/**
 * What the client asks to be included was looked at before, for the type that it knows of. Of another one, and where nobody
 * looked, none of it is: it is too late to refuse the request.
 */
async function showing(
  served: ServedType,
  { served: expected, plan }: AnswerContext,
  reading: ReadContext,
): Promise<Showing> {
  if (served === expected && plan !== undefined) return { plan, as: reading }
  const { query } = reading
  const include = query.include === null ? null : []
  const as = { ...reading, query: { ...query, include, withCount: [], relatedQuery: new Map() } }
  return { plan: await planDocument([served], as), as }
}
