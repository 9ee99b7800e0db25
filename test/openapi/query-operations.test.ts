import {
  belongsTo,
  createServer,
  defaultProfiles,
  defineResource,
  filterTreeProfile,
  hasMany,
  id,
  model,
  type OpenApiDocument,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'

type Json = Readonly<Record<string, unknown>>

interface Described {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Json[]
  readonly requestBody: {
    readonly content: Readonly<Record<string, { readonly schema: Json; readonly encoding?: Json }>>
  }
  readonly responses: Readonly<Record<string, { readonly headers?: Json }>>
}

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums').withFilters((f) => ({ recent: f.where('year').fixed(2026) })) },
  filters: (f) => ({ name: f.contains() }),
})

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; year: number; genre: string; artistId: number; deletedAt: Date | null }>(
    'albums',
  ),
  id: id(),
  attributes: (a) => ({ title: a.string().sortable(), year: a.integer(), genre: a.string() }),
  relations: { artist: belongsTo('artists') },
  filters: (f) => ({
    title: f.contains(),
    years: f.range('year'),
    genres: f.in('genre'),
    undated: f.isNull('year'),
    or: f.where('genre'),
    withTrashed: f.withTrashed(),
  }),
  softDeletes: true,
  aggregates: (g) => ({ 'by-genre': g.fields({ genre: g.by(), albums: g.count() }) }),
})

function serverWith(profiles = defaultProfiles) {
  return createServer({
    resources: [albums, artists],
    data: memoryData(),
    profiles,
    limits: { queryFilterValues: 2000 },
  })
}

const described = (document: OpenApiDocument): Described => document as unknown as Described
const plain = serverWith()
const inTrees = serverWith([...defaultProfiles, filterTreeProfile])
const latest = described(inTrees.openapi('default', { openapiVersion: '3.2' }))
const FORM = 'application/x-www-form-urlencoded'

function operationAt({ paths }: Described, path: string, member: string): Operation {
  const operation = paths[path]?.[member]
  if (operation === undefined) throw new Error(`There is no ${member} at ${path}.`)
  return operation
}

/** Returns the schema of JSON queries. */
function body(document: Described, path: string, member: string): Json | undefined {
  return document.paths[path]?.[member]?.requestBody.content['application/json']?.schema
}

/** Returns the status of a JSON query with a filter. */
async function statusOf(filter: object): Promise<number> {
  const response = await inTrees.fetch(
    new Request('http://music.example/albums', {
      method: 'QUERY',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ filter }),
    }),
  )
  return response.status
}

describe('OpenAPI 3.2', () => {
  test('has an operation for the QUERY requests of each path that serves them', () => {
    const ids = Object.values(latest.paths).flatMap(({ query }) => (query === undefined ? [] : [query.operationId]))
    expect(ids.toSorted()).toEqual([
      'queryCollection.albums',
      'queryCollection.albums-by-genre',
      'queryCollection.artists',
      'queryOne.albums',
      'queryOne.artists',
      'queryRelated.albums.artist',
      'queryRelated.artists.albums',
      'queryRelationship.albums.artist',
      'queryRelationship.artists.albums',
    ])
  })

  test('has the query parameters in a form, encoded as in a URL', () => {
    const { parameters = [], requestBody } = operationAt(latest, '/albums', 'query')
    expect(parameters.filter((each) => each['in'] === 'query')).toEqual([])
    const { schema, encoding } = requestBody.content[FORM] ?? {}
    expect(schema?.['properties']).toMatchObject({
      'filter[years]': { type: 'object', properties: { min: {}, max: {} } },
      'filter[genres]': { type: 'array', maxItems: 2000 },
      sort: { type: 'array' },
      'fields[albums]': { $ref: '#/components/schemas/AlbumsFieldsParameter' },
    })
    expect(encoding).toMatchObject({
      'filter[years]': { style: 'deepObject', explode: true },
      'filter[genres]': { style: 'form', explode: false },
      'fields[albums]': { style: 'form', explode: false },
    })
  })

  test('has the responses of the GET request, with its URL, and those about bodies', () => {
    const { get, query } = latest.paths['/albums'] as Record<string, Operation>
    const of = (operation?: Operation): readonly string[] => Object.keys(operation?.responses ?? {})
    expect(of(query)).toEqual([...of(get), '413', '415'].toSorted())
    expect(query?.responses['200']?.headers).toMatchObject({
      Location: { $ref: '#/components/headers/EquivalentUrl' },
      'Content-Location': { $ref: '#/components/headers/EquivalentUrl' },
    })
  })

  test('is chosen by the setting, and 3.1 is the default', () => {
    const chosen = createServer({
      resources: [artists, albums],
      data: memoryData(),
      openapi: { openapiVersion: '3.2' },
    })
    expect(chosen.openapi().openapi).toBe('3.2.0')
    expect(chosen.openapi('default', { openapiVersion: '3.1' }).openapi).toBe('3.1.0')
    expect(plain.openapi().openapi).toBe('3.1.0')
    expect(Object.keys(described(plain.openapi()).paths['/albums'] ?? {})).toEqual(['get', 'post', 'x-subject'])
  })

  test('other versions are refused', () => {
    const wrong = { openapiVersion: '3.0' as '3.1' }
    expect(() => plain.openapi('default', wrong)).toThrow("There is no version '3.0' of OpenAPI here.")
    expect(() => createServer({ resources: [artists, albums], data: memoryData(), openapi: wrong })).toThrow(
      "choose '3.1' or '3.2'",
    )
  })
})

