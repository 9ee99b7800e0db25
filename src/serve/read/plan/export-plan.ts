import { cursorPage } from '../../../declare/pagination/paginator.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledExport } from '../../../declare/resource/parts/export.js'
import type { ExportColumn } from '../../../declare/resource/reading/export-columns.js'
import { exportColumns } from '../../../declare/resource/reading/export-columns.js'
import { visibilityOf } from '../../../declare/resource/fields/visible-field.js'
import { type ListQuery, readListQuery, sentListQuery } from '../paging/list-query.js'
import { isKnownRelation } from '../query/known-relation.js'
import { primaryVocabulary, relatedVocabulary } from '../query/query-vocabulary.js'
import type { ReadContext } from '../read-context.js'
import type { DocumentPlan } from './document-plan.js'
import { planDocument } from './document-plan.js'
import { readCost } from './read-cost.js'
import { checkFieldsets, refuseCount, refuseInclude, refuseLinkage, refuseParameter } from './refuse-query.js'
import { spendCost } from './spend-cost.js'

/** How many rows an export reads by one statement. Other requests wait as long as one takes. */
const ROWS_AT_ONCE = 100

/** The plan of an export: its columns, and how its rows are read. */
export interface ExportPlan {
  readonly columns: readonly ExportColumn[]
  readonly document: DocumentPlan
  /** The request without parameters that an export does not have, and with the linkage of its columns. */
  readonly request: ReadContext
  /** Without a page: each part has its own. */
  readonly list: ListQuery
  readonly rowsAtOnce: number
}

/** What is exported: a collection, or the members of a to-many relation to one type. */
export type ExportTarget =
  | { readonly kind: 'collection'; readonly subject: ServedType }
  | { readonly kind: 'related'; readonly subject: ServedRelation; readonly owner: ServedType }

/** Plans an export, and spends its cost: that of the most rows that it may have. The query is checked before anything is read. */
export async function planExport(
  served: ServedType,
  target: ExportTarget,
  { maxRows }: CompiledExport,
  request: ReadContext,
): Promise<ExportPlan> {
  checkFieldsets(request)
  const { query, context, services } = request
  refuseOthers(request)
  const { type } = served.type
  const columns = exportColumns(served, query.fields.get(type)).filter((column) => {
    const { spec } = column.kind === 'attribute' ? column.attribute : column.relation
    return visibilityOf(spec, context) !== 'hidden'
  })
  const linked = columns.flatMap(({ kind, name }) => (kind === 'relation' ? [name] : []))
  // Relations that are not columns are not read.
  const names = new Set(columns.map(({ name }) => name))
  const fields = new Map([...query.fields, [type, names.size === 0 ? new Set(['id']) : names]])
  const withLinkage = new Map(linked.length === 0 ? [] : [[type, new Set(linked)]])
  const planned = { ...request, query: { ...query, include: [], fields, withLinkage } }
  const document = await planDocument([served], planned)
  const sent = { ...sentListQuery(planned, false), page: null }
  const vocabulary = target.kind === 'related' ? relatedVocabulary(target.subject) : primaryVocabulary(served)
  const listQuery = await readListQuery(sent, vocabulary, cursorPage({ size: ROWS_AT_ONCE }), planned)
  const list = { ...listQuery, page: null, wantsCount: false }
  if (services.queryCost !== null) {
    const isKnown = (relation: Parameters<typeof isKnownRelation>[0]): boolean => isKnownRelation(relation, planned)
    const read = { target, list, document, query: planned.query, isKnown, rows: maxRows }
    await spendCost(readCost(read, services.queryCost), planned)
  }
  return { columns, document, request: planned, list, rowsAtOnce: ROWS_AT_ONCE }
}

/** Refuses parameters for documents and for pages. */
function refuseOthers({ query }: ReadContext): void {
  refuseInclude(query)
  if (query.page.size > 0) refuseParameter('page')
  if (query.withCount.length > 0) refuseCount(query.withCount)
  refuseLinkage(query)
  for (const { parameter } of query.relatedQuery.values()) refuseParameter(parameter)
}
