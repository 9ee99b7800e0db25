import type { Filters, SortKey } from '@ashlar/client'
import type { Api } from './api.js'
import { albums } from './client.ts'
import type { Changes } from './location.ts'
import { statuses } from './statuses.ts'

/** The columns of the list, by which it can be ordered. */
export type SortableColumn = 'title' | 'artist.name' | 'releasedAt' | 'status'

type Order = SortKey<Api, 'albums'>

const columns: readonly SortableColumn[] = ['title', 'artist.name', 'releasedAt', 'status']
const orders = columns.flatMap((column): readonly Order[] => [column, `-${column}`])

/** Resets the cursor. A cursor is valid only for its filters and order. */
export const firstPage: Changes = { after: null, before: null }

/** Returns the order in an address. The default is by title. */
export function orderIn(search: URLSearchParams): Order {
  return orders.find((order) => order === search.get('sort')) ?? 'title'
}

/** The result of {@link albumPage}. */
export type AlbumPage = Awaited<ReturnType<ReturnType<typeof albumPage>['queryFn']>>

/** Returns the query for the page of albums that an address shows. */
export function albumPage(search: URLSearchParams) {
  return albums.list({
    include: ['artist'],
    fields: { albums: ['title', 'artist', 'releasedAt', 'status', 'explicit'], artists: ['name'] },
    filter: filtersIn(search),
    sort: [orderIn(search)],
    page: {
      kind: 'cursor',
      size: 10,
      after: search.get('after') ?? undefined,
      before: search.get('before') ?? undefined,
    },
  })
}

/**
 * Returns the query for the number of albums that match the filters of an address. Cursor pages have no total, so it is read
 * separately, with a page of size 0.
 */
export function albumCount(search: URLSearchParams) {
  return albums.list({ filter: filtersIn(search), page: { size: 0 }, count: ['_self_'] })
}

function filtersIn(search: URLSearchParams): Filters<Api, 'albums'> {
  const year = search.get('year') ?? ''
  return {
    title: search.get('title') ?? undefined,
    artist: search.get('artist') ?? undefined,
    releasedAt: isYear(year) ? { min: `${year}-01-01`, max: `${year}-12-31` } : undefined,
    status: statuses.find((each) => each === search.get('status')),
  }
}

export function isYear(text: string): boolean {
  return /^\d{4}$/.test(text)
}

/** Returns the changes of the address for another page; `null` if there is no such page. */
export function pageChanges(page: AlbumPage['nextPage']): Changes | null {
  return page?.kind === 'cursor' ? { after: page.after ?? null, before: page.before ?? null } : null
}
