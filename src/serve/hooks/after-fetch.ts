import type { ResponseValue } from '../operation/response-value.js'
import type { RowFlag, WantedColumns } from '../../declare/resource/capabilities/provider.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { TypeEventName } from '../../declare/resource/events/type-events.js'
import type { RowSet } from '../../core/rows/row-set.js'
import { rowObject } from '../../core/rows/row-set.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import type { ReadContext } from '../read/read-context.js'
import { readTransaction } from '../read/read-context.js'
import { scopeConditions } from '../read/query/scope-conditions.js'
import { findRow } from '../read/rows/fetch-row.js'
import type { RedirectTarget } from '../../declare/resource/replies/reply.js'
import { workContext } from './work-context.js'
import { replyResponse, locationResponse } from './reply-response.js'
import { replyAfter } from './fire-events.js'

/** Returns the flags to read with these columns: none if user-defined code gets the row. */
export function flagsFor(columns: WantedColumns, served: ServedType, plan: DocumentPlan): readonly RowFlag[] {
  return columns === null ? noFlags : plan.flags(served)
}

const noFlags: readonly RowFlag[] = Object.freeze([])

/** The rows that were read, and the plan of the document that would show them. */
interface Fetched {
  readonly served: ServedType
  readonly rows: RowSet
  readonly plan: DocumentPlan
}

/** Whether user-defined code may replace a response with one resource. It gets the row with all columns. */
export function isReplaceable(served: ServedType, request: ReadContext): boolean {
  return served.type.completionLocation !== null || firesFor(request, served, 'AfterFetchOne')
}

/**
 * Returns the response that replaces one resource; `null` to show the resource. `completionLocation()` is called after
 * the listeners, so that a listener that refuses the resource also hides the URL of the finished job.
 */
export async function replacedOne(
  { served, rows, plan }: Fetched,
  request: ReadContext,
): Promise<ResponseValue | null> {
  const { context, services } = request
  const { completionLocation } = served.type
  const row = rowObject(rows.columns, rows.rows[0] ?? [])
  const reply = firesFor(request, served, 'AfterFetchOne')
    ? await replyAfter(served, 'AfterFetchOne', { row }, () => workContext(context, null, services))
    : null
  if (reply !== null) return replyResponse(reply, { served, plan, jobType: null }, request)
  const location = (await completionLocation?.(row, context)) ?? null
  if (location === null) return null
  const response = locationResponse(location, request)
  return (await isHidden(location, request)) ? null : response
}

/** Whether the caller cannot see the resource of a finished job: then its id is not returned, and the job itself is shown. */
async function isHidden(location: RedirectTarget, { context, services, open }: ReadContext): Promise<boolean> {
  const served = typeof location === 'string' ? null : services.find(context.server, location.type)
  if (typeof location === 'string' || served === null || served.type.scope === null) return false
  const criteria = { columns: null, conditions: scopeConditions(served), transaction: readTransaction(served, open) }
  return (await findRow(served, location.id, { ...criteria, context })) === null
}

/**
 * Returns the response that replaces a collection; `null` to show the collection. Listeners get the rows of the page.
 */
export async function replacedCollection(
  { served, rows, plan }: Fetched,
  request: ReadContext,
): Promise<ResponseValue | null> {
  const { context, services } = request
  const objects = rows.rows.map((row) => rowObject(rows.columns, row))
  const reply = await replyAfter(served, 'AfterFetchCollection', { rows: objects }, () =>
    workContext(context, null, services),
  )
  return reply === null ? null : replyResponse(reply, { served, plan, jobType: null }, request)
}

/** Whether an event of a read fires: if it has listeners, and no program has dispatched the operation itself. */
export function firesFor({ context }: ReadContext, { listeners }: ServedType, name: TypeEventName): boolean {
  return context.request !== null && !listeners.isEmpty && listeners.has(name)
}
