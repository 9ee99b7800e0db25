import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BuiltPackage, builtPackage } from '../support/built-package.js'
import { type MusicPlace, musicPlaces } from './places.js'
import { type Serving, serving } from './serving.js'

/** Two processes serve one database: of what many clients write at the same time, nothing is lost. */

const script = 'test/storm/music-process.ts'
const at = 'application/vnd.api+json'

const times = <Made>(count: number, make: (turn: number) => Made): readonly Made[] =>
  Array.from({ length: count }, (_, turn) => make(turn))

const take = (turn: number) =>
  ['PATCH', '/tracks/1', { type: 'tracks', id: '1', attributes: { title: `Take ${turn}` } }] as const

const member = (key: number): object => ({ type: 'tracks', id: String(key), meta: { pivot: { weight: key } } })

let built: BuiltPackage
beforeAll(() => {
  built = builtPackage([script])
})
afterAll(() => built.remove())

describe.each(musicPlaces)('Two servers of one database on %s', (_name, open) => {
  let opened: MusicPlace
  let servers: readonly Serving[] = []

  beforeAll(async () => {
    opened = await open(300)
    await opened.music.rows("insert into playlists (title) values ('x')")
    servers = await Promise.all([1, 2].map(() => serving(built.pathOf(script), opened.place)))
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()))
    await opened.remove()
  })

  /** Sends all of them at once, by turns to both, and answers how many got each status. */
  async function allAtOnce(
    requests: readonly (readonly [method: string, path: string, data: unknown])[],
  ): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {}
    await Promise.all(
      requests.map(async ([method, path, data], turn) => {
        const url = servers[turn % servers.length]?.url ?? ''
        const headers = { 'Content-Type': at }
        const response = await fetch(`${url}${path}`, { method, headers, body: JSON.stringify({ data }) })
        await response.text()
        counts[response.status] = (counts[response.status] ?? 0) + 1
      }),
    )
    return counts
  }

  async function numberOf(sql: string): Promise<number> {
    const [row] = await opened.music.rows(sql)
    return Number(Object.values(row ?? {})[0])
  }

  test('what is made of the stored row counts every change', async () => {
    const before = await numberOf('select plays from tracks where id = 1')
    expect(await allAtOnce(times(60, take))).toEqual({ 200: 60 })
    expect(await numberOf('select plays from tracks where id = 1')).toBe(before + 60)
  })

  test('changes of different attributes all stay', async () => {
    const attributes = [{ title: 'Lullaby' }, { seconds: 321 }, { rating: 9 }]
    const changes = times(30, (turn) => {
      return ['PATCH', '/tracks/2', { type: 'tracks', id: '2', attributes: attributes[turn % 3] ?? {} }] as const
    })
    expect(await allAtOnce(changes)).toEqual({ 200: 30 })
    expect(await opened.music.rows('select title, seconds, rating from tracks where id = 2')).toMatchObject([
      { title: 'Lullaby', seconds: 321, rating: 9 },
    ])
  })

  test('members that many add and remove at the same time are all there, and all gone', async () => {
    const path = '/playlists/1/relationships/tracks'
    const added = (turn: number) => ['POST', path, [member(turn + 1), member(turn + 101)]] as const
    expect(await allAtOnce(times(40, added))).toEqual({ 200: 40 })
    expect(await numberOf('select count(*) from playlist_tracks where playlist_id = 1')).toBe(80)
    const both = times(40, (turn) =>
      turn % 2 === 0
        ? (['DELETE', path, [member(turn + 1)]] as const)
        : (['POST', path, [member(turn + 201)]] as const),
    )
    expect(await allAtOnce(both)).toEqual({ 200: 40 })
    expect(await numberOf('select count(*) from playlist_tracks where playlist_id = 1')).toBe(80)
  })

  test('writes that would wait for each other do so in turn, and none is told', async () => {
    const keys = times(20, (turn) => ({ type: 'tracks', id: String(turn + 1) }))
    const replaced = (turn: number) => {
      const members =
        turn % 3 === 0 ? keys : turn % 3 === 1 ? keys.toReversed() : keys.slice(5).concat(keys.slice(0, 5))
      return ['PATCH', `/albums/${1 + (turn % 6)}/relationships/tracks`, members] as const
    }
    expect(await allAtOnce(times(36, replaced))).toEqual({ 200: 36 })
    expect(await numberOf('select count(*) from tracks where id <= 20 and album_id between 1 and 6')).toBe(20)
    // Whoever came last has all of them: any other state is one that no order of the requests leads to.
    expect(await numberOf('select count(distinct album_id) from tracks where id <= 20')).toBe(1)
  }, 60_000)
})
