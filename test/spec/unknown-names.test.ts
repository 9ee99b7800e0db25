import { belongsTo, createServer, defineResource, hasMany, id, model, type RequestContext } from 'ashlar'
import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const staff = { headers: { 'X-Staff': 'yes' } }
const isStranger = (_row: unknown, { request }: RequestContext): boolean => request?.header('x-staff') !== 'yes'

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums'), fans: hasMany('albums').via('artistId').cannotBeIncluded() },
})

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; year: number; margin: number; artistId: number }>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string().sortable(),
    year: a.integer().sortable(),
    margin: a.integer().sortable().hidden(isStranger),
  }),
  relations: { artist: belongsTo('artists'), producer: belongsTo('artists').via('artistId').hidden(isStranger) },
  filters: (f) => ({ title: f.where(), years: f.range('year'), margin: f.where() }),
})

const api = client(createServer({ resources: [artists, albums], data: storedData({ artists: [], albums: [] }) }))

async function detail(target: string, code: string, options = {}): Promise<string | undefined> {
  const [error] = expectErrors(await api.get(target, options), [{ status: 400, code }])
  return error?.detail
}

describe('an error for an unknown name lists the names that the caller may use', () => {
  test('filters', async () => {
    const target = '/albums?filter[nothing]=1'
    expect(await detail(target, 'FILTERING_UNRECOGNIZED')).toBe(
      "The filter 'nothing' is not offered here. Offered: id, title, years.",
    )
    expect(await detail(target, 'FILTERING_UNRECOGNIZED', staff)).toBe(
      "The filter 'nothing' is not offered here. Offered: id, title, years, margin.",
    )
    expect(await detail('/albums/1?filter[title]=x', 'FILTERING_UNRECOGNIZED')).toBe(
      "The filter 'title' is not offered here. Offered: nothing.",
    )
  })

  test('sort keys', async () => {
    expect(await detail('/albums?sort=-nothing', 'SORTING_UNRECOGNIZED')).toBe(
      "The sort key 'nothing' is not offered here. Offered: id, title, year.",
    )
    expect(await detail('/albums?sort=nothing', 'SORTING_UNRECOGNIZED', staff)).toContain('id, title, year, margin.')
  })

  test('fields', async () => {
    expect(await detail('/albums?fields[albums]=nothing', 'FIELDSET_MEMBER_UNRECOGNIZED')).toBe(
      "The fieldset of type 'albums' names members that the type does not have: nothing. Offered: title, year, artist.",
    )
    const unknown = "Offered: nothing, because there is no type 'albms'. Types: artists, albums."
    expect(await detail('/albums?fields[albms]=x', 'FIELDSET_MEMBER_UNRECOGNIZED')).toContain(unknown)
    expect(await detail('/albums?withLinkage[albms]=x', 'RELATIONSHIP_LINKAGE_NOT_ALLOWED')).toContain(unknown)
  })

  test('include paths, at the position of the error', async () => {
    expect(await detail('/albums?include=nothing', 'INCLUSION_UNRECOGNIZED')).toBe(
      'These include paths name no relationship: nothing. Offered: artist.',
    )
    expect(await detail('/albums?include=artist.nothing.more', 'INCLUSION_UNRECOGNIZED')).toBe(
      'These include paths name no relationship: artist.nothing.more. Offered: artist.albums.',
    )
  })

  test('up to a limit', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `field${index}`)
    const wide = defineResource('albums', {
      model: model<Record<string, unknown>>('albums'),
      id: id(),
      attributes: (a) => Object.fromEntries(names.map((name) => [name, a.string().sortable()])),
    })
    const server = createServer({ resources: [wide], data: storedData({ albums: [] }) })
    const [error] = expectErrors(await client(server).get('/albums?sort=nothing'), [{ status: 400 }])
    expect(error?.detail).toMatch(/Offered: id, field0, .*, field28 and 11 more\.$/)
  })
})

test('an unknown bound of a range is 400', async () => {
  expect(await detail('/albums?filter[years][from]=1990', 'FILTER_VALUE_INVALID')).toBe(
    "A range has the bounds 'min' and 'max', and no bound 'from'.",
  )
  expect((await api.get('/albums?filter[years][min]=1990&filter[years][max]=')).status).toBe(200)
})

test.each(['filter[years]=1990', 'filter[years][]=1990'])('%s, a range without bounds, is 400', async (query) => {
  expect(await detail(`/albums?${query}`, 'FILTER_VALUE_INVALID')).toBe(
    "A range has the bounds 'min' and 'max': send one of them, or both.",
  )
})

describe('an unknown query parameter names those of the server', () => {
  const unknown = "The query parameter 'q' is not recognized by this endpoint. Offered by this server: "
  const base = 'fields, filter, include, page, sort, withLinkage'

  test('with registered families', async () => {
    expect(await detail('/albums?q=1', 'QUERY_PARAM_UNRECOGNIZED')).toBe(`${unknown}${base}.`)
    const data = storedData({ artists: [], albums: [] })
    const server = createServer({ resources: [artists, albums], data, queryFamilies: ['labelLocale', 'previewMode'] })
    const [error] = expectErrors(await client(server).get('/albums/1?q=1'), [{ status: 400, parameter: 'q' }])
    expect(error?.detail).toBe(`${unknown}${base}, labelLocale, previewMode.`)
  })

  test('with those of profiles that the request names', async () => {
    const { uri } = relationshipQueriesProfile
    const accept = `application/vnd.api+json;profile="${uri}"`
    const [error] = expectErrors(await api.get('/albums?q=1', { headers: { accept } }), [{ status: 400 }])
    expect(error?.detail).toBe(`${unknown}${base}, relatedQuery, rQ.`)
  })
})

test.each([
  ['withCount=_self_', countableProfile.uri],
  ['relatedQuery[artist][sort]=name', relationshipQueriesProfile.uri],
  ['rQ[artist][sort]=name', relationshipQueriesProfile.uri],
])('%s without its profile names the profile', async (query, uri) => {
  const [name = ''] = query.split(/[=[]/)
  expect(await detail(`/albums?${query}`, 'QUERY_PARAM_UNRECOGNIZED')).toBe(
    `The query parameter '${name}' is not recognized by this endpoint unless the header Accept names the profile ${uri}.`,
  )
})
