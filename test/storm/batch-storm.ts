import { isDeepStrictEqual } from 'node:util'
import type { OpenMusic } from '../support/sql-music.js'
import { clients, type Storm } from './storm.js'

const batchType = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

export interface BatchResponse {
  readonly status: number
  readonly codes: readonly unknown[]
}

/** Sends a batch, and returns the status of the response and the codes of its errors. */
export async function sendBatch(url: string, operations: readonly object[]): Promise<BatchResponse> {
  const response = await fetch(`${url}/operations`, {
    method: 'POST',
    headers: { 'Content-Type': batchType, Accept: batchType },
    body: JSON.stringify({ 'atomic:operations': operations }),
  })
  const { errors = [] } = (await response.json()) as { readonly errors?: readonly { readonly code?: string }[] }
  return { status: response.status, codes: errors.map(({ code }) => code) }
}

/**
 * Clients that send numbered batches. Each adds an album with the number of the batch as its year, tracks of that album,
 * and a playlist of some of them; and it changes a track that counts its changes.
 *
 * @param counting the id of that track, whose plays are 0
 */
export function batchStorm(counting: string): Storm {
  const committed = new Set<number>()
  const faults: string[] = []
  let sent = 0

  async function client(url: string): Promise<void> {
    for (;;) {
      sent += 1
      const number = sent
      try {
        const { status, codes } = await sendBatch(url, numberedBatch(number, counting))
        if (status === 200) committed.add(number)
        else faults.push(`Batch ${number}: ${status} ${codes.join(', ')}`)
      } catch {
        // The server has ended. Whether it has committed this batch is unknown.
        return
      }
    }
  }

  return {
    faults,
    get confirmed() {
      return committed.size
    },
    async writeTo(url) {
      await Promise.all(Array.from({ length: clients }, () => client(url)))
    },
    async check(music) {
      const stored = await wholeBatches(music, counting)
      for (const number of committed) if (!stored.has(number)) throw new Error(`The batch ${number} is missing.`)
    },
  }
}

function numberedBatch(number: number, counting: string): readonly object[] {
  const tracks = 2 + Math.floor(Math.random() * 20)
  const album = { type: 'albums', lid: 'album' }
  const listed = Array.from({ length: Math.min(tracks, 3) }, (_, index) => ({ type: 'tracks', lid: `track ${index}` }))
  return [
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
  ]
}

/**
 * Returns the numbers of the batches in the database. Throws if one is stored partly. One statement reads all of it: the last batch of
 * a server that was killed may be committed at any moment.
 */
async function wholeBatches(music: OpenMusic, counting: string): Promise<ReadonlySet<number>> {
  const albums = await music.rows(
    `select title, year as number,
       (select count(*) from tracks where album_id = albums.id) as tracks,
       (select count(*) from playlist_tracks join playlists on playlists.id = playlist_id
        where playlists.title = 'Batch ' || year) as listed,
       (select count(*) from playlists where title like 'Batch %') as lists,
       (select plays from tracks where id = ${counting}) as plays,
       (select count(*) from tracks where title like 'Batch %' and album_id is null) as loose
     from albums where title like 'Batch %'`,
  )
  for (const { title, number: _number, ...counts } of albums) {
    const [, tracks = 0] = String(title).match(/\d+/g)?.map(Number) ?? []
    const wanted = { tracks, listed: Math.min(tracks, 3), lists: albums.length, plays: albums.length, loose: 0 }
    const found = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number(count)]))
    if (isDeepStrictEqual(found, wanted)) continue
    throw new Error(`'${String(title)}' has ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}.`)
  }
  return new Set(albums.map(({ number }) => Number(number)))
}
