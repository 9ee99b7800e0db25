import {
  reply,
  atomic,
  authenticate,
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  hasMany,
  id,
  metaResult,
  morphTo,
} from 'ashlar'
import type { RequestContext, RuleKit } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { CountedStatement, TestClient, TestResponse } from 'ashlar/testing'
import { statementCounter } from 'ashlar/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import type { OpenDatabase } from '../write/open-databases.js'
import { databases, engines } from '../write/open-databases.js'

/** A rule on every type takes no further statement, and hides the rows of others on every path. */

const open = databases()

interface Tenant {
  readonly tenantId: number
}

const tables: readonly string[] = [
  'create table artists (id serial, name text not null, "tenantId" integer not null)',
  `create table albums (id serial, title text not null, "artistId" integer references artists (id), "tenantId" integer not null)`,
  `create table tracks (id serial, title text not null, "albumId" integer references albums (id),
    "subjectType" text, "subjectId" integer, "tenantId" integer not null)`,
  'create table genres (id serial, name text not null, "tenantId" integer not null)',
  `create table album_genres ("albumId" integer not null references albums (id), "genreId" integer not null references genres (id),
    primary key ("albumId", "genreId"))`,
  `create table labels (id serial, name text not null, secret text, comments text, "artistId" integer references artists (id),
    "tenantId" integer not null)`,
  `insert into artists (name, "tenantId") values ('Björk', 1), ('Radiohead', 2)`,
  `insert into albums (title, "artistId", "tenantId") values ('Homogenic', 1, 1), ('Kid A', 2, 1), ('Amnesiac', 2, 2), ('Debut', null, 1)`,
  `insert into tracks (title, "albumId", "subjectType", "subjectId", "tenantId") values
    ('Jóga', 1, 'artists', 1, 1), ('Idioteque', 2, 'artists', 2, 1), ('Pyramid Song', 3, 'albums', 1, 1), ('Knives Out', 3, null, null, 2)`,
  `insert into genres (name, "tenantId") values ('pop', 1), ('rock', 2), ('jazz', 1)`,
  `insert into labels (name, secret, comments, "artistId", "tenantId") values ('One Little', 'x', 'y', 1, 1), ('XL', 'x', 'y', 2, 1)`,
  `insert into album_genres ("albumId", "genreId") values (1, 1), (1, 2)`,
]

const firstTenant = () => ({ tenantId: 1 })

function access(isRuled: boolean) {
  if (!isRuled) return { policy: 'public', defaults: firstTenant } as const
  return {
    policy(p: RuleKit<Tenant>) {
      const own = p.signedIn(({ caller }) => p.eq('tenantId', (caller as Tenant).tenantId))
      return { viewAny: true, view: own, create: own, update: own, delete: own }
    },
    defaults: ({ caller }: RequestContext) => ({ tenantId: (caller as Tenant).tenantId }),
  }
}

const rowsOf = (of: string) =>
  table(of) as unknown as ReturnType<typeof table<Tenant & { id: number; name: string; title: string }>>

