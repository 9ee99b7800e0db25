import {
  belongsTo,
  createServer,
  cursorPage,
  defineResource,
  fixedPage,
  id,
  model,
  numberPage,
  offsetPage,
  pageMenu,
  type FilterKit,
  type Paginator,
  type RequestContext,
} from 'ashlar'
import type { DataSource } from 'ashlar/store'
import { expectErrors, statementCounter } from 'ashlar/testing'
import { describe, expect, inject, test } from 'vitest'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import { client } from '../support/client.js'
import { accepting, endpoints, follow, idsOf, pagedShelf, pagesOf, shelf } from '../support/paged-albums.js'
import { storedData } from '../support/stored-data.js'

const paginators: readonly Paginator[] = [
  numberPage({ size: 2 }),
  offsetPage({ size: 2 }),
  fixedPage({ size: 2 }),
  cursorPage({ size: 2 }),
]

const exact = (total: number) => ({ bestGuess: total, atLeast: total, isExact: true })

const estimateIn = ({ document }: Awaited<ReturnType<ReturnType<typeof shelf>['get']>>) =>
  (document?.meta?.['page'] as { readonly estimatedTotal?: unknown } | undefined)?.estimatedTotal

describe('page[count]=estimate', () => {
  test.each(endpoints)('returns the exact total of a small list, on $name', async ({ path }) => {
    for (const paginator of paginators) {
      const api = pagedShelf(paginator.estimable())
      const response = await api.get(`${path}?page[count]=estimate`)
      expect(response.status).toBe(200)
      expect(estimateIn(response)).toEqual(exact(5))
      // An estimate, even an exact one, is no total: the links are those of a page that is not counted.
      expect(response.document?.meta).not.toHaveProperty('total')
      expect(response.document?.meta?.['page']).not.toHaveProperty('total')
      expect(response.document?.links).not.toHaveProperty('last')
      expect(pagesOf(response).next).toContain('page[count]=estimate')
    }
  })

  test('counts the filtered rows', async () => {
    const api = pagedShelf(cursorPage({ size: 1 }).estimable())
    expect(estimateIn(await api.get('/albums?page[count]=estimate&filter[year]=1990'))).toEqual(exact(2))
    expect(estimateIn(await api.get('/albums?page[count]=estimate&filter[year]=1900'))).toEqual(exact(0))
  })

  test('is on the following pages too', async () => {
    const api = pagedShelf(cursorPage({ size: 2 }).estimable())
    const second = await follow(api, await api.get('/albums?page[count]=estimate'), 'next')
    expect(idsOf(second)).toEqual(['3', '4'])
    expect(estimateIn(second)).toEqual(exact(5))
  })

  test('replaces the total of a paginator that counts every page', async () => {
    const api = pagedShelf(numberPage({ size: 2 }).withCount().estimable())
    const estimated = await api.get('/albums?page[count]=estimate')
    expect(estimated.document?.meta).toEqual({
      page: { currentPage: 1, perPage: 2, from: 1, to: 2, estimatedTotal: exact(5) },
    })
    expect((await api.get('/albums')).document?.meta).toMatchObject({ total: 5 })
  })

  test('stands next to a requested total, which is exact', async () => {
    const api = shelf({ countable: true, pagination: numberPage({ size: 2 }).estimable({ exactUpTo: 1 }) })
    const { document } = await api.get('/albums?withCount=_self_&page[count]=estimate', accepting(countableProfile.uri))
    expect(document?.meta).toMatchObject({ total: 5, page: { total: 5, estimatedTotal: exact(5) } })
  })

  test('with another value is 400, and names the parameter', async () => {
    const api = pagedShelf(numberPage({ keys: { count: 'total' } }).estimable())
    for (const { path } of endpoints) {
      for (const value of ['exact', '']) {
        expectErrors(await api.get(`${path}?page[total]=${value}`), [
          {
            status: 400,
            code: 'PAGINATION_COUNT_UNKNOWN',
            parameter: 'page[total]',
            detail: `The value '${value}' of 'page[total]' is not offered here. Offered: estimate.`,
          },
        ])
      }
    }
  })

  test('is an unknown key of a paginator without estimable()', async () => {
    const api = shelf({ pagination: numberPage(), settings: { strictPages: true } })
    expectErrors(await api.get('/albums?page[count]=estimate'), [
      { status: 400, code: 'QUERY_PARAM_UNRECOGNIZED', parameter: 'page[count]' },
    ])
  })

  test('does not select a kind of a menu', async () => {
    const menu = pageMenu([numberPage({ size: 2 }).estimable(), cursorPage({ size: 2 }).estimable()])
    const api = shelf({ pagination: menu })
    const first = await api.get('/albums?page[count]=estimate')
    expect(first.document?.meta?.['page']).toMatchObject({ currentPage: 1, estimatedTotal: exact(5) })
    const cursors = await api.get('/albums?page[count]=estimate&page[kind]=cursor')
    expect(cursors.document?.meta?.['page']).toMatchObject({ hasMore: true, estimatedTotal: exact(5) })
  })
})

