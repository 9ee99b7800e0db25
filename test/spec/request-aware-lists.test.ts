import {
  belongsTo,
  createServer,
  cursorPage,
  defineResource,
  hasMany,
  id,
  model,
  morphTo,
  pageMenu,
  type RequestContext,
} from 'ashlar'
import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { expectErrors, type TestClient, type TestResponse } from 'ashlar/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { isAdmin, byName } from '../support/named-callers.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'
import { storedRows } from '../support/stored-rows.js'
import { exemptFromDescription } from '../support/described-exchange.js'

/** Filters, sorts and include paths that some callers have and others do not. */

const staff = ({ caller }: RequestContext): boolean => isAdmin(caller)
const root = { headers: { Authorization: 'root' } }

const profiles = [countableProfile.uri, relationshipQueriesProfile.uri]
const profiled = { headers: { Accept: `application/vnd.api+json; profile="${profiles.join(' ')}"` } }

const labels = defineResource('labels', {
  model: model<{ id: number; name: string }>('labels'),
  id: id(),
  attributes: (a) => ({ name: a.string().sortableIf('audit') }),
  relations: { artists: hasMany('artists') },
  policy: () => ({ viewAny: true, view: true, custom: { audit: ({ caller }) => isAdmin(caller) } }),
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string; labelId: number | null }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().sortable() }),
  relations: {
    label: belongsTo('labels').includableIf(staff).filterableIf(staff),
    albums: hasMany('albums')
      .countable()
      .withFilters((f) => ({ early: f.lessThan('plays').usableIf(staff) }))
      .withSorts((s) => ({ newest: s.field('id').usableIf(staff) })),
    notes: hasMany('notes')
      .via('subjectId')
      .includableIf(() => false),
  },
  policy: 'public',
})

interface AlbumRow {
  readonly id: number
  readonly title: string
  readonly plays: number
  readonly status: string
  readonly artistId: number | null
}

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().sortable(), plays: a.integer().sortableIf('audit'), status: a.string() }),
  relations: { artist: belongsTo('artists').withData() },
  filters: (f) => ({
    title: f.contains(),
    plays: f.range().usableIf('audit'),
    slug: f.where('title').singular().usableIf(staff),
    status: f.where().default('out').usableIf(staff),
  }),
  sorts: (s) => ({
    artist: s.through('artist.name').usableIf(staff),
    byPlays: s.field('plays').usableIf('audit'),
  }),
  defaultSort: ['-byPlays'],
  pagination: pageMenu([cursorPage({ size: 2 })]),
  policy: () => ({
    viewAny: true,
    view: true,
    create: true,
    custom: { audit: ({ caller }) => isAdmin(caller) },
  }),
})

const notes = defineResource('notes', {
  model: model<{ id: number; subjectType: string; subjectId: number }>('notes'),
  id: id(),
  relations: { subject: morphTo(['artists', 'albums']) },
  allowedIncludePaths: ['subject', { path: 'subject.artist', usableIf: staff }, 'subject.label'],
  policy: 'public',
})

let api: TestClient
let data: ReturnType<typeof storedData>

beforeEach(() => {
  data = storedData({
    labels: [
      { id: 1, name: 'XL' },
      { id: 2, name: 'ECM' },
    ],
    artists: [
      { id: 1, name: 'Radiohead', labelId: 1 },
      { id: 2, name: 'Burial', labelId: 2 },
    ],
    albums: [
      { id: 1, title: 'OK Computer', plays: 10, status: 'out', artistId: 1 },
      { id: 2, title: 'Kid A', plays: 30, status: 'out', artistId: 1 },
      { id: 3, title: 'Untrue', plays: 20, status: 'out', artistId: 2 },
      { id: 4, title: 'Draft', plays: 40, status: 'draft', artistId: 2 },
    ],
    notes: [
      { id: 1, subjectType: 'albums', subjectId: 1 },
      { id: 2, subjectType: 'artists', subjectId: 1 },
    ],
  })
  api = client(createServer({ resources: [labels, artists, albums, notes], data, middleware: [byName] }))
})

const ids = ({ resources }: TestResponse): readonly string[] => resources.map(({ id: key }) => key ?? '')

/** Expects that strangers get 400 with the exact detail, and staff 200. */
async function expectWithheld(path: string, code: string, parameter: string, detail: string): Promise<TestResponse> {
  const [error] = expectErrors(await api.get(path, profiled), [{ status: 400, code, parameter }])
  expect(error?.detail).toBe(detail)
  const allowed = await api.get(path, { headers: { ...profiled.headers, ...root.headers } })
  expect(allowed.errors).toEqual([])
  return allowed
}

const noSort = (key: string): string => `The sort key '${key}' is not offered here. Offered: id, title.`

const noPath = (path: string, offered: string): readonly [code: string, parameter: string, detail: string] => [
  'INCLUSION_UNRECOGNIZED',
  'include',
  `These include paths name no relationship: ${path}. Offered: ${offered}.`,
]

/** A type that notes can be about. */
const subject = (related: ReturnType<typeof hasMany<'notes'>>) => ({
  id: id(),
  relations: { notes: related.via('subjectId') },
  policy: 'public' as const,
})

