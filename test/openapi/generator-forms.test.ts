import { actionResource, atomic, belongsTo, belongsToMany, createServer, defineResource, id, model } from 'ashlar'
import type { OpenApiSettings } from '../../src/describe/openapi/openapi-settings.js'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'

/** The forms of schemas that linters, generators and validating clients rely on. */

type Loose = Readonly<Record<string, any>> // oxlint-disable-line no-explicit-any -- The documents are plain JSON.

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; year: number; artistId: number }>('albums'),
  id: id().numeric(),
  attributes: (a) => ({ title: a.string().required(), year: a.integer() }),
  relations: {
    artist: belongsTo('artists'),
    tags: belongsToMany('tags')
      .through(model<{ albumId: number; tagId: number; position: number }>('albumTags'), {
        owner: 'albumId',
        member: 'tagId',
      })
      .fields((a) => ({ position: a.integer().required() })),
  },
  actions: (a) => ({
    reissue: a.resource({ input: 'document', handle: () => null as never }),
    latest: a.collection({ responds: actionResource('albums', 'oneOrNull'), handle: () => null as never }),
    similar: a.resource({ responds: actionResource('albums', 'many'), handle: () => null as never }),
  }),
})
const artists = defineResource('artists', {
  model: model<{ id: string; name: string; aliases: readonly string[] }>('artists'),
  id: id().uuid().allowClientId(),
  attributes: (a) => ({ name: a.string(), aliases: a.arrayList() }),
})
const tags = defineResource('tags', {
  model: model<{ id: number; name: string }>('tags'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  operations: [],
})

const rows = { albums: [{ id: 1, title: 'Kid A', year: 2000, artistId: 1 }], artists: [], tags: [], albumTags: [] }

function serverWith(openapi: OpenApiSettings = {}) {
  const resources = [albums, artists, tags]
  return createServer({ resources, data: memoryData(rows as never), openapi, extensions: [atomic()] })
}

const server = serverWith()
const { paths, components } = server.openapi() as Loose
const schemas = components.schemas as Loose

/** Returns the values of a key anywhere in a document, with the paths of the objects that have it, and these objects. */
function* valuesOf(value: unknown, key: string, at = ''): Generator<readonly [at: string, value: unknown, of: Loose]> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (name === key) yield [at, member, value]
    yield* valuesOf(member, key, `${at}/${name}`)
  }
}

describe.each([
  ['albums', () => server.openapi()],
  ['the catalogue', () => catalogueServer({ extensions: [atomic()] }).openapi()],
])('the document of %s', (_name, documentOf) => {
  const document = documentOf()

  test('has the items of each list', () => {
    const lists = [...valuesOf(document, 'type')].filter(([, type]) => type === 'array')
    expect(lists.length).toBeGreaterThan(10)
    for (const [at, , schema] of lists) expect.soft(schema['items'], at).toBeTypeOf('object')
  })

  test('has no schema that is a boolean but the id that clients do not send', () => {
    const properties = [...valuesOf(document, 'properties')]
    const booleans = properties.flatMap(([at, members]) =>
      Object.entries(members as Loose).flatMap(([name, schema]) =>
        typeof schema === 'boolean' ? [`${at}/${name}`] : [],
      ),
    )
    expect(booleans.length).toBeGreaterThan(0)
    for (const at of booleans) expect(at).toMatch(/\/schemas\/\w+CreateRequest\/properties\/data\/id$/)
  })

  test('has the identifiers of every type', () => {
    const resources = Object.keys(document.components['schemas'] ?? {}).filter((name) => name.endsWith('Resource'))
    for (const name of resources) expect(document.components['schemas']).toHaveProperty(`${name}Identifier`)
  })
})

