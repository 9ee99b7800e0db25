import type { ReleaseRow } from './writes-world.js'

/** All that is stored, under the names of the models. Fresh objects for every call. */
export function shopRows() {
  const trackIds = [uuid(1), uuid(2), uuid(3), uuid(4)]
  return {
    artists: [
      { id: 1, name: 'Radiohead', country: 'gb' },
      { id: 2, name: 'Björk', country: 'is' },
      { id: 3, name: 'Portishead', country: null },
    ],
    portraits: [
      { id: 1, title: 'By the window', artistId: 1 },
      { id: 2, title: 'On stage', artistId: null },
    ],
    albums: [
      { id: 1, title: 'OK Computer', year: 1997, artistId: 1, remasterOfId: null },
      { id: 2, title: 'OKNOTOK', year: 2017, artistId: 1, remasterOfId: 1 },
      { id: 40, title: 'Homogenic', year: null, artistId: 2, remasterOfId: null },
    ],
    tracks: trackIds.map((key, at) => ({ id: key, title: `Track ${at + 1}`, albumId: [1, 1, 40, null][at] ?? null })),
    playlists: [
      { id: 'monday', title: 'Monday' },
      { id: 'tuesday', title: 'Tuesday' },
    ],
    entries: [
      { id: 1, playlistId: 'monday', trackId: trackIds[0], position: 1, note: 'opener', cue: null, addedBy: 'ann' },
      { id: 2, playlistId: 'monday', trackId: trackIds[1], position: 2, note: null, cue: { at: '00:01:00', tags: ['a'] }, addedBy: 'bob' },
    ], // biome-ignore format: one line a row
    shelves: [
      { id: 1, title: 'top', bestId: 2, bestType: 'artists', keeperId: 1 },
      { id: 2, title: 'locked', bestId: 1, bestType: 'albums', keeperId: null },
    ],
    items: [
      { id: 1, shelfId: 1, itemId: 40, itemType: 'albums' },
      { id: 2, shelfId: 1, itemId: trackIds[1], itemType: 'tracks' },
      { id: 3, shelfId: 2, itemId: 'first', itemType: 'releases' },
    ],
    releases: [release('first', 'A-1'), release('second', null)],
  }
}

function release(key: string, code: string | null): ReleaseRow {
  return {
    id: key,
    title: `The ${key}`,
    code,
    contact: 'shop@music.example',
    website: 'https://music.example/',
    barcode: uuid(9),
    slug: 'the-first',
    origin: '192.0.2.1',
    discs: 2,
    price: 19.99,
    explicit: false,
    announcedAt: new Date('2026-01-31T12:30:00Z'),
    releasedOn: '2026-02-28',
    doorsAt: '20:00:00',
    genres: ['rock'],
    chart: [1, 2],
    extras: { size: 'L' },
    label: 'XL',
    labelCity: 'London',
    dimensions: { width: 30, sleeve: { colour: 'red', printedOn: '2026-01-01' }, notes: ['thick'] },
    medium: { format: 'vinyl', speed: 33, cutAt: new Date('2025-06-01T00:00:00Z') },
    secret: 'hush',
    revision: 1,
    artistId: 1,
  }
}

export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
}