function serverOf({ database, options }: OpenDatabase, isRuled: boolean, counter: ReturnType<typeof statementCounter>) {
  const artists = defineResource('artists', {
    model: rowsOf('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string().required() }),
    relations: { albums: hasMany('albums') },
    ...access(isRuled),
  })
  const albums = defineResource('albums', {
    model: rowsOf('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string().required() }),
    relations: {
      artist: belongsTo('artists'),
      genres: belongsToMany('genres').through('album_genres', { owner: 'albumId', member: 'genreId' }),
    },
    ...access(isRuled),
  })
  const tracks = defineResource('tracks', {
    model: rowsOf('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string().required() }),
    relations: { album: belongsTo('albums'), subject: morphTo(['artists', 'albums']) },
    ...access(isRuled),
  })
  const genres = defineResource('genres', {
    model: rowsOf('genres'),
    id: id(),
    attributes: (a) => ({ name: a.string().required() }),
    ...access(isRuled),
  })
  return createServer({
    resources: [artists, albums, tracks, genres, ...guardedLabels(isRuled)],
    data: sqlData(database, { ...options, tables: [table('album_genres')], onStatement: counter.onStatement }),
    middleware: [authenticate({ challenge: 'Tenant', caller: () => ({ tenantId: 1 }) })],
    extensions: [atomic()],
  })
}

/** Labels whose rows decide their visibility, by their columns and by related rows. All types have the rows of `labels`. */
function guardedLabels(isRuled: boolean) {
  const promote = isRuled ? 'promote' : null
  const base = {
    model: table<Tenant & { id: number; name: string; secret: string; comments: string; artistId: number }>('labels'),
    id: id(),
    defaults: firstTenant,
    policy(p: RuleKit<Tenant & { id: number }>) {
      const own = p.signedIn(({ caller }) => p.eq('tenantId', (caller as Tenant).tenantId))
      const custom = {
        promote: p.all(
          p.eq('tenantId', 1),
          p.related('artist', (q) => q.eq('name', 'Björk')),
        ),
      }
      return { viewAny: true, view: true, create: own, update: own, delete: own, custom }
    },
  }
  const artist = belongsTo('artists')
  return [
    defineResource('secretLabels', {
      ...base,
      attributes: (a) => ({
        name: a.string().required(),
        secret: isRuled ? a.string().visibleIf('promote') : a.string(),
      }),
      relations: { artist },
    }),
    defineResource('sharedLabels', {
      ...base,
      attributes: (a) => ({ name: a.string().required() }),
      relations: { artist },
      actions: (a) => ({
        share: a.resource({
          ability: promote ?? false,
          asLink: true,
          responds: metaResult(),
          handle: () => reply.meta({}),
        }),
      }),
    }),
    defineResource('securedLabels', {
      ...base,
      attributes: (a) => ({ name: a.string().required() }),
      relations: { artist: isRuled ? artist.security({ read: 'promote' }) : artist },
    }),
  ] as const
}

const track = (title: string, album: string) => ({
  type: 'tracks',
  attributes: { title },
  relationships: { album: { data: { type: 'albums', id: album } } },
})

const json = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

const operations = (api: TestClient, all: readonly object[]): Promise<TestResponse> =>
  api.post('/operations', { headers: { accept: json, 'content-type': json }, body: { 'atomic:operations': all } })

const requests: readonly { readonly name: string; readonly send: (api: TestClient) => Promise<TestResponse> }[] = [
  { name: 'one resource', send: (api) => api.get('/tracks/1') },
  { name: 'a list', send: (api) => api.get('/tracks') },
  { name: 'a list with included resources', send: (api) => api.get('/tracks?include=album.artist') },
  { name: 'included resources with linkage', send: (api) => api.get('/artists?include=albums') },
  { name: 'a related resource', send: (api) => api.get('/tracks/1/album') },
  { name: 'linkage of a relation to one', send: (api) => api.get('/tracks/1/relationships/album') },
  { name: 'linkage behind a type column', send: (api) => api.get('/tracks/1/relationships/subject') },
  { name: 'linkage of a relation to many', send: (api) => api.get('/albums/1/relationships/genres') },
  { name: 'related resources', send: (api) => api.get('/artists/1/albums') },
  { name: 'a create', send: (api) => api.post('/tracks', { body: { data: track('New', '1') } }) },
  {
    name: 'a create without linkage',
    send: (api) => api.post('/tracks', { body: { data: { type: 'tracks', attributes: { title: 'New' } } } }),
  },
  {
    name: 'an update',
    send: (api) =>
      api.patch('/tracks/1', { body: { data: { type: 'tracks', id: '1', attributes: { title: 'Hunter' } } } }),
  },
  {
    name: 'an update of linkage',
    send: (api) => api.patch('/tracks/1', { body: { data: { ...track('Bachelorette', '2'), id: '1' } } }),
  },
  { name: 'a delete', send: (api) => api.delete('/tracks/2') },
  {
    name: 'a new member',
    send: (api) => api.post('/albums/4/relationships/genres', { body: { data: [{ type: 'genres', id: '3' }] } }),
  },
  {
    name: 'a batch of creates',
    send: (api) =>
      operations(
        api,
        Array.from({ length: 20 }, (_, index) => ({ op: 'add', data: track(`No. ${index}`, '1') })),
      ),
  },
  {
    name: 'a batch of updates',
    send: (api) =>
      operations(api, [
        { op: 'update', data: { ...track('Hunter', '1'), id: '1' } },
        { op: 'update', data: { ...track('Unravel', '2'), id: '1' } },
        { op: 'update', data: { type: 'tracks', id: '3', attributes: { title: 'Pyramid' } } },
      ]),
  },
]

const guardedTypes: readonly string[] = ['secretLabels', 'sharedLabels', 'securedLabels']

const guardedUpdates: typeof requests = guardedTypes.map((type) => ({
  name: `an update of ${type}`,
  send: (api) => api.patch(`/${type}/1`, { body: { data: { type, id: '1', attributes: { name: `By ${type}` } } } }),
}))

const guardedBatch: (typeof requests)[number] = {
  name: 'a batch of updates of guarded types',
  send: (api) =>
    operations(
      api,
      guardedTypes.map((type) => ({ op: 'update', data: { type, id: '2', attributes: { name: `By ${type}` } } })),
    ),
}

const guarded: typeof requests = guardedTypes.flatMap((type) => [
  { name: `one of ${type}`, send: (api) => api.get(`/${type}/1`) },
  { name: `a list of ${type}`, send: (api) => api.get(`/${type}`) },
  { name: `${type} with included resources`, send: (api) => api.get(`/${type}?include=artist`) },
  { name: `linkage of ${type}`, send: (api) => api.get(`/${type}/1/relationships/artist`) },
  { name: `a resource related to ${type}`, send: (api) => api.get(`/${type}/1/artist`) },
])

describe.each(engines)('On %s', (engine) => {
  const counters = { ruled: statementCounter(), open: statementCounter() }
  const apis: { ruled?: TestClient; open?: TestClient } = {}

  beforeAll(async () => {
    const [one, other] = [await open(engine, tables), await open(engine, tables)]
    apis.ruled = client(serverOf(one, true, counters.ruled))
    apis.open = client(serverOf(other, false, counters.open))
    // The schema is read once.
    await apis.ruled.get('/genres')
    await apis.open.get('/genres')
  })

  type Send = (typeof requests)[number]['send']

  const statementsOf = async (which: 'ruled' | 'open', send: Send): Promise<readonly CountedStatement[]> =>
    counters[which].during(async () => {
      const api = apis[which]
      const response = api === undefined ? null : await send(api)
      expect(response?.errors).toEqual([])
    })

  test.each([...requests, ...guarded, ...guardedUpdates, guardedBatch])(
    'rules take no further statement: $name',
    async ({ send }) => {
      const [ruled, plain] = [await statementsOf('ruled', send), await statementsOf('open', send)]
      expect(ruled.length, ruled.map(({ sql }) => sql).join('\n')).toBe(plain.length)
    },
  )

  test.each(guarded)('guards read no further column: $name', async ({ send }) => {
    const columns = async (which: 'ruled' | 'open'): Promise<readonly (readonly string[])[]> => {
      const ran = await statementsOf(which, send)
      return ran.map(({ sql }) =>
        [...sql.matchAll(/(?<=[ ,(])"t0"."(\w+)"(?=,| from)/g)].map(([, column = '']) => column),
      )
    }
    expect(await columns('ruled')).toEqual(await columns('open'))
  })

  test.each([
    ['/artists?include=albums', 'included'],
    ['/artists/1/albums', 'primary'],
    ['/albums?include=artist.albums', 'included'],
  ])('linkage back to the resource whose members are read asks nothing: GET %s', async (path) => {
    const sent: TestResponse[] = []
    const ran = await statementsOf('ruled', async (api) => {
      const response = await api.get(path)
      sent.push(response)
      return response
    })
    expect(ran.map(({ sql }) => sql).filter((sql) => sql.includes('exists'))).toEqual([])
    const [response] = sent
    const shown = [...(response?.resources ?? []), ...(response?.document?.included ?? [])].filter(
      ({ type }) => type === 'albums',
    )
    const linkage = shown.map(({ id: key, relationships }) => [key, relationships?.['artist']?.data])
    expect(new Map(linkage as [string, unknown][]).get('1')).toEqual({ type: 'artists', id: '1' })
  })

  test('linkage to a row of another tenant is null, also behind a type column', async () => {
    const { resources } = (await apis.ruled?.get('/tracks?sort=id')) ?? { resources: [] }
    const linkage = resources.slice(0, 3).map(({ id: key, relationships }) => [
      key,
      ...['album', 'subject'].map((name) => {
        const data = relationships?.[name]?.data as { readonly type: string; readonly id: string } | null | undefined
        return data === null || data === undefined ? data : `${data.type} ${data.id}`
      }),
    ])
    expect(linkage).toEqual([
      ['1', 'albums 2', 'artists 1'],
      ['3', null, 'albums 1'],
      ['5', 'albums 1', null],
    ])
  })
})
