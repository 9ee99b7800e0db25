import { noQuery } from '../operation/query-parameters.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, metaResponse } from '../operation/response-value.js'
import type { AcceptedAnswer } from '../resource/answer.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { RowSet } from '../rows/row-set.js'
import { planDocument } from '../read/plan/document-plan.js'
import { showResources } from '../read/graph/show-resources.js'
import type { ReadContext } from '../read/read-context.js'
import { nodesOf } from '../read/graph/graph-node.js'
import { checkedRows } from '../read/rows/checked-rows.js'
import { addressHeader } from './address-header.js'

/** Work that goes on, as it is told: looked at while it can still be undone. */
export interface AcceptedWork {
  readonly served: ServedType
  /** The row of the job, `null` where there is none to show. */
  readonly rows: RowSet | null
  readonly poll: string | null
  readonly headers: readonly string[]
  readonly meta: Readonly<Record<string, unknown>> | null
}

/** @param jobType what `accepted()` names where the answer is declared; `null` where none is: a `TypeError` */
export function acceptedWork(
  answer: AcceptedAnswer,
  jobType: string | null,
  { services, context }: Pick<ReadContext, 'services' | 'context'>,
): AcceptedWork {
  if (jobType === null) {
    throw new TypeError(`Work on '${context.type}' was accepted for later, but no accepted() is declared for that.`)
  }
  const served = services.find(context.server, jobType)
  if (served === null) throw new TypeError(`A job is of the type '${jobType}', which this server does not have.`)
  const { job, poll, meta } = answer
  const rows = job === null ? null : checkedRows(served, job)
  if (rows !== null && rows.rows.length !== 1) {
    throw new TypeError(`The job of an accepted answer is one row of '${jobType}'.`)
  }
  if (rows === null && poll === null) {
    throw new TypeError(`An accepted answer has a job, or 'poll' says where to ask how the work goes.`)
  }
  const headers = [...(poll === null ? [] : addressHeader('Content-Location', poll)), ...retryAfter(answer)]
  return { served, rows, poll, headers, meta }
}

/** 202: the client is told where to ask how the work goes. https://jsonapi.org/recommendations/#asynchronous-processing */
export async function acceptedResponse(work: AcceptedWork, reading: ReadContext): Promise<ResponseValue> {
  const { served, rows, poll, headers, meta } = work
  if (rows === null) return metaResponse(meta ?? {}, { status: 202, headers })
  const nodes = nodesOf(served, rows)
  const as = { ...reading, query: { ...noQuery, fields: reading.query.fields, include: [] } }
  // The client asked for relatives of something else; who asks gets the member, and there is nothing in it.
  const plan = { ...(await planDocument([served], as)), isRequested: reading.query.include !== null }
  const { resources, profiles } = await showResources(nodes, false, plan, as)
  const contentLocation = poll === null ? (nodes[0] ?? null) : null
  return dataResponse(resources, { status: 202, headers, contentLocation, meta, profiles })
}

/** https://www.rfc-editor.org/rfc/rfc9110#field.retry-after: whole seconds, or a date of HTTP. */
function retryAfter({ retryAfter: wait }: AcceptedAnswer): readonly string[] {
  if (wait === null) return []
  if (typeof wait === 'number') {
    const seconds = Math.ceil(wait)
    if (!Number.isSafeInteger(seconds) || seconds < 0) throw new TypeError(`Nobody can wait for ${wait} seconds.`)
    return ['Retry-After', String(seconds)]
  }
  if (!(wait instanceof Date) || !isHttpDate(wait)) throw new TypeError('The moment to ask again is no date of HTTP.')
  return ['Retry-After', wait.toUTCString()]
}

/** Its years have four digits; of no moment there is no year. */
function isHttpDate(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 0 && year <= 9999
}
