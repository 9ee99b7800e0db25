// @ts-check
/** The workloads as GraphQL, and its responses in the form in which the benchmark compares data. */

/** @typedef {import('../../workloads.mjs').Request} Request */
/** @typedef {import('../../responses.mjs').ReceivedResponse} ReceivedResponse */

const notAttributes = new Set(['rowId', 'artistId', 'albumId', 'artistByArtistId', 'tracksByAlbumId'])
const track = 'rowId title position seconds explicit lyrics recordedOn albumId'
const album = 'rowId title status label releasedAt explicit trackCount description artistId'
const page = 'pageInfo { hasNextPage endCursor startCursor }'
const newest = 'orderBy: [RELEASED_AT_DESC, ROW_ID_DESC]'

const queries = {
  one: `query One($id: Int!) { trackByRowId(rowId: $id) { ${track} } }`,
  list: `query List($size: Int!) { allAlbums(first: $size, ${newest}) { nodes { ${album} } ${page} } }`,
  included: `query Included($size: Int!) { allAlbums(first: $size, ${newest}) { nodes { ${album}
    artistByArtistId { rowId name country foundedIn biography }
    tracksByAlbumId { nodes { ${track} } } } ${page} } }`,
  filtered: `query Filtered($size: Int!, $filter: AlbumFilter!) {
    allAlbums(first: $size, ${newest}, filter: $filter) { nodes { ${album} } ${page} } }`,
  created: `mutation Create($track: TrackInput!) { createTrack(input: { track: $track }) { track { ${track} } } }`,
  updated: `mutation Update($id: Int!, $patch: TrackPatch!) {
    updateTrackByRowId(input: { rowId: $id, trackPatch: $patch }) { track { ${track} } } }`,
}

/** @type {Readonly<Record<string, (request: Request) => Request>>} */
export const translations = {
  W1: ({ path }) => graphql('one', { id: Number(path.split('/')[2]) }),
  W2: () => graphql('list', { size: 50 }),
  W3: () => graphql('included', { size: 50 }),
  W4({ path }) {
    const query = new URLSearchParams(path.split('?')[1])
    const filter = {
      status: { equalTo: query.get('filter[status]') },
      title: { includesInsensitive: query.get('filter[title]') },
    }
    return graphql('filtered', { size: 20, filter })
  },
  W5({ body = '' }) {
    const { attributes, relationships } = JSON.parse(body).data
    return graphql('created', { track: { ...attributes, albumId: Number(relationships.album.data.id) } })
  },
  W8({ body = '' }) {
    const { id, attributes } = JSON.parse(body).data
    return graphql('updated', { id: Number(id), patch: attributes })
  },
}

/** @param {keyof typeof queries} name @param {object} variables @returns {Request} */
function graphql(name, variables) {
  const type = 'application/json'
  const body = JSON.stringify({ query: queries[name], variables })
  return { method: 'POST', path: '/graphql', body, headers: { Accept: type, 'Content-Type': type } }
}

/** Returns a response as a document of JSON:API. @param {ReceivedResponse} response @returns {ReceivedResponse} */
export function asDocument(response) {
  const { trackByRowId, allAlbums, createTrack, updateTrackByRowId } = response.document.data ?? {}
  const one = trackByRowId ?? createTrack?.track ?? updateTrackByRowId?.track
  if (one) return { ...response, status: createTrack ? 201 : 200, document: { data: resource('tracks', one) } }
  if (!allAlbums) return response
  const { nodes } = allAlbums
  const artists = new Map(nodes.map((/** @type {any} */ { artistByArtistId: artist }) => [artist?.rowId, artist]))
  artists.delete(undefined)
  const tracks = nodes.flatMap((/** @type {any} */ { tracksByAlbumId }) => tracksByAlbumId?.nodes ?? [])
  const included = [
    ...[...artists.values()].map((each) => resource('artists', each)),
    ...tracks.map((/** @type {any} */ each) => resource('tracks', each)),
  ]
  return { ...response, document: { data: nodes.map((/** @type {any} */ each) => resource('albums', each)), included } }
}

/** @param {string} type @param {Record<string, unknown>} node */
function resource(type, node) {
  const attributes = Object.entries(node).filter(([name]) => !notAttributes.has(name))
  return { type, id: String(node['rowId']), attributes: Object.fromEntries(attributes) }
}
