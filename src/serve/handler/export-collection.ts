import { handoff } from '../../core/util/handoff.js'
import { turnsOfOthers } from '../../core/util/time-slices.js'
import type { RowPosition } from '../../declare/resource/querying/row-window.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { Transaction } from '../../declare/resource/request/transactions.js'
import type { CompiledExport, ExportFormat } from '../../declare/resource/parts/export.js'
import { fire } from '../hooks/fire-events.js'
import { firesFor, flagsFor, replacedCollection } from '../hooks/after-fetch.js'
import { workContext } from '../hooks/work-context.js'
import type { ResourceNode, ResponseValue } from '../operation/response-value.js'
import { nodesOf } from '../read/graph/graph-node.js'
import { showResources } from '../read/graph/show-resources.js'
import type { OpenTransactions } from '../read/open-transactions.js'
import type { ExportPlan } from '../read/plan/export-plan.js'
import { planExport } from '../read/plan/export-plan.js'
import { requirePermission } from '../read/query/permission.js'
import type { ReadContext } from '../read/read-context.js'
import { readCollection } from '../read/rows/read-collection.js'

/**
 * Exports a collection: its rows, in parts that follow each other by their keys, all in one snapshot of the store. The first part is read
 * before the response begins, so that its errors are error documents. If a later one fails, or a limit is reached, the stream fails.
 */
export async function exportCollection(
  served: ServedType,
  format: ExportFormat,
  request: ReadContext,
): Promise<ResponseValue> {
  const options = served.type.exported
  if (options === null) throw new TypeError(`The type '${served.type.type}' declares no export.`)
  const plan = await planExport(served, options, request)
  requirePermission(served, 'viewAny', request.context)
  if (firesFor(request, served, 'BeforeFetchCollection')) {
    await fire(served, 'BeforeFetchCollection', {}, () => workContext(request.context, null, request.services))
  }
  const { columns } = plan
  const value = {
    kind: 'export',
    status: 200,
    headers: [],
    served,
    format,
    options,
    columns,
    context: request.context,
  } as const
  if (request.context.request?.method === 'HEAD') return { ...value, first: [], parts: null }
  const idleError = (): Error => new ExportCutOff(`The client has read nothing for ${options.idleTime / 1000} seconds.`)
  const parts = handoff<readonly ResourceNode[]>(
    (give) => inSnapshot(served, request, (transaction) => readParts(served, plan, { options, transaction, give })),
    { idleTime: options.idleTime, idleError },
  )
  const { done, value: first } = await parts.next()
  return done === true ? { ...value, first: [], parts: null } : { ...value, first, parts }
}

/** The end of an export that has reached a limit. Its message is for the client. */
class ExportCutOff extends Error {
  readonly isCutOff = true
}

function inSnapshot(
  { transactions, readsInTransaction }: ServedType,
  { context }: ReadContext,
  read: (transaction: Transaction | null) => Promise<void>,
): Promise<void> {
  if (!readsInTransaction || transactions?.snapshot === undefined) return read(null)
  return transactions.snapshot(read, context)
}

interface PartReads {
  readonly options: CompiledExport
  readonly transaction: Transaction | null
  readonly give: (nodes: readonly ResourceNode[]) => Promise<void>
}

async function readParts(
  served: ServedType,
  plan: ExportPlan,
  { options, transaction, give }: PartReads,
): Promise<void> {
  const { document, criteria, rowsAtOnce } = plan
  const request = inTransaction(served, plan.request, transaction)
  const { context } = request
  const mayBeReplaced = firesFor(request, served, 'AfterFetchCollection')
  const columns = mayBeReplaced ? null : document.primaryColumns(served)
  const flags = flagsFor(columns, served, document)
  const end = performance.now() + options.time
  let after: RowPosition | null = null
  for (let count = 0; ; ) {
    const limit = Math.min(rowsAtOnce, options.maxRows - count)
    if (limit === 0) throw new ExportCutOff(`There are more than ${options.maxRows} rows.`)
    const window = { kind: 'cursor', limit, after, before: null } as const
    const read = { ...criteria, window, wantsCount: false, columns, flags, transaction, context }
    const { rows, more = false, edges = null } = await readCollection(served, read)
    count += rows.rows.length
    if (mayBeReplaced) await refuseReplacement(served, { rows, plan: document }, request)
    const { resources } = await showResources(nodesOf(served, rows), true, document, request)
    // A store without I/O has read the rows in this turn: they are written in a later one.
    await turnsOfOthers()
    if (resources.primary.length > 0) await give(resources.primary)
    if (!more || edges === null) return
    if (performance.now() > end)
      throw new ExportCutOff(`The export has taken more than ${options.time / 1000} seconds.`)
    after = edges.last
    await turnsOfOthers()
  }
}

type Fetched = Omit<Parameters<typeof replacedCollection>[0], 'served'>

/** A listener sees the rows of each part, and may refuse them. It cannot replace them. */
async function refuseReplacement(served: ServedType, fetched: Fetched, request: ReadContext): Promise<void> {
  if ((await replacedCollection({ served, ...fetched }, request)) === null) return
  throw new TypeError(
    `A listener has replaced a part of an export of '${served.type.type}': only a document can be replaced.`,
  )
}

/** Related rows are read in the same transaction. */
function inTransaction(
  { transactions }: ServedType,
  request: ReadContext,
  transaction: Transaction | null,
): ReadContext {
  if (transactions === null || transaction === null) return request
  const open: OpenTransactions = { byStore: new Map([[transactions, transaction]]), afterCommit: [], isOpen: true }
  return { ...request, open }
}