describe('a filter with usableIf()', () => {
  test('does not exist for requests that do not meet its condition, and no error lists it', async () => {
    const ranged = await expectWithheld(
      '/albums?filter[plays][min]=20',
      'FILTERING_UNRECOGNIZED',
      'filter[plays]',
      "The filter 'plays' is not offered here. Offered: id, title.",
    )
    expect(ids(ranged)).toEqual(['2', '3'])
    const [error] = expectErrors(await api.get('/albums?filter[x]=1', root), [{ status: 400 }])
    expect(error?.detail).toContain('Offered: id, title, plays, slug, status.')
  })

  test('is unknown with any value, also together with invalid values of other filters', async () => {
    for (const query of ['filter[plays]=x', 'filter[plays][from]=1', `filter[plays][min]=${'9'.repeat(1100)}`]) {
      expectErrors(await api.get(`/albums?${query}`), [{ status: 400, code: 'FILTERING_UNRECOGNIZED' }])
    }
  })

  test('does not make a response singular for callers who may not use it', async () => {
    exemptFromDescription('queries', 'A response that is singular ignores the kind of a page.')
    // A list is refused for its page first. A single resource has no pages.
    const paged = '/albums?filter[slug]=Kid A&page[kind]=nothing'
    expectErrors(await api.get(paged), [{ status: 400, code: 'PAGINATION_KIND_UNKNOWN' }])
    expect((await api.get(paged, root)).resource.id).toBe('2')
  })

  test('has a default that applies to everybody, which only callers who may use it can change', async () => {
    expect(ids(await api.get('/albums?page[size]=9'))).toEqual(['2', '3', '1'])
    expectErrors(await api.get('/albums?filter[status]=draft'), [{ status: 400, code: 'FILTERING_UNRECOGNIZED' }])
    expect(ids(await api.get('/albums?filter[status]=draft', root))).toEqual(['4'])
  })

  test('is withheld at the endpoints of relations, and from queries of relationships', async () => {
    const detail = "The filter 'early' is not offered here. Offered: id, title."
    for (const path of ['/artists/1/albums', '/artists/1/relationships/albums']) {
      const early = await expectWithheld(`${path}?filter[early]=20`, 'FILTERING_UNRECOGNIZED', 'filter[early]', detail)
      expect(shown(early.document?.data)).toEqual(['albums 1'])
    }
    const parameter = 'relatedQuery[albums][filter][early]'
    const related = await expectWithheld(
      `/artists?include=albums&${parameter}=20`,
      'FILTERING_UNRECOGNIZED',
      parameter,
      detail,
    )
    expect(shown(related.document?.included)).toEqual(['albums 1'])
  })

  test('may be that of a relation: filterableIf()', async () => {
    const detail = "The filter 'label' is not offered here. Offered: id."
    const filtered = await expectWithheld('/artists?filter[label]=2', 'FILTERING_UNRECOGNIZED', 'filter[label]', detail)
    expect(ids(filtered)).toEqual(['2'])
  })
})

describe('a sort with usableIf()', () => {
  test.each(['plays', 'byPlays', 'artist'])('%s does not exist for others, and no error lists it', async (key) => {
    await expectWithheld(`/albums?sort=-${key}`, 'SORTING_UNRECOGNIZED', 'sort', noSort(key))
    await expectWithheld(`/artists/1/albums?sort=${key}`, 'SORTING_UNRECOGNIZED', 'sort', noSort(key))
  })

  test('is withheld at the endpoints of relations, and from queries of relationships', async () => {
    for (const path of ['/artists/1/albums', '/artists/1/relationships/albums']) {
      const newest = await expectWithheld(`${path}?sort=-newest`, 'SORTING_UNRECOGNIZED', 'sort', noSort('newest'))
      expect(shown(newest.document?.data)).toEqual(['albums 2', 'albums 1'])
    }
    const parameter = 'rQ[albums][sort]'
    const path = `/artists/1?include=albums&${parameter}=-newest`
    await expectWithheld(path, 'SORTING_UNRECOGNIZED', parameter, noSort('newest'))
  })

  test('is unsupported if the caller may use none', async () => {
    const unsorted = defineResource('labels', {
      model: model<{ id: number; name: string }>('labels'),
      id: id().withoutQueries(),
      attributes: (a) => ({ name: a.string().sortableIf(staff) }),
      policy: 'public',
    })
    const few = client(createServer({ resources: [unsorted], data, middleware: [byName] }))
    for (const key of ['name', 'nama']) {
      expectErrors(await few.get(`/labels?sort=${key}`), [{ status: 400, code: 'SORTING_UNSUPPORTED' }])
    }
    expect(ids(await few.get('/labels?sort=name', root))).toEqual(['2', '1'])
  })

  test('may be the default sort of everybody', async () => {
    expect(ids(await api.get('/albums'))).toEqual(['2', '3'])
    const { document } = await api.get('/artists/1/albums')
    expect(shown(document?.data)).toEqual(['albums 2', 'albums 1'])
  })

  test('is not enabled by the cursor of another caller', async () => {
    const first = await api.get('/albums?sort=plays', root)
    const next = String(first.document?.links?.['next']).slice('http://localhost'.length)
    expect(ids(await api.get(next, root))).toEqual(['2'])
    expectErrors(await api.get(next), [{ status: 400, code: 'SORTING_UNRECOGNIZED', parameter: 'sort' }])
    const after = new URL(next, 'http://localhost').searchParams.get('page[after]') ?? ''
    expectErrors(await api.get(`/albums?page[after]=${encodeURIComponent(after)}`), [
      { status: 400, code: 'CURSOR_STALE' },
    ])
  })
})

