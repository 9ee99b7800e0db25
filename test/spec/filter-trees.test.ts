import * as fc from 'fast-check'
import {
  belongsTo,
  createServer,
  defaultProfiles,
  defineResource,
  filterTreeProfile,
  hasMany,
  id as idOf,
  model,
  type ServerSettings,
} from 'ashlar'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { runs } from '../support/runs.js'
import { storedData } from '../support/stored-data.js'

interface Album {
  id: number
  title: string | null
  year: number | null
  rating: number | null
  status: string
  artistId: number | null
}

const album = (id: number, parts: Partial<Album>): Album => {
  return { id, title: null, year: null, rating: null, status: 'draft', artistId: null, ...parts }
}

const rows: readonly Album[] = [
  album(1, { title: 'The Bends', year: 1995, rating: 4, status: 'published', artistId: 1 }),
  album(2, { title: 'Kid A', year: 2000, rating: 5, status: 'published', artistId: 1 }),
  album(3, { title: 'Post', year: 1995, artistId: 2 }),
  album(4, { title: null, year: null, rating: 1, status: 'hidden', artistId: 2 }),
  album(5, { title: '100% of it', year: 2001, rating: null, artistId: null }),
  album(6, { title: 'kid b', year: 2000, rating: 4, artistId: 3 }),
]

const albums = defineResource('albums', {
  model: model<Album>('albums'),
  id: idOf(),
  attributes: (a) => ({
    title: a.string().nullable().sortable(),
    year: a.integer().nullable(),
    rating: a.integer().nullable(),
    status: a.string(),
    secret: a.string().hidden().storedAs('status'),
  }),
  relations: { artist: belongsTo('artists').nullable(), tracks: hasMany('tracks') },
  filters: (f) => ({
    title: f.contains(),
    starts: f.startsWith('title'),
    year: f.range(),
    rating: f.where(),
    notRated: f.where('rating').operator('!='),
    status: f.in(),
    otherwise: f.notIn('rating'),
    unrated: f.isNull('rating'),
    artistName: f.through('artist.name'),
    tracks: f.has(),
    staff: f.where('status').usableIf(({ caller }) => caller !== null),
    either: f.any({ title: f.contains(), by: f.through('artist.name') }),
    own: f.custom({ where: (value, g) => g.where('status').fixed(value) }),
    secret: f.where('secret'),
  }),
  aggregates: (g) => ({ totals: g.fields({ albums: g.count() }) }),
  pagination: null,
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string | null; hidden: boolean }>('artists'),
  id: idOf(),
  attributes: (a) => ({ name: a.string().nullable() }),
  scope: (_context, f) => f.where('hidden').fixed(false),
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number }>('tracks'),
  id: idOf(),
  attributes: (a) => ({ title: a.string() }),
  relations: { album: belongsTo('albums') },
})

const seeds = {
  albums: rows,
  artists: [
    { id: 1, name: 'Radiohead', hidden: false },
    { id: 2, name: 'Björk', hidden: true },
    { id: 3, name: null, hidden: false },
  ],
  tracks: [{ id: 1, title: 'Airbag', albumId: 2 }],
}

const profiles = [...defaultProfiles, filterTreeProfile]
const serverWith = (settings: Partial<ServerSettings> = {}) =>
  createServer({
    resources: [albums, artists, tracks],
    data: storedData(seeds),
    access: 'open',
    profiles,
    ...settings,
  })
const server = serverWith()
// OpenAPI describes no QUERY requests in JSON.
const api = client(server, { isDescribed: false })

function send(body: unknown, path = '/albums', over = api): Promise<TestResponse> {
  return over.request('QUERY', path, { headers: { 'Content-Type': 'application/json' }, body })
}

async function found(filter: unknown): Promise<readonly string[]> {
  return (await send({ filter })).resources.map(({ id }) => id)
}

const groupsOf = async (filter: object): Promise<TestResponse['resources']> =>
  (await send({ filter }, '/albums/-aggregates/totals')).resources