/** What each store knows of a list with more rows than are counted. */
const lowerBound = { bestGuess: 4, atLeast: 4, isExact: false }
const guessed = { memory: exact(5), sqlite: lowerBound, mariadb: lowerBound }

describe('a list with more rows than exactUpTo', () => {
  const store = inject('store')

  test('is estimated by the planner of PostgreSQL, has a lower bound on SQLite and MariaDB, and is exact in memory', async () => {
    const api = pagedShelf(cursorPage({ size: 2 }).estimable({ exactUpTo: 3 }))
    const estimated = estimateIn(await api.get('/albums?page[count]=estimate'))
    if (store !== 'postgres') {
      expect(estimated).toEqual(guessed[store])
    } else {
      // Tables without statistics count as having some pages of rows.
      expect(estimated).toMatchObject({ atLeast: 4, isExact: false })
      expect((estimated as { readonly bestGuess: number }).bestGuess).toBeGreaterThan(4)
    }
  })

  test('has at least the rows up to the page, and is exact on the last one', async () => {
    const api = pagedShelf(numberPage({ size: 2 }).estimable({ exactUpTo: 1, underRules: true }))
    const second = estimateIn(await api.get('/albums?page[count]=estimate&page[number]=2'))
    expect(second).toMatchObject({ atLeast: 5 })
    expect(estimateIn(await api.get('/albums?page[count]=estimate&page[number]=3'))).toEqual(exact(5))
    const outside = estimateIn(await api.get('/albums?page[count]=estimate&page[number]=9'))
    expect(outside).toMatchObject({ atLeast: store === 'memory' ? 5 : 2 })
  })

  test('of exactly that many rows is exact', async () => {
    const api = pagedShelf(cursorPage({ size: 2 }).estimable({ exactUpTo: 5 }))
    expect(estimateIn(await api.get('/albums?page[count]=estimate'))).toEqual(exact(5))
  })
})

interface Row {
  readonly id: number
  readonly title: string
  readonly tenant: string
  readonly deletedAt: Date | null
}

interface World {
  /** How the rows of others are hidden. */
  readonly hides: 'scope' | 'softDeletes' | 'related' | 'nothing'
  readonly underRules?: boolean
}

