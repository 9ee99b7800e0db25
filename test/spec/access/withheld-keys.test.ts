import {
  belongsTo,
  createServer,
  cursorPage,
  defineResource,
  hasMany,
  id,
  model,
  numberPage,
  pageMenu,
  type RequestContext,
} from 'ashlar'
import { countableProfile, relationshipQueriesProfile } from '../../../src/declare/profiles/profile.js'
import { memoryData } from 'ashlar/memory'
import type { TestResponse } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { client, resourceBody } from '../../support/client.js'
import { byName, isAdmin } from '../../support/named-callers.js'
import { exemptFromDescription } from '../../support/described-exchange.js'

/** A caller cannot distinguish a withheld filter, sort or include path from an unknown name. */

const staff = ({ caller }: RequestContext): boolean => isAdmin(caller)
const policy = () => ({
  viewAny: true,
  view: true,
  create: true,
  update: true,
  custom: { audit: ({ caller }: RequestContext) => isAdmin(caller) },
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: {
    albums: hasMany('albums').includableIf('audit'),
    works: hasMany('albums')
      .via('artistId')
      .withFilters((f) => ({ early: f.where('year').usableIf('audit') }))
      .withSorts((s) => ({ newer: s.field('year').usableIf('audit') })),
  },
  policy,
})

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; year: number; artistId: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().sortable(), year: a.integer().sortableIf(staff) }),
  relations: {
    artist: belongsTo('artists'),
    maker: belongsTo('artists').via('artistId').filterableIf('audit').includableIf(staff),
  },
  filters: (f) => ({
    title: f.where(),
    since: f.greaterThan('year').usableIf(staff),
    years: f.range('year').usableIf('audit'),
    named: f.where('title').singular().usableIf(staff),
    state: f.where('year').default(2000).usableIf(staff),
    either: f.any({ one: f.where('title'), other: f.where('year') }).usableIf(staff),
    custom: f.custom({ where: (value, q) => q.where('year').fixed(Number(value)) }).usableIf(staff),
  }),
  sorts: (s) => ({ maker: s.through('maker.name').usableIf('audit') }),
  defaultIncludes: ['maker'],
  pagination: pageMenu([numberPage(), cursorPage()], { default: 'page' }),
  countable: true,
  policy,
})

const data = () =>
  memoryData({
    artists: [{ id: 1, name: 'Burial' }],
    albums: [
      { id: 1, title: 'Untrue', year: 2007, artistId: 1 },
      { id: 2, title: 'Burial', year: 2000, artistId: 1 },
    ],
  })

const profiles = [countableProfile.uri, relationshipQueriesProfile.uri]
const accept = `application/vnd.api+json; profile="${profiles.join(' ')}"`

interface Withheld {
  readonly path: string
  /** A key that is withheld, and a name of the same length that does not exist. */
  readonly names: readonly [withheld: string, unknown: string]
  readonly method?: 'POST' | 'PATCH' | 'DELETE' | 'OPTIONS'
}

const filterNames = [
  ['since', 'sinec'],
  ['years', 'yeras'],
  ['named', 'naemd'],
  ['state', 'sttae'],
  ['either', 'eitehr'],
  ['custom', 'cutsom'],
  ['maker', 'mkaer'],
] as const
const sortNames = [
  ['year', 'yaer'],
  ['maker', 'mkaer'],
] as const