describe('a filter tree', () => {
  test('combines filters by and, or and not', async () => {
    expect(await found({ or: [{ title: 'kid' }, { rating: 1 }] })).toEqual(['2', '4', '6'])
    expect(await found({ and: [{ title: 'kid' }, { rating: 4 }] })).toEqual(['6'])
    expect(await found({ title: 'kid', not: { rating: 4 } })).toEqual(['2'])
    expect(await found({ not: { year: { min: 1996 } } })).toEqual(['1', '3', '4'])
    expect(await found({ not: { or: [{ status: ['draft', 'hidden'] }, { year: { max: 1999 } }] } })).toEqual(['2'])
    expect(await found({ tracks: true })).toEqual(['2'])
    expect(await found({ not: { unrated: true } })).toEqual(['1', '2', '4', '6'])
    expect(await found({ or: [] })).toEqual([])
    expect(await found({ and: [], not: { or: [] } })).toHaveLength(6)
    expect(await found({ not: {} })).toEqual([])
    expect(await found({})).toHaveLength(6)
  })

  test('has rows without a value in a negation, but not in the filter', async () => {
    expect(await found({ or: [{ rating: 4 }] })).toEqual(['1', '6'])
    expect(await found({ or: [{ notRated: 4 }] })).toEqual(['2', '4'])
    expect(await found({ not: { rating: 4 } })).toEqual(['2', '3', '4', '5'])
    expect(await found({ not: { notRated: 4 } })).toEqual(['1', '3', '5', '6'])
  })

  test('reaches no rows that the caller cannot see', async () => {
    expect(await found({ or: [{ artistName: 'Björk' }] })).toEqual([])
    expect(await found({ not: { artistName: 'Björk' } })).toHaveLength(6)
    expect(await found({ not: { artistName: 'Radiohead' } })).toEqual(['3', '4', '5', '6'])
  })

  test('names its profile in the response, and has the other members of a query', async () => {
    const { document, headers, resources } = await send({
      filter: { or: [{ status: 'published' }] },
      sort: ['-title'],
      fields: { albums: ['title', 'artist'], artists: ['name'] },
      include: ['artist'],
    })
    expect(resources.map(({ attributes }) => attributes)).toEqual([{ title: 'The Bends' }, { title: 'Kid A' }])
    expect(document?.included).toHaveLength(1)
    expect(headers.get('content-type')).toBe(`application/vnd.api+json; profile="${filterTreeProfile.uri}"`)
    expect(document?.jsonapi?.['profile']).toEqual([filterTreeProfile.uri])
    expect([headers.get('content-location'), document?.links?.['self']]).toEqual([null, undefined])
    expect((await api.request('OPTIONS', '/albums')).headers.get('accept-query')).toBe(
      'application/x-www-form-urlencoded, application/json',
    )
  })

  test('may be empty', async () => {
    const headers = { 'Content-Type': 'application/json' }
    expect((await api.request('QUERY', '/albums', { headers })).resources).toHaveLength(6)
  })

  test('filters the rows of aggregates, whose ids depend on it', async () => {
    const trees = [{}, { not: { rating: 4 } }, { or: [{ rating: 4 }] }, { not: { rating: 5 } }]
    const groups = (await Promise.all(trees.map(groupsOf))).flat()
    expect(groups.map(({ attributes }) => attributes?.['albums'])).toEqual([6, 4, 2, 5])
    expect(new Set(groups.map(({ id }) => id)).size).toBe(4)
    const [plain] = (await api.query('/albums/-aggregates/totals', 'filter[rating]=4')).resources
    const [same] = await groupsOf({ rating: 4 })
    expect([same?.id, same?.attributes]).toEqual([plain?.id, plain?.attributes])
  })

  test('needs the profile on the server', async () => {
    const plain = client(serverWith({ profiles: defaultProfiles }), { isDescribed: false })
    const response = await send({}, '/albums', plain)
    expectErrors(response, [{ status: 415, code: 'QUERY_MEDIA_TYPE_UNSUPPORTED' }])
    expect(response.headers.get('accept-query')).toBe('application/x-www-form-urlencoded')
  })
})

const many = (count: number, filter: object = { title: 'x' }): object => ({
  or: Array.from({ length: count }, () => filter),
})

