import type { OpenMusic } from '../support/sql-music.js'

/**
 * Batches that can be told apart in the database: each adds an album that has the batch's number in the place of a year,
 * tracks of that album, which are written together, and a playlist of some of them; and it changes a track that counts
 * its changes.
 */

export const batchType = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

export interface NumberedBatch {
  readonly number: number
  readonly operations: readonly object[]
}

/** @param counting the id of a track that every batch changes: its plays are counted */
export function numberedBatch(number: number, counting: string): NumberedBatch {
  const tracks = 2 + Math.floor(Math.random() * 40)
  const album = { type: 'albums', lid: 'album' }
  const listed = Array.from({ length: Math.min(tracks, 3) }, (_, index) => ({ type: 'tracks', lid: `track ${index}` }))
  return {
    number,
    operations: [
      { op: 'add', data: { ...album, attributes: { title: `Batch ${number} of ${tracks}`, year: number } } },
      ...Array.from({ length: tracks }, (_, index) => ({
        op: 'add',
        data: {
          type: 'tracks',
          ...(index < listed.length ? { lid: `track ${index}` } : {}),
          attributes: { title: `Batch ${number}`, seconds: number, plays: 0 },
          relationships: { album: { data: album } },
        },
      })),
      { op: 'update', ref: { type: 'tracks', id: counting }, data: { type: 'tracks', id: counting, attributes: {} } },
      { op: 'add', data: { type: 'playlists', lid: 'list', attributes: { title: `Batch ${number}`, public: true } } },
      { op: 'add', ref: { type: 'playlists', lid: 'list', relationship: 'tracks' }, data: listed },
    ],
  }
}

/** The numbers of the batches that are there. Throws where one is there in parts. */
export async function judgedBatches(music: OpenMusic, counting: string): Promise<ReadonlySet<number>> {
  const albums = await music.rows(
    `select albums.title, year as number, count(tracks.id) as tracks
     from albums left join tracks on album_id = albums.id
     where albums.title like 'Batch %' group by albums.id, albums.title, year`,
  )
  const lists = await music.rows(
    `select title, count(track_id) as tracks from playlists left join playlist_tracks on playlist_id = playlists.id
     where title like 'Batch %' group by playlists.id, title`,
  )
  const listed = new Map(lists.map(({ title, tracks }) => [String(title), Number(tracks)]))
  for (const { title, number, tracks } of albums) {
    const [, wanted = 0] = String(title).match(/\d+/g)?.map(Number) ?? []
    const members = listed.get(`Batch ${String(number)}`)
    if (Number(tracks) === wanted && members === Math.min(wanted, 3)) continue
    throw new Error(`'${String(title)}' has ${String(tracks)} tracks, and ${String(members)} in its list.`)
  }
  const [loose] = await music.rows(
    `select (select count(*) from tracks where title like 'Batch %' and album_id is null) as tracks,
       (select plays from tracks where id = ${counting}) as plays`,
  )
  const { plays, tracks } = loose ?? {}
  if (Number(tracks) !== 0 || lists.length !== albums.length || Number(plays) !== albums.length) {
    throw new Error(
      `Of ${albums.length} batches there are ${lists.length} lists, ${String(plays)} counts and ${String(tracks)} loose tracks.`,
    )
  }
  return new Set(albums.map(({ number }) => Number(number)))
}
