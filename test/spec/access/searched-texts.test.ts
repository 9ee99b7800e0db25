import { authenticate, createServer, cursorPage, defineResource, id, model } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../../support/client.js'
import { storedData } from '../../support/stored-data.js'

interface AlbumRow {
  id: number
  title: string
  notes: string
  owner: number
}

const shown: readonly AlbumRow[] = [
  { id: 1, title: 'Kid A', notes: 'secret weapon', owner: 1 },
  { id: 2, title: 'Kid and Kid again', notes: 'kid', owner: 1 },
  { id: 3, title: 'The Bends', notes: 'a kid', owner: 1 },
]
/** A rank by the frequency of words in all rows, as BM25, would change with these. */
const hidden: readonly AlbumRow[] = Array.from({ length: 40 }, (_, index) => ({
  id: 10 + index,
  title: `Kid ${index}`,
  notes: 'kid',
  owner: 2,
}))

const byName = authenticate({
  challenge: 'Name',
  caller: (request) => request.header('authorization') ?? null,
})

function apiOver(rows: readonly AlbumRow[]): TestClient {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string(), notes: a.string().visibleIf('reveal'), owner: a.integer() }),
    filters: (f) => ({
      q: f.search({ title: 2, notes: 1 }),
      title: f.search('title'),
      staff: f.search('title').usableIf(({ caller }) => caller === 'staff'),
    }),
    sorts: (s) => ({
      relevance: s.relevance('q'),
      titles: s.relevance('title'),
      ofStaff: s.relevance('staff'),
    }),
    pagination: cursorPage({ size: 1, maxSize: 100 }),
    policy: (p) => ({
      viewAny: true,
      view: ({ caller }) => (caller === 'staff' ? true : p.eq('owner', 1)),
      custom: {
        reveal: ({ caller }) => (caller === 'staff' ? true : caller === 'owner' ? p.eq('owner', 1) : false),
      },
    }),
  })
  const data = storedData({ albums: rows })
  return client(createServer({ resources: [albums], data, middleware: [byName] }))
}

const as = (caller: string) => ({ headers: { authorization: caller } })

describe('a search', () => {
  test('finds and ranks visible rows as if no other rows existed', async () => {
    const [all, alone] = [apiOver([...shown, ...hidden]), apiOver(shown)]
    for (const text of ['kid', 'kid a', 'kid -bends', '-again']) {
      for (const sort of ['-titles', 'titles', 'id']) {
        const path = `/albums?filter[title]=${text}&sort=${sort}&page[size]=100`
        expect((await all.get(path, as('guest'))).document).toEqual((await alone.get(path, as('guest'))).document)
      }
    }
    const ofStaff = await all.get('/albums?filter[title]=kid&page[size]=100', as('staff'))
    expect(ofStaff.resources).toHaveLength(42)
  })

  test.each(['guest', 'owner'])(
    'is unknown to a caller who may not see one of its texts in every row: %s',
    async (caller) => {
      const api = apiOver(shown)
      const [searched, unknown] = [
        await api.get('/albums?filter[q]=kid', as(caller)),
        await api.get('/albums?filter[p]=kid', as(caller)),
      ]
      expectErrors(searched, [{ status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[q]' }])
      expect(JSON.stringify(searched.document)).toBe(
        JSON.stringify(unknown.document).replaceAll(/(['[])p(['\]])/g, '$1q$2'),
      )
      const staff = await api.get('/albums?filter[q]=weapon', as('staff'))
      expect(staff.resources).toHaveLength(1)
    },
  )

  test('is unknown to a caller without its ability, and so is the sort by its relevance', async () => {
    const api = apiOver(shown)
    expectErrors(await api.get('/albums?filter[staff]=kid', as('guest')), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: 'filter[staff]' },
    ])
    for (const key of ['relevance', 'ofStaff']) {
      const [error] = expectErrors(await api.get(`/albums?sort=-${key}`, as('guest')), [
        { status: 400, code: 'SORTING_UNRECOGNIZED', parameter: 'sort' },
      ])
      expect(error?.detail).toBe(`The sort key '${key}' is not offered here. Offered: id, titles.`)
    }
    expectErrors(await api.get('/albums?sort=-ofStaff', as('staff')), [
      { status: 400, code: 'SORTING_WITHOUT_SEARCH', parameter: 'sort' },
    ])
    expect((await api.get('/albums?filter[staff]=kid&sort=-ofStaff', as('staff'))).status).toBe(200)
  })
})
