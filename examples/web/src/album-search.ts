import type { Filters, SortKey } from 'ashlar/client'
import type { Api } from './api.js'
import { albums } from './client.ts'
import { statuses } from './statuses.ts'

/** The columns of the list that it can be ordered by. */
export const sortable = ['title', 'artist.name', 'releasedAt', 'status'] as const satisfies readonly SortKey<
  Api,
  'albums'
>[]

type Order = SortKey<Api, 'albums'>

const orders: readonly Order[] = sortable.flatMap((name): readonly Order[] => [name, `-${name}`])

/** Returns the order that an address has, by title unless it has one. */
export function orderIn(search: URLSearchParams): Order {
  return orders.find((order) => order === search.get('sort')) ?? 'title'
}

/** Returns the query for the page of albums that an address shows. */
export function albumPage(search: URLSearchParams) {
  const [after, before] = [search.get('after'), search.get('before')]
  return albums.list({
    include: ['artist'],
    fields: { albums: ['title', 'artist', 'releasedAt', 'status', 'explicit'], artists: ['name'] },
    filter: filtersIn(search),
    sort: [orderIn(search)],
    page: { kind: 'cursor', size: 10, ...(after !== null && { after }), ...(before !== null && { before }) },
    count: ['_self_'],
  })
}

function filtersIn(search: URLSearchParams): Filters<Api, 'albums'> {
  const [title, artist, year] = [search.get('title'), search.get('artist'), search.get('year')]
  const status = statuses.find((each) => each === search.get('status'))
  return {
    ...(title !== null && { title }),
    ...(artist !== null && { artist }),
    ...(year !== null && { releasedAt: { min: `${year}-01-01`, max: `${year}-12-31` } }),
    ...(status !== undefined && { status }),
  }
}

/** Returns the cursor in a link to another page; `null` if there is no such page. */
export function cursorIn(link: unknown, name: 'after' | 'before'): string | null {
  return typeof link === 'string' ? new URL(link).searchParams.get(`page[${name}]`) : null
}
