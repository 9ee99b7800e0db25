import type { PageParameters, PageRequest } from './page-request.js'
import type { Paginator } from './paginator.js'

/** The facts about a page after it was read. */
export interface PageFacts {
  readonly paginator: Paginator
  readonly request: PageRequest
  /** The number of items on the page. */
  readonly shown: number
  /** The number of items in the whole collection, `null` if it was not counted. */
  readonly total: number | null
  /** An estimate of that number, if the request requires one. Default: `null`. */
  readonly estimatedTotal?: EstimatedTotal | null
  /** Whether more items follow in the direction of reading, which is backward for a page before a cursor. */
  readonly more: boolean
  /** The first and the last item of a cursor page; `null` if the page is empty or is not a cursor page. */
  readonly edges: PageEdges | null
}

/** The member `estimatedTotal` of `meta.page`. The profile of cursor pagination defines `bestGuess`. */
export interface EstimatedTotal {
  readonly bestGuess: number
  /** A number of items that the collection certainly has. */
  readonly atLeast: number
  readonly isExact: boolean
}

interface Edge {
  /** Creates the cursor of the item. It is called only if a link needs the cursor. */
  readonly token: () => string
  readonly id: string
}

export interface PageEdges {
  readonly first: Edge
  readonly last: Edge
}

export type PageLinkName = 'self' | 'first' | 'prev' | 'next' | 'last'

/** The `page[...]` parameters of each link. */
export type PageLinks = ReadonlyMap<PageLinkName, PageParameters>

export interface PageDescription {
  readonly links: PageLinks
  readonly meta: Readonly<Record<string, unknown>>
}

/**
 * Returns the links and `meta.page` of a page. The links keep the page parameters of the request that do not set the
 * position.
 */
export function describePage(facts: PageFacts, sent: PageParameters): PageDescription {
  const { estimatedTotal = null } = facts
  const { links, meta } = describePosition(facts, sent)
  return { links, meta: estimatedTotal === null ? meta : { ...meta, estimatedTotal } }
}

function describePosition(facts: PageFacts, sent: PageParameters): PageDescription {
  const { request } = facts
  if (request.kind === 'cursor') return describeCursorPage(facts, request, sent)
  return facts.paginator.strategy === 'offset'
    ? describeOffsetPage(facts, request, sent)
    : describeNumberedPage(facts, request, sent)
}

type OffsetRequest = Extract<PageRequest, { kind: 'offset' }>
type CursorRequest = Extract<PageRequest, { kind: 'cursor' }>

function describeNumberedPage(facts: PageFacts, request: OffsetRequest, sent: PageParameters): PageDescription {
  const { paginator, total } = facts
  const { offset, limit } = request
  const current = limit === 0 ? 1 : Math.floor(offset / limit) + 1
  const lastPage = total === null ? null : Math.max(1, limit === 0 ? 1 : Math.ceil(total / limit))
  const at = (number: number): PageParameters => new Map([...sent, [paginator.keys.number, String(number)]])
  const links = countedLinks(facts, request, {
    self: at(current),
    first: at(1),
    prev: current > 1 ? at(Math.min(current - 1, lastPage ?? current)) : null,
    next: at(current + 1),
    last: lastPage === null ? null : at(lastPage),
  })
  const counted = total === null ? {} : { total, lastPage }
  const size = paginator.strategy === 'fixed' ? {} : { perPage: limit, ...extent(facts, request) }
  return { links, meta: { currentPage: current, ...size, ...counted } }
}

function describeOffsetPage(facts: PageFacts, request: OffsetRequest, sent: PageParameters): PageDescription {
  const { paginator, total } = facts
  const { offset, limit } = request
  const lastOffset = total === null || limit === 0 ? null : Math.max(0, Math.floor((total - 1) / limit) * limit)
  const at = (position: number): PageParameters => new Map([...sent, [paginator.keys.offset, String(position)]])
  const links = countedLinks(facts, request, {
    self: at(offset),
    first: at(0),
    prev: offset > 0 ? at(Math.min(Math.max(0, offset - limit), lastOffset ?? offset)) : null,
    next: at(offset + limit),
    last: lastOffset === null ? null : at(lastOffset),
  })
  return { links, meta: { offset, limit, ...extent(facts, request), ...(total === null ? {} : { total }) } }
}

type PossibleLinks = Readonly<Record<PageLinkName, PageParameters | null>>

/**
 * Selects the links that a page has. An empty collection and a page size of 0 have no links. A page without items has
 * no `self` link.
 */
function countedLinks({ shown, total, more }: PageFacts, request: OffsetRequest, possible: PossibleLinks): PageLinks {
  const links = new Map<PageLinkName, PageParameters>()
  const empty = total === null ? shown === 0 && request.offset === 0 : total <= 0
  if (empty || request.limit <= 0) return links
  const applies: Readonly<Record<PageLinkName, boolean>> = {
    self: shown > 0,
    first: true,
    prev: true,
    next: more,
    last: true,
  }
  for (const [name, parameters] of Object.entries(possible) as [PageLinkName, PageParameters | null][]) {
    if (applies[name] && parameters !== null) links.set(name, parameters)
  }
  return links
}

function extent({ shown }: PageFacts, { offset }: OffsetRequest): { from: number | null; to: number | null } {
  return shown === 0 ? { from: null, to: null } : { from: offset + 1, to: offset + shown }
}

/**
 * A page that is read backward ends before the row of its cursor, so it always has a next page. If the request has two
 * cursors, the `next` link keeps `before`, so that the range ends at the second cursor.
 */
function describeCursorPage(
  { paginator, more, edges }: PageFacts,
  request: CursorRequest,
  sent: PageParameters,
): PageDescription {
  const { keys } = paginator
  const range = request.after !== null && request.before !== null
  const backward = request.before !== null && !range
  const hasMore = backward || more
  const hasPrevious = backward ? more : request.after !== null
  const position: readonly string[] = [keys.after, keys.before]
  const rest = [...sent].filter(([key]) => !position.includes(key))
  const links = new Map<PageLinkName, PageParameters>([['first', new Map(rest)]])
  if (edges !== null && hasPrevious) links.set('prev', new Map([...rest, [keys.before, edges.first.token()]]))
  if (edges !== null && hasMore) {
    const end = range ? [[keys.before, request.before ?? ''] as const] : []
    links.set('next', new Map([...rest, [keys.after, edges.last.token()], ...end]))
  }
  return {
    links,
    meta: {
      perPage: request.limit,
      hasMore,
      ...(edges === null ? {} : { from: edges.first.id, to: edges.last.id }),
      ...(range && more ? { rangeTruncated: true } : {}),
    },
  }
}
