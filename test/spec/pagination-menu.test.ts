import { cursorPage, fixedPage, numberPage, offsetPage, pageMenu, type Paginator } from 'ashlar'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { endpoints, follow, idsOf, pagedShelf, pagesOf, sentIn, shelf } from '../support/paged-albums.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const page = numberPage({ size: 1 })
const offset = offsetPage({ size: 2 })
const fixed = fixedPage({ size: 3 })
const cursor = cursorPage({ size: 4 })

/** Each of the four shows another number of albums, so that the response shows which one was used. */
const shown: Readonly<Record<number, string>> = { 1: 'page', 2: 'offset', 3: 'fixed', 4: 'cursor' }
const kindOf = (response: TestResponse): string | undefined => shown[idsOf(response).length]
const offering = (choices: readonly Paginator[], kind?: string) =>
  pagedShelf(pageMenu(choices, kind === undefined ? {} : { default: kind }), { count: 9 })

describe('rule 1: the built-in kinds', () => {
  const api = offering([page, offset, cursor, fixed])

  test.each(['page', 'offset', 'cursor', 'fixed'])('%s', async (kind) => {
    const response = await api.get(`/albums?page[kind]=${kind}`)
    expect(kindOf(response)).toBe(kind)
    expect(pagesOf(await follow(api, response, 'next'))).toHaveProperty('prev')
  })

  test('a second instance of one strategy takes a distinct name', async () => {
    const menu = offering([page, numberPage({ size: 4 }).named('large')])
    expect(idsOf(await menu.get('/albums'))).toHaveLength(1)
    expect(idsOf(await menu.get('/albums?page[kind]=page'))).toHaveLength(1)
    const large = await menu.get('/albums?page[kind]=large&page[number]=2')
    expect(idsOf(large)).toEqual(['5', '6', '7', '8'])
    expect(pagesOf(large)).toEqual({
      self: '?page[kind]=large&page[number]=2',
      first: '?page[kind]=large&page[number]=1',
      prev: '?page[kind]=large&page[number]=1',
      next: '?page[kind]=large&page[number]=3',
    })
  })

  test('two children of one kind are a wiring error', () => {
    expect(() => offering([page, numberPage()])).toThrow(/two paginators of the kind 'page'/)
    expect(() => offering([page, offset.named('page')])).toThrow(/two paginators of the kind 'page'/)
  })

  test('a menu without children, or with an unknown default, is one as well', () => {
    expect(() => offering([])).toThrow(/page menu without choices/)
    expect(() => offering([page], 'cursor')).toThrow(/default 'cursor', which it does not offer/)
  })
})

describe('rule 2: the default', () => {
  test('is the declared kind', async () => {
    expect(kindOf(await offering([page, offset, cursor], 'cursor').get('/albums'))).toBe('cursor')
    expect(kindOf(await offering([page, offset.named('window')], 'window').get('/albums'))).toBe('offset')
  })

  test('is the first child otherwise', async () => {
    expect(kindOf(await offering([offset, page]).get('/albums'))).toBe('offset')
  })
})

describe('rule 3: page[kind]', () => {
  test('takes precedence over the keys that would select another', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const api = offering([page, offset, cursor])
    expect(kindOf(await api.get('/albums?page[kind]=page&page[offset]=1&page[after]=!'))).toBe('page')
    expect(kindOf(await api.get('/albums?page[kind]=cursor&page[offset]=1'))).toBe('cursor')
  })

  test.each(endpoints)('that is unknown is 400, with the available kinds, on $name', async ({ path }) => {
    const api = offering([page, cursor.named('keyset'), offset])
    for (const kind of ['nonsense', 'cursor', 'Page', 'page ', 'constructor', 'menu']) {
      const response = await api.get(`${path}?page[kind]=${kind}`)
      const sent = kind.replace(' ', '%20')
      expect(response.status, sent).toBe(400)
      expectErrors(response, [
        {
          status: 400,
          code: 'PAGINATION_KIND_UNKNOWN',
          parameter: 'page[kind]',
          detail: `The pagination kind '${kind}' is not offered here. Offered: page, keyset, offset.`,
        },
      ])
    }
  })

  test('that is empty, or no text, is ignored', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const api = offering([page, offset, cursor])
    for (const query of ['page[kind]=', 'page[kind][]=cursor', 'page[kind][a]=nonsense']) {
      expect(kindOf(await api.get(`/albums?${query}`))).toBe('page')
    }
    expect(kindOf(await api.get('/albums?page[kind]=&page[offset]=0'))).toBe('offset')
  })

  test('has no meaning without a menu', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    for (const paginator of [page, offset, fixed, cursor]) {
      const response = await pagedShelf(paginator, { count: 9 }).get('/albums?page[kind]=nonsense')
      expect(kindOf(response)).toBe(paginator.kind)
    }
    expect((await shelf({ pagination: null }).get('/albums?page[kind]=nonsense')).status).toBe(200)
  })
})

