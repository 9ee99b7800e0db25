import { type CountedStatement, expectStatements, statementCounter, type TestClient } from 'ashlar/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { musicEngines } from '../../../support/music-engines.js'
import { musicServer, type OpenMusic } from '../../../support/sql-music.js'

/** The number of statements of a request depends on the request, and not on the number of rows. */

const profiles = ['countable', 'relationship-queries'].map(
  (name) => `https://haddowg.github.io/json-api/profiles/${name}/`,
)
const accept = `application/vnd.api+json; profile="${profiles.join(' ')}"`

const track = (key: number, pivot?: object) => ({
  type: 'tracks',
  id: String(key),
  ...(pivot === undefined ? {} : { meta: { pivot } }),
})

const numbers = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, position) => from + position)

const created = (members: readonly object[]) => ({
  data: { type: 'playlists', attributes: { title: 'x' }, relationships: { tracks: { data: members } } },
})

describe.each(musicEngines)('On %s', (_name, open) => {
  const counter = statementCounter()
  let music: OpenMusic
  let api: TestClient

  beforeAll(async () => {
    music = await open(2000)
    for (let list = 1; list <= 6; list += 1) {
      const dedicated = list === 1 ? 'artists' : 'albums'
      await music.rows(
        `insert into playlists (title, dedicated_to_id, dedicated_to_type) values ('x', ${list}, '${dedicated}')`,
      )
      await music.rows(`insert into playlist_tracks select ${list}, id, id, 1 from tracks where id <= ${list * 40}`)
    }
    api = client(musicServer(music.database, { onStatement: counter.onStatement }))
    // The schema is read once.
    await api.get('/artists')
  })
  afterAll(() => music.close())

  function statementsOf(method: string, path: string, body?: object): Promise<readonly CountedStatement[]> {
    const sent = { headers: { accept }, ...(body === undefined ? {} : { body }) }
    return counter.during(async () => expect((await api.request(method, path, sent)).errors).toEqual([]))
  }

  test.each([
    { name: 'a collection', path: '/albums?', count: 1 },
    { name: 'and two includes', path: '/albums?include=artist,tracks', count: 3 },
    { name: 'and three levels', path: '/albums?include=artist,tracks.playlists', count: 4 },
    { name: 'and four levels', path: '/albums?include=artist,tracks.playlists.tracks', count: 5 },
    { name: 'and one of which each parent has a page', path: '/albums?include=pagedTracks', count: 2 },
    { name: 'and one to two types', path: '/playlists?include=dedicatedTo', count: 3 },
    {
      name: 'and one relation on two paths',
      path: '/playlists?include=tracks.album.artist,tracks.album.tracks',
      count: 5,
    },
    { name: 'and a count', path: '/albums?withCount=tracks', count: 2 },
    { name: 'and its own total', path: '/playlists?page[kind]=page&withCount=tracks', count: 2 },
    { name: 'and an include that is counted', path: '/albums?include=tracks&withCount=tracks', count: 3 },
    { name: 'and filtered linkage', path: '/albums?include=tracks&relatedQuery[tracks][filter][title]=7', count: 2 },
    { name: 'that is filtered through relations', path: '/tracks?filter[artist]=Artist 1&include=album', count: 2 },
  ])('$name takes $count statements, whatever the size of the page', async ({ path, count }) => {
    for (const size of [2, 200]) expectStatements(await statementsOf('GET', `${path}&page[size]=${size}`), count)
  })

  test.each([
    { name: 'one resource', path: '/albums/1', count: 1 },
    { name: 'one resource with two levels', path: '/albums/1?include=artist,tracks.playlists', count: 4 },
    { name: 'a related collection', path: '/albums/1/pagedTracks', count: 2 },
    { name: 'a related resource', path: '/tracks/1/album', count: 2 },
    { name: 'linkage that is read whole, with its total', path: '/albums/1/relationships/tracks', count: 2 },
    { name: 'linkage', path: '/albums/1/relationships/pagedTracks', count: 2 },
  ])('$name takes $count statements', async ({ path, count }) => {
    expectStatements(await statementsOf('GET', path), count)
  })

  test('a window on the members of each parent is one statement that numbers them', async () => {
    const statements = await statementsOf('GET', '/albums?include=pagedTracks&page[size]=100')
    expect(statements[1]?.sql).toMatch(/row_number\(\) over \(partition by "t0"\."album_id" order by /)
  })

  test('a count of members is one grouped statement', async () => {
    const statements = await statementsOf('GET', '/albums?withCount=tracks&page[size]=100')
    expect(statements[1]?.sql).toMatch(/^select "t0"\."album_id", count\(\*\) .* group by "t0"\."album_id"$/)
  })

  test('a resource without relations is created by one statement', async () => {
    const body = { data: { type: 'artists', attributes: { name: 'Low' } } }
    expectStatements(await statementsOf('POST', '/artists', body), { count: 1, writes: 1 })
  })

  test('attributes, and the key of another resource, are changed by one', async () => {
    const artist = { data: { type: 'artists', id: '1' } }
    const data = { type: 'albums', id: '1', attributes: { title: 'Lullaby' }, relationships: { artist } }
    expectStatements(await statementsOf('PATCH', '/albums/1', { data }), { reads: 0, writes: 1 })
  })

  test('attributes of a type with a hook are changed by two, one of which locks the row', async () => {
    const data = { type: 'tracks', id: '1', attributes: { title: 'Lullaby' } }
    expectStatements(await statementsOf('PATCH', '/tracks/1', { data }), { count: 2, writes: 1 })
  })

  test('a resource is deleted by one', async () => {
    const { resource } = await api.post('/playlists', { body: created([]) })
    expectStatements(await statementsOf('DELETE', `/playlists/${resource.id}`), { reads: 0, writes: 1 })
  })

  test.each([1, 6])('%d members without fields of join rows are added by one, and removed by one', async (count) => {
    const data = numbers(1, count).map((key) => ({ type: 'playlists', id: String(key) }))
    const path = '/tracks/1999/relationships/playlists'
    expectStatements(await statementsOf('POST', path, { data }), { reads: 0, writes: 1 })
    expectStatements(await statementsOf('DELETE', path, { data }), { reads: 0, writes: 1 })
  })

  test.each([3, 500])('a resource with %d members is created by three statements', async (count) => {
    const members = numbers(1, count).map((key) => track(key, { position: key, weight: 1 }))
    expectStatements(await statementsOf('POST', '/playlists', created(members)), { reads: 1, writes: 2 })
  })

  test.each([3, 500])('a resource that takes %d others by their keys is created by three statements', async (count) => {
    const tracks = { data: numbers(1, count).map((key) => track(key)) }
    const data = { type: 'albums', attributes: { title: 'x' }, relationships: { tracks } }
    expectStatements(await statementsOf('POST', '/albums', { data }), { reads: 1, writes: 2 })
  })

  test.each([10, 1000])('half of %d members are replaced, and the others changed, by six statements', async (count) => {
    const body = created(numbers(1, count).map((key) => track(key, { position: key, weight: 1 })))
    const { resource } = await api.post('/playlists', { body })
    const retained = numbers(count / 2 + 1, (count * 3) / 2).map((key) => track(key, { position: key + 1, weight: 2 }))
    const data = { type: 'playlists', id: resource.id, relationships: { tracks: { data: retained } } }
    // The row, its members and the new ones are read; then join rows go, come and change.
    expectStatements(await statementsOf('PATCH', `/playlists/${resource.id}`, { data }), { reads: 3, writes: 3 })
    const [sum] = await music.rows(
      `select count(*) as rows, sum(position) as positions, sum(weight) as weights from playlist_tracks where playlist_id = ${resource.id}`,
    )
    const positions = retained.reduce((total, each) => total + Number(each.id) + 1, 0)
    expect(Object.values(sum ?? {}).map(Number)).toEqual([count, positions, count * 2])
  })
})
