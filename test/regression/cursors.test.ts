import { belongsTo, createServer, cursorPage, defineResource, id, model, morphToMany } from 'ashlar'
import { expect, test } from 'vitest'
import { client } from '../support/client.js'
import { cursorContent, cursorWith } from '../support/cursor-content.js'
import { onMemory } from '../support/on-memory.js'
import { storedData } from '../support/stored-data.js'

const encoded = (prefix: string): ReturnType<typeof id> =>
  id().encodeUsing<number>({
    encode: (key) => `${prefix}${key * 7}`,
    decode: (wireId) => (wireId.startsWith(prefix) ? Number(wireId.slice(prefix.length)) / 7 : null),
  })

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: encoded('a'),
  attributes: (a) => ({ title: a.string().sortable() }),
  pagination: cursorPage({ size: 1 }),
})

const artists = defineResource('artists', {
  model: model<{ id: number }>('artists'),
  id: encoded('b'),
})

/** Ids without a codec. */
const tracks = defineResource('tracks', {
  model: model<{ id: string; albumId: number | null; title: string; live: boolean }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string().sortable() }),
  relations: { album: belongsTo('albums') },
  sorts: (s) => ({ album: s.through('album.id'), live: s.field('live') }),
  pagination: cursorPage({ size: 1 }),
})

const libraries = defineResource('libraries', {
  model: model<{ id: number }>('libraries'),
  id: id(),
  relations: {
    items: morphToMany(['albums', 'artists'])
      .through('items', { owner: 'libraryId', member: 'itemId', memberType: 'itemType' })
      .paginate(cursorPage({ size: 1 })),
  },
})

const api = client(
  createServer({
    resources: [albums, artists, tracks, libraries],
    data: storedData({
      albums: [
        { id: 1, title: 'Same' },
        { id: 2, title: 'Same' },
        { id: 3, title: 'Other' },
      ],
      artists: [{ id: 4 }, { id: 5 }],
      tracks: [
        { id: '9', albumId: 2, title: 'Nine', live: true },
        { id: '10', albumId: 1, title: 'Ten', live: false },
        { id: 'b', albumId: null, title: 'B\u0001', live: false },
        { id: '11', albumId: 1, title: 'Eleven', live: true },
      ],
      libraries: [{ id: 1 }],
      items: [
        { id: 1, libraryId: 1, itemId: 2, itemType: 'albums' },
        { id: 2, libraryId: 1, itemId: 5, itemType: 'artists' },
        { id: 3, libraryId: 1, itemId: 4, itemType: 'artists' },
      ],
    }),
  }),
)

async function walk(path: string, by = api): Promise<{ ids: readonly string[]; tokens: readonly string[] }> {
  const ids: string[] = []
  const tokens: string[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const { resources, document } = await by.get(next)
    ids.push(...resources.map((resource) => resource.id))
    const { links } = document as { readonly links: { readonly next?: string } }
    const token = links.next === undefined ? null : new URL(links.next).searchParams.get('page[after]')
    if (token !== null) tokens.push(cursorContent(token))
    next = links.next?.slice(new URL(links.next).origin.length)
  }
  return { ids, tokens }
}

test('cursors contain ids as clients know them, never the stored keys', async () => {
  const { ids, tokens } = await walk('/albums?sort=title')
  expect(ids).toEqual(['a21', 'a7', 'a14'])
  expect(tokens).toEqual(['[["albums title","id"],["Other","a21"]]', '[["albums title","id"],["Same","a7"]]'])
})

test('over several types each id is that of its own type', async () => {
  const { ids, tokens } = await walk('/libraries/1/items')
  expect(ids).toEqual(['a14', 'b28', 'b35'])
  expect(tokens.map((token) => JSON.parse(token)[1])).toEqual([
    [0, 'a14'],
    [1, 'b28'],
  ])
})

test('an id that has no key is an invalid cursor', async () => {
  const token = cursorWith('[["albums title","id"],["Same",1]]')
  const { errors } = await api.get(`/albums?sort=title&page[after]=${token}`)
  expect(errors).toMatchObject([{ status: '400', code: 'CURSOR_MALFORMED', source: { parameter: 'page[after]' } }])
})

test('cursors of ids without a codec do so too, and each continues at the row after its own', async () => {
  const { ids, tokens } = await walk('/tracks')
  expect(ids).toEqual(['10', '11', '9', 'b'])
  expect(tokens).toEqual(['[["tracks id"],["10"]]', '[["tracks id"],["11"]]', '[["tracks id"],["9"]]'])
})

