import {
  belongsTo,
  belongsToMany,
  createServer,
  cursorPage,
  defaultProfiles,
  defineResource,
  hasMany,
  id,
  model,
  morphTo,
  numberPage,
  type OpenApiDocument,
  offsetPage,
  pageMenu,
} from 'ashlar'
import type { OpenApiSettings } from '../../src/describe/openapi/openapi-settings.js'
import { memoryData } from 'ashlar/memory'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'

interface AlbumRow {
  id: number
  title: string
  year: number
  explicit: boolean
  artistId: number
  releasedAt: Date
  subjectId: number
  subjectType: string
}

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().sortable() }),
  relations: { albums: hasMany('albums').via('artistId').countable() },
})

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id().uuid().allowClientId(),
  description: 'Records.',
  attributes: (a) => ({
    title: a.string().required().sortable(),
    year: a.integer(),
    explicit: a.boolean(),
    releasedAt: a.dateTime(),
  }),
  relations: {
    artist: belongsTo('artists').required(),
    tags: belongsToMany('tags')
      .through(model<{ albumId: number; tagId: number; position: number }>('albumTags'), {
        owner: 'albumId',
        member: 'tagId',
      })
      .fields((a) => ({ position: a.integer() })),
    subject: morphTo(['artists', 'tags']),
  },
  filters: (f) => ({
    year: f.where(),
    explicit: f.boolean(),
    between: f.range('year'),
    released: f.dateRange('releasedAt'),
    years: f.in('year'),
    named: f.contains('title'),
    slug: f.where('title').singular(),
  }),
  pagination: () => pageMenu([numberPage({ size: 10, maxSize: 50 }), cursorPage(), offsetPage()]),
  maxIncludeDepth: 2,
  countable: true,
})

const tags = defineResource('public-tags', {
  model: model<{ id: number; name: string }>('tags'),
  id: id(),
  readOnly: true,
  attributes: (a) => ({ name: a.string() }),
})

type Loose = Readonly<Record<string, any>> // oxlint-disable-line no-explicit-any -- The documents are plain JSON.

function documentOf(
  openapi?: OpenApiSettings,
): OpenApiDocument & { readonly paths: Loose; readonly components: Loose } {
  const named = tags.with({ type: 'tags', uriType: 'public-tags' })
  const server = createServer({ resources: [albums, artists, named], data: memoryData(), ...(openapi && { openapi }) })
  return server.openapi()
}

const document = documentOf()
const { paths, components } = document

function parameter(path: string, method: string, name: string): Loose | undefined {
  const listed = paths[path][method].parameters as readonly Loose[]
  return listed.map(resolved).find((each) => each['name'] === name)
}

/** Parameters that many operations have are components. */
function resolved(listed: Loose): Loose {
  return listed['$ref'] === undefined ? listed : components['parameters'][listed['$ref'].split('/').at(-1)]
}

test('a validator of OpenAPI 3.1 finds nothing', async () => {
  expect(await new Validator().validate(structuredClone(document) as Loose)).toMatchObject({ valid: true })
})

test('the same declarations give the same bytes', () => {
  expect(JSON.stringify(documentOf())).toBe(JSON.stringify(document))
})

test('every route has an operation with the name that generators expect', () => {
  const operations = Object.entries(paths as Readonly<Record<string, Loose>>).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      method === 'parameters' || method === 'x-subject'
        ? []
        : [`${method} ${path} ${(operation as Loose)['operationId']}`],
    ),
  )
  expect(operations).toEqual([
    'get / root',
    'get /albums fetchCollection.albums',
    'post /albums create.albums',
    'get /albums/{id} fetchOne.albums',
    'patch /albums/{id} update.albums',
    'delete /albums/{id} delete.albums',
    'get /albums/{id}/artist fetchRelated.albums.artist',
    'get /albums/{id}/relationships/artist fetchRelationship.albums.artist',
    'patch /albums/{id}/relationships/artist updateRelationship.albums.artist',
    'get /albums/{id}/tags fetchRelated.albums.tags',
    'get /albums/{id}/relationships/tags fetchRelationship.albums.tags',
    'patch /albums/{id}/relationships/tags updateRelationship.albums.tags',
    'post /albums/{id}/relationships/tags addRelationship.albums.tags',
    'delete /albums/{id}/relationships/tags removeRelationship.albums.tags',
    'get /albums/{id}/subject fetchRelated.albums.subject',
    'get /albums/{id}/relationships/subject fetchRelationship.albums.subject',
    'patch /albums/{id}/relationships/subject updateRelationship.albums.subject',
    'get /artists fetchCollection.artists',
    'post /artists create.artists',
    'get /artists/{id} fetchOne.artists',
    'patch /artists/{id} update.artists',
    'delete /artists/{id} delete.artists',
    'get /artists/{id}/albums fetchRelated.artists.albums',
    'get /artists/{id}/relationships/albums fetchRelationship.artists.albums',
    'patch /artists/{id}/relationships/albums updateRelationship.artists.albums',
    'post /artists/{id}/relationships/albums addRelationship.artists.albums',
    'delete /artists/{id}/relationships/albums removeRelationship.artists.albums',
    'get /public-tags fetchCollection.tags',
    'get /public-tags/{id} fetchOne.tags',
  ])
})

