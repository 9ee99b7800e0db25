// @ts-check
/** A thousand tracks, as rows and as the batch that adds them. */

/** @typedef {{ title: string, seconds: number, rating: number | null, released: string, albumId: number }} Track */
/** @typedef {Track & { id: number }} StoredTrack */

export const albumCount = 500
export const atomicType = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

/** Every fourth rating is unknown. @param {number} count @returns {readonly Track[]} */
export function tracksToAdd(count) {
  return Array.from({ length: count }, (_, index) => ({
    title: `Track ${index} of a “long” evening`,
    seconds: 60 + ((index * 37) % 1009),
    rating: index % 4 === 3 ? null : index % 101,
    released: new Date(Date.UTC(1990, 0, 1 + index)).toISOString().slice(0, 10),
    albumId: 1 + ((index * 7) % albumCount),
  }))
}

/** The text of the request. @param {readonly Track[]} tracks */
export function batchOf(tracks) {
  const operations = tracks.map(({ albumId, ...attributes }) => ({
    op: 'add',
    data: {
      type: 'tracks',
      attributes,
      relationships: { album: { data: { type: 'albums', id: String(albumId) } } },
    },
  }))
  return JSON.stringify({ 'atomic:operations': operations })
}
