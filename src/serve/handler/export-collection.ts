import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { ExportFormat } from '../../declare/resource/parts/export.js'
import { firesFor, flagsFor, replacedCollection } from '../hooks/after-fetch.js'
import { fire } from '../hooks/fire-events.js'
import { workContext } from '../hooks/work-context.js'
import type { ResponseValue } from '../operation/response-value.js'
import { nodesOf } from '../read/graph/graph-node.js'
import { planExport } from '../read/plan/export-plan.js'
import { requirePermission } from '../read/query/permission.js'
import { scopeConditions } from '../read/query/scope-conditions.js'
import type { ReadContext } from '../read/read-context.js'
import { readCollection } from '../read/rows/read-collection.js'
import { type ExportSource, exportRows } from './export-rows.js'

/** GET `/{type}`, in a format of an export */
export async function exportCollection(
  served: ServedType,
  format: ExportFormat,
  request: ReadContext,
): Promise<ResponseValue> {
  const options = served.type.exported
  if (options === null) throw new TypeError(`The type '${served.type.type}' declares no export.`)
  const plan = await planExport(served, { kind: 'collection', subject: served }, options, request)
  requirePermission(served, 'viewAny', request.context)
  if (firesFor(request, served, 'BeforeFetchCollection')) {
    await fire(served, 'BeforeFetchCollection', {}, () => workContext(request.context, null, request.services))
  }
  const { document, list } = plan
  const mayBeReplaced = firesFor(request, served, 'AfterFetchCollection')
  const columns = mayBeReplaced ? null : document.primaryColumns(served)
  const flags = flagsFor(columns, served, document)
  const conditions = [...scopeConditions(served, list.trash), ...list.conditions]
  const criteria = { conditions, orders: list.orders, wantsCount: false, columns, flags }
  const readPart: ExportSource['readPart'] = async (window, inSnapshot, transaction) => {
    const { context } = inSnapshot
    const { rows, ...facts } = await readCollection(served, { ...criteria, window, transaction, context })
    if (mayBeReplaced) await refuseReplacement(served, { rows, plan: document }, inSnapshot)
    return { ...facts, nodes: nodesOf(served, rows) }
  }
  return exportRows({ served, format, options, plan, readPart }, request)
}

type Fetched = Omit<Parameters<typeof replacedCollection>[0], 'served'>

/** A listener sees the rows of each part, and may refuse them. It cannot replace them. */
async function refuseReplacement(served: ServedType, fetched: Fetched, request: ReadContext): Promise<void> {
  if ((await replacedCollection({ served, ...fetched }, request)) === null) return
  throw new TypeError(
    `A listener has replaced a part of an export of '${served.type.type}': only a document can be replaced.`,
  )
}
