import createClient from 'openapi-fetch'
import type { components, paths } from './openapi-typescript/schema.js'

type Schemas = components['schemas']

/** Both are the same type, and neither is `any`. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_is: Same<A, B>): void => undefined

// Responses.
same<Schemas['AlbumsResource']['type'], 'albums'>(true)
// A fieldset may leave any attribute out.
same<Schemas['AlbumsAttributes']['title'], string | undefined>(true)
same<Schemas['AlbumsAttributes']['averageRating'], number | null | undefined>(true)
same<Schemas['AlbumStatus'], 'upcoming' | 'released' | 'withdrawn'>(true)
same<Schemas['AlbumsIncluded']['type'], 'albums' | 'artists' | 'playlists' | 'tracks'>(true)
type OrderedTrack = NonNullable<Schemas['PlaylistsOrderedTracksRelationship']['data']>[number]
same<OrderedTrack['type'], 'tracks'>(true)
same<OrderedTrack['meta']['pivot']['position'], number>(true)
same<Schemas['AlbumsCollection']['meta']['page']['perPage'], number>(true)
same<Schemas['AlbumsCollection']['meta']['total'], number | undefined>(true)
same<NonNullable<Schemas['LibrariesItemsRelationship']['data']>[number]['type'], 'tracks' | 'albums' | 'artists'>(true)
same<Schemas['AlbumsArtistRelatedDocument']['data'], Schemas['ArtistsResource'] | null>(true)

// Requests.
same<Schemas['AlbumsCreateAttributes']['title'], string>(true)
same<Schemas['AlbumsUpdateAttributes']['title'], string | undefined>(true)
same<'averageRating' extends keyof Schemas['AlbumsCreateAttributes'] ? true : false, false>(true)

// Errors.
same<Schemas['FilteringUnrecognizedError']['code'], 'FILTERING_UNRECOGNIZED'>(true)
same<Schemas['FilteringUnrecognizedError']['status'], '400'>(true)

// Query parameters.
type Query = NonNullable<paths['/albums']['get']['parameters']['query']>
type TrackPage = NonNullable<NonNullable<paths['/tracks']['get']['parameters']['query']>['page']>
same<NonNullable<Query['filter[rating]']>, { min?: number; max?: number }>(true)
same<NonNullable<Query['filter[id]']>, string[]>(true)
same<NonNullable<Query['include']>[number] extends string ? true : false, true>(true)
export const query: Query = { include: ['artist', 'tracks.album'], sort: ['-title'], page: { kind: 'page', size: 5 } }
export const pages: readonly TrackPage[] = [
  { kind: 'page', number: 2 },
  { kind: 'cursor', after: 'abc' },
  { kind: 'offset', limit: 3 },
]
export const refusals: readonly Query[] = [
  // @ts-expect-error -- There is no such path.
  { include: ['songs'] },
  // @ts-expect-error -- There is no such sort.
  { sort: ['length'] },
  // @ts-expect-error -- A number has no letters.
  { 'filter[rating]': { min: 'four' } },
  // @ts-expect-error -- There is no such filter.
  { 'filter[colour]': 'red' },
]
export const create: Schemas['AlbumsCreateRequest'] = { data: { type: 'albums', attributes: { title: 'Dummy' } } }
// @ts-expect-error -- The title is required.
export const untitled: Schemas['AlbumsCreateRequest'] = { data: { type: 'albums', attributes: {} } }
// @ts-expect-error -- The server chooses the id.
export const chosen: Schemas['AlbumsCreateRequest'] = { data: { type: 'albums', id: '1', attributes: { title: 'a' } } }

const contentType = { 'Content-Type': 'application/vnd.api+json' }

/** Creates, reads, changes and deletes an artist. Returns the result of each step. */
export async function crud(baseUrl: string, token: string): Promise<readonly unknown[]> {
  const client = createClient<paths>({
    baseUrl,
    headers: { Authorization: `Bearer ${token}` },
    // Lists have commas.
    querySerializer: { array: { style: 'form', explode: false } },
  })
  const created = await client.POST('/artists', {
    headers: contentType,
    body: { data: { type: 'artists', attributes: { name: 'Portishead' } } },
  })
  const path = { id: created.data?.data.id ?? '' }
  const read = await client.GET('/artists', {
    params: { query: { 'filter[q]': 'Port', sort: ['-name', 'id'], page: { number: 1, size: 2 } } },
  })
  const withAlbums = await client.GET('/albums/{id}', {
    params: { path: { id: '1' }, query: { include: ['artist', 'tracks'], 'fields[albums]': ['title', 'artist'] } },
  })
  const changed = await client.PATCH('/artists/{id}', {
    params: { path },
    headers: contentType,
    body: { data: { type: 'artists', id: path.id, attributes: { bio: 'From Bristol.' } } },
  })
  const removed = await client.DELETE('/artists/{id}', { params: { path } })
  const gone = await client.GET('/artists/{id}', { params: { path } })
  const [error] = gone.error?.errors ?? []
  const [one] = Array.isArray(read.data?.data) ? read.data.data : []
  return [
    created.data?.data.attributes?.slug,
    one?.attributes?.name,
    [...new Set(withAlbums.data?.included?.map(({ type }) => type))],
    changed.data?.data.attributes?.bio,
    removed.response.status,
    error?.code,
  ]
}
