import { Api, type HttpResponse } from './swagger-typescript-api/api.js'

/** Creates, reads, changes and deletes an artist. Returns the result of each step. */
export async function crud(baseUrl: string, token: string): Promise<readonly unknown[]> {
  const { albums, artists } = new Api({
    baseUrl,
    baseApiParams: { format: 'json', secure: true, headers: { Authorization: `Bearer ${token}` } },
  })
  const created = await artists.createArtists({ data: { type: 'artists', attributes: { name: 'Portishead' } } })
  const { id } = created.data.data
  // It writes neither lists with commas nor objects: see the page about OpenAPI.
  const read = await artists.fetchCollectionArtists({ 'filter[q]': 'Port', sort: ['-name'] })
  const withAlbums = await albums.fetchOneAlbums('1', { include: ['artist'] })
  const changed = await artists.updateArtists(id, {
    data: { type: 'artists', id, attributes: { bio: 'From Bristol.' } },
  })
  const removed = await artists.deleteArtists(id, { format: undefined })
  const code = await artists.fetchOneArtists(id).then(
    () => null,
    (thrown: HttpResponse<unknown, { readonly errors: readonly { readonly code?: string }[] }>) =>
      thrown.error.errors[0]?.code,
  )
  const [one] = Array.isArray(read.data.data) ? read.data.data : []
  return [
    created.data.data.attributes?.slug,
    one?.attributes?.name,
    [...new Set(withAlbums.data.included?.map(({ type }) => type))],
    changed.data.data.attributes?.bio,
    removed.status,
    code,
  ]
}
