import {
  createArtists,
  deleteArtists,
  fetchCollectionArtists,
  fetchOneAlbums,
  fetchOneArtists,
  updateArtists,
} from './hey-api/index.js'
import { client } from './hey-api/client.gen.js'

/** Creates, reads, changes and deletes an artist. Returns the result of each step. */
export async function crud(baseUrl: string, token: string): Promise<readonly unknown[]> {
  client.setConfig({ baseUrl, auth: token })
  const created = await createArtists({ body: { data: { type: 'artists', attributes: { name: 'Portishead' } } } })
  const path = { id: created.data?.data.id ?? '' }
  const read = await fetchCollectionArtists({
    query: { 'filter[q]': 'Port', sort: ['-name', 'id'], page: { number: 1, size: 2 } },
  })
  const withAlbums = await fetchOneAlbums({
    path: { id: '1' },
    query: { include: ['artist', 'tracks'], 'fields[albums]': ['title', 'artist'] },
  })
  const changed = await updateArtists({
    path,
    body: { data: { type: 'artists', id: path.id, attributes: { bio: 'From Bristol.' } } },
  })
  const removed = await deleteArtists({ path })
  const gone = await fetchOneArtists({ path })
  const [error] = gone.error?.errors ?? []
  const [one] = Array.isArray(read.data?.data) ? read.data.data : []
  return [
    created.data?.data.attributes?.slug,
    one?.attributes?.name,
    [...new Set(withAlbums.data?.included?.map(({ type }) => type))],
    changed.data && 'data' in changed.data ? changed.data.data.attributes?.bio : null,
    removed.response?.status,
    error?.code,
  ]
}
