import type { OpenMusic } from '../support/sql-music.js'
import { clients, type Storm } from './storm.js'

/**
 * Clients that create, change, replace and delete playlists. The title of each has the number of its members, and the sum of their
 * weights.
 *
 * @param tracks the number of tracks
 */
export function playlistStorm(tracks: number): Storm {
  /** Titles by id, from the last response. */
  const titles = new Map<string, string>()
  const deleted = new Set<string>()
  /** Ids of playlists with a write that was without a response. */
  const unsure = new Set<string>()
  const faults: string[] = []
  let confirmed = 0

  /** Each client has its own playlists. */
  async function client(url: string): Promise<void> {
    const send = async (method: string, path: string, data?: unknown): Promise<Response> => {
      const headers = { 'Content-Type': 'application/vnd.api+json' }
      const content = data === undefined ? {} : { body: JSON.stringify({ data }), headers }
      const response = await fetch(`${url}${path}`, { method, ...content })
      if (response.status >= 400) faults.push(`${method} ${path}: ${response.status} ${await response.text()}`)
      return response
    }
    const own: string[] = []

    async function create(): Promise<void> {
      const { title, members } = newMembers(tracks)
      const created = { type: 'playlists', attributes: { title }, relationships: { tracks: { data: members } } }
      const response = await send('POST', '/playlists', created)
      const { data } = (await response.json()) as { data: { id: string } }
      own.push(data.id)
      titles.set(data.id, title)
    }

    async function change(id: string): Promise<void> {
      const { title, members } = newMembers(tracks)
      const changed = { type: 'playlists', id, attributes: { title }, relationships: { tracks: { data: members } } }
      await (await send('PATCH', `/playlists/${id}`, changed)).text()
      titles.set(id, title)
    }

    async function replace(id: string): Promise<void> {
      const members = membersFor(titles.get(id) ?? '', tracks)
      await (await send('PATCH', `/playlists/${id}/relationships/tracks`, members)).text()
    }

    async function remove(id: string): Promise<void> {
      await send('DELETE', `/playlists/${id}`)
      own.splice(own.indexOf(id), 1)
      titles.delete(id)
      deleted.add(id)
    }

    for (;;) {
      const id = own.at(Math.floor(Math.random() * own.length))
      const chance = Math.random()
      try {
        if (id === undefined || chance < 0.4) await create()
        else if (chance < 0.65) await change(id)
        else if (chance < 0.85) await replace(id)
        else await remove(id)
        confirmed += 1
      } catch {
        // The server has ended. Whether it has committed this write is unknown.
        if (id !== undefined) unsure.add(id)
        return
      }
    }
  }

  return {
    faults,
    get confirmed() {
      return confirmed
    },
    async writeTo(url) {
      await Promise.all(Array.from({ length: clients }, () => client(url)))
    },
    async check(music) {
      const stored = await truthfulTitles(music)
      for (const [id, title] of titles) {
        if (unsure.has(id) || stored.get(id) === title) continue
        throw new Error(`The playlist ${id}, '${title}', is stored as '${String(stored.get(id))}'.`)
      }
      for (const id of deleted) if (stored.has(id)) throw new Error(`The deleted playlist ${id} is there.`)
    },
  }
}

/** Returns members of a playlist, and the title that they make true. */
function newMembers(tracks: number): { readonly title: string; readonly members: readonly object[] } {
  const count = 1 + Math.floor(Math.random() * 20)
  const first = Math.floor(Math.random() * tracks)
  const keys = Array.from({ length: count }, (_, position) => 1 + ((first + position * 7) % tracks))
  const weights = keys.map(() => 1 + Math.floor(Math.random() * 1000))
  const members = keys.map((key, position) => ({
    type: 'tracks',
    id: String(key),
    meta: { pivot: { position, weight: weights[position] } },
  }))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return { title: `${count} that sum up to ${sum}`, members }
}

/** Returns other members that make the same title true. */
function membersFor(title: string, tracks: number): readonly object[] {
  const [count = 0, sum = 0] = title.match(/\d+/g)?.map(Number) ?? []
  const first = Math.floor(Math.random() * tracks)
  return Array.from({ length: count }, (_, position) => ({
    type: 'tracks',
    id: String(1 + ((first + position * 3) % tracks)),
    meta: { pivot: { position, weight: position === 0 ? sum - (count - 1) : 1 } },
  }))
}

/** Returns the titles in the database by the id of their playlist. Throws if one is not true. */
async function truthfulTitles(music: OpenMusic): Promise<ReadonlyMap<string, string>> {
  const rows = await music.rows(
    `select playlists.id, title, count(track_id) as count, coalesce(sum(weight), 0) as sum
     from playlists left join playlist_tracks on playlist_id = playlists.id
     where title like '% that sum up to %' group by playlists.id, title`,
  )
  for (const { id, title, count, sum } of rows) {
    const found = `${String(count)} that sum up to ${String(sum)}`
    if (found !== title) throw new Error(`The playlist ${String(id)}, '${String(title)}', has ${found}.`)
  }
  const [orphans] = await music.rows(
    'select count(*) as count from playlist_tracks where playlist_id not in (select id from playlists)',
  )
  if (Number(orphans?.['count']) !== 0) throw new Error('There are join rows without a playlist.')
  return new Map(rows.map(({ id, title }) => [String(id), String(title)]))
}
