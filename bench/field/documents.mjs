/** The documents, built by hand. */

export const mediaType = 'application/vnd.api+json'
const profile = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination/'
export const pagedType = `${mediaType}; profile="${profile}"`
const jsonapi = { version: '1.1' }
const pagedJsonapi = { version: '1.1', profile: [profile] }

/** @param {object} data @param {string} self */
export function document(data, self) {
  return { data, links: { self }, jsonapi }
}

/**
 * @param {object[]} data
 * @param {{ included: object[] | undefined, page: object, links: Record<string, string> }} rest
 */
export function pageDocument(data, { included, page, links }) {
  return { data, ...(included && { included }), meta: { page }, links, jsonapi: pagedJsonapi }
}

/** @param {number} status @param {string} title */
export function failure(status, title) {
  return { errors: [{ status: String(status), title }], jsonapi }
}

/** @param {typeof import('./fastify-drizzle/tables.mjs').artists.$inferSelect} row @param {string} base */
export function artist({ id, name, country, foundedIn, biography }, base) {
  const self = `${base}/artists/${id}`
  return {
    type: 'artists',
    id: String(id),
    attributes: { name, country, foundedIn, biography },
    relationships: { albums: { links: relationLinks(self, 'albums') } },
    links: { self },
  }
}

/**
 * @param {typeof import('./fastify-drizzle/tables.mjs').albums.$inferSelect} found @param {string} base
 * @param {readonly { id: number }[]} [tracks] the tracks of the album, if they are included
 */
export function album(found, base, tracks) {
  const { id, title, status, label, releasedAt, explicit, trackCount, description, artistId } = found
  const self = `${base}/albums/${id}`
  return {
    type: 'albums',
    id: String(id),
    attributes: {
      title,
      status,
      label,
      releasedAt: `${releasedAt.toISOString().slice(0, 19)}+00:00`,
      explicit,
      trackCount,
      description,
    },
    relationships: {
      artist: { links: relationLinks(self, 'artist'), data: { type: 'artists', id: String(artistId) } },
      tracks:
        tracks === undefined
          ? { links: relationLinks(self, 'tracks') }
          : {
              links: relationLinks(self, 'tracks'),
              data: tracks.map((row) => ({ type: 'tracks', id: String(row.id) })),
            },
      genres: { links: relationLinks(self, 'genres') },
    },
    links: { self },
  }
}

/** @param {typeof import('./fastify-drizzle/tables.mjs').tracks.$inferSelect} row @param {string} base */
export function track({ id, title, position, seconds, explicit, lyrics, recordedOn, albumId }, base) {
  const self = `${base}/tracks/${id}`
  return {
    type: 'tracks',
    id: String(id),
    attributes: { title, position, seconds, explicit, lyrics, recordedOn },
    relationships: { album: { links: relationLinks(self, 'album'), data: { type: 'albums', id: String(albumId) } } },
    links: { self },
  }
}

/** @param {string} self @param {string} name */
function relationLinks(self, name) {
  return { self: `${self}/relationships/${name}`, related: `${self}/${name}` }
}
