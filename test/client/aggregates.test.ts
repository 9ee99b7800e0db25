import { type ApiOf, belongsTo, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { createClient } from '@ashlar/client'
import { expect, expectTypeOf, test } from 'vitest'

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})

const albums = defineResource('albums', {
  model: model<{ id: number; plays: bigint; releasedAt: Date | null; artistId: number | null }>('albums'),
  id: id(),
  uriType: 'records',
  attributes: (a) => ({ plays: a.bigint(), releasedAt: a.dateTime().nullable() }),
  relations: { artist: belongsTo('artists').nullable() },
  filters: (f) => ({ released: f.isNotNull('releasedAt') }),
  aggregates: (g) => ({
    'by-artist': g.fields({ artist: g.by(), albums: g.count(), plays: g.sum() }),
    'by-year': g.fields({ year: g.year('releasedAt'), plays: g.avg() }).pages({ size: 1 }),
  }),
})

const server = createServer({
  resources: [artists, albums],
  access: 'open',
  data: memoryData({
    artists: [{ id: 1, name: 'Radiohead' }],
    albums: [
      { id: 1, plays: 3n, releasedAt: new Date('1997-05-21'), artistId: 1 },
      { id: 2, plays: 2n, releasedAt: new Date('2000-10-02'), artistId: 1 },
      { id: 3, plays: 1n, releasedAt: null, artistId: null },
    ],
  }),
})

interface Api extends ApiOf<typeof server> {}

const { types } = createClient<Api>({
  url: 'https://music.example',
  paths: { albums: 'records' },
  fetch: (url, init) => server.fetch(new Request(url, init)),
})

test('aggregate() reads a page of groups, with the types of the aggregate', async () => {
  const page = await types.albums.aggregate('by-artist', { sort: ['-plays'], include: ['artist'] })
  expect(page.data.map(({ artist, albums: count, plays }) => [artist?.name ?? null, count, plays])).toEqual([
    ['Radiohead', 2, '5'],
    [null, 1, '1'],
  ])
  const [first] = page.data
  expectTypeOf(first?.plays).toEqualTypeOf<string | null | undefined>()
  expectTypeOf(first?.albums).toEqualTypeOf<number | undefined>()
  const filtered = await types.albums.aggregate('by-artist', { filter: { released: true } })
  expect(filtered.data).toHaveLength(1)
})

test('eachGroup() reads the groups of all pages', async () => {
  const found: unknown[] = []
  for await (const { year, plays } of types.albums.eachGroup('by-year')) found.push([year, plays])
  expect(found).toEqual([
    [1997, 3],
    [2000, 2],
    [null, 1],
  ])
})

/** It is only compiled. */
const unused = (): unknown => [
  // @ts-expect-error -- there is no such aggregate
  types.albums.aggregate('by-genre'),
  // @ts-expect-error -- there is no such sort key
  types.albums.aggregate('by-year', { sort: ['title'] }),
  // @ts-expect-error -- there is no such filter
  types.albums.aggregate('by-year', { filter: { year: 1997 } }),
  // @ts-expect-error -- groups have no address
  types['albums-by-year'].list,
  // @ts-expect-error -- the type has no aggregates
  types.artists.aggregate,
]

test('names, filters and sort keys that the aggregate does not have do not compile', () => {
  expect(unused).toBeTypeOf('function')
})