describe('the faults of a filter tree', () => {
  test('have the pointers of their places, all at once', async () => {
    const nothing = { or: [{ nothing: 1 }, { year: 3 }, { not: { rating: 'x' } }] }
    expectErrors(await send({ filter: nothing }), [
      { status: 400, code: 'FILTERING_UNRECOGNIZED', pointer: '/filter/or/0/nothing' },
      { status: 400, code: 'FILTER_VALUE_INVALID', pointer: '/filter/or/1/year' },
      { status: 400, code: 'FILTER_VALUE_INVALID', pointer: '/filter/or/2/not/rating' },
    ])
    expectErrors(await send({ filter: { or: { title: 'x' }, and: [1], not: [], title: null } }), [
      { code: 'QUERY_MEMBER_INVALID', pointer: '/filter/or' },
      { code: 'QUERY_MEMBER_INVALID', pointer: '/filter/and/0' },
      { code: 'QUERY_MEMBER_INVALID', pointer: '/filter/not' },
      { code: 'QUERY_MEMBER_INVALID', pointer: '/filter/title' },
    ])
    expectErrors(await send({ filter: { 'a/b~': 1 } }), [{ pointer: '/filter/a~1b~0' }])
    expectErrors(await send({ filter: { or: [{ unrated: false }] } }), [
      { code: 'FILTER_VALUE_INVALID', pointer: '/filter/or/0/unrated' },
    ])
  })

  test('are those of hidden fields and of filters for some callers', async () => {
    for (const key of ['secret', 'staff', 'constructor', '__proto__']) {
      const filter = JSON.parse(`{"not":{"or":[{"${key}":"draft"}]}}`) as unknown
      expectErrors(await send({ filter }), [{ code: 'FILTERING_UNRECOGNIZED', pointer: `/filter/not/or/0/${key}` }])
    }
  })

  test('do not depend on a caller before', async () => {
    const filter = { not: { or: [{ staff: 'draft' }] } }
    const ofStaff = await api.request('QUERY', '/albums', {
      headers: { 'Content-Type': 'application/json' },
      body: { filter },
      caller: { name: 'Ann' },
    })
    expect(ofStaff.resources.map(({ id }) => id)).toEqual(['1', '2', '4'])
    expectErrors(await send({ filter }), [{ code: 'FILTERING_UNRECOGNIZED', pointer: '/filter/not/or/0/staff' }])
  })

  test('are those of the other members of a query', async () => {
    expectErrors(await send([]), [{ code: 'QUERY_MEMBER_INVALID', pointer: '' }])
    expectErrors(await send({ sort: 'title' }), [{ code: 'QUERY_MEMBER_INVALID', pointer: '/sort' }])
    expectErrors(await send({ sort: ['nothing'] }), [{ code: 'SORTING_UNRECOGNIZED', pointer: '/sort' }])
    expectErrors(await send({ fields: { albums: ['nothing'] } }), [{ pointer: '/fields' }])
    expectErrors(await send({ nonsense: 1 }), [{ code: 'QUERY_PARAM_UNRECOGNIZED', pointer: '/nonsense' }])
    expectErrors(await send({ filter: { or: [] } }, '/albums/1'), [{ code: 'FILTERING_UNRECOGNIZED' }])
  })

  test('are its depth, and the number of its filters and values', async () => {
    const nested = (depth: number): unknown => (depth === 0 ? { title: 'x' } : { not: nested(depth - 1) })
    expect((await send({ filter: nested(8) })).status).toBe(200)
    expectErrors(await send({ filter: nested(9) }), [{ code: 'LIMIT_EXCEEDED', pointer: `/filter${'/not'.repeat(9)}` }])
    expect((await send({ filter: many(100) })).status).toBe(200)
    expectErrors(await send({ filter: many(101) }), [{ code: 'LIMIT_EXCEEDED', pointer: '/filter' }])
    for (const empty of [{}, { or: [] }, { not: {} }]) {
      expectErrors(await send({ filter: many(101, empty) }), [{ code: 'LIMIT_EXCEEDED', pointer: '/filter' }])
    }
    const small = client(serverWith({ limits: { filterDepth: 1, filterLeaves: 2, queryFilterValues: 1000 } }), {
      isDescribed: false,
    })
    expectErrors(await send({ filter: nested(2) }, '/albums', small), [{ code: 'LIMIT_EXCEEDED' }])
    expectErrors(await send({ filter: many(3) }, '/albums', small), [{ code: 'LIMIT_EXCEEDED' }])
    const ids = Array.from({ length: 1001 }, String)
    expectErrors(await send({ filter: { not: { status: ids } } }, '/albums', small), [
      { code: 'LIMIT_EXCEEDED', pointer: '/filter/not/status' },
    ])
  })

  test('are the number of its parameters, and of the faults that are looked for', async () => {
    const small = client(serverWith({ limits: { queryFilterValues: 10, filterValues: 5 } }), { isDescribed: false })
    expect((await send({ page: members(1000) }, '/albums', small)).status).toBe(200)
    const [wide] = expectErrors(await send({ page: members(1001) }, '/albums', small), [{ code: 'LIMIT_EXCEEDED' }])
    expect(wide?.detail).toBe('A request may have at most 1000 parameters in a query.')
    const year = members(501)
    expectErrors(await send({ filter: { or: [{ year }, { year }] } }, '/albums', small), [
      { code: 'LIMIT_EXCEEDED', pointer: '/filter' },
    ])
    const { document } = await send({ filter: { or: Array.from({ length: 1000 }, () => 1) } })
    expect(document?.errors).toHaveLength(100)
  })

  test('are its cost, which counts every filter', async () => {
    const costly = client(serverWith({ queryCost: { budget: 20, expectedRows: 1, join: 10 } }), { isDescribed: false })
    expect((await send({ filter: many(1, { artistName: 'x' }) }, '/albums', costly)).status).toBe(200)
    expectErrors(await send({ filter: many(2, { artistName: 'x' }) }, '/albums', costly), [
      { code: 'QUERY_TOO_EXPENSIVE', pointer: '/filter/or' },
    ])
  })
})

