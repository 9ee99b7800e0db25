import { belongsTo, createServer, cursorPage, defineResource, hasMany, id, model, numberPage } from 'ashlar'
import type { AnyPaginator } from '../../src/declare/pagination/paginator.js'
import { countableProfile } from '../../src/declare/profiles/profile.js'
import { rowSet } from 'ashlar/store'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})
const radiohead = { id: 1, name: 'Radiohead' }
const withCounts = { headers: { Accept: `application/vnd.api+json; profile="${countableProfile.uri}"` } }

const rejected = () => Promise.reject(new Error('gone'))

describe('invalid results are 500 and logged, never an invalid document', () => {
  const valid = { type: 'artists', rows: [radiohead] }
  const group = { members: [{ set: 0, row: 0, pivot: null }], total: null }

  async function failing(settings: {
    readonly provider?: object
    readonly path: string
    readonly extract?: () => unknown
    readonly pagination?: AnyPaginator
  }) {
    const logged: unknown[] = []
    const provider = {
      fetchOne: () => ({ id: 1 }),
      fetchCollection: () => [{ id: 1 }],
      fetchRelated: () => ({ sets: [valid], groups: [group] }),
      ...settings.provider,
    }
    const shows = defineResource('shows', {
      model: model<{ id: number; city: string }>('shows'),
      id: id(),
      attributes: (a) => ({ city: a.string().sortable() }),
      relations: {
        acts: hasMany('artists').countable(),
        paged: hasMany('artists').paginate(numberPage({ size: 1 }).withCount()),
        by: belongsTo('artists')
          .extractUsing(settings.extract ?? (() => null))
          .withData(),
      },
      provider,
      readOnly: true,
      pagination: settings.pagination ?? null,
    })
    const api = client(
      createServer({
        resources: [shows, artists],
        data: storedData({ artists: [radiohead] }),
        logger: { error: ({ err }) => logged.push(err) },
      }),
    )
    const { text } = await api.get(settings.path, withCounts)
    return { text, logged }
  }

  const generic = '{"errors":[{"status":"500","title":"Internal Server Error"}],'

  test.each<[string, string, object]>([
    [
      'no group for a parent',
      "The read of 'shows.acts' did not return one group for each parent",
      { sets: [valid], groups: [] },
    ],
    ['a group too many', 'one group for each parent', { sets: [valid], groups: [group, group] }],
    ['no groups', 'one group for each parent', { sets: [valid] }],
    [
      'rows of a strange type',
      "returned rows of 'albums', which is not a type of the relation",
      { sets: [{ ...valid, type: 'albums' }], groups: [group] },
    ],
    [
      'rows without a key',
      "A row of 'artists' has no key",
      { sets: [{ ...valid, rows: [{ name: 'x' }] }], groups: [group] },
    ],
    [
      'rows with an empty key',
      "A row of 'artists' has no key",
      { sets: [{ ...valid, rows: [{ id: null }] }], groups: [group] },
    ],
    [
      'members of no row',
      'returned a member without a row',
      { sets: [valid], groups: [{ members: [{ set: 0, row: 1, pivot: null }], total: null }] },
    ],
    ['members of no set', 'returned a member without a row', { sets: [], groups: [group] }],
    [
      'a member twice',
      "The read of 'shows.acts' returned 'artists 1' twice for one parent",
      { sets: [valid], groups: [{ ...group, members: [...group.members, ...group.members] }] },
    ],
    [
      'a member by two rows',
      "The read of 'shows.acts' returned 'artists 1' twice for one parent",
      { sets: [valid, valid], groups: [{ ...group, members: [...group.members, { set: 1, row: 0, pivot: null }] }] },
    ],
    ['nothing', 'one group for each parent', undefined as never],
    ['no object', 'one group for each parent', 5 as never],
    ['an object without rows', 'one group for each parent', {}],
    ['an invalid group', 'returned a group without a list of members', { sets: [valid], groups: [null] }],
    ['a group without members', 'returned a group without a list of members', { sets: [valid], groups: [{}] }],
    ['invalid members', 'returned a group without a list of members', { sets: [valid], groups: [{ members: [5] }] }],
    ['invalid sets', 'returned no sets of rows', { sets: 5, groups: [group] }],
    ['an invalid set', 'returned no sets of rows', { sets: [null], groups: [group] }],
    [
      'a set without rows',
      "The value returned as rows of 'artists' is neither",
      { sets: [{ type: 'artists' }], groups: [group] },
    ],
  ])('related rows: %s', async (_name, message, response) => {
    const fetchRelated = () => response
    for (const path of ['/shows?include=acts', '/shows/1/acts', '/shows/1/relationships/acts']) {
      const { text, logged } = await failing({ path, provider: { fetchRelated } })
      expect(text).toContain(generic)
      expect(logged).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })])
    }
  })

  test.each<[string, string, unknown]>([
    ['nothing', "The provider of 'shows' returned no rows", undefined],
    ['null', "The provider of 'shows' returned no rows", null],
    ['no object', "The provider of 'shows' returned no rows", 5],
    ['an object without rows', "The provider of 'shows' returned no rows", {}],
    ['an object with invalid rows', "The provider of 'shows' returned no rows", { rows: 5, total: null }],
    ['rows without a key', "A row of 'shows' has no key", [{ name: 'x' }]],
    ['invalid rows', "The value returned as rows of 'shows' is neither", [null]],
    ['rows by position without the column of the key', 'has no key', rowSet(['name'], [['x']])],
    ['a key twice', "The provider of 'shows' returned the key '1' twice", [{ id: 1 }, { id: 1 }]],
    ['a key twice, by position', "returned the key '1' twice", { rows: rowSet(['id'], [[1], ['1']]), total: null }],
    [
      'a list without a column that the query uses',
      "Rows of 'shows' have no column 'city', which the query uses: a provider that returns plain rows must return all columns",
      [{ id: 1 }],
    ],
  ])('collections: %s', async (_name, message, response) => {
    const { text, logged } = await failing({ path: '/shows?sort=city', provider: { fetchCollection: () => response } })
    expect(text).toContain(generic)
    expect(logged).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })])
  })

  test.each<[string, string, object]>([
    [
      'a total that is a text',
      "The provider must return the total of the collection of 'shows' as a whole number, but it returned string 1",
      { total: '1' },
    ],
    ['a total that is no whole number', 'returned number 1.5', { total: 1.5 }],
    ['a negative total', 'returned number -1', { total: -1 }],
    ['no total', 'returned none', { total: null }],
    [
      'more rows than were requested',
      "The provider returned 2 rows for the collection of 'shows', but at most 1 were requested",
      { rows: [{ id: 1 }, { id: 2 }] },
    ],
  ])('facts of collections: %s', async (_name, message, facts) => {
    const { text, logged } = await failing({
      path: '/shows',
      provider: { fetchCollection: () => ({ rows: [{ id: 1 }], total: 1, ...facts }) },
      pagination: numberPage({ size: 1 }).withCount(),
    })
    expect(text).toContain(generic)
    expect(logged).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })])
  })

  test.each<[string, object]>([
    ['no rows, and more to follow', { more: true }],
    ['no places', { edges: {} }],
    ['places of another order', { edges: { first: [], last: [] } }],
  ])('edges of cursor pages: %s', async (_name, facts) => {
    const { text, logged } = await failing({
      path: '/shows',
      provider: { fetchCollection: () => ({ rows: [{ id: 1 }], total: null, ...facts }) },
      pagination: cursorPage(),
    })
    expect(text).toContain(generic)
    expect(logged).toMatchObject([
      {
        message: expect.stringContaining("The provider returned no valid `edges` for the collection of 'shows'"),
      },
    ])
  })

  test.each<[string, string, object]>([
    [
      'a total that is a text',
      "The provider must return the total of 'shows.paged' as a whole number, but it returned string 1",
      { total: '1' },
    ],
    [
      'more members than were requested',
      "The provider returned 2 rows for 'shows.paged', but at most 1 were requested",
      { members: [...group.members, { set: 0, row: 1, pivot: null }] },
    ],
  ])('facts of related rows: %s', async (_name, message, facts) => {
    const sets = [{ type: 'artists', rows: [radiohead, { id: 2, name: 'Björk' }] }]
    const { text, logged } = await failing({
      path: '/shows/1/paged',
      provider: { fetchRelated: () => ({ sets, groups: [{ ...group, total: 1, ...facts }] }) },
    })
    expect(text).toContain(generic)
    expect(logged).toEqual([expect.objectContaining({ message: expect.stringContaining(message) })])
  })

  test.each<[string, unknown]>([
    ['no object', 5],
    ['an object without a key', { name: 'x' }],
    ['a row by position without the column of the key', rowSet(['name'], [['x']])],
    ['several rows', rowSet(['id'], [[1], [2]])],
  ])('single rows: %s', async (_name, response) => {
    const { text, logged } = await failing({ path: '/shows/1', provider: { fetchOne: () => response } })
    expect(text).toContain(generic)
    expect(logged).toHaveLength(1)
  })

  test('rejections', async () => {
    for (const [path, provider] of [
      ['/shows', { fetchCollection: rejected }],
      ['/shows/1', { fetchOne: rejected }],
      ['/shows/1/acts', { fetchRelated: rejected }],
      ['/shows?withCount=acts', { countRelated: rejected }],
    ] as const) {
      const { text, logged } = await failing({ path, provider })
      expect(text).toContain(generic)
      expect(logged).toMatchObject([{ message: 'gone' }])
    }
  })

  test.each<[string, unknown]>([
    ['too few', []],
    ['too many', [1, 2]],
    ['no list', 5],
    ['no numbers', ['1']],
    ['no whole numbers', [Number.NaN]],
    ['negative ones', [-1]],
  ])('counts: %s', async (_name, response) => {
    const { text, logged } = await failing({
      path: '/shows?withCount=acts',
      provider: { countRelated: () => response },
    })
    expect(text).toContain(generic)
    expect(logged).toMatchObject([{ message: "The count of 'shows.acts' did not return one number for each parent." }])
  })

  test('objects of a function without a key', async () => {
    const { text, logged } = await failing({ path: '/shows/1', extract: () => ({ name: 'x' }) })
    expect(text).toContain(generic)
    expect(logged).toMatchObject([{ message: expect.stringContaining("A row of 'artists' has no key") }])
  })

  test('a function that throws', async () => {
    const { text, logged } = await failing({
      path: '/shows/1',
      extract: () => {
        throw new Error('boom')
      },
    })
    expect(text).toContain(generic)
    expect(logged).toMatchObject([{ message: 'boom' }])
  })
})
