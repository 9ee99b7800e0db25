import { belongsTo, createServer, cursorPage, defineResource, hasMany, id, model } from 'ashlar'
import { expectErrors, type TestClient, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface AlbumRow {
  id: number
  title: string
  notes: string | null
  artistId: number
}

const rows: readonly AlbumRow[] = [
  { id: 1, title: 'OK Computer', notes: 'Recorded in a mansion near Bath.', artistId: 1 },
  { id: 2, title: 'Kid A', notes: 'After OK Computer; electronic', artistId: 1 },
  { id: 3, title: 'Homogénic', notes: null, artistId: 2 },
  { id: 4, title: 'Debut', notes: 'Björk’s début: “Human Behaviour”, well-known.', artistId: 2 },
  { id: 5, title: 'Let It Be', notes: 'the beatles, 1970', artistId: 3 },
  { id: 6, title: 'Let It Be... Naked', notes: 'THE BEATLES (2003) it be let', artistId: 3 },
  { id: 7, title: 'Человек', notes: 'Ёлка ἀνήρ ΛΌΓΟΣ 東京', artistId: 3 },
]

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums').countable() },
  filters: (f) => ({ album: f.hasMatching('albums', { where: (_, of) => of.search('title', 'notes') }) }),
})
const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().sortable(), notes: a.string().nullable() }),
  relations: { artist: belongsTo('artists') },
  filters: (f) => ({ q: f.search({ title: 3, notes: 1 }), title: f.search('title') }),
  sorts: (s) => ({ relevance: s.relevance('q') }),
  defaultSort: ['-relevance', 'id'],
  pagination: cursorPage({ size: 2 }),
})
const seeds = { albums: rows, artists: [1, 2, 3].map((number) => ({ id: number, name: `Artist ${number}` })) }
const api: TestClient = client(createServer({ resources: [albums, artists], data: storedData(seeds) }))

async function idsOf(query: string, path = '/albums'): Promise<string> {
  const response = await api.get(`${path}?${query}&page[size]=50`)
  return response.resources.map((resource) => resource.id).join(' ')
}

/** Returns the link to the next page, without the host. */
function nextOf({ document }: TestResponse): string | undefined {
  const links = document?.links as { readonly next?: string } | undefined
  return links?.next?.replace(/^https?:\/\/[^/]+/, '')
}

/** Follows the links to the next pages. */
async function pagesOf(query: string, size: number): Promise<readonly string[]> {
  const ids: string[] = []
  let next: string | undefined = `/albums?${query}&page[size]=${size}`
  while (next !== undefined) {
    const page = await api.get(next)
    ids.push(...page.resources.map((resource) => resource.id))
    next = nextOf(page)
  }
  return ids
}

const found = (text: string): Promise<string> => idsOf(`filter[q]=${encodeURIComponent(text)}&sort=id`)

