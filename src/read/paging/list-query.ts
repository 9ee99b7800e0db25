import type { FilterValue } from '../../operation/query-parameters.js'
import type { PageParameters } from '../../pagination/page-request.js'
import type { AnyPaginator } from '../../pagination/paginator.js'
import type { RowCondition } from '../../resource/querying/row-condition.js'
import type { RowOrder } from '../../resource/querying/row-order.js'
import type { QueryVocabulary } from '../query/query-vocabulary.js'
import { readConditions } from '../query/read-conditions.js'
import { readOrders } from '../query/read-orders.js'
import type { SoftDeleted } from '../query/soft-deleted.js'
import { readSoftDeleted } from '../query/soft-deleted.js'
import type { ReadContext } from '../read-context.js'
import { wantsCount } from './list-extras.js'
import type { ChosenPage } from './page-of-rows.js'
import { choosePage, firstPage, isCursorPage } from './page-of-rows.js'

/** What is asked of a list: a collection, or the members of a relation. */
export interface ListQuery {
  readonly conditions: readonly RowCondition[]
  readonly orders: readonly RowOrder[]
  /** `null` for all of it. */
  readonly page: ChosenPage | null
  readonly wantsCount: boolean
  /** What becomes of rows that are deleted softly; hidden unless said otherwise. */
  readonly trash?: SoftDeleted
}

/** What a client sent about a list, and the names under which it did, for errors. */
export interface SentListQuery {
  readonly filter: ReadonlyMap<string, FilterValue>
  readonly filterParameter: string
  readonly sort: readonly string[]
  readonly sortParameter: string
  /** `null` where no page can be asked for: it is the first. */
  readonly page: PageParameters | null
  /** Whether the client wants the list counted. */
  readonly isCounted: boolean
}

/** What the query of a request sends about the list that its address names. */
export function sentListQuery({ query }: ReadContext, isCounted: boolean): SentListQuery {
  const { filter, sort, page } = query
  return { filter, filterParameter: 'filter', sort, sortParameter: 'sort', page, isCounted }
}

/** @param paginator `null` where the list is fetched whole */
export async function readListQuery(
  sent: SentListQuery,
  vocabulary: QueryVocabulary,
  paginator: AnyPaginator | null,
  { context, services }: ReadContext,
): Promise<ListQuery> {
  const page = sent.page === null ? firstPage(paginator) : choosePage(paginator, sent.page)
  const parameterOf = (key: string): string => `${sent.filterParameter}[${key}]`
  const conditions = await readConditions(sent.filter, vocabulary, { context, services, parameterOf })
  const parameter = sent.sortParameter
  const orders = readOrders(sent.sort, vocabulary, { context, cursor: isCursorPage(page), parameter })
  const trash = readSoftDeleted(sent.filter, vocabulary.filters)
  return { conditions, orders, page, wantsCount: wantsCount(page, sent.isCounted), trash }
}