const members = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, 1]))

const leaves: fc.Arbitrary<object> = fc.oneof(
  fc.constantFrom('kid', 'THE', '%', '', 'nothing').map((title) => ({ title })),
  fc.constantFrom('K', 'k', '1').map((starts) => ({ starts })),
  fc.constantFrom<object>({ min: 1996 }, { max: 1995 }, { min: 1995, max: 2000 }).map((year) => ({ year })),
  fc.constantFrom(1, 4, 5, 9).map((rating) => ({ rating })),
  fc.constantFrom(1, 4).map((notRated) => ({ notRated })),
  fc.subarray(['draft', 'published', 'other'], { minLength: 1 }).map((status) => ({ status })),
  fc.subarray([1, 4, 9], { minLength: 1 }).map((otherwise) => ({ otherwise })),
  fc.constantFrom<object>({ unrated: true }, { tracks: true }),
  fc.constantFrom('Radiohead', 'Björk').map((artistName) => ({ artistName })),
  fc.constantFrom('kid', 'radio').map((either) => ({ either })),
  fc.constantFrom('draft', 'hidden').map((own) => ({ own })),
)

type Tree = object
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    leaves,
    fc.array(tie('tree'), { maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('tree'), { maxLength: 3 }).map((or) => ({ or })),
    tie('tree').map((not) => ({ not })),
  ),
}))

/** Evaluates a tree with the results of its single filters. */
async function expected(node: Tree): Promise<ReadonlySet<string>> {
  const all = new Set(rows.map(({ id }) => String(id)))
  const parts = node as { and?: Tree[]; or?: Tree[]; not?: Tree }
  if (parts.and !== undefined) {
    const sets = await Promise.all(parts.and.map(expected))
    return new Set([...all].filter((id) => sets.every((each) => each.has(id))))
  }
  if (parts.or !== undefined) {
    const sets = await Promise.all(parts.or.map(expected))
    return new Set([...all].filter((id) => sets.some((each) => each.has(id))))
  }
  if (parts.not !== undefined) {
    const inner = await expected(parts.not)
    return new Set([...all].filter((id) => !inner.has(id)))
  }
  return new Set(await found(node))
}

test('Trees match the rows that their filters match one by one, and negations exactly the others', async () => {
  const property = fc.asyncProperty(tree, async (filter) => {
    expect(new Set(await found({ and: [filter] }))).toEqual(await expected(filter))
  })
  await fc.assert(property, { numRuns: runs(60) })
})
