import type { ResourceNode, ResponseValue } from '../../operation/response-value.js'
import type { PageDescription } from '../../../declare/pagination/page-description.js'
import { cursorPaginationProfile } from '../../../declare/profiles/profile.js'
import type { ListFacts } from '../../../declare/resource/capabilities/provider.js'
import { idReader } from '../../../declare/resource/reading/row-identifiers.js'
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
 * requires it, but a cursor page never is.
 */
export function wantsCount(page: ChosenPage | null, isRequested: boolean): boolean {
  return page === null || (!isCursorPage(page) && (page.paginator.counted || isRequested))
}

/** Returns the meta, the page and the profiles of a document that shows a list. */
export function listExtras(nodes: readonly ResourceNode[], list: ReadList, request: ReadContext): Extras {
  const { page, profiles, total, more = false, edges = null, orders, types } = list
  const applied = isCursorPage(page) ? appliedProfiles(true, request) : noProfiles
  const described = (paged: ChosenPage): PageDescription =>
    pageDescription(paged, {
      total,
      more,
      edges,
      orders,
      types,
      shown: nodes.length,
      ids: edges === null ? null : edgeIds(nodes, request),
    })
  return {
    meta: total === null ? null : { total },
    page: page === null ? null : described(page),
    profiles: profiles.length === 0 ? applied : [...new Set([...applied, ...profiles])],
  }
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
