import type { ResponseValue } from '../operation/response-value.js'
import type { WantedColumns } from '../resource/capabilities/provider.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { ResourceHooks } from '../resource/hooks.js'
import type { RowSet } from '../rows/row-set.js'
import { rowObject } from '../rows/row-set.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import type { ReadContext } from '../read/read-context.js'
import { workContext } from './work-context.js'
import { answerResponse, locationResponse } from './answer-response.js'
import { hookAnswer } from './run-hooks.js'

/** The columns to read of a row that is fetched by itself: an author's own steps see whole rows. */
export function columnsOfOne(served: ServedType, plan: DocumentPlan, reading: ReadContext): WantedColumns {
  const isAsked = served.type.completionLocation !== null || fetchHooks(served, reading)?.afterFetchOne !== undefined
  return isAsked ? null : plan.primaryColumns(served)
}

/** The same of a collection. */
export function columnsOfMany(served: ServedType, plan: DocumentPlan, reading: ReadContext): WantedColumns {
  return fetchHooks(served, reading)?.afterFetchCollection === undefined ? plan.primaryColumns(served) : null
}

/** What was read, and how it would be shown. */
interface Fetched {
  readonly served: ServedType
  readonly rows: RowSet
  readonly plan: DocumentPlan
}

/** Whether an author's own step may answer in place of what was read. */
export function hasFetchHooks({ type: { hooks, completionLocation } }: ServedType): boolean {
  return hooks !== null || completionLocation !== null
}

/** What is answered in place of one resource; `null` to show it. A hook that refuses it keeps its job's end to itself too. */
export async function replacedOne(
  { served, rows, plan }: Fetched,
  reading: ReadContext,
): Promise<ResponseValue | null> {
  const { context, services } = reading
  const { completionLocation } = served.type
  const hooks = fetchHooks(served, reading)
  if (completionLocation === null && hooks?.afterFetchOne === undefined) return null
  const row = rowObject(rows.columns, rows.rows[0] ?? [])
  const answer = hookAnswer(await hooks?.afterFetchOne?.(row, workContext(context, null, services)))
  if (answer !== null) return answerResponse(answer, { served, plan, jobType: null }, reading)
  const place = (await completionLocation?.(row, context)) ?? null
  return place === null ? null : locationResponse(place, reading)
}

/** The same of a collection, for the rows of its page. */
export async function replacedCollection(
  { served, rows, plan }: Fetched,
  reading: ReadContext,
): Promise<ResponseValue | null> {
  const hooks = fetchHooks(served, reading)
  if (hooks?.afterFetchCollection === undefined) return null
  const { context, services } = reading
  const objects = rows.rows.map((row) => rowObject(rows.columns, row))
  const answer = hookAnswer(await hooks.afterFetchCollection(objects, workContext(context, null, services)))
  return answer === null ? null : answerResponse(answer, { served, plan, jobType: null }, reading)
}

/** A program that dispatches an operation reads for itself: nobody is shown anything. */
function fetchHooks({ type }: ServedType, { context }: ReadContext): ResourceHooks | null {
  return context.request === null ? null : type.hooks
}