function itemsOf(name: string): unknown {
  return parameter('/albums', 'get', name)?.['schema'].items.enum
}

describe('parameters', () => {
  test('page is one parameter, and a menu is one of several objects', () => {
    const schema = parameter('/albums', 'get', 'page')?.['schema'] as Loose
    expect(schema).toMatchObject({
      discriminator: { propertyName: 'kind', mapping: { page: '#/components/schemas/PageByPage' } },
      'x-default-kind': 'page',
    })
    const [numbers, cursors] = (schema['oneOf'] as readonly { readonly $ref: string }[]).map(
      ({ $ref }) => components.schemas?.[$ref.slice('#/components/schemas/'.length)] as Loose,
    )
    expect(numbers).toEqual({
      type: 'object',
      title: 'page',
      properties: {
        kind: { type: 'string', const: 'page' },
        number: { type: 'integer', minimum: 1, description: 'The number of the page. Default: 1.', 'x-default': 1 },
        size: expect.objectContaining({ minimum: 0, maximum: 50 }) as object,
      },
      additionalProperties: false,
    })
    expect(cursors).toHaveProperty('x-profile')
    expect(parameter('/albums', 'get', 'page')?.['description']).toContain('or else it is `page`.')
  })

  test('page is one parameter for each key if configured', () => {
    const flat = documentOf({ pageParameters: 'flat' }).paths['/artists'].get.parameters as readonly Loose[]
    expect(flat.map(({ name }) => name as unknown)).toEqual(expect.arrayContaining(['page[number]', 'page[size]']))
  })

  test('filters have the types of their fields', () => {
    const schemaOf = (key: string): unknown => parameter('/albums', 'get', `filter[${key}]`)?.['schema']
    expect(schemaOf('year')).toEqual({ type: 'integer' })
    expect(schemaOf('explicit')).toEqual({ type: 'boolean' })
    expect(schemaOf('between')).toMatchObject({ properties: { min: { type: 'number' } }, additionalProperties: false })
    expect(schemaOf('released')).toMatchObject({ properties: { max: { type: 'string' } } })
    expect(schemaOf('years')).toMatchObject({ type: 'array', items: { type: 'integer' } })
    expect(schemaOf('named')).toEqual({ type: 'string' })
    expect(parameter('/albums', 'get', 'filter[years]')).toMatchObject({ style: 'form', explode: false })
    expect(parameter('/albums', 'get', 'filter[between]')).toMatchObject({ style: 'deepObject' })
  })

  test('sorts and includes are lists of the offered values', () => {
    expect(itemsOf('sort')).toEqual(['id', '-id', 'title', '-title'])
    expect(itemsOf('include')).toEqual(['artist', 'tags', 'subject', 'artist.albums', 'subject.albums'])
    expect(itemsOf('withCount')).toEqual(['_self_'])
  })

  test('include paths without an end are listed up to a depth', () => {
    const include = parameter('/artists', 'get', 'include')
    expect(include?.['schema'].items.enum).toContain('albums.artist.albums')
    expect(include).toMatchObject({ 'x-longer-paths': true })
  })

  test('those of the application, and of its profiles, are described for every operation', () => {
    const uri = 'https://music.example/profiles/labelled'
    const profiles = [...defaultProfiles, { uri, families: ['labelLanguage'] }]
    const server = createServer({
      resources: [artists, albums, tags.with({ type: 'tags' })],
      queryFamilies: ['dryAs'],
      profiles,
      data: memoryData(),
    })
    const items = Object.values(server.openapi().paths).flatMap(Object.values) as readonly Loose[]
    const operations = items.filter((each) => 'responses' in each)
    expect(operations.length).toBeGreaterThan(20)
    for (const { parameters } of operations) {
      const listed = parameters as readonly Loose[]
      expect(listed).toContainEqual(expect.objectContaining({ name: 'dryAs', in: 'query', explode: true }))
      expect(listed).toContainEqual(expect.objectContaining({ name: 'labelLanguage', 'x-profile': uri }))
      expect(listed.filter(({ name }) => name === 'withCount').length).toBeLessThan(2)
    }
  })

  test('the id in a path has the pattern of the route', () => {
    const path = components['parameters']['AlbumsId'] as Loose
    expect(paths['/albums/{id}'].parameters[0]).toEqual({ $ref: '#/components/parameters/AlbumsId' })
    expect(path).toMatchObject({ name: 'id', in: 'path', required: true })
    expect(path['schema'].pattern).toContain('[0-9a-fA-F]{8}')
  })
})