describe('a search', () => {
  test.each([
    ['computer', '1 2'],
    ['COMPUTER', '1 2'],
    ['comp', ''],
    ['comp*', '1 2'],
    ['ok bath', '1'],
    ['ok -bath', '2'],
    ['"let it be"', '5 6'],
    ['"be let"', '6'],
    ['"be naked"', '6'],
    ['"naked the"', ''],
    ['"let it n*"', ''],
    ['"let it b"*', '5 6'],
    ['homogenic', '3'],
    ['Bjork', '4'],
    ['well-known', '4'],
    ['known well', '4'],
    ['known/well', ''],
    ['“human behaviour”', '4'],
    ['человек', '7'],
    ['ёлка', '7'],
    ['елка', ''],
    ['λόγος', '7'],
    ['λόγοσ', '7'],
    ['東京', '7'],
    ['東*', '7'],
    ['1970', '5'],
    ['197*', '5'],
    ['-ok', '3 4 5 6 7'],
    ['-ok -beatles', '3 4 7'],
    ['', ''],
    ['*', ''],
    ['-', ''],
    ['"', ''],
    ['😀', ''],
    ['computer 😀', '1 2'],
    ['or', ''],
    ['ok OR beatles', ''],
    ['near', '1'],
    ['NEAR(ok computer)', ''],
    ['title:ok', ''],
    ["'; drop table albums --", ''],
    ['-"', ''],
    ['- ok', '1 2'],
    ['--ok', '3 4 5 6 7'],
    ['ok"', '1 2'],
    ['"ok', '1 2'],
    ['ok"computer"', '1 2'],
    ['\u202Eok\u202C', '1 2'],
    ['ok***', '1 2'],
    ['o*k', ''],
    ['*ok', '1 2'],
  ])('finds by %j the albums %j', async (text, expected) => {
    expect(await found(text)).toBe(expected)
  })

  test('looks in the named texts only', async () => {
    expect(await idsOf('filter[title]=computer&sort=id')).toBe('1')
  })

  test('orders by relevance: by the weight and number of the hits, and short texts first', async () => {
    expect(await idsOf('filter[q]=computer&sort=-relevance')).toBe('1 2')
    expect(await idsOf('filter[q]=computer&sort=relevance')).toBe('2 1')
    expect(await idsOf('filter[q]=let it be&sort=-relevance')).toBe('6 5')
    expect(await idsOf('filter[title]=let it be&filter[q]=be&sort=-relevance')).toBe('6 5')
    expect(await idsOf('filter[q]="let it be"&sort=-relevance')).toBe('5 6')
  })

  test('orders by relevance by default, if the request searches', async () => {
    expect(await idsOf('filter[q]="let it be"')).toBe('5 6')
    expect(await idsOf('filter[title]=let')).toBe('5 6')
    expect(await idsOf('')).toBe('1 2 3 4 5 6 7')
  })

  test.each(['-relevance', 'relevance', '-relevance,title', '-title,relevance'])(
    'has the same rows in cursor pages as in one page, sorted by %s',
    async (sort) => {
      const query = `filter[q]=${encodeURIComponent('let* -human')}&sort=${sort}`
      const whole = (await idsOf(query)).split(' ')
      const all = `filter[q]=-human&sort=${sort}`
      expect(await pagesOf(query, 1)).toEqual(whole)
      expect(await pagesOf(all, 2)).toEqual((await idsOf(all)).split(' '))
    },
  )

  test('refuses the cursor of another search', async () => {
    const first = await api.get('/albums?filter[q]=let&sort=-relevance&page[size]=1')
    const next = nextOf(first) ?? ''
    const other = next.replace('filter%5Bq%5D=let', 'filter%5Bq%5D=be')
    expect(other).not.toBe(next)
    expectErrors(await api.get(other), [{ status: 400, code: 'CURSOR_STALE', parameter: 'page[after]' }])
  })

  test('searches the members of a relation, and counts them', async () => {
    expect(await idsOf('filter[q]=beatles&sort=-relevance', '/artists/3/albums')).toBe('5 6')
    expect(await idsOf('filter[q]=computer&sort=-relevance', '/artists/1/albums')).toBe('1 2')
    expect(await idsOf('filter[q]=computer', '/artists/2/albums')).toBe('')
  })

  test('is a condition of related rows', async () => {
    expect(await idsOf('filter[album]=beatles', '/artists')).toBe('3')
    expect(await idsOf('filter[album]=-beatles', '/artists')).toBe('1 2 3')
  })

  test('a sort by relevance needs the filter', async () => {
    const errors = expectErrors(await api.get('/albums?sort=-relevance'), [
      { status: 400, code: 'SORTING_WITHOUT_SEARCH', parameter: 'sort' },
    ])
    expect(errors[0]?.detail).toBe(
      "The sort key 'relevance' sorts by how well the filter 'q' finds rows. Add that filter, or remove the key.",
    )
  })

  test.each([
    ['q', 'a '.repeat(33), 'A request may have at most 32 words in one search.'],
    ['q', 'a'.repeat(201), 'A request may have at most 200 characters in one word of a search.'],
    ['q', 'a'.repeat(1001), 'A request may have at most 1000 characters in one value of a filter.'],
  ])('has limits of a filter %s', async (key, text, detail) => {
    const errors = expectErrors(await api.get(`/albums?filter[${key}]=${encodeURIComponent(text)}`), [
      { status: 400, code: 'LIMIT_EXCEEDED', parameter: `filter[${key}]` },
    ])
    expect(errors[0]?.detail).toBe(detail)
  })

  test('has the limits in composed filters', async () => {
    expectErrors(await api.get(`/artists?filter[album]=${'a+'.repeat(40)}`), [
      { status: 400, code: 'LIMIT_EXCEEDED', parameter: 'filter[album]' },
    ])
  })

  test('refuses a list', async () => {
    expectErrors(await api.get('/albums?filter[q][]=ok'), [
      { status: 400, code: 'FILTER_VALUE_INVALID', parameter: 'filter[q]' },
    ])
  })

  test.each(['%00', '%ED%A0%80', '%FF'])('never fails for the bytes %s', async (bytes) => {
    const response = await api.get(`/albums?filter[q]=ok${bytes}`)
    expect(response.status).toBe(400)
  })
})
