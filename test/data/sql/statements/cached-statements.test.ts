import { statementCounter, type TestClient } from 'ashlar/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { cursorAt } from '../../../support/music-cursors.js'
import { musicEngines } from '../../../support/music-engines.js'
import { musicServer, type OpenMusic } from '../../../support/sql-music.js'

/** Statements are cached by their shape. A response must not depend on earlier requests. */

const paths = [
  '/tracks/1',
  '/tracks/2?fields[tracks]=title',
  '/tracks?sort=-title',
  '/tracks?sort=title',
  '/tracks?sort=rating&page[size]=3',
  '/tracks?sort=-rating&page[size]=3',
  '/tracks?filter[rating][min]=3',
  '/tracks?filter[rating][max]=3',
  '/tracks?filter[rating][min]=3&filter[rating][max]=9',
  '/tracks?filter[seconds]=61,62',
  '/tracks?filter[seconds]=63',
  '/tracks?filter[ids]=1,2,3',
  '/tracks?filter[ids]=abc',
  '/tracks?filter[title]=7',
  '/tracks?filter[begins]=track 7',
  '/tracks?filter[search]=Album 2',
  '/tracks?filter[artist]=Artist 1',
  '/tracks?filter[artist]=Artist 2&filter[title]=1',
  '/tracks?filter[listed]=1',
  '/tracks?filter[listed]=1&filter[rating][min]=3',
  '/tracks?page[kind]=page&page[number]=2',
  '/artists?filter[track]=Track 7 of 7',
  '/albums?filter[artist]=Artist 1&include=artist,tracks',
  '/albums?include=pagedTracks&page[size]=1',
  '/albums?include=pagedTracks&page[size]=5',
  '/albums/1/pagedTracks',
  '/albums/2/pagedTracks?sort=-rating',
  '/playlists?include=tracks,dedicatedTo',
  '/playlists/2?include=dedicatedTo',
  '/playlists?withLinkage[playlists]=tracks',
  '/playlists/2?withLinkage[playlists]=tracks,dedicatedTo',
]

/** As different from the usual order as can be, and the same in every run. */
const shuffled = paths.toSorted((a, b) => a.length * 7919 - b.length * 7919 || (a < b ? 1 : -1))

async function bodies(api: TestClient, requested: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>()
  for (const path of requested) found.set(path, (await api.get(path)).document)
  return found
}

describe.each(musicEngines)('On %s', (_name, open) => {
  let music: OpenMusic
  beforeAll(async () => {
    music = await open(60)
    await music.rows(
      "insert into playlists (title, dedicated_to_id, dedicated_to_type) values ('a', 1, 'artists'), ('b', 2, 'albums')",
    )
    await music.rows('insert into playlist_tracks values (1, 1, 1, 5), (1, 2, 2, 6), (2, 1, 1, 9)')
  })
  afterAll(() => music.close())

  test('a cached statement returns what a new one returns', async () => {
    const cached = client(musicServer(music.database))
    const anew = client(musicServer(music.database, { maxStatements: 1 }))
    const scoped = client(musicServer(music.database, { isScoped: true }))
    const expected = await bodies(anew, paths)
    for (const requested of [paths, shuffled, paths]) {
      const found = await bodies(cached, requested)
      for (const path of paths) expect(found.get(path), path).toEqual(expected.get(path))
      await bodies(scoped, requested)
    }
    expect([...expected.values()].every((document) => document !== undefined)).toBe(true)
  })

  test('one text serves all requests of its shape, and contains no values', async () => {
    const counter = statementCounter()
    const api = client(musicServer(music.database, { onStatement: counter.onStatement }))
    const alike = [
      ['/tracks?filter[title]=Lullaby', "/tracks?filter[title]=O'Superman"],
      ['/tracks?filter[ids]=1', '/tracks?filter[ids]=1,2,3,4,5,6,7,8'],
      ['/tracks?filter[rating][min]=3&page[size]=2', '/tracks?filter[rating][min]=77777&page[size]=99'],
      ['/tracks/41', '/tracks/59'],
      ['/tracks?page[kind]=page&page[number]=2', '/tracks?page[kind]=page&page[number]=31415'],
      await Promise.all(
        ['1,2', '41,42'].map(async (ids) => `/tracks?sort=seconds&page[after]=${await cursorAt(api, 'seconds', ids)}`),
      ),
    ]
    for (const group of alike) {
      const ran = await counter.during(async () => {
        for (const path of group) expect((await api.get(path)).status).toBeLessThan(405)
      })
      expect(new Set(ran.map(({ sql }) => sql)).size, group[0]).toBe(1)
      expect(ran[0]?.sql.replace(String.raw`escape '\'`, '')).not.toMatch(/'|\b\d{2,}\b/)
    }
  })
})

test('a connection to PostgreSQL has no more prepared statements than the statement cache', async () => {
  const [[, open]] = musicEngines as [(typeof musicEngines)[number]]
  const music = await open(60)
  const { connectionString = '' } = (music.database as Pool).options
  const prepared = async (options: object): Promise<readonly string[]> => {
    const pool = new Pool({ connectionString, max: 1 })
    const api = client(musicServer(pool, options))
    await bodies(api, paths)
    await bodies(api, shuffled)
    const { rows } = await pool.query<{ name: string }>('select name from pg_prepared_statements order by name')
    await pool.end()
    return rows.map((row) => row.name)
  }
  const all = await prepared({})
  expect(all.length).toBeGreaterThan(20)
  // The name is made from the text: another server, and another process, has the same.
  expect(await prepared({})).toEqual(all)
  expect(await prepared({ maxStatements: 5 })).toHaveLength(5)
  expect(await prepared({ prepare: false })).toEqual([])
  await music.close()
})