const withheld: readonly Withheld[] = [
  ...filterNames.flatMap((names) =>
    [
      '/albums?filter[NAME]=2000',
      '/albums?filter[NAME]=',
      '/albums?filter[NAME]=x&filter[NAME]=y',
      '/albums?filter[NAME][min]=x',
      '/albums?filter[NAME][]=1&filter[title]=Untrue',
      '/albums?filter[title][]=&filter[NAME]=1',
      '/albums?filter[NAME]=1&filter[nothing]=1',
      '/albums?filter[nothing]=1&filter[NAME]=1',
      '/albums?filter[NAME]=1&page[kind]=nothing',
      '/albums?filter[NAME]=1&page[kind]=cursor&page[after]=x',
      '/albums?filter[NAME]=1&sort=nothing',
      '/albums?filter[NAME]=1&include=nothing',
      '/albums?filter[NAME]=1&withCount=_self_,nothing',
      '/albums/1?filter[NAME]=1',
      '/artists/1/works?filter[NAME]=2000',
      '/artists/1/relationships/works?filter[NAME]=2000',
      '/artists/9/works?filter[NAME]=2000',
      '/artists?relatedQuery[works][filter][NAME]=2000',
      '/artists/1?include=works&rQ[works][filter][NAME]=2000',
    ].map((path) => ({ path, names })),
  ),
  ...sortNames.flatMap((names) =>
    [
      '/albums?sort=NAME',
      '/albums?sort=-NAME',
      '/albums?sort=title,-NAME,id',
      '/albums?sort=nothing,NAME',
      '/albums?sort=NAME,nothing',
      '/albums?sort=NAME&page[kind]=cursor&page[after]=x',
      '/albums?sort=NAME&filter[nothing]=1',
      '/artists/1/works?sort=NAME',
      '/artists/1/relationships/works?sort=-NAME',
      '/artists?relatedQuery[works][sort]=NAME',
    ].map((path) => ({ path, names })),
  ),
  { path: '/artists/1/works?filter[NAME]=2000', names: ['early', 'ealry'] },
  { path: '/artists/1/works?sort=NAME', names: ['newer', 'newre'] },
  ...[
    '/albums?include=NAME',
    '/albums/1?include=NAME',
    '/albums?include=artist,NAME',
    '/albums?include=NAME.albums',
    '/albums?include=NAME,nothing',
    '/albums?include=NAME&fields[artists]=name',
    '/artists/1/works?include=NAME',
    '/artists?include=works.NAME',
    '/artists?include=works.artist.works.NAME.works',
  ].map((path): Withheld => ({ path, names: ['maker', 'mkaer'] })),
  ...(['POST', 'PATCH', 'DELETE', 'OPTIONS'] as const).flatMap((method) =>
    ['include=NAME', 'include=artist,NAME', 'include=NAME.albums', 'filter[NAME]=1', 'sort=NAME'].map(
      (query): Withheld => ({
        path: `${method === 'POST' ? '/albums' : '/albums/1'}?${query}`,
        names: ['maker', 'mkaer'],
        method,
      }),
    ),
  ),
  { path: '/?include=NAME', names: ['maker', 'mkaer'] },
  { path: '/?filter[NAME]=1', names: ['maker', 'mkaer'] },
  ...['/artists?include=NAME', '/albums?include=artist.NAME', '/albums/1/artist?include=NAME'].map(
    (path): Withheld => ({ path, names: ['albums', 'ablums'] }),
  ),
]

function comparableResponse({ status, headers, text }: TestResponse): string {
  return [status, ...[...headers].map(([name, value]) => `${name}: ${value}`), text].join('\n')
}

test.each([undefined, 'alice'])('a name that is withheld from %s is like one that does not exist', async (caller) => {
  exemptFromDescription('queries', 'A list that is not singular, or has no menu, ignores the kind of a page.')
  const api = client(createServer({ resources: [artists, albums], data: data(), middleware: [byName] }))
  const send = ({ path, method }: Withheld, name: string, as: string | undefined): Promise<TestResponse> => {
    const headers = { Accept: accept, ...(as === undefined ? {} : { Authorization: as }) }
    const body = resourceBody('albums', { title: 'New', year: 2000 })
    const target = path.replaceAll('NAME', name)
    if (method === 'POST') return api.post(target, { headers, body })
    if (method === 'PATCH') return api.patch(target, { headers, body: resourceBody('albums', {}, '1') })
    return api.request(method ?? 'GET', target, { headers })
  }
  let allowed = 0
  for (const each of withheld) {
    const [name, unknown] = each.names
    // Before and after a caller who may use the key has made the server cache a plan for the same request.
    const first = await send(each, name, caller)
    allowed += (await send(each, name, 'root')).errors.length === 0 ? 1 : 0
    for (const response of [first, await send(each, name, caller)]) {
      expect(response.status, each.path).not.toBe(200)
      expect(comparableResponse(response).replaceAll(name, unknown), each.path).toBe(
        comparableResponse(await send(each, unknown, caller)),
      )
    }
  }
  // Callers who may use the keys are not refused, unless the request has another error.
  expect(allowed).toBeGreaterThan(withheld.length / 4)
})
