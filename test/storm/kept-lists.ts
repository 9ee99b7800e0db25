import type { OpenMusic } from '../support/sql-music.js'

/** Playlists whose titles tell how many join rows they have, and what their weights sum up to. */

/** Members of a playlist, and the title that they make true. */
export function newMembers(tracks: number): { readonly title: string; readonly members: readonly object[] } {
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

/** Other members that make the same title true. */
export function sameTitle(title: string, tracks: number): readonly object[] {
  const [count = 0, sum = 0] = title.match(/\d+/g)?.map(Number) ?? []
  const first = Math.floor(Math.random() * tracks)
  return Array.from({ length: count }, (_, position) => ({
    type: 'tracks',
    id: String(1 + ((first + position * 3) % tracks)),
    meta: { pivot: { position, weight: position === 0 ? sum - (count - 1) : 1 } },
  }))
}

/** What the database holds: titles by their playlist. Throws where a title does not tell the truth. */
export async function judgedLists(music: OpenMusic): Promise<ReadonlyMap<string, string>> {
  const rows = await music.rows(
    `select playlists.id, title, count(track_id) as count, coalesce(sum(weight), 0) as sum
     from playlists left join playlist_tracks on playlist_id = playlists.id group by playlists.id, title`,
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