describe('rule 4: a key unique to one strategy selects its owner', () => {
  const api = offering([page, fixed, offset, cursor])

  test.each(['offset', 'limit'])('page[%s] selects offset', async (key) => {
    const response = await api.get(`/albums?page[${key}]=2`)
    expect(kindOf(response)).toBe('offset')
    expect(response.document?.meta?.['page']).toHaveProperty('offset')
  })

  test.each(['after', 'before'])('page[%s] selects cursor', async (key) => {
    const start = await api.get('/albums?page[kind]=cursor')
    const token = new URL(String(start.document?.links?.['next'])).searchParams.get('page[after]')
    const response = await api.get(`/albums?page[${key}]=${token}`)
    expect(response.document?.meta?.['page']).toHaveProperty('hasMore')
    expect(idsOf(response)).toEqual(key === 'after' ? ['5', '6', '7', '8'] : ['1', '2', '3'])
  })

  test('with any value', async () => {
    expect(kindOf(await api.get('/albums?page[offset]=abc'))).toBe('offset')
    expect(kindOf(await api.get('/albums?page[after]='))).toBe('cursor')
  })

  test('the first of several owners in the menu is selected', async () => {
    const query = '/albums?page[offset]=0&page[after]='
    expect(kindOf(await offering([page, offset, cursor]).get(query))).toBe('offset')
    expect(kindOf(await offering([page, cursor, offset]).get(query))).toBe('cursor')
    const two = offering([page, offsetPage({ size: 4 }).named('large'), offset])
    expect(idsOf(await two.get('/albums?page[offset]=0'))).toHaveLength(4)
  })

  test('a renamed size key that only one kind reads selects it', async () => {
    const menu = offering([page, cursorPage({ size: 4, keys: { size: 'first' } }), fixed])
    expect(idsOf(await menu.get('/albums?page[first]=2'))).toEqual(['1', '2'])
    expect((await menu.get('/albums?page[first]=2')).document?.links).not.toHaveProperty('last')
    const renamed = offering([cursor, numberPage({ size: 1, keys: { size: 'perPage', number: 'nr' } })])
    expect(idsOf(await renamed.get('/albums?page[perPage]=2&page[nr]=2'))).toEqual(['3', '4'])
    expect(idsOf(await renamed.get('/albums?page[nr]=3'))).toEqual(['3'])
  })

  test('a renamed size key that two kinds read selects none', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const keys = { size: 'count' }
    const menu = offering([fixed, numberPage({ size: 1, keys }), cursorPage({ size: 4, keys })])
    expect(idsOf(await menu.get('/albums?page[count]=2'))).toEqual(['1', '2', '3'])
  })

  test('is selected under the name that the paginator gives it', async () => {
    const menu = offering([page, cursorPage({ size: 4, keys: { after: 'since' } })])
    expect(kindOf(await menu.get('/albums?page[since]='))).toBe('cursor')
    expect(kindOf(await menu.get('/albums?page[after]='))).toBe('page')
  })

  test('does not include keys that another strategy of the menu reads too', async () => {
    const menu = offering([page, offsetPage({ size: 2, keys: { limit: 'size' } })])
    expect((await menu.get('/albums?page[size]=3&page[number]=2')).document?.meta).toEqual({
      page: { currentPage: 2, perPage: 3, from: 4, to: 6 },
    })
    expect(idsOf(await menu.get('/albums?page[offset]=1&page[size]=3'))).toEqual(['2', '3', '4'])
  })
})

