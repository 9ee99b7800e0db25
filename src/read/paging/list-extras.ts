import type { ResourceNode, ResponseValue } from '../../operation/response-value.js'
import type { PageDescription } from '../../pagination/page-description.js'
import { cursorPagination } from '../../profiles/profile.js'
import type { ListFacts } from '../../resource/capabilities/provider.js'
import { idReader } from '../../resource/reading/id-reader.js'
import type { ReadContext } from '../read-context.js'
import type { TypedOrders } from './cursor-position.js'
import type { ChosenPage } from './page-of-rows.js'
import { isCursorPage, pageDescription } from './page-of-rows.js'

/** What is known of a list that was read. */
interface ReadList extends ListFacts, TypedOrders {
  /** `null` for a list that was fetched whole. */
  readonly page: ChosenPage | null
  /** Applied already by what is shown with the list. */
  readonly profiles: readonly string[]
}

type Extras = Pick<Extract<ResponseValue, { kind: 'data' }>, 'meta' | 'page' | 'profiles'>

/** A whole list is always counted; a page is by its paginator, or on request, and never by cursor. */
export function wantsCount(page: ChosenPage | null, isAsked: boolean): boolean {
  return page === null || (!isCursorPage(page) && (page.paginator.counted || isAsked))
}

/** What a document of a list says besides its resources. */
export function listExtras(nodes: readonly ResourceNode[], list: ReadList, reading: ReadContext): Extras {
  const { page, profiles, total, more = false, edges = null, orders, types } = list
  const own = appliedProfiles(isCursorPage(page), reading)
  const described = (paged: ChosenPage): PageDescription =>
    pageDescription(paged, { total, more, edges, orders, types, shown: nodes.length, ids: edgeIds(nodes, reading) })
  return {
    meta: total === null ? null : { total },
    page: page === null ? null : described(page),
    profiles: profiles.length === 0 ? own : [...new Set([...own, ...profiles])],
  }
}

function edgeIds(nodes: readonly ResourceNode[], { context }: ReadContext): readonly [string, string] | null {
  const [first, last] = [nodes[0], nodes.at(-1)]
  if (first === undefined || last === undefined) return null
  const idOf = ({ rows, row }: ResourceNode): string => idReader(rows.served, rows.columns)(row, context)
  return [idOf(first), idOf(last)]
}

/** Cursor pages say of themselves that they are some, where the server knows the profile. */
export function appliedProfiles(hasCursorPages: boolean, { services }: ReadContext): readonly string[] {
  return hasCursorPages && services.profiles.has(cursorPagination.uri) ? byCursor : none
}

const byCursor: readonly string[] = [cursorPagination.uri]
const none: readonly string[] = []
