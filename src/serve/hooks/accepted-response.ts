import { noQuery } from '../operation/query-parameters.js'
import type { ResponseValue } from '../operation/response-value.js'
import { dataResponse, metaResponse } from '../operation/response-value.js'
import type { AcceptedReply } from '../../declare/resource/replies/reply.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { RowSet } from '../../core/rows/row-set.js'
import { planDocument } from '../read/plan/document-plan.js'
import { showResources } from '../read/graph/show-resources.js'
import type { ReadContext } from '../read/read-context.js'
import { nodesOf } from '../read/graph/graph-node.js'
import { checkedRows } from '../read/rows/checked-rows.js'
import { checkHeaders } from '../../core/errors/checked-reply.js'

/** A checked 202 reply. It is checked before the commit, so that an invalid reply still rolls the write back. */
export interface AcceptedWork {
  readonly served: ServedType
  /** The row of the job; `null` if the reply has none. */
  readonly rows: RowSet | null
  readonly poll: string | null
  readonly headers: readonly string[]
  readonly meta: Readonly<Record<string, unknown>> | null
}

/**
 * Checks a 202 reply. Throws a `TypeError` if it is invalid.
 *
 * @param jobType the type that `accepted()` declares; `null` if it is not declared, which makes the reply invalid
 */
export function acceptedWork(
  reply: AcceptedReply,
  jobType: string | null,
  { services, context }: Pick<ReadContext, 'services' | 'context'>,
): AcceptedWork {
  if (jobType === null) {
    throw new TypeError(`An accepted reply was returned for '${context.type}', but no accepted() is declared for it.`)
  }
  const served = services.find(context.server, jobType)
  if (served === null) throw new TypeError(`accepted() names the type '${jobType}', which this server does not have.`)
  const { job, poll, meta } = reply
  const rows = job === null ? null : checkedRows(served, job)
  if (rows !== null && rows.rows.length !== 1) {
    throw new TypeError(`The job of an accepted reply must be one row of '${jobType}'.`)
  }
  if (rows === null && poll === null) {
    throw new TypeError(
      `An accepted reply needs a job, or 'poll': the URL where the client polls the state of the work.`,
    )
  }
  const headers = [...(poll === null ? [] : addressHeader('Content-Location', poll)), ...retryAfter(reply)]
  return { served, rows, poll, headers, meta }
}

/**
 * Returns the 202 response, with the URL where the client polls the state of the work.
 * https://jsonapi.org/recommendations/#asynchronous-processing
 */
export async function acceptedResponse(work: AcceptedWork, request: ReadContext): Promise<ResponseValue> {
  const { served, rows, poll, headers, meta } = work
  if (rows === null) return metaResponse(meta ?? {}, { status: 202, headers })
  const nodes = nodesOf(served, rows)
  const jobRequest = { ...request, query: { ...noQuery, fields: request.query.fields, include: [] } }
  // The include paths of the request belong to another type: the document has an `included` member, which is empty.
  const plan = { ...(await planDocument([served], jobRequest)), isRequested: request.query.include !== null }
  const { resources, profiles } = await showResources(nodes, false, plan, jobRequest)
  const contentLocation = poll === null ? (nodes[0] ?? null) : null
  return dataResponse(resources, { status: 202, headers, contentLocation, meta, profiles })
}

/**
 * Returns the `Retry-After` header: whole seconds, or an HTTP date.
 * https://www.rfc-editor.org/rfc/rfc9110#field.retry-after
 */
function retryAfter({ retryAfter: wait }: AcceptedReply): readonly string[] {
  if (wait === null) return []
  if (typeof wait === 'number') {
    const seconds = Math.ceil(wait)
    if (!Number.isSafeInteger(seconds) || seconds < 0)
      throw new TypeError(`'retryAfter' must be a number of seconds that is not negative, but it is ${wait}.`)
    return ['Retry-After', String(seconds)]
  }
  if (!(wait instanceof Date) || !isHttpDate(wait))
    throw new TypeError(`'retryAfter' must be a number of seconds, or a valid Date with a year from 0 to 9999.`)
  return ['Retry-After', wait.toUTCString()]
}

/** Whether a date can be written as an HTTP date, whose year has four digits. An invalid date has no year. */
function isHttpDate(date: Date): boolean {
  const year = date.getUTCFullYear()
  return year >= 0 && year <= 9999
}

/**
 * Returns a header with a URL from user-defined code. The URL is checked before the commit. Throws a `TypeError` if it
 * cannot be sent: a line break would end the header, and the rest of the URL would become other headers.
 */
export function addressHeader(name: 'Location' | 'Content-Location', address: string): readonly string[] {
  const header = [name, address]
  checkHeaders(header)
  if (address.trim() === '') throw new TypeError(`The URL for the ${name} header is empty.`)
  return header
}