describe('fields of responses', () => {
  test('are not required, because fieldsets leave them out', () => {
    expect(schemas['AlbumsAttributes'].required).toBeUndefined()
    expect(schemas['AlbumsAttributes']['x-always-shown']).toEqual(['title', 'year'])
    expect(schemas['AlbumsResource'].required).toEqual(['type', 'id', 'links'])
    expect(schemas['AlbumsResource'].properties.relationships['x-always-shown']).toEqual(['artist', 'tags'])
    expect(server.jsonSchemas()['albums']?.['required']).toEqual(['type', 'id'])
  })

  test('a response to a fieldset matches the document', async () => {
    const { document } = await client(server, { isDescribed: 'always' }).get('/albums/1?fields[albums]=year')
    expect(document?.data).not.toHaveProperty('attributes.title')
  })

  test('are required if the document describes no fieldsets', () => {
    const exact = serverWith({ fieldsets: false })
    const { components: own } = exact.openapi() as Loose
    expect(own.schemas['AlbumsAttributes'].required).toEqual(['title', 'year'])
    expect(own.schemas['AlbumsResource'].required).toEqual(['type', 'id', 'attributes', 'relationships', 'links'])
    expect(JSON.stringify(exact.openapi())).not.toContain('"fields[')
    expect(JSON.stringify(exact.openapi())).not.toContain('x-always-shown')
    expect(exact.jsonSchemas()['albums']?.['required']).toEqual(['type', 'id', 'attributes'])
  })
})

function bodyOf(path: string, part: 'requestBody' | 'responses'): unknown {
  const operation = paths[path].post
  const holder = part === 'requestBody' ? operation.requestBody : operation.responses['200']
  return holder.content['application/vnd.api+json'].schema.$ref
}

describe('actions', () => {
  test('refer to the document that they take, and to the one that they return', () => {
    expect(bodyOf('/albums/{id}/-actions/reissue', 'requestBody')).toBe('#/components/schemas/AlbumsActionRequest')
    expect(bodyOf('/albums/{id}/-actions/reissue', 'responses')).toBe('#/components/schemas/AlbumsDocument')
  })

  test('return one resource, one or null, or a list', () => {
    expect(bodyOf('/albums/-actions/latest', 'responses')).toBe('#/components/schemas/AlbumsSingularDocument')
    expect(bodyOf('/albums/{id}/-actions/similar', 'responses')).toBe('#/components/schemas/AlbumsActionCollection')
    expect(schemas['AlbumsActionCollection'].properties.data.type).toBe('array')
  })
})

test('ids have the pattern of the path wherever clients read or send them', () => {
  const numeric = '^[0-9]+$'
  expect(paths['/albums/{id}'].parameters[0]).toMatchObject({ $ref: '#/components/parameters/AlbumsId' })
  expect(components.parameters['AlbumsId'].schema.pattern).toBe(numeric)
  expect(schemas['AlbumsResource'].properties.id.pattern).toBe(numeric)
  expect(schemas['AlbumsResourceIdentifier'].properties.id.pattern).toBe(numeric)
  expect(schemas['AlbumsUpdateRequest'].properties.data.properties.id.pattern).toBe(numeric)
  const uuid = schemas['ArtistsResource'].properties.id
  expect(uuid).toMatchObject({ format: 'uuid', pattern: expect.stringContaining('[0-9a-fA-F]{12}') })
  expect(schemas['ArtistsCreateRequest'].properties.data.properties.id).toMatchObject(uuid)
})

function requestOf(method: string): string {
  const { schema } = paths['/albums/{id}/relationships/tags'][method].requestBody.content['application/vnd.api+json']
  return schema.$ref.split('/').at(-1) as string
}

function pivotOf(method: string): Loose | undefined {
  return schemas[requestOf(method)].properties.data.items.allOf?.[1].properties.meta.properties.pivot
}

test('a member that is added has the required fields of its join row', () => {
  expect(pivotOf('post')?.['required']).toEqual(['position'])
  // A member that stays in the relationship need not repeat them.
  expect(pivotOf('patch')?.['required']).toBeUndefined()
  expect(pivotOf('delete')).toBeUndefined()
})
