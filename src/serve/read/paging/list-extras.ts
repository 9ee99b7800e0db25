import type { ResourceNode, ResponseValue } from '../../operation/response-value.js'
import type { EstimatedTotal, PageDescription } from '../../../declare/pagination/page-description.js'
import { cursorPaginationProfile } from '../../../declare/profiles/profile.js'
import type { ListFacts } from '../../../declare/resource/capabilities/provider.js'
import { idReader } from '../../../declare/resource/reading/row-linkage.js'
import type { ReadContext } from '../read-context.js'
import type { TypedOrders } from './cursor-position.js'
import type { ChosenPage } from './page-of-rows.js'
import { isCursorPage, pageDescription } from './page-of-rows.js'

/** A list that was read, with its page, its order and its total. */
interface ReadList extends ListFacts, TypedOrders {
  /** `null` if the whole list was read. */
  readonly page: ChosenPage | null
  /** URIs of the profiles that the included resources and the linkage of the list apply. */
  readonly profiles: readonly string[]
}

type Extras = Pick<Extract<ResponseValue, { kind: 'data' }>, 'meta' | 'page' | 'profiles'>

/**
 * Returns whether a list is counted. A whole list always is. A page is counted if its paginator or the request
 * requires it, but a cursor page never is, except for an estimate.
 */
export function wantsCount(page: ChosenPage | null, isRequested: boolean): boolean {
  if (page === null || page.estimate !== null) return true
  return !isCursorPage(page) && (page.paginator.counted || isRequested)
}

/** Returns the meta, the page and the profiles of a document that shows a list. */
export function listExtras(nodes: readonly ResourceNode[], list: ReadList, request: ReadContext): Extras {
  const { page, profiles, total, more = false, edges = null, orders, types } = list
  const applied = isCursorPage(page) ? appliedProfiles(true, request) : noProfiles
  const isEstimated = page !== null && showsEstimateOnly(page, request)
  const described = (paged: ChosenPage): PageDescription =>
    pageDescription(paged, {
      total: isEstimated ? null : total,
      estimatedTotal: estimatedTotal(paged, list, nodes.length),
      more,
      edges,
      orders,
      types,
      shown: nodes.length,
      ids: edges === null ? null : edgeIds(nodes, request),
    })
  return {
    meta: total === null || isEstimated ? null : { total },
    page: page === null ? null : described(page),
    profiles: profiles.length === 0 ? applied : [...new Set([...applied, ...profiles])],
  }
}

/** Whether the document shows an estimate of the total, and not the total, even if the estimate is exact. */
export function showsEstimateOnly(page: ChosenPage, { query }: Pick<ReadContext, 'query'>): boolean {
  return page.estimate !== null && (isCursorPage(page) || !query.withCount.includes('_self_'))
}

/**
 * Returns the member `estimatedTotal` of a page; `null` if the request does not require it. The rows before and on the page are
 * certain, and the last page shows how many there are.
 *
 * @param shown the number of rows on the page
 */
export function estimatedTotal(page: ChosenPage, facts: ListFacts, shown: number): EstimatedTotal | null {
  if (page.estimate === null) return null
  const { total, estimate = null, more = false } = facts
  const reached = page.request.kind === 'offset' && shown > 0 ? page.request.offset + shown : 0
  const known = total ?? (reached > 0 && !more ? reached : null)
  if (known !== null) return { bestGuess: known, atLeast: known, isExact: true }
  const atLeast = Math.max(estimate?.atLeast ?? 0, more ? reached + 1 : reached)
  return { bestGuess: Math.max(estimate?.bestGuess ?? 0, atLeast), atLeast, isExact: false }
}

function edgeIds(nodes: readonly ResourceNode[], { context }: ReadContext): readonly [string, string] | null {
  const [first, last] = [nodes[0], nodes.at(-1)]
  if (first === undefined || last === undefined) return null
  const idOf = ({ rows, row }: ResourceNode): string => idReader(rows.served, rows.columns)(row, context)
  return [idOf(first), idOf(last)]
}

/** Returns the profile of cursor pages, if the document has such pages and the server has registered the profile. */
export function appliedProfiles(hasCursorPages: boolean, { services }: ReadContext): readonly string[] {
  return hasCursorPages && services.profiles.has(cursorPaginationProfile.uri) ? cursorProfile : noProfiles
}

const cursorProfile: readonly string[] = [cursorPaginationProfile.uri]
const noProfiles: readonly string[] = []