describe('components', () => {
  const schemas = components['schemas'] as Readonly<Record<string, Loose>>

  test('have the names that generators expect', () => {
    const ofAlbums = Object.keys(schemas).filter((name) => name.startsWith('Albums'))
    expect(ofAlbums).toEqual([
      'AlbumsArtistRelatedDocument',
      'AlbumsArtistRelationship',
      'AlbumsArtistRelationshipDocument',
      'AlbumsArtistRelationshipRequest',
      'AlbumsAttributes',
      'AlbumsCollection',
      'AlbumsCreateAttributes',
      'AlbumsCreateRequest',
      'AlbumsDocument',
      'AlbumsIncluded',
      'AlbumsResource',
      'AlbumsResourceIdentifier',
      'AlbumsSingularDocument',
      'AlbumsSubjectRelatedDocument',
      'AlbumsSubjectRelationship',
      'AlbumsSubjectRelationshipDocument',
      'AlbumsSubjectRelationshipRequest',
      'AlbumsTagsRelatedCollection',
      'AlbumsTagsRelationship',
      'AlbumsTagsRelationshipDocument',
      'AlbumsTagsRelationshipRemoval',
      'AlbumsTagsRelationshipRequest',
      'AlbumsUpdateAttributes',
      'AlbumsUpdateRequest',
    ])
    expect(schemas).not.toHaveProperty('TagsCreateRequest')
  })

  test('linkage names the types of a relation, and the fields of join rows', () => {
    expect(schemas['AlbumsArtistRelationship']?.['properties'].data).toEqual({
      anyOf: [{ $ref: '#/components/schemas/ArtistsResourceIdentifier' }, { type: 'null' }],
    })
    expect(schemas['AlbumsSubjectRelationship']?.['properties'].data.anyOf[0]).toEqual({
      anyOf: [
        { $ref: '#/components/schemas/ArtistsResourceIdentifier' },
        { $ref: '#/components/schemas/TagsResourceIdentifier' },
      ],
    })
    expect(schemas['AlbumsTagsRelationship']?.['properties'].data.items).toMatchObject({
      allOf: [
        { $ref: '#/components/schemas/TagsResourceIdentifier' },
        { properties: { meta: { properties: { pivot: { properties: { position: { type: 'integer' } } } } } } },
      ],
    })
  })

  test('a create forbids, allows or requires an id', () => {
    expect(schemas['ArtistsCreateRequest']?.['properties'].data.properties.id).toBe(false)
    const albumsCreate = schemas['AlbumsCreateRequest']?.['properties'].data as Loose
    expect(albumsCreate['properties'].id).toMatchObject({ type: 'string', format: 'uuid' })
    expect(albumsCreate['required']).toEqual(['type', 'attributes', 'relationships'])
  })

  test('each error code is a component with its context', () => {
    expect(schemas['FilteringUnrecognizedError']).toMatchObject({
      allOf: [
        { $ref: '#/components/schemas/Error' },
        { properties: { code: { const: 'FILTERING_UNRECOGNIZED' }, status: { const: '400' } } },
      ],
      'x-error-context': ['filter', 'offered'],
    })
    expect(schemas['ErrorDocument400']?.['properties'].errors.items.anyOf[0]).toEqual({
      $ref: '#/components/schemas/Error',
    })
    expect(schemas).not.toHaveProperty('IdempotencyKeyReusedError')
  })

  test('a type cannot take the name of a shared component', () => {
    const meta = tags.with({ type: 'meta' })
    const named = createServer({ resources: [meta], data: memoryData() }).openapi().components['schemas'] as Loose
    expect(named).not.toHaveProperty('MetaDocument')
    expect(named['Meta2Document'].properties).toHaveProperty('data')
  })
})

describe('settings', () => {
  test('describe the document', () => {
    const decorated = documentOf({
      title: 'Music',
      version: '2.0.0',
      description: 'All of it.',
      info: { license: { name: 'MIT' } },
      decorate: (given) => ({ ...given, externalDocs: { url: 'https://music.example' } }),
    })
    expect(decorated.info).toEqual({
      title: 'Music',
      version: '2.0.0',
      description: 'All of it.',
      license: { name: 'MIT' },
      'x-generator': { contract: 2 },
    })
    expect(decorated).toHaveProperty('externalDocs')
  })

  test('are checked by the build', () => {
    const openapi = { title: 7, pageParameters: 'both', colour: 'red' } as never
    expect(() => createServer({ resources: [], openapi })).toThrowError(
      expect.objectContaining({
        message: expect.stringMatching(
          /openapi\.title: is 7.*\n.*openapi\.pageParameters: is 'both'.*\n.*openapi\.colour: is not an option/,
        ) as string,
      }) as Error,
    )
    expect(() => createServer({ resources: [], openapi: 'yes' as never })).toThrowError(/openapi: is 'yes'/)
    expect(() => createServer({ resources: [], servers: { admin: { openapi: 3 as never } } })).toThrowError(
      /servers\.admin\.openapi: is 3/,
    )
  })

  test('there is no description of an unknown server', () => {
    expect(() => createServer({ resources: [] }).openapi('admin')).toThrowError("There is no server 'admin'.")
  })
})
