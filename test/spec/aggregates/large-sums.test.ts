import { createServer, defineResource, id, model } from 'ashlar'
import { expect, test } from 'vitest'
import { exemptFromDescription } from '../../support/described-exchange.js'
import { client } from '../../support/client.js'
import { storedData } from '../../support/stored-data.js'

const largest = Number.MAX_SAFE_INTEGER

function tracksServer(logged: string[] = []) {
  const tracks = defineResource('tracks', {
    model: model<{ id: number; plays: number; total: bigint; album: string }>('tracks'),
    id: id(),
    attributes: (a) => ({ plays: a.integer(), total: a.bigint(), album: a.string() }),
    filters: (f) => ({ album: f.where() }),
    aggregates: (g) => ({
      plays: g.fields({ plays: g.sum(), average: g.avg('plays') }),
      totals: g.fields({ album: g.by(), total: g.sum(), average: g.avg('total'), most: g.max('total') }),
    }),
  })
  const big = 2n ** 63n - 1n
  const rows = [
    { id: 1, plays: largest, total: big, album: 'a' },
    { id: 2, plays: largest, total: big, album: 'a' },
    { id: 3, plays: -3, total: -big, album: 'b' },
    { id: 4, plays: 2, total: 1n, album: 'b' },
  ]
  return createServer({
    resources: [tracks],
    data: storedData({ tracks: rows }),
    logger: { error: ({ err }) => logged.push(String(err)) },
  })
}

test('sums of bigint() have all digits', async () => {
  const response = await client(tracksServer()).get('/tracks/-aggregates/totals')
  expect(response.resources.map(({ attributes }) => attributes)).toEqual([
    { album: 'a', total: '18446744073709551614', average: 9.22337203685478e18, most: '9223372036854775807' },
    { album: 'b', total: '-9223372036854775806', average: -4.61168601842739e18, most: '1' },
  ])
  const sorted = await client(tracksServer()).get('/tracks/-aggregates/totals?sort=-total')
  expect(sorted.resources.map(({ attributes }) => attributes?.['album'])).toEqual(['a', 'b'])
})

test('a sum of integer() that JSON numbers cannot represent is left out, with the remedy in the log', async () => {
  exemptFromDescription('exchanges', 'The sum is a value that documents cannot show.')
  const logged: string[] = []
  const api = client(tracksServer(logged))
  const small = await api.get('/tracks/-aggregates/plays?filter[album]=b')
  expect(small.resources.map(({ attributes }) => attributes)).toEqual([{ plays: -1, average: -0.5 }])
  const large = await api.get('/tracks/-aggregates/plays')
  expect(large.resources.map(({ attributes }) => attributes)).toEqual([{ average: 4503599627370500 }])
  expect(logged.join()).toMatch(/'tracks-plays' is shown without 'plays': .* declare the attribute as a\.bigint\(\)/)
})
