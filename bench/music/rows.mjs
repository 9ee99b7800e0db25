// @ts-check
/** The catalogue that every server of the benchmark serves. It is computed, so that every run has the same rows. */

/** @typedef {{ id: number, name: string, country: string, founded_in: number | null, biography: string }} ArtistRow */
/**
 * @typedef {{
 *   id: number, title: string, status: string, label: string | null, released_at: string, explicit: boolean,
 *   track_count: number, description: string, artist_id: number,
 * }} AlbumRow
 */
/**
 * @typedef {{
 *   id: number, title: string, position: number, seconds: number, explicit: boolean, lyrics: string,
 *   recorded_on: string, album_id: number,
 * }} TrackRow
 */
/** @typedef {{ id: number, name: string }} GenreRow */
/** @typedef {{ album_id: number, genre_id: number }} AlbumGenreRow */

const artistCount = 500
export const albumCount = 10_000
const tracksOfAlbum = 5
export const trackCount = albumCount * tracksOfAlbum
const genreCount = 40
/** A genre that no album has. */
export const unusedGenre = genreCount + 1

export const statuses = ['released', 'announced', 'withdrawn']
export const nouns = [
  'River',
  'Harbour',
  'Winter',
  'Mirror',
  'Signal',
  'Garden',
  'Engine',
  'Island',
  'Letter',
  'Morning',
]
const adjectives = ['Silver', 'Broken', 'Quiet', 'Électrique', 'Last', 'Golden', 'Little "Big"', 'Distant', 'Slow']
const countries = ['GB', 'US', 'IS', 'DE', 'FR', 'JP', 'BR', 'NG']
const labels = ['Parlophone', null, 'Warp', 'One Little Independent', '4AD', null, 'Ninja Tune']

/** Most texts are plain, some contain characters that JSON escapes. */
const phrases = [
  'recorded in one night with the windows open',
  'the tape ran out before the last chorus',
  'she said "not again" and played it again',
  'a song about the sea, the harbour and the road home',
  'mixed twice and mastered by ear',
  'strings arranged for eleven players',
  'Björk and Sigur Rós were in the room next door',
  'the drums are a door, a drawer and a suitcase',
  'path\\to\\nowhere was the working title',
  'the first verse is older than the band',
  'sung in one breath\nand never again on stage',
  'played on a borrowed piano',
  'the demo was better — everybody says so',
]

/** @returns {ArtistRow[]} */
export function artistRows() {
  return rows(artistCount, (id) => ({
    id,
    name: `The ${pick(adjectives, id * 5)} ${pick(nouns, id * 3)}s ${id}`,
    country: pick(countries, id),
    founded_in: id % 11 === 0 ? null : 1955 + (id % 65),
    biography: text(id * 7, 220 + (id % 5) * 20),
  }))
}

/** Every hundredth album has the same instant as the previous one. @returns {AlbumRow[]} */
export function albumRows() {
  return rows(albumCount, (id) => ({
    id,
    title: `${pick(adjectives, id)} ${pick(nouns, id * 7 + Math.floor(id / 30))} ${id}`,
    status: pick(statuses, id),
    label: pick(labels, id),
    released_at: instant(id % 100 === 0 ? id - 1 : id),
    explicit: id % 7 === 0,
    track_count: tracksOfAlbum,
    description: text(id, 150 + (id % 6) * 20),
    artist_id: 1 + ((id * 37) % artistCount),
  }))
}

/** @returns {TrackRow[]} */
export function trackRows() {
  return rows(trackCount, (id) => ({
    id,
    title: `${pick(nouns, id * 3)} of the ${pick(adjectives, id * 11)} ${pick(nouns, id + 4)}`,
    position: 1 + ((id - 1) % tracksOfAlbum),
    seconds: 90 + ((id * 53) % 400),
    explicit: id % 9 === 0,
    lyrics: text(id * 3, 130 + (id % 4) * 20),
    recorded_on: day(id * 13),
    album_id: 1 + Math.floor((id - 1) / tracksOfAlbum),
  }))
}

/** @returns {GenreRow[]} */
export function genreRows() {
  return rows(unusedGenre, (id) => ({ id, name: `${pick(adjectives, id)} Genre ${id}` }))
}

/** Two different genres per album. @returns {AlbumGenreRow[]} */
export function albumGenreRows() {
  return rows(albumCount, (id) => id).flatMap((id) => {
    const first = (id * 3) % genreCount
    const second = (first + 1 + (id % (genreCount - 1))) % genreCount
    return [first, second].map((genre) => ({ album_id: id, genre_id: 1 + genre }))
  })
}

/** @template Row @param {number} count @param {(id: number) => Row} make */
function rows(count, make) {
  return Array.from({ length: count }, (_, index) => make(index + 1))
}

/** @template Item @param {readonly Item[]} items @param {number} index @returns {Item} */
function pick(items, index) {
  return /** @type {Item} */ (items[index % items.length])
}

/** Joins phrases until the length is reached. @param {number} seed @param {number} length */
function text(seed, length) {
  let written = ''
  for (let step = 0; written.length < length; step += 1) written += `${pick(phrases, seed + step * (1 + (seed % 5)))}. `
  return written.slice(0, length)
}

/** Returns an instant. Albums with consecutive ids do not have consecutive instants. @param {number} id */
function instant(id) {
  const order = (id * 7919) % albumCount
  return new Date(Date.UTC(1960, 0, 1) + order * 199_999_000).toISOString()
}

/** @param {number} index */
function day(index) {
  return new Date(Date.UTC(1960, 0, 1 + (index % 22_000))).toISOString().slice(0, 10)
}