describe('a relation with includableIf()', () => {
  test('is unknown to include for others, at every depth', async () => {
    const direct = await expectWithheld('/artists?include=label', ...noPath('label', 'albums'))
    expect(shown(direct.document?.included)).toEqual(['labels 1', 'labels 2'])
    await expectWithheld('/artists/1?include=label', ...noPath('label', 'albums'))
    await expectWithheld('/artists/1/label?include=artists.label', ...noPath('artists.label', 'artists.albums'))
    const deep = await expectWithheld('/albums?include=artist.label', ...noPath('artist.label', 'artist.albums'))
    expect(shown(deep.document?.included)).toContain('labels 2')
    await expectWithheld(
      '/labels/1/artists?include=albums.artist.label',
      ...noPath('albums.artist.label', 'albums.artist.albums'),
    )
    await expectWithheld('/albums/1/artist?include=label.artists', ...noPath('label.artists', 'albums'))
  })

  test('has linkage, links and endpoints', async () => {
    const { relationships } = (await api.get('/artists/1')).resource
    expect(relationships?.['label']).toMatchObject({ data: { type: 'labels', id: '1' }, links: {} })
    expect((await api.get('/artists/1/label')).resource.id).toBe('1')
    expect((await api.get('/artists/1/relationships/label')).status).toBe(200)
    expect((await api.get('/artists/1?fields[artists]=label')).resource.relationships).toHaveProperty('label')
  })

  test('is followed in those types of a relation to several that allow it', async () => {
    const resources = [
      defineResource('artists', {
        model: model<{ id: number }>('artists'),
        ...subject(hasMany('notes').includableIf(staff)),
      }),
      defineResource('albums', { model: model<{ id: number }>('albums'), ...subject(hasMany('notes')) }),
      defineResource('notes', {
        model: model<{ id: number; subjectType: string; subjectId: number }>('notes'),
        id: id(),
        relations: { subject: morphTo(['artists', 'albums']) },
        policy: 'public',
      }),
    ]
    const few = client(createServer({ resources, data, middleware: [byName] }))
    const linked = async (options: object): Promise<readonly string[]> => {
      const { document } = await few.get('/notes?include=subject.notes', options)
      return (document?.included ?? []).flatMap(({ type, relationships }) =>
        relationships?.['notes']?.data === undefined ? [] : [type],
      )
    }
    for (let round = 0; round < 2; round += 1) {
      expect(await linked({})).toEqual(['albums'])
      expect((await linked(root)).toSorted()).toEqual(['albums', 'artists'])
    }
  })

  test('is refused before a write', async () => {
    const labelled = { ...resourceBody('albums', { title: 'New', plays: 1, status: 'out' }) }
    expectErrors(await api.post('/albums?include=artist.label', { body: labelled }), [
      { status: 400, code: 'INCLUSION_UNRECOGNIZED' },
    ])
    expect((await storedRows(data, ['albums'])).albums).toHaveLength(4)
    expect((await api.post('/albums?include=artist.label', { body: labelled, ...root })).status).toBe(201)
  })

  test('is left out of default includes', async () => {
    const byDefault = defineResource('artists', {
      model: model<{ id: number; name: string; labelId: number | null }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      relations: { label: belongsTo('labels').includableIf('audit') },
      defaultIncludes: ['label'],
      policy: () => ({ viewAny: true, view: true, custom: { audit: ({ caller }) => isAdmin(caller) } }),
    })
    const few = client(
      createServer({
        resources: [byDefault, labels.with({ operations: ['FetchOne'] })],
        data,
        middleware: [byName],
      }),
    )
    for (let round = 0; round < 2; round += 1) {
      expect((await few.get('/artists')).document?.included).toBeUndefined()
      expect(shown((await few.get('/artists', root)).document?.included)).toEqual(['labels 1', 'labels 2'])
    }
  })
})

describe('a path of allowedIncludePaths with a condition', () => {
  test('is like any path outside of the list for others', async () => {
    for (const path of ['subject.artist', 'subject.albums']) {
      const [error] = expectErrors(await api.get(`/notes?include=${path}`), [
        { status: 400, code: 'INCLUSION_NOT_ALLOWED', parameter: 'include' },
      ])
      expect(error?.detail).toBe(`These include paths are not allowed here: ${path}.`)
    }
    expect(shown((await api.get('/notes?include=subject.artist', root)).document?.included)).toContain('artists 1')
    expect(shown((await api.get('/notes?include=subject')).document?.included)).toEqual(['albums 1', 'artists 1'])
  })
})
