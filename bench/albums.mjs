// @ts-check
/** The rows that every server of the benchmark serves: fifty albums. */

/**
 * @typedef {object} AlbumRow
 * @property {number} id
 * @property {string} title
 * @property {Date} releasedAt
 * @property {boolean} explicit
 * @property {string} status
 * @property {string | null} label
 */

/** @type {readonly AlbumRow[]} */
export const albums = Array.from({ length: 50 }, (_, index) => ({
  id: index + 1,
  title: `Album "${index + 1}"`,
  releasedAt: new Date(Date.UTC(1970 + index, index % 12, 1)),
  explicit: index % 7 === 0,
  status: index % 2 === 0 ? 'released' : 'upcoming',
  label: index % 3 === 0 ? null : 'Parlophone',
}))
