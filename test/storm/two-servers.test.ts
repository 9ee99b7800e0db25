import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { patience } from '../support/patience.js'
import { endPrograms } from '../support/program.js'
import { rounds } from '../support/runs.js'
import { batchStorm, sendBatch } from './batch-storm.js'
import { keyedStorm } from './keyed-storm.js'
import { type StormDatabase, stormDatabases } from './storm-databases.js'
import { playlistStorm } from './playlist-storm.js'
import { type Serving, serving } from './serving.js'

/**
 * Two processes serve one database. Concurrent writes of many clients are not lost, and a server that is killed leaves no partial
 * write, and loses no confirmed one.
 */

/** `npm run test:long` sends so many times as many requests. */
const scale = rounds(1, 5)
const kills = rounds(2, 49)

const times = <Made>(count: number, make: (turn: number) => Made): readonly Made[] =>
  Array.from({ length: count * scale }, (_, turn) => make(turn))

const trackCount = 300 * scale
/** The track whose changes the batches of the storm count; no other test changes it. */
const counting = String(trackCount)
/** The same for changes with keys. */
const countingKeys = String(trackCount - 1)

const member = (key: number): object => ({ type: 'tracks', id: String(key), meta: { pivot: { weight: key } } })

describe.each(stormDatabases)('Two servers of one database on %s', (_name, open) => {
  let opened: StormDatabase
  let servers: readonly [Serving, Serving]

  beforeAll(async () => {
    opened = await open(trackCount)
    await opened.music.rows("insert into playlists (title) values ('x')")
    await opened.music.rows('update tracks set plays = 0 returning id')
    servers = await Promise.all([serving(opened.address), serving(opened.address)])
  })
  afterAll(async () => {
    await endPrograms()
    await opened.remove()
  })

  /** Sends all requests at the same time, by turns to both servers, and returns how many got each status. */
  async function allAtOnce(
    requests: readonly (readonly [method: string, path: string, data: unknown])[],
    conditions: Readonly<Record<string, string>> = {},
  ): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {}
    await Promise.all(
      requests.map(async ([method, path, data], turn) => {
        const { url } = servers[turn % 2 === 0 ? 0 : 1]
        const headers = { 'Content-Type': 'application/vnd.api+json', ...conditions }
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

  test('a value that a hook derives from the stored row includes every change', async () => {
    const changes = times(30, (turn) => {
      return ['PATCH', '/tracks/1', { type: 'tracks', id: '1', attributes: { title: `Take ${turn}` } }] as const
    })
    expect(await allAtOnce(changes)).toEqual({ 200: changes.length })
    expect(await numberOf('select plays from tracks where id = 1')).toBe(changes.length)
  })

  test.each([
    ['an integer', 'artists', 'name'],
    ['a hash', 'tracks', 'title'],
  ])('of 200 changes of one version that is %s, exactly one happens', async (_kind, type, attribute) => {
    for (let round = 0; round < rounds(1, 5); round += 1) {
      const read = await fetch(`${servers[0].url}/${type}/3`)
      await read.text()
      const headers = { 'If-Match': read.headers.get('etag') ?? '' }
      const changes = Array.from({ length: 200 }, (_, turn) => {
        return ['PATCH', `/${type}/3`, { type, id: '3', attributes: { [attribute]: `${round}.${turn}` } }] as const
      })
      expect(await allAtOnce(changes, headers)).toEqual({ 200: 1, 412: changes.length - 1 })
    }
    // Both count the changes.
    const [counted, first] = type === 'artists' ? ['lock_version', 1] : ['plays', 0]
    expect(await numberOf(`select ${counted} from ${type} where id = 3`)).toBe(rounds(1, 5) + first)
  })

  test('changes of different attributes are all stored', async () => {
    const attributes = [{ title: 'Lullaby' }, { seconds: 321 }, { rating: 9 }]
    const changes = times(18, (turn) => {
      return ['PATCH', '/tracks/2', { type: 'tracks', id: '2', attributes: attributes[turn % 3] ?? {} }] as const
    })
    expect(await allAtOnce(changes)).toEqual({ 200: changes.length })
    expect(await opened.music.rows('select title, seconds, rating from tracks where id = 2')).toMatchObject([
      { title: 'Lullaby', seconds: 321, rating: 9 },
    ])
  })

  test('members that many clients add and remove concurrently are all added, and all removed', async () => {
    const path = '/playlists/1/relationships/tracks'
    const countOfMembers = 'select count(*) from playlist_tracks where playlist_id = 1'
    const third = trackCount / 3
    const added = times(20, (turn) => ['POST', path, [member(turn + 1), member(turn + 1 + third)]] as const)
    expect(await allAtOnce(added)).toEqual({ 200: added.length })
    expect(await numberOf(countOfMembers)).toBe(2 * added.length)
    const both = times(20, (turn) =>
      turn % 2 === 0
        ? (['DELETE', path, [member(turn + 1)]] as const)
        : (['POST', path, [member(turn + 1 + 2 * third)]] as const),
    )
    expect(await allAtOnce(both)).toEqual({ 200: both.length / 2, 204: both.length / 2 })
    expect(await numberOf(countOfMembers)).toBe(2 * added.length)
  })

  test('writes that would wait for each other run in turn, and no client gets an error', async () => {
    const keys = Array.from({ length: 20 }, (_, turn) => ({ type: 'tracks', id: String(turn + 1) }))
    const orders = [keys, keys.toReversed(), keys.slice(5).concat(keys.slice(0, 5))]
    const replaced = times(18, (turn) => {
      return ['PATCH', `/albums/${1 + (turn % 6)}/relationships/tracks`, orders[turn % 3]] as const
    })
    expect(await allAtOnce(replaced)).toEqual({ 204: replaced.length })
    // The last one has all of them: no order of the requests has another result.
    expect(await numberOf('select count(*) from tracks where id <= 20 and album_id between 1 and 6')).toBe(20)
    expect(await numberOf('select count(distinct album_id) from tracks where id <= 20')).toBe(1)
  })

  test('batches that change the same rows in opposite orders are committed as a whole, or refused as such', {
    timeout: patience(rounds(120_000, 3_600_000)),
  }, async () => {
    const keys = ['11', '12', '13', '14', '15', '16', '17', '18']
    const numbers = Array.from({ length: rounds(10, 20) }, (_, turn) => 1000 + turn)
    await opened.music.rows(`update tracks set plays = 0 where id in (${keys.join(', ')}) returning id`)
    const responses = await Promise.all(
      numbers.map((number) => sendBatch(servers[number % 3 === 0 ? 0 : 1].url, meetingBatch(number, keys))),
    )
    const committed = numbers.filter((_, index) => responses[index]?.status === 200)
    const refused = responses.filter(({ status }) => status !== 200)
    expect(committed.length).toBeGreaterThan(0)
    for (const response of refused) expect(response).toEqual({ status: 503, codes: ['STORE_UNAVAILABLE'] })

    // The last one has all rows, and every committed one has changed each of them.
    const changed = await opened.music.rows(
      `select distinct title, seconds, plays from tracks where id in (${keys.join(', ')})`,
    )
    expect(changed).toHaveLength(1)
    expect(committed.map((number) => `By ${number}`)).toContain(changed[0]?.['title'])
    expect(Number(changed[0]?.['plays'])).toBe(committed.length)
    const added = await opened.music.rows(
      `select seconds as number, count(*) as rows from tracks where id > ${trackCount} group by seconds order by seconds`,
    )
    expect(added.map(({ number, rows }) => [Number(number), Number(rows)])).toEqual(committed.map((each) => [each, 3]))
  })

  test('a key that is sent to both at the same time is written once', async () => {
    const responses = await Promise.all(
      times(24, async (turn) => {
        const key = `Key ${turn % 4}`
        const headers = { 'Content-Type': 'application/vnd.api+json', 'Idempotency-Key': `"${key}"` }
        const body = JSON.stringify({ data: { type: 'artists', attributes: { name: key } } })
        const response = await fetch(`${servers[turn % 8 < 4 ? 0 : 1].url}/artists`, { method: 'POST', headers, body })
        return { key, status: response.status, text: await response.text() }
      }),
    )
    const created = responses.filter(({ status }) => status === 201)
    expect(responses.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
    expect(new Set(created.map(({ key, text }) => `${key} ${text}`)).size).toBe(4)
    const stored = await opened.music.rows("select name from artists where name like 'Key %' order by name")
    expect(stored.map(({ name }) => name)).toEqual(['Key 0', 'Key 1', 'Key 2', 'Key 3'])
  })

  test('one that is killed while it writes loses nothing and leaves no partial write', {
    timeout: patience(rounds(120_000, 3_600_000)),
  }, async () => {
    const { music, address } = opened
    const storms = { playlists: playlistStorm(trackCount), batches: batchStorm(counting) }
    for (let kill = 0; kill < kills; kill += 1) {
      const { storm: name, ...death } = deaths[kill % deaths.length] ?? deaths[0]
      const storm = storms[name]
      const before = storm.confirmed
      // The next one serves the rows that the last one has left.
      const server = kill === 0 ? servers[1] : await serving(address)
      await expectPlaylists(server)
      server.dieAt({ ...death, count: 20 + Math.floor(Math.random() * 20) })
      await storm.writeTo(server.url)
      expect(storm.faults).toEqual([])
      expect(await server.ended()).toBe('SIGKILL')
      expect(storm.confirmed).toBeGreaterThan(before)
      await storm.check(music)
      await expectPlaylists(servers[0])
    }
    // Were a single join row missing, the checks would fail.
    for (const [storm, title] of [
      [storms.playlists, '% that sum up to %'],
      [storms.batches, 'Batch %'],
    ] as const) {
      await music.rows(
        `delete from playlist_tracks where playlist_id = (
           select min(playlist_id) from playlist_tracks join playlists on playlists.id = playlist_id where title like '${title}'
         )`,
      )
      await expect(storm.check(music)).rejects.toThrow(' has ')
    }
  })

  test('one that is killed while it writes with keys: each key is replayed, and each write has happened once', {
    timeout: patience(rounds(120_000, 3_600_000)),
  }, async () => {
    const { music, address } = opened
    const storm = keyedStorm(countingKeys)
    for (let kill = 0; kill < rounds(1, 30); kill += 1) {
      const server = await serving(address)
      const death = keyedDeaths[kill % keyedDeaths.length] ?? keyedDeaths[0]
      server.dieAt({ ...death, count: 6 + Math.floor(Math.random() * 6) })
      const before = storm.confirmed
      await storm.writeTo(server.url)
      expect(await server.ended()).toBe('SIGKILL')
      expect(storm.confirmed).toBeGreaterThan(before)
      await storm.repeatTo(servers[0].url)
      expect(storm.faults).toEqual([])
      await storm.check(music)
    }
    // Were a single write repeated, the check would fail.
    await music.rows(`update tracks set plays = plays + 1 where id = ${countingKeys} returning id`)
    await expect(storm.check(music)).rejects.toThrow(' have counted ')
  })
})

/** Where writes with keys are interrupted: after the commit, so that the client gets no response, or before it. */
const keyedDeaths = [
  { operation: 'CreateResource', statement: 'commit' },
  { operation: 'CustomAction', statement: 'insert into "ashlar_idempotency"' },
  { operation: 'UpdateResource', statement: 'commit' },
  { operation: 'CreateResource', statement: 'insert into "playlist_tracks"' },
  { operation: 'CustomAction', statement: 'commit' },
  { operation: 'UpdateResource', statement: 'insert into "ashlar_idempotency"' },
] as const

/** The positions at which writes are interrupted: in the middle, or before their commit. Earlier statements must be rolled back. */
const deaths = [
  { storm: 'playlists', operation: 'CreateResource', statement: 'insert into "playlist_tracks"' },
  { storm: 'batches', operation: 'CreateResource', statement: 'insert into "tracks"' },
  { storm: 'playlists', operation: 'UpdateResource', statement: 'insert into "playlist_tracks"' },
  { storm: 'batches', operation: 'AddToRelationship', statement: 'insert into "playlist_tracks"' },
  { storm: 'playlists', operation: 'UpdateRelationship', statement: 'delete from "playlist_tracks"' },
  { storm: 'batches', operation: 'UpdateResource', statement: 'update "tracks"' },
  { storm: 'playlists', operation: 'CreateResource', statement: 'insert into "playlists"' },
] as const

async function expectPlaylists({ url }: Serving): Promise<void> {
  const listed = await fetch(`${url}/playlists?page[size]=1000&include=tracks`)
  expect(listed.status).toBe(200)
  await listed.text()
}

/** Gives tracks the number of the batch, one after the other, and adds some that have it, too. */
function meetingBatch(number: number, keys: readonly string[]): readonly object[] {
  const ordered = number % 2 === 0 ? keys : keys.toReversed()
  const attributes = { title: `By ${number}`, seconds: number }
  const change = (id: string): object => ({ op: 'update', data: { type: 'tracks', id, attributes } })
  const addition = { op: 'add', data: { type: 'tracks', attributes: { ...attributes, plays: 0 } } }
  return [...ordered.slice(0, 4).map(change), addition, addition, addition, ...ordered.slice(4).map(change)]
}
