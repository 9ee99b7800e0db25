import { belongsTo, createServer, defineResource, hasMany, id, model, type RequestContext } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { explainAccess, testClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'

/** Which filters, sorts and include paths a caller may use, and which condition withholds the others. */

interface User {
  readonly id: number
  readonly admin: boolean
}

const bob: User = { id: 2, admin: false }
const root: User = { id: 9, admin: true }
const staff = ({ caller }: RequestContext): boolean => (caller as User | null)?.admin === true

const labels = defineResource('labels', {
  model: model<{ id: number; name: string }>('labels'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  policy: 'public',
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string; labelId: number }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: {
    label: belongsTo('labels').includableIf('audit'),
    albums: hasMany('albums')
      .withFilters((f) => ({ since: f.greaterThan('year').usableIf('audit') }))
      .withSorts((s) => ({ newest: s.field('year').usableIf(staff) })),
  },
  policy: () => ({ viewAny: true, view: true, custom: { audit: staff } }),
  server: ['default', 'flat'],
})

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; year: number; artistId: number }>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string().sortable(),
    year: a.integer().sortableIf('audit'),
    cost: a.integer().storedAs('year').readOnly().visibleIf('audit').sortable(),
  }),
  relations: {
    artist: belongsTo('artists'),
    maker: belongsTo('artists')
      .via('artistId')
      .cannotBeIncluded((context) => !staff(context)),
    author: belongsTo('artists').via('artistId').visibleIf('audit'),
    never: belongsTo('artists').via('artistId').cannotBeIncluded(),
  },
  filters: (f) => ({
    title: f.contains(),
    year: f.where().usableIf('audit'),
    since: f.greaterThan('year').usableIf(staff),
    mine: f.where('year').usableIf('edit'),
    cost: f.where(),
  }),
  allowedIncludePaths: [
    'maker',
    'author',
    { path: 'artist.label', usableIf: staff },
    { path: 'artist.albums', usableIf: staff },
  ],
  policy: (p) => ({
    viewAny: true,
    view: true,
    custom: { audit: staff, edit: (context) => staff(context) || p.eq('id', 1) },
  }),
})

const server = createServer({
  resources: [labels.with({ server: ['default', 'flat'] }), artists, albums, albums.with({ server: 'flat' })],
  data: memoryData({
    labels: [{ id: 1, name: 'XL' }],
    artists: [{ id: 1, name: 'Radiohead', labelId: 1 }],
    albums: [{ id: 1, title: 'Kid A', year: 2000, artistId: 1 }],
  }),
  servers: { flat: { prefix: '/flat', maxIncludeDepth: 1 } },
})

const denied = "policy.custom.audit of 'albums' denies it to this caller."