test('cursors of sorts by the ids of related rows do so too', async () => {
  const { ids, tokens } = await walk('/tracks?sort=album')
  expect(ids).toEqual(['10', '11', '9', 'b'])
  expect(tokens.map((token) => JSON.parse(token)[1])).toEqual([
    ['a7', '10'],
    ['a7', '11'],
    ['a14', '9'],
  ])
})

onMemory('a row whose text no database holds has a place all the same, and so have keys of several kinds', async () => {
  const rows = [
    { id: 9, title: 'Nine' },
    { id: 'b', title: 'B\u0000\ud800' },
    { id: '11', title: 'Eleven' },
  ]
  const odd = client(createServer({ resources: [albums, tracks], data: storedData({ tracks: rows }) }))
  expect((await walk('/tracks?sort=-title', odd)).ids).toEqual(['9', '11', 'b'])
  const { ids, tokens } = await walk('/tracks', odd)
  expect([ids, tokens]).toEqual([
    ['9', '11', 'b'],
    ['[["tracks id"],["9"]]', '[["tracks id"],["11"]]'],
  ])
})

test('a cursor works after its row is deleted', async () => {
  const { resources } = await api.get(`/tracks?page[after]=${cursorOf('["tracks id"],["9.5"]')}`)
  expect(resources.map((resource) => resource.id)).toEqual(['b'])
})

function cursorOf(content: string): string {
  return cursorWith(`[${content}]`)
}

test.each([
  ['/tracks', '["tracks id"],[9]'],
  ['/tracks', '["tracks id"],[null]'],
  ['/tracks', '["tracks id"],[true]'],
  ['/tracks', '["tracks id"],[{"d":"2026-01-01T00:00:00Z"}]'],
  ['/tracks', '["tracks id"],[{"n":"9"}]'],
  ['/tracks', '["tracks id"],["\\u0000"]'],
  ['/tracks', '["tracks id"],["\\ud800"]'],
  ['/tracks', '["tracks id\\u0000"],["9"]'],
  ['/tracks?sort=title', '["tracks title","id"],["\\u0000","9"]'],
  ['/tracks?sort=title', '["tracks title","id"],["\\udc00","9"]'],
  ['/tracks?sort=album', '["tracks album.id","id"],[1,"9"]'],
  ['/tracks?sort=album', '["tracks album.id","id"],["b7","9"]'],
  ['/libraries/1/items', '["albums,artists :type",":key"],["0","a7"]'],
  ['/libraries/1/items', '["albums,artists :type",":key"],[2,"a7"]'],
  ['/libraries/1/items', '["albums,artists :type",":key"],[-1,"a7"]'],
  ['/libraries/1/items', '["albums,artists :type",":key"],[0.5,"a7"]'],
  ['/libraries/1/items', '["albums,artists :type",":key"],[null,"a7"]'],
  ['/libraries/1/items', '["albums,artists :type",":key"],[true,"a7"]'],
  ['/libraries/1/items', '["albums,artists :type",":key"],[0,"b28"]'],
  ['/libraries/1/items', '["albums,artists :type",":key"],[1,"a7"]'],
  ['/libraries/1/items', '["albums,artists :type",":key"],[0,7]'],
  ['/libraries/1/items', '["albums,artists :type",":key"],[0,null]'],
])('a position that no row can have is an invalid cursor: %s %s', async (path, content) => {
  const { errors } = await api.get(`${path}${path.includes('?') ? '&' : '?'}page[before]=${cursorOf(content)}`)
  expect(errors).toMatchObject([{ status: '400', code: 'CURSOR_MALFORMED', source: { parameter: 'page[before]' } }])
})

test.each(['["tracks live","id"],[true,"9"]', '["tracks live","id"],["no","9"]', '["tracks live","id"],[null,"9"]'])(
  'values of a column of unknown type are checked only by its store: %s',
  async (content) => {
    expect((await api.get(`/tracks?sort=live&page[after]=${cursorOf(content)}`)).status).toBe(200)
  },
)

test.each([
  ['filter[title]=a%00', 'filter'],
  ['filter[ti%00tle]=a', 'filter'],
  ['page%5B%00%5D=1', 'page'],
  ['sort=title,%00', 'sort'],
  ['include=%00', 'include'],
  ['fields[tracks]=%00', 'fields'],
])('U+0000 is refused everywhere in a query: %s', async (query, parameter) => {
  const { errors } = await api.get(`/tracks?${query}`)
  expect(errors).toMatchObject([{ status: '400', code: 'QUERY_PARAM_MALFORMED', source: { parameter } }])
})