describe('rule 5: a shared key does not select', () => {
  test.each(['page[size]=3', 'page[number]=2', 'page[size]=3&page[number]=2'])('%s', async (query) => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const byOffset = await offering([offset, page, cursor]).get(`/albums?${query}`)
    expect(byOffset.document?.meta).toEqual({ page: { offset: 0, limit: 2, from: 1, to: 2 } })
    const byCursor = await offering([page, cursor], 'cursor').get(`/albums?${query}`)
    expect(byCursor.document?.meta?.['page']).toHaveProperty('hasMore')
  })

  test('it is read by the default, and by the kind that is sent', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const api = offering([cursor, page])
    const byDefault = await api.get('/albums?page[size]=2&page[number]=2')
    expect(byDefault.document?.meta).toEqual({ page: { perPage: 2, hasMore: true, from: '1', to: '2' } })
    const byKind = await api.get('/albums?page[size]=2&page[number]=2&page[kind]=page')
    expect(byKind.document?.meta).toEqual({ page: { currentPage: 2, perPage: 2, from: 3, to: 4 } })
  })

  test('an absent page uses the default', async () => {
    expect(kindOf(await offering([fixed, page]).get('/albums'))).toBe('fixed')
  })
})

describe('the links of a page', () => {
  test('use the strategy of the page', async () => {
    const api = offering([page, offset, cursor])
    const start = await api.get('/albums?page[kind]=cursor')
    const after = sentIn(start, 'next', 'after')
    const second = await api.get(`/albums?page[after]=${after}`)
    expect(pagesOf(second)).toEqual({
      self: `?page[after]=${after}`,
      first: '?page[kind]=cursor',
      prev: expect.stringMatching(/^\?page\[before\]=[\w-]+$/) as string,
      next: expect.stringMatching(/^\?page\[after\]=[\w-]+$/) as string,
    })
    for (const name of ['first', 'prev', 'next'] as const) {
      expect((await follow(api, second, name)).document?.meta?.['page']).toHaveProperty('hasMore')
    }
  })

  test('name the kind only if another one would be selected otherwise', async () => {
    const single = offering([page, offset, cursor], 'offset')
    expect(pagesOf(await single.get('/albums')).next).toBe('?page[offset]=2')
    const twice = offering([page, offsetPage({ size: 5 }).named('large'), offset], 'offset')
    const start = await twice.get('/albums?page[kind]=')
    expect(pagesOf(start).next).toBe('?page[kind]=offset&page[offset]=2')
    expect(idsOf(await follow(twice, start, 'next'))).toEqual(['3', '4'])
  })
})

describe('the menu of a relation', () => {
  test('overrides that of the related type', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const api = shelf({ count: 9, pagination: page, relation: pageMenu([offset, cursor]) })
    expect(kindOf(await api.get('/artists/1/albums'))).toBe('offset')
    expect(kindOf(await api.get('/artists/1/albums?page[kind]=cursor'))).toBe('cursor')
    expect(kindOf(await api.get('/albums?page[kind]=cursor'))).toBe('page')
  })

  test('may be that of the server', async () => {
    const api = shelf({ count: 9, settings: { pagination: pageMenu([page, cursor]) } })
    for (const { path } of endpoints) expect(kindOf(await api.get(`${path}?page[kind]=cursor`))).toBe('cursor')
  })
})

describe('a choice of the menu', () => {
  test('is counted if declared, and only that one', async () => {
    const api = offering([page, offset.withCount()])
    expect((await api.get('/albums')).document?.meta).not.toHaveProperty('total')
    expect((await api.get('/albums?page[kind]=offset')).document?.meta).toMatchObject({ total: 9, page: { total: 9 } })
  })
})