describe('explainAccess() of a filter, a sort or an include path', () => {
  test.each([
    ['albums.title:filter', bob, "is permitted.\n  - The filter 'title' of 'albums' has no condition."],
    [
      'albums.year:filter',
      bob,
      `is denied with 400.\n  - The condition of the filter 'year' of 'albums' names 'audit'.\n  - ${denied}`,
    ],
    [
      'albums.year:filter',
      root,
      "is permitted.\n  - The condition of the filter 'year' of 'albums' names 'audit'.\n  - policy.custom.audit of 'albums' permits it.",
    ],
    [
      'albums.since:filter',
      null,
      "is denied with 400.\n  - The condition of the filter 'since' of 'albums' is a function, and does not return true for this caller.",
    ],
    [
      'albums.mine:filter',
      bob,
      "is denied with 400.\n  - The condition of the filter 'mine' of 'albums' names 'edit'.\n  - policy.custom.edit of 'albums' is a rule: id = 1.\n  - A condition is not met by a rule about rows.",
    ],
    [
      'albums.cost:filter',
      bob,
      "is denied with 400.\n  - The filter 'cost' of 'albums' has no condition.\n  - It needs a field that is hidden from this caller.",
    ],
    [
      'albums.year:sort',
      bob,
      `is denied with 400.\n  - The condition of the sort 'year' of 'albums' names 'audit'.\n  - ${denied}`,
    ],
    [
      'albums.cost:sort',
      bob,
      "is denied with 400.\n  - The sort 'cost' of 'albums' has no condition.\n  - It needs a field that is hidden from this caller.",
    ],
    ['albums.cost:sort', root, "is permitted.\n  - The sort 'cost' of 'albums' has no condition."],
    [
      'artists/albums.since:filter',
      bob,
      "is denied with 400.\n  - The condition of the filter 'since' of 'artists.albums' names 'audit'.\n  - policy.custom.audit of 'artists' denies it to this caller.",
    ],
    [
      'artists/albums.newest:sort',
      root,
      "is permitted.\n  - The condition of the sort 'newest' of 'artists.albums' is a function, and returns true for this caller.",
    ],
    [
      'artists.label:include',
      bob,
      "is denied with 400.\n  - The condition of the include of 'artists.label' names 'audit'.\n  - policy.custom.audit of 'artists' denies it to this caller.",
    ],
    [
      'albums.artist.albums:include',
      bob,
      "is denied with 400.\n  - The include of 'albums.artist' has no condition.\n  - The include of 'artists.albums' has no condition.\n  - The condition of the path 'artist.albums' in allowedIncludePaths of 'albums' is a function, and does not return true for this caller.",
    ],
    [
      'albums.maker:include',
      bob,
      "is denied with 400.\n  - The include of 'albums.maker' has no condition.\n  - The function of cannotBeIncluded() of 'albums.maker' forbids it.",
    ],
    [
      'albums.author:include',
      bob,
      "is denied with 400.\n  - The include of 'albums.author' has no condition.\n  - 'albums.author' is hidden from this caller.",
    ],
    [
      'albums.never:include',
      root,
      "is denied with 400.\n  - The include of 'albums.never' has no condition.\n  - cannotBeIncluded() of 'albums.never' forbids it.",
    ],
    [
      'albums.maker.albums:include',
      root,
      "is denied with 400.\n  - The include of 'albums.maker' has no condition.\n  - The include of 'artists.albums' has no condition.\n  - allowedIncludePaths of 'albums' does not have 'maker.albums'.",
    ],
  ] as const)('%s of %j', async (question, as, expected) => {
    expect((await explainAccess(server, question, { as })).text).toBe(`${question} ${expected}`)
  })

  test('has the settings of its server', async () => {
    const { text } = await explainAccess(server, 'artists.albums.artist:include', { as: root, server: 'flat' })
    expect(text).toBe(
      [
        'artists.albums.artist:include is denied with 400.',
        "  - The include of 'artists.albums' has no condition.",
        "  - The include of 'albums.artist' has no condition.",
        "  - 'albums.artist' is longer than maxIncludeDepth allows: 1.",
      ].join('\n'),
    )
  })

  test('without a key lists all of them', async () => {
    const { permitted, status, keys, text } = await explainAccess(server, 'albums:filter', { as: bob })
    expect({ permitted, status }).toEqual({ permitted: true, status: null })
    expect(keys?.map((each) => `${each.key} ${each.permitted}`)).toEqual([
      'id true',
      'title true',
      'year false',
      'since false',
      'mine false',
      'cost false',
    ])
    expect(text).toBe(
      [
        'albums:filter is permitted.',
        "  - 'id' can be used.",
        "  - 'title' can be used.",
        `  - 'year' is unknown to this caller. The condition of the filter 'year' of 'albums' names 'audit'. ${denied}`,
        "  - 'since' is unknown to this caller. The condition of the filter 'since' of 'albums' is a function, and does not return true for this caller.",
        "  - 'mine' is unknown to this caller. The condition of the filter 'mine' of 'albums' names 'edit'. policy.custom.edit of 'albums' is a rule: id = 1. A condition is not met by a rule about rows.",
        "  - 'cost' is unknown to this caller. The filter 'cost' of 'albums' has no condition. It needs a field that is hidden from this caller.",
      ].join('\n'),
    )
    const names = async (question: string, as: User | null): Promise<readonly string[]> => {
      const explained = await explainAccess(server, question, { as })
      return (explained.keys ?? []).flatMap((each) => (each.permitted ? [each.key] : []))
    }
    expect(await names('albums:sort', bob)).toEqual(['id', 'title'])
    expect(await names('albums:sort', root)).toEqual(['id', 'title', 'year', 'cost'])
    expect(await names('albums:include', bob)).toEqual([])
    expect(await names('albums:include', root)).toEqual(['maker', 'author', 'artist.label', 'artist.albums'])
    expect(await names('artists:include', bob)).toEqual(['albums'])
    expect(await names('artists/albums:filter', bob)).toEqual(['id', 'title'])
    expect(await explainAccess(server, 'albums:include', { as: bob })).toMatchObject({ permitted: false, status: 400 })
    expect(await explainAccess(server, 'labels:include', { as: bob })).toMatchObject({
      permitted: false,
      keys: [],
      reasons: ["'labels' has no include paths."],
    })
  })

  test('returns the outcome of a request', async () => {
    const parameter = { filter: (key: string) => `filter[${key}]=1`, sort: (key: string) => `sort=${key}` }
    for (const as of [null, bob, root]) {
      const api = testClient(server, { caller: as })
      for (const [path, question] of [
        ['/albums', 'albums'],
        ['/artists/1/albums', 'artists/albums'],
      ] as const) {
        for (const use of ['filter', 'sort'] as const) {
          for (const { key, permitted } of (await explainAccess(server, `${question}:${use}`, { as })).keys ?? []) {
            const { status } = await api.get(`${path}?${parameter[use](key)}`)
            expect(status, `${path} ${use} ${key}`).toBe(permitted ? 200 : 400)
          }
        }
      }
      for (const [path, question] of [
        ['/albums', 'albums'],
        ['/artists', 'artists'],
      ] as const) {
        for (const { key, permitted } of (await explainAccess(server, `${question}:include`, { as })).keys ?? []) {
          expect((await api.get(`${path}?include=${key}`)).status, `${path} ${key}`).toBe(permitted ? 200 : 400)
        }
      }
    }
  })

  test.each([
    ['albums.nothing:filter', "'albums' has no filter 'nothing'. Filters: id, title, year, since, mine, cost."],
    ['albums.nothing:sort', "'albums' has no sort 'nothing'. Sorts: id, title, year, cost."],
    ['artists/albums.x:sort', "'artists.albums' has no sort 'x'. Sorts: id, title, year, cost, newest."],
    [
      'albums.artist.nothing:include',
      "'artists' has no relation 'nothing' on the path 'artist.nothing'. Relations: label, albums.",
    ],
    ['albums:filter:1', "'filter' is not about one resource: leave out the id '1'."],
    ['albums/nothing:filter', "'albums' has no relation 'nothing'. Relations: artist, maker, author, never."],
    ['albums/artist:include', "Only questions about filters and sorts have a relation: leave out 'artist'."],
    ['albums/artist:view', "Only questions about filters and sorts have a relation: leave out 'artist'."],
  ])('rejects %s', async (question, message) => {
    await expect(explainAccess(server, question, { as: bob })).rejects.toThrow(message)
  })

  test('explains the ability if the policy has one of this name', async () => {
    const named = defineResource('labels', {
      model: model<{ id: number; name: string }>('labels'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      filters: (f) => ({ name: f.where().usableIf('filter') }),
      policy: () => ({ viewAny: true, view: true, custom: { filter: staff } }),
    })
    const few = createServer({ resources: [named], data: memoryData() })
    expect((await explainAccess(few, 'labels:filter', { as: bob })).text).toBe(
      "labels:filter is denied with 403.\n  - policy.custom.filter of 'labels' denies it to this caller.",
    )
    expect(await explainAccess(few, 'labels.name:filter', { as: bob })).toMatchObject({ status: 400 })
  })
})
