import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenMusic } from '../support/sql-music.js'
import { clients, type Storm } from './storm.js'

const mediaType = 'application/vnd.api+json'
const batchType = `${mediaType}; ext="https://jsonapi.org/ext/atomic"`

/** A storm of requests that can be repeated. */
export interface KeyedStorm extends Storm {
  /** Sends all new requests again, to another server: confirmed ones must be replayed, and the others run now. */
  repeatTo(url: string): Promise<void>
}

interface KeyedRequest {
  readonly key: string
  readonly method: string
  readonly path: string
  readonly type: string
  readonly body: string
}

/**
 * Clients that send requests with an `Idempotency-Key`, some of them twice at the same time. A request adds a playlist with
 * members, or adds an artist and an album by a batch, or changes a track that counts its changes.
 *
 * @param counting the id of that track, whose plays are 0
 */
export function keyedStorm(counting: string): KeyedStorm {
  const requests: KeyedRequest[] = []
  /** The bodies of the responses, by key. */
  const confirmed = new Map<string, string>()
  const faults: string[] = []
  /** How many requests were sent again. */
  let repeated = 0

  /** Returns whether the response was replayed; `null` if the key was in use. */
  async function send(url: string, request: KeyedRequest): Promise<boolean | null> {
    const { key, method, path, type, body } = request
    const headers = { 'Content-Type': type, Accept: type, 'Idempotency-Key': `"${key}"` }
    const response = await fetch(`${url}${path}`, { method, headers, body })
    const text = await response.text()
    if (response.status === 409) return null
    if (response.status >= 300) faults.push(`${key}: ${response.status} ${text}`)
    const known = confirmed.get(key)
    if (known !== undefined && known !== text) faults.push(`${key}: ${text} after ${known}`)
    const isReplayed = response.headers.get('idempotency-replayed') === 'true'
    if (known !== undefined && !isReplayed) faults.push(`${key} ran again.`)
    confirmed.set(key, text)
    return isReplayed
  }

  async function client(url: string): Promise<void> {
    for (;;) {
      const request = newRequest(requests.length, counting)
      requests.push(request)
      const copies = Math.random() < 0.2 ? 2 : 1
      const sent = await Promise.allSettled(Array.from({ length: copies }, () => send(url, request)))
      // The server has ended. Whether it has committed this write is unknown.
      if (sent.some(({ status }) => status === 'rejected')) return
    }
  }

  /** The database may take a moment to notice that the process of a transaction has ended. */
  async function repeat(url: string, request: KeyedRequest): Promise<void> {
    while ((await send(url, request)) === null) await sleep(20)
    if ((await send(url, request)) !== true) faults.push(`${request.key} was not replayed.`)
  }

  return {
    faults,
    get confirmed() {
      return confirmed.size
    },
    async writeTo(url) {
      await Promise.all(Array.from({ length: clients }, () => client(url)))
    },
    async repeatTo(url) {
      for (const request of requests.slice(repeated)) await repeat(url, request)
      repeated = requests.length
    },
    async check(music) {
      const stored = await storedKeys(music, counting)
      const changes = requests.filter(({ method }) => method === 'PATCH')
      const others = requests.filter(({ method }) => method !== 'PATCH')
      const problems = others.flatMap(({ key }) => {
        const found = stored.rows.get(key)
        return found === rowsOf(key) ? [] : [`${key} has written ${String(found)} rows.`]
      })
      if (stored.plays !== changes.length) problems.push(`${changes.length} changes have counted ${stored.plays}.`)
      if (problems.length > 0) throw new Error(problems.join(' '))
    },
  }
}

function newRequest(number: number, counting: string): KeyedRequest {
  switch (number % 3) {
    case 0: {
      const key = `Playlist ${number}`
      const data = [1, 2, 3].map((id) => ({ type: 'tracks', id: String(id) }))
      const added = { type: 'playlists', attributes: { title: key, public: true }, relationships: { tracks: { data } } }
      return { key, method: 'POST', path: '/playlists', type: mediaType, body: JSON.stringify({ data: added }) }
    }
    case 1: {
      const key = `Batch of ${number}`
      const operations = [
        { op: 'add', data: { type: 'artists', lid: 'artist', attributes: { name: key } } },
        {
          op: 'add',
          data: {
            type: 'albums',
            attributes: { title: key },
            relationships: { artist: { data: { type: 'artists', lid: 'artist' } } },
          },
        },
      ]
      const body = JSON.stringify({ 'atomic:operations': operations })
      return { key, method: 'POST', path: '/operations', type: batchType, body }
    }
    default: {
      const data = { type: 'tracks', id: counting, attributes: { title: `Change ${number}` } }
      const sent = { path: `/tracks/${counting}`, type: mediaType, body: JSON.stringify({ data }) }
      return { key: `Change ${number}`, method: 'PATCH', ...sent }
    }
  }
}

/** How many rows a request writes: a playlist and three members, or an artist and an album. */
function rowsOf(key: string): number {
  return key.startsWith('Playlist') ? 4 : 2
}

interface StoredKeys {
  /** The number of rows, by the key of the request that wrote them. */
  readonly rows: ReadonlyMap<string, number>
  readonly plays: number
}

async function storedKeys(music: OpenMusic, counting: string): Promise<StoredKeys> {
  const found = await music.rows(
    `select title, count(*) as count from (
       select title from playlists where title like 'Playlist %'
       union all select title from playlist_tracks join playlists on playlists.id = playlist_id where title like 'Playlist %'
       union all select title from albums where title like 'Batch of %'
       union all select name from artists where name like 'Batch of %'
     ) as written group by title`,
  )
  const [track] = await music.rows(`select plays from tracks where id = ${counting}`)
  return {
    rows: new Map(found.map(({ title, count }) => [String(title), Number(count)])),
    plays: Number(track?.['plays']),
  }
}
