import { fail } from '../../../core/errors/json-api-error.js'
import { choosePaginator } from '../../../declare/pagination/choose-paginator.js'
import type { CursorTokens } from '../../../declare/pagination/cursor-token.js'
import type { EstimatedTotal, PageDescription } from '../../../declare/pagination/page-description.js'
import { describePage } from '../../../declare/pagination/page-description.js'
import type { PageParameters, PageRequest } from '../../../declare/pagination/page-request.js'
import { pageRequest } from '../../../declare/pagination/page-request.js'
import type { AnyPaginator, EstimatedCount, Paginator } from '../../../declare/pagination/paginator.js'
import type { ListFacts } from '../../../declare/resource/capabilities/provider.js'
import type { RowPosition, RowWindow } from '../../../declare/resource/querying/row-window.js'
import { orderNames } from '../query/read-orders.js'
import type { TypedOrders } from './cursor-position.js'
import { positionInStore, positionOnWire } from './cursor-position.js'

/** The page parameters of a list, with the paginator that reads them. */
export interface PageChoice {
  readonly paginator: Paginator
  readonly request: PageRequest
  readonly sent: PageParameters
  /** The declared paginator: a menu that `paginator` was chosen from, or `paginator` itself. */
  readonly offered: AnyPaginator
  /** How the total is estimated, if the request requires that; else `null`. */
  readonly estimate: EstimatedCount | null
}

/** The requested page of a list. */
export interface ChosenPage extends PageChoice {
  readonly tokens: CursorTokens
}

/** Adds what creates and reads the cursors of a page. */
export function withTokens(page: PageChoice | null, tokens: CursorTokens): ChosenPage | null {
  return page === null ? null : { ...page, tokens }
}

/** Chooses the paginator and parses the page parameters. Returns `null` for a list without pages. */
export function choosePage(paginator: AnyPaginator | null, sent: PageParameters): PageChoice | null {
  if (paginator === null) return null
  const chosen = choosePaginator(paginator, sent)
  const request = pageRequest(chosen, sent)
  return { paginator: chosen, request, sent, offered: paginator, estimate: requestedEstimate(chosen, sent) }
}

/** Returns how the total is estimated; `null` if `page[count]` is absent, or the paginator does not read it. */
function requestedEstimate({ estimate, keys }: Paginator, sent: PageParameters): EstimatedCount | null {
  const value = estimate === null ? undefined : sent.get(keys.count)
  if (value === undefined || value === 'estimate') return value === undefined ? null : estimate
  const parameter = `page[${keys.count}]`
  fail('PAGINATION_COUNT_UNKNOWN', { value, parameter }, { source: { parameter } })
}

/**
 * Returns the first page, with explicit page parameters for its links: a relationship URL without page parameters means
 * all members.
 */
export function firstPage(paginator: AnyPaginator | null): PageChoice | null {
  const page = choosePage(paginator, new Map())
  if (page === null || paginator === null) return null
  const { kind, keys } = page.paginator
  const chosen: readonly (readonly [string, string])[] = paginator.strategy === 'menu' ? [['kind', kind]] : []
  const size: readonly (readonly [string, string])[] =
    page.request.kind === 'cursor' ? [[keys.size, String(page.request.limit)]] : []
  return { ...page, sent: new Map([...chosen, ...size]) }
}

export function isCursorPage(page: PageChoice | null): boolean {
  return page?.request.kind === 'cursor'
}

/** Returns the window for the store. Parses the cursors of the client and checks that they fit the order. */
export function rowWindow(page: ChosenPage | null, typed: TypedOrders): RowWindow | null {
  if (page === null) return null
  const { request, paginator, tokens } = page
  if (request.kind === 'offset') return request
  const position = (token: string | null, key: string): RowPosition | null =>
    token === null ? null : positionIn(token, typed, { tokens, parameter: `page[${key}]` })
  return {
    kind: 'cursor',
    limit: request.limit,
    after: position(request.after, paginator.keys.after),
    before: position(request.before, paginator.keys.before),
  }
}

interface TokenRead {
  readonly tokens: CursorTokens
  readonly parameter: string
}

function positionIn(token: string, typed: TypedOrders, { tokens, parameter }: TokenRead): RowPosition {
  const position = positionInStore(tokens.decode(token, levelNames(typed), parameter), typed)
  return position ?? fail('CURSOR_MALFORMED', { parameter }, { source: { parameter } })
}

/**
 * Names the levels of an order, for cursors. The first name contains the types of the rows: a position among rows whose sort
 * values the caller may not see must not be compared with rows of another type, which the caller may have made.
 */
function levelNames({ orders, types }: TypedOrders): readonly string[] {
  const [first = '', ...others] = orderNames(orders)
  return [`${types.map(({ type }) => type).join()} ${first}`, ...others]
}

/** The facts about the rows of a page from which its links and its meta are made. */
export interface PageOfRows extends Omit<ListFacts, 'estimate'>, TypedOrders {
  readonly shown: number
  /** Default: `null`. */
  readonly estimatedTotal?: EstimatedTotal | null
  /** The ids of the first and the last row, as clients see them. */
  readonly ids: readonly [first: string, last: string] | null
}

export function pageDescription(page: ChosenPage, facts: PageOfRows): PageDescription {
  const { shown, ids, edges = null } = facts
  const tokenOf = (position: RowPosition): string =>
    page.tokens.encode(levelNames(facts), positionOnWire(position, facts))
  const { links, meta } = describePage(
    {
      paginator: page.paginator,
      request: page.request,
      shown,
      total: facts.total,
      ...(facts.estimatedTotal === undefined ? {} : { estimatedTotal: facts.estimatedTotal }),
      more: facts.more === true,
      edges:
        edges === null || ids === null
          ? null
          : {
              first: { token: () => tokenOf(edges.first), id: ids[0] },
              last: { token: () => tokenOf(edges.last), id: ids[1] },
            },
    },
    page.sent,
  )
  if (page.offered === page.paginator) return { links, meta }
  return { links: new Map(Array.from(links, ([name, sent]) => [name, linkParameters(page, sent)])), meta }
}

/** Returns the parameters of a link. Adds the kind if the menu would otherwise choose another paginator. */
function linkParameters({ paginator, offered }: PageChoice, sent: PageParameters): PageParameters {
  return choosePaginator(offered, sent) === paginator ? sent : new Map([...sent, ['kind', paginator.kind]])
}
