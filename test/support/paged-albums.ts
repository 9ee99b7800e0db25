import { belongsTo, createServer, cursorPage, defineResource, hasMany, id, model, type ServerSettings } from 'ashlar'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import type { DataSource } from 'ashlar/store'
import type { TestClient, TestRequestOptions, TestResponse } from 'ashlar/testing'
import { client } from './client.js'
import { storedData } from './stored-data.js'

/** A shelf of albums by one artist, small enough to list every page of it, with the pagination of the test. */

interface AlbumRow {
  id: number
  title: string
  year: number | null
  artistId: number
}

interface ShelfOptions {
  /** The number of albums. */
  readonly count?: number
  /** Their titles, if they matter; as many as there are albums. */
  readonly titles?: readonly string[]
  /** The pagination of the type of albums; none when absent. */
  readonly pagination?: AnyPaginator | null | ((serverDefault: AnyPaginator | null) => AnyPaginator | null)
  /** The pagination of the artist's relation to the albums; none when absent. */
  readonly relation?: AnyPaginator | null
  /** Whether the total can be requested, of the collection and of the relation. */
  readonly countable?: boolean
  /** Wraps the data source of the service. */
  readonly watch?: (data: DataSource) => DataSource
  readonly settings?: Omit<ServerSettings<readonly []>, 'resources' | 'data'>
}

/** Album 1 is the oldest; two albums at a time share a year. */
function albumRows({ count = 5, titles }: ShelfOptions): readonly AlbumRow[] {
  const all = titles ?? Array.from({ length: count }, (_, index) => `Album ${index + 1}`)
  return all.map((title, index) => ({ id: index + 1, title, year: 1990 + Math.floor(index / 2), artistId: 1 }))
}

export function shelf(options: ShelfOptions = {}): TestClient {
  const { pagination, relation, countable = false, watch = (data) => data, settings = {} } = options
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().sortable(), year: a.integer().nullable().sortable() }),
    relations: { artist: belongsTo('artists') },
    filters: (f) => ({ year: f.where('year'), title: f.contains('title') }),
    countable,
    ...(pagination === undefined ? {} : { pagination }),
  })
  const counted = countable ? hasMany('albums').countable() : hasMany('albums')
  const artists = defineResource('artists', {
    model: model<{ id: number; name: string }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string().sortable() }),
    relations: {
      albums:
        relation === undefined ? counted : relation === null ? counted.withoutPagination() : counted.paginate(relation),
    },
  })
  const data = storedData({ albums: albumRows(options), artists: [{ id: 1, name: 'Miles Davis' }] })
  return client(createServer({ ...settings, resources: [albums, artists], data: watch(data) }))
}

/** The three endpoints at which a paginator divides the same albums. */
export const endpoints = [
  { name: 'a collection', path: '/albums' },
  { name: 'a related collection', path: '/artists/1/albums' },
  { name: 'a queried linkage', path: '/artists/1/relationships/albums' },
] as const

/** A shelf whose albums are cut by the same paginator at every endpoint. */
export function pagedShelf(paginator: AnyPaginator, options: Omit<ShelfOptions, 'relation'> = {}): TestClient {
  return shelf({ ...options, pagination: paginator, relation: paginator })
}

export const cursorShelf = (size: number, options: Omit<ShelfOptions, 'relation'> = {}): TestClient =>
  pagedShelf(cursorPage({ size }), options)

export function idsOf({ document }: TestResponse): readonly string[] {
  const data = document?.data
  if (!Array.isArray(data)) throw new Error('There is no list in this document.')
  return (data as readonly { readonly id: string }[]).map((member) => member.id)
}

type LinkName = 'self' | 'first' | 'prev' | 'next' | 'last'
const linkNames: readonly string[] = ['self', 'first', 'prev', 'next', 'last'] satisfies LinkName[]

/** The query string of every link to a page, legible. */
export function pagesOf({ document }: TestResponse): Readonly<Partial<Record<LinkName, string>>> {
  const links = Object.entries(document?.links ?? {}).filter(([name]) => linkNames.includes(name))
  return Object.fromEntries(links.map(([name, link]) => [name, decodeURIComponent(new URL(String(link)).search)]))
}

/** The path and query of a link, as a client would follow it; `null` for a missing link. */
export function linkTo(response: TestResponse, name: LinkName): string | null {
  return followed(response.document?.links?.[name])
}

export function followed(link: unknown): string | null {
  if (link === undefined) return null
  if (typeof link !== 'string') throw new Error('A link to a page is a text.')
  const { origin, pathname, search } = new URL(link)
  if (origin !== 'http://localhost') throw new Error(`${link} leads away.`)
  return `${pathname}${search}`
}

/** Follows a link; there must be one. */
export async function follow(
  api: TestClient,
  response: TestResponse,
  name: LinkName,
  options: TestRequestOptions = {},
): Promise<TestResponse> {
  const target = linkTo(response, name)
  if (target === null) throw new Error(`There is no link '${name}': ${response.text}`)
  return api.get(target, options)
}

/** A page and all that follow it by links of one name. No test has so many pages that a walk is long. */
export async function pagesFrom(
  api: TestClient,
  start: TestResponse,
  name: 'next' | 'prev' = 'next',
): Promise<readonly TestResponse[]> {
  const pages = [start]
  for (let page = start; linkTo(page, name) !== null; pages.push(page)) {
    if (pages.length === 50) throw new Error(`'${name}' does not end: ${page.text}`)
    page = await follow(api, page, name)
  }
  return pages
}

/** A `page[...]` value of a link. */
export function sentIn(response: TestResponse, name: LinkName, key: string): string {
  const value = new URL(String(response.document?.links?.[name])).searchParams.get(`page[${key}]`)
  if (value === null) throw new Error(`The link '${name}' has no page[${key}]: ${response.text}`)
  return value
}

/** Requests profiles by URI. */
export function accepting(...uris: readonly string[]): TestRequestOptions {
  return { headers: { accept: `application/vnd.api+json; profile="${uris.join(' ')}"` } }
}