describe('the schema of filter trees', () => {
  test('is in OpenAPI 3.2, and in x-query of OpenAPI 3.1', () => {
    const ofAlbums = { $ref: '#/components/schemas/AlbumsFilter' }
    expect(body(latest, '/albums', 'query')?.['properties']).toMatchObject({ filter: ofAlbums })
    const old = described(inTrees.openapi())
    expect(body(old, '/albums', 'x-query')?.['properties']).toMatchObject({ filter: ofAlbums })
    expect(old.components['schemas']?.['AlbumsFilter']).toEqual(latest.components['schemas']?.['AlbumsFilter'])
  })

  test('is missing without the profile, and for a single resource', () => {
    const without = described(plain.openapi('default', { openapiVersion: '3.2' }))
    expect(Object.keys(without.paths['/albums']?.['query']?.requestBody.content ?? {})).toEqual([FORM])
    expect(body(latest, '/albums/{id}', 'query')?.['properties']).not.toHaveProperty('filter')
  })

  test('has the filters of a relation', () => {
    const ofMembers = { filter: { $ref: '#/components/schemas/ArtistsAlbumsFilter' } }
    expect(body(latest, '/artists/{id}/albums', 'query')?.['properties']).toMatchObject(ofMembers)
    expect(body(latest, '/artists/{id}/relationships/albums', 'query')?.['properties']).toMatchObject(ofMembers)
    expect(latest.components['schemas']?.['ArtistsAlbumsFilter']?.['properties']).toHaveProperty('recent')
  })

  const validate = new Ajv2020({ strict: false })
    .addSchema({ $id: 'https://music.example/openapi', components: latest.components })
    .compile({ $ref: 'https://music.example/openapi#/components/schemas/AlbumsFilter' })
  test.each([
    [{}],
    [{ title: 'a', years: { min: 1990 }, genres: ['rock', 'jazz'], undated: true }],
    [{ and: [{ or: [{ title: 'a' }, { not: { undated: true } }] }], not: { title: 'b' } }],
    [{ withTrashed: true }],
  ])('accepts %j, as the server does', async (filter) => {
    expect(validate(filter), JSON.stringify(validate.errors)).toBe(true)
    expect(await statusOf(filter)).toBe(200)
  })

  test.each([
    [{ unknown: 1 }],
    [{ undated: 'yes' }],
    [{ years: { from: 1 } }],
    [{ and: { title: 'a' } }],
    [{ or: 'rock' }],
    [{ not: [{ title: 'a' }] }],
    [{ not: { withTrashed: true } }],
    [{ and: [{ unknown: 1 }] }],
  ])('refuses %j, as the server does', async (filter) => {
    expect(validate(filter)).toBe(false)
    expect(await statusOf(filter)).toBe(400)
  })
})
