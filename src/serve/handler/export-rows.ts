import { handoff } from '../../core/util/handoff.js'
import { turnsOfOthers } from '../../core/util/time-slices.js'
import type { ListFacts } from '../../declare/resource/capabilities/provider.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { CompiledExport, ExportFormat } from '../../declare/resource/parts/export.js'
import type { RowPosition, RowWindow } from '../../declare/resource/querying/row-window.js'
import type { Transaction } from '../../declare/resource/request/transactions.js'
import type { ResourceNode, ResponseValue } from '../operation/response-value.js'
import type { GraphNode } from '../read/graph/graph-node.js'
import { showResources } from '../read/graph/show-resources.js'
import type { ExportPlan } from '../read/plan/export-plan.js'
import type { OpenTransactions, ReadContext } from '../read/read-context.js'

/** Some rows of an export. */
export interface ExportPart extends Pick<ListFacts, 'more' | 'edges'> {
  readonly nodes: readonly GraphNode[]
}

/** The rows that are exported, and how they are read. */
export interface ExportSource {
  readonly served: ServedType
  readonly format: ExportFormat
  readonly options: CompiledExport
  readonly plan: ExportPlan
  readonly readPart: (window: RowWindow, request: ReadContext, transaction: Transaction | null) => Promise<ExportPart>
}

/**
 * Exports rows, in parts that follow each other by their keys, all in one snapshot of the store. The first part is read
 * before the response begins, so that its errors are error documents. If a later one fails, or a limit is reached, the stream fails.
 */
export async function exportRows(source: ExportSource, request: ReadContext): Promise<ResponseValue> {
  const { served, format, options, plan } = source
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
    (give) => inSnapshot(served, request, (transaction) => readParts(source, transaction, give)),
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

async function readParts(
  { served, plan, options, readPart }: ExportSource,
  transaction: Transaction | null,
  give: (nodes: readonly ResourceNode[]) => Promise<void>,
): Promise<void> {
  const request = inTransaction(served, plan.request, transaction)
  const end = performance.now() + options.time
  let after: RowPosition | null = null
  for (let count = 0; ; ) {
    const limit = Math.min(plan.rowsAtOnce, options.maxRows - count)
    if (limit === 0) throw new ExportCutOff(`There are more than ${options.maxRows} rows.`)
    const window = { kind: 'cursor', limit, after, before: null } as const
    const { nodes, more = false, edges = null }: ExportPart = await readPart(window, request, transaction)
    count += nodes.length
    const { resources } = await showResources(nodes, true, plan.document, request)
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
