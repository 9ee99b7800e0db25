/** The initial rows of a store under test, by the name of their model. */
export type ConformanceSeeds = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

/**
 * Returns new copies of the initial rows of every case of `storeConformance()`. A store may store and change them.
 *
 * The values are chosen to reveal small mistakes: prices that sort differently as text, titles that sort differently by
 * UTF-16 units or by alphabet, titles with wildcards and quotes, date-times less than a second apart, and keys that
 * exist in several types.
 */
export function conformanceSeeds(): ConformanceSeeds {
  return {
    artists: [
      { id: 1, name: 'Radiohead', country: 'GB' },
      { id: 2, name: 'Björk', country: 'IS' },
      { id: 3, name: 'Miles Davis', country: 'US' },
      { id: 4, name: 'Nobody', country: null },
    ],
    albums: albums(),
    tracks: [
      { albumId: 1, number: 10, title: 'No Surprises' },
      { albumId: 1, number: 1, title: 'Airbag' },
      { albumId: 2, number: 1, title: 'Everything' },
      { albumId: 1, number: 2, title: 'Paranoid Android' },
    ],
    lyrics: [
      { id: 1, text: 'In the next world war', albumId: 1, trackNumber: 1 },
      { id: 2, text: 'A heart', albumId: 1, trackNumber: 10 },
      { id: 3, text: 'No alarms', albumId: 1, trackNumber: 10 },
      { id: 4, text: 'Of no track', albumId: null, trackNumber: null },
      { id: 5, text: 'Half a key', albumId: 1, trackNumber: null },
    ],
    // Two portraits refer to artist 1. The one with the lower key is the portrait, although it comes second.
    portraits: [
      { id: 2, file: 'second.png', artistId: 1 },
      { id: 1, file: 'first.png', artistId: 1 },
      { id: 3, file: 'björk.png', artistId: 2 },
    ],
    comments: [
      { id: 1, text: 'Fitter', subjectId: 1, subjectType: 'albums' },
      { id: 2, text: 'Happier', subjectId: 1, subjectType: 'artists' },
      { id: 3, text: 'More productive', subjectId: 1, subjectType: 'albums' },
      { id: 4, text: 'On nothing', subjectId: null, subjectType: null },
      { id: 5, text: 'On what is gone', subjectId: 99, subjectType: 'albums' },
      { id: 6, text: 'Emotional landscapes', subjectId: 2, subjectType: 'artists' },
    ],
    playlists: [
      { code: 'road', title: 'Road trip' },
      { code: 'home', title: 'At home' },
      { code: 'empty', title: 'Nothing yet' },
    ],
    playlist_albums: [
      { playlistCode: 'road', albumId: 1, position: 2, note: null },
      { playlistCode: 'road', albumId: 3, position: 1, note: 'loud' },
      { playlistCode: 'road', albumId: 2, position: 3, note: null },
      { playlistCode: 'home', albumId: 1, position: 1, note: 'again' },
    ],
    playlist_items: [
      { playlistCode: 'road', itemId: 1, itemType: 'albums' },
      { playlistCode: 'road', itemId: 1, itemType: 'artists' },
      { playlistCode: 'road', itemId: 2, itemType: 'artists' },
      { playlistCode: 'home', itemId: 3, itemType: 'albums' },
    ],
  }
}

type Album = readonly [
  title: string,
  artistId: number | null,
  price: number | null,
  discs: number | null,
  explicit: boolean | null,
  releasedOn: string | null,
  addedAt: string | null,
  genres: readonly string[] | null,
]

function albums(): readonly Readonly<Record<string, unknown>>[] {
  const rows: readonly Album[] = [
    ['OK Computer', 1, 9.5, 1, false, '1997-05-21', '2024-01-01T10:00:00.000Z', ['rock']],
    ['Kid A', 1, 12.25, 2, false, '2000-10-02', '2024-01-01T10:00:00.500Z', ['electronic', 'rock']],
    ['kid a', 2, 9.5, 10, true, null, '2023-12-31T23:30:00.000Z', ['electronic']],
    ['Bitches Brew', 3, 100, 2, null, '1970-03-30', null, ['jazz']],
    ['100% Pure_Jazz', 3, null, 1, true, null, '2024-02-29T00:00:00.000Z', []],
    ['Ágætis byrjun', null, 0, 1, false, '1999-06-12', '2024-01-01T10:00:00.000Z', null],
    // U+FF71 is before U+1D11E, whose first UTF-16 unit is smaller.
    ["\uFF71\\'\uFF72", null, -1.5, null, null, null, null, ['rock', 'jazz']],
    ['\u{1D11E} Etudes', 1, null, null, true, '2016-05-08', '2024-01-01T09:59:59.999Z', []],
  ]
  return rows.map(([title, artistId, price, discs, explicit, releasedOn, addedAt, genres], index) => ({
    id: index + 1,
    title,
    artistId,
    price,
    discs,
    explicit,
    releasedOn,
    addedAt: addedAt === null ? null : new Date(addedAt),
    genres: genres === null ? null : [...genres],
  }))
}
