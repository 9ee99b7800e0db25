import { createServer, cursorPage, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { statementCounter, type TestClient } from 'ashlar/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { musicEngines } from '../../../support/music-engines.js'
import type { OpenMusic } from '../../../support/sql-music.js'

/** Estimates of PostgreSQL for 200,000 analyzed tracks. */

const [[, open]] = musicEngines as [(typeof musicEngines)[number]]
const counter = statementCounter()
let music: OpenMusic
let api: TestClient

const tracks = defineResource('tracks', {
  model: table<{ id: number; title: string; rating: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string(), rating: a.integer().nullable() }),
  filters: (f) => ({ rating: f.where(), title: f.where() }),
  pagination: cursorPage({ size: 5 }).estimable(),
})

beforeAll(async () => {
  music = await open(200_000)
  const data = sqlData(music.database as never, { onStatement: counter.onStatement })
  api = client(createServer({ resources: [tracks], data, access: 'open' }))
})
afterAll(() => music.close())

interface Estimate {
  readonly bestGuess: number
  readonly atLeast: number
  readonly isExact: boolean
}

async function estimateOf(query: string): Promise<Estimate> {
  const { document } = await api.get(`/tracks?page[count]=estimate${query}`)
  const page = document?.meta?.['page'] as { readonly estimatedTotal: Estimate } | undefined
  if (page === undefined) throw new Error(`No page for ${query}.`)
  return page.estimatedTotal
}

test('of all rows, and of filtered ones, are near the total', async () => {
  const all = await estimateOf('')
  expect(all).toMatchObject({ atLeast: 1001, isExact: false })
  expect(Math.abs(all.bestGuess - 200_000)).toBeLessThan(2000)
  const [counted] = (await music.rows('select count(*)::int as n from tracks where rating = 3')) as [{ n: number }]
  expect(counted.n).toBeGreaterThan(1001)
  const filtered = await estimateOf('&filter[rating]=3')
  expect(filtered).toMatchObject({ atLeast: 1001, isExact: false })
  expect(Math.abs(filtered.bestGuess - counted.n)).toBeLessThan(counted.n / 5)
})

test('take a count that ends after 1,001 rows, and the plan of the same rows', async () => {
  const ran = await counter.during(() => estimateOf('&filter[rating]=3'))
  const statements = ran.map(({ sql }) => sql).filter((sql) => !sql.startsWith('select "t0"'))
  expect(statements).toEqual([
    expect.stringMatching(/^select count\(\*\) from \(select 1 from .* limit 1001\) as "counted"$/),
    expect.stringMatching(/^explain \(format json\) select 1 from .*"rating" = \$1/),
  ])
})

test('of few rows are exact, and take one count', async () => {
  const title = 'no such title'
  const ran = await counter.during(async () =>
    expect(await estimateOf(`&filter[title]=${title}`)).toEqual({ bestGuess: 0, atLeast: 0, isExact: true }),
  )
  expect(ran).toHaveLength(2)
})
