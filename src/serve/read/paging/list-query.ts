import type { FilterTree, FilterValue } from '../../operation/query-parameters.js'
import type { PageParameters } from '../../../declare/pagination/page-request.js'
import type { AnyPaginator } from '../../../declare/pagination/paginator.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RowOrder } from '../../../declare/resource/querying/row-order.js'
import type { QueryVocabulary } from '../query/query-vocabulary.js'
import type { FilterCondition } from '../query/read-conditions.js'
import { readConditions } from '../query/read-conditions.js'
import { readOrders } from '../query/read-orders.js'
import type { SoftDeleted } from '../query/soft-deleted.js'
import { readSoftDeleted } from '../query/soft-deleted.js'
import type { ReadContext } from '../read-context.js'
import { wantsCount } from './list-extras.js'
import type { ChosenPage } from './page-of-rows.js'
import { choosePage, firstPage, isCursorPage, withTokens } from './page-of-rows.js'

/** The checked query of a list: of a collection, or of the members of a relation. */
export interface ListQuery {
  readonly conditions: readonly RowCondition[]
  readonly orders: readonly RowOrder[]
  /** `null` for the whole list. */
  readonly page: ChosenPage | null
  readonly wantsCount: boolean
  /** How soft-deleted rows are treated. Default: hidden. */
  readonly trash?: SoftDeleted
  /** The same conditions by the filters that they come from. Default: none. */
  readonly filters?: readonly FilterCondition[]
  /** The sort keys of the client, and their parameter; `null` for the default order, which is the default. */
  readonly sortedBy?: { readonly keys: readonly string[]; readonly parameter: string } | null
}

/** Whether a query lets all visible rows pass. */
export function isUnfiltered({ conditions, trash = 'hidden' }: ListQuery): boolean {
  return conditions.length === 0 && trash === 'hidden'
}

/** The query parameters of a list as the client sent them, with their names for error messages. */
export interface SentListQuery {
  readonly filter: ReadonlyMap<string, FilterValue>
  readonly filterParameter: string
  readonly sort: readonly string[]
  readonly sortParameter: string
  /** `null` if the client cannot choose a page: the first page is shown. */
  readonly page: PageParameters | null
  /** Whether the client requests the total of the list. */
  readonly isCounted: boolean
  /** Combined filters. Default: none. */
  readonly filterTree?: FilterTree | undefined
}

/** Returns the query parameters for the list that the URL of the request names. */
export function sentListQuery({ query }: ReadContext, isCounted: boolean): SentListQuery {
  const { filter, filterTree, sort, page } = query
  return { filter, filterTree, filterParameter: 'filter', sort, sortParameter: 'sort', page, isCounted }
}

/**
 * Checks and converts the query parameters of a list.
 *
 * @param paginator `null` if the whole list is read
 */
export async function readListQuery(
  sent: SentListQuery,
  vocabulary: QueryVocabulary,
  paginator: AnyPaginator | null,
  { query, context, services }: ReadContext,
): Promise<ListQuery> {
  const choice = sent.page === null ? firstPage(paginator) : choosePage(paginator, sent.page)
  const page = withTokens(choice, services.cursors)
  const parameterOf = (key: string): string => `${sent.filterParameter}[${key}]`
  const { maxFilterValues } = query
  const limit = maxFilterValues === undefined ? null : { maxFilterValues }
  const { filter, filterTree } = sent
  const options = { context, services, parameterOf, filterTree, ...limit }
  const filters = await readConditions(filter, vocabulary, options)
  const { sort: keys, sortParameter: parameter } = sent
  const orders = readOrders(keys, vocabulary, { context, cursor: isCursorPage(page), parameter, filters })
  return {
    conditions: filters.map(({ condition }) => condition),
    filters,
    orders,
    sortedBy: keys.length === 0 ? null : { keys, parameter },
    page,
    wantsCount: wantsCount(page, sent.isCounted),
    trash: readSoftDeleted(sent.filter, vocabulary.filters),
  }
}