/** Forty tracks, of which the caller sees four. */
function hiddenTracks({ hides, underRules = false }: World) {
  const tracks = defineResource('tracks', {
    model: model<Row>('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string(), tenant: a.string().readOnly() }),
    filters: (f) => ({ title: f.where(), byOwner: f.has('owner') }),
    relations: { owner: belongsTo('owners').via('tenant') },
    ...(hides === 'scope'
      ? { scope: (_: RequestContext, f: FilterKit<'tenant', never>) => f.where('tenant').fixed('a') }
      : {}),
    ...(hides === 'softDeletes' ? { softDeletes: {} } : {}),
    pagination: cursorPage({ size: 1 }).estimable({ exactUpTo: 2, underRules }),
  })
  const owners = defineResource('owners', {
    model: model<{ readonly id: string }>('owners'),
    id: id(),
    attributes: () => ({}),
    ...(hides === 'related'
      ? { scope: (_: RequestContext, f: FilterKit<'id', never>) => f.where('id').fixed('a') }
      : {}),
  })
  const rows = Array.from({ length: 40 }, (_, index) => ({
    id: index + 1,
    title: 'Airbag',
    tenant: index < 4 ? 'a' : 'b',
    deletedAt: hides === 'softDeletes' && index >= 4 ? new Date(0) : null,
  }))
  const counter = statementCounter()
  const seeds = { tracks: rows, owners: [{ id: 'a' }, { id: 'b' }] }
  const data = storedData(seeds, {}, { onStatement: counter.onStatement })
  return { counter, api: client(createServer({ resources: [tracks, owners], data })) }
}

const explained = (statements: readonly { readonly sql: string }[]) =>
  statements.some(({ sql }) => sql.startsWith('explain'))

describe('rows that the caller may not see', () => {
  const isMemory = inject('store') === 'memory'

  test.each(['scope', 'softDeletes', 'related'] as const)('by %s are not in the estimate', async (hides) => {
    const { api, counter } = hiddenTracks({ hides })
    const query = hides === 'related' ? '&filter[byOwner]=true' : '&filter[title]=Airbag'
    const statements = await counter.during(async () => {
      const response = await api.get(`/tracks?page[count]=estimate${query}`)
      expect(response.status).toBe(200)
      expect(estimateIn(response)).toEqual(isMemory ? exact(4) : { bestGuess: 3, atLeast: 3, isExact: false })
    })
    expect(explained(statements)).toBe(false)
  })

  test('are in the statistics that the estimate uses if the paginator permits it', async () => {
    const { api, counter } = hiddenTracks({ hides: 'scope', underRules: true })
    const statements = await counter.during(async () => {
      const response = await api.get('/tracks?page[count]=estimate')
      expect(response.status).toBe(200)
    })
    expect(explained(statements)).toBe(inject('store') === 'postgres')
    // The planner gets the same conditions as the read.
    if (explained(statements)) expect(statements.at(-1)?.sql).toContain('"tenant"')
  })

  test('of a type without hidden rows, the planner estimates filters too', async () => {
    const { api, counter } = hiddenTracks({ hides: 'nothing' })
    for (const filter of ['', '&filter[title]=Airbag', '&filter[byOwner]=true']) {
      const statements = await counter.during(() => api.get(`/tracks?page[count]=estimate${filter}`))
      expect(explained(statements)).toBe(inject('store') === 'postgres')
    }
  })

  test('that a provider hides by further conditions are not in the estimate', async () => {
    const tracks = defineResource('tracks', {
      model: model<Row>('tracks'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      pagination: cursorPage({ size: 1 }).estimable({ exactUpTo: 2 }),
    })
    const counter = statementCounter()
    const store = storedData(
      { tracks: Array.from({ length: 9 }, (_, index) => ({ id: index + 1, title: index < 3 ? 'Airbag' : 'Lucky' })) },
      {},
      { onStatement: counter.onStatement },
    )
    const title = { kind: 'compare', column: { of: 'row', name: 'title', kind: null, isKey: false } } as const
    const hiding: DataSource = {
      ...store,
      provider: (type) => {
        const provider = store.provider(type)
        if (provider?.fetchCollection === undefined) return provider
        const { fetchCollection } = provider
        return {
          ...provider,
          fetchCollection: (each, criteria) =>
            fetchCollection(each, {
              ...criteria,
              conditions: [...criteria.conditions, { ...title, operator: '=', value: 'Airbag' }],
            }),
        }
      },
    }
    const api = client(createServer({ resources: [tracks], data: hiding }))
    const statements = await counter.during(async () => {
      const estimated = estimateIn(await api.get('/tracks?page[count]=estimate'))
      expect(estimated).toEqual(isMemory ? exact(3) : { bestGuess: 3, atLeast: 3, isExact: false })
    })
    expect(explained(statements)).toBe(false)
  })
})

test('a provider of its own may count, estimate, or return values that are refused', async () => {
  const answers: { current: object } = { current: { total: 7 } }
  const seen: unknown[] = []
  const tracks = defineResource('tracks', {
    model: model<Row>('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    pagination: cursorPage({ size: 1 }).estimable({ exactUpTo: 2 }),
    provider: {
      fetchOne: () => null,
      fetchCollection: (_type, { wantsCount, estimate }) => {
        seen.push({ wantsCount, estimate })
        return { rows: [], total: null, ...answers.current }
      },
    },
    operations: ['FetchCollection'],
  })
  const api = client(createServer({ resources: [tracks] }))
  const get = () => api.get('/tracks?page[count]=estimate')
  expect(estimateIn(await get())).toEqual(exact(7))
  expect(seen).toEqual([{ wantsCount: true, estimate: { exactUpTo: 2, filters: [] } }])
  answers.current = { estimate: { atLeast: 3, bestGuess: 12 } }
  expect(estimateIn(await get())).toEqual({ atLeast: 3, bestGuess: 12, isExact: false })
  answers.current = { estimate: { atLeast: 3, bestGuess: 1 } }
  expect((await get()).status).toBe(500)
  answers.current = {}
  expect((await get()).status).toBe(500)
})
