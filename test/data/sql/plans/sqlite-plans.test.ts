import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { statementCounter, type TestClient } from 'ashlar/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { madeMusic, musicServer, type OpenMusic } from '../../../support/sql-music.js'
import { cursorAt, nextPath } from '../../../support/music-cursors.js'

/** How SQLite runs statements of the store. */

const counter = statementCounter()
let music: OpenMusic
let api: TestClient

beforeAll(async () => {
  music = await madeMusic(':memory:', 20_000)
  api = client(musicServer(music.database, { onStatement: counter.onStatement }))
})
afterAll(() => music.close())

/** The plan of the last statement of a request, as SQLite prints it. */
async function planOf(path: string): Promise<readonly string[]> {
  const ran = await counter.during(async () => expect((await api.get(path)).status).toBe(200))
  const { sql = '', values = [] } = ran.at(-1) ?? {}
  const explained = (music.database as DatabaseSyncInstance)
    .prepare(`explain query plan ${sql}`)
    .all(...(values as never[])) as readonly { readonly detail: string }[]
  const steps = explained.map(({ detail }) => detail)
  // Parts that are put together are each cut before: they hold no more than a page.
  return steps.filter((step) => /^(?:SEARCH|SCAN) t\d+ USING|^SCAN t0$/.test(step))
}

const bySeconds = /USING INDEX on_tracks_seconds_(?:desc_)?id /

describe('A page deep in an order begins at its position in the index', () => {
  test.each([
    { sort: 'id', ids: '12001,12002', steps: [/PRIMARY KEY \(rowid>\?\)/] },
    { sort: '-id', ids: '12001,12002', steps: [/PRIMARY KEY \(rowid<\?\)/] },
    { sort: 'seconds', ids: '12001,12002', steps: [/\(seconds=\? AND id>\?\)/, /\(seconds>\?\)/] },
    { sort: '-seconds', ids: '12001,12002', steps: [/\(seconds=\? AND id<\?\)/, /\(seconds<\?\)/] },
    { sort: '-seconds,id', ids: '12001,12002', steps: [/\(seconds=\? AND id>\?\)/, /\(seconds<\?\)/] },
    { sort: 'title', ids: '12001,12002', steps: [/\(title=\? AND id>\?\)/, /\(title>\?\)/] },
    { sort: 'rating', ids: '12001,12002', steps: [/\(rating=\? AND id>\?\)/, /\(rating>\?\)/, /\(rating=\?\)/] },
    { sort: 'rating', ids: '12000,12004', steps: [/\(rating=\? AND id>\?\)/] },
    { sort: '-rating', ids: '12001,12002', steps: [/\(rating=\? AND id<\?\)/, /\(rating<\?\)/] },
  ])('sorted by $sort, after one of $ids', async ({ sort, ids, steps }) => {
    const after = await cursorAt(api, sort, ids)
    expect(await planOf(`/tracks?sort=${sort}&page[after]=${after}`)).toEqual(
      steps.map((step) => expect.stringMatching(step) as string),
    )
  })

  test('within a relation', async () => {
    const first = await api.get('/albums/1500/pagedTracks?sort=seconds')
    expect(await planOf(nextPath(first))).toEqual([
      expect.stringMatching(/\(album_id=\? AND seconds=\? AND id>\?\)/),
      expect.stringMatching(/\(album_id=\? AND seconds>\?\)/),
    ])
  })
})

test.each([
  { sort: 'rating', index: 'rating' },
  { sort: '-rating', index: 'rating' },
  { sort: 'title', index: 'title' },
  { sort: '-title', index: 'title' },
])('A page by number, sorted by $sort, reads the index in its order', async ({ sort, index }) => {
  expect(await planOf(`/tracks?sort=${sort}&page[kind]=page&page[number]=3`)).toEqual([
    `SCAN t0 USING INDEX on_tracks_${index}_id`,
  ])
})

describe('A filter uses an index', () => {
  test('for a set of ids, bound as one list', async () => {
    expect(await planOf('/tracks?filter[ids]=5,7000')).toEqual(['SEARCH t0 USING INTEGER PRIMARY KEY (rowid=?)'])
  })

  test('for a set of values', async () => {
    expect(await planOf('/tracks?filter[seconds]=100,999')).toEqual([expect.stringMatching(bySeconds)])
  })
})

test.each(['tracks', 'pagedTracks'])('%s of a page of albums are found by the index on their key', async (include) => {
  expect(await planOf(`/albums?include=${include}`)).toEqual([
    expect.stringMatching(/^SEARCH t0 USING INDEX on_tracks_album_id_(?:seconds_)?id \(album_id=\?\)$/),
  ])
})
