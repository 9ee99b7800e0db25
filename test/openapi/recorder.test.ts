import { belongsTo, createServer, defineResource, type HttpResponse, id, model, type OpenApiDocument } from 'ashlar'
import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { memoryData } from 'ashlar/memory'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { type Schema, schemaProblem } from '../support/schema-problem.js'

/** Faults that the tests would miss if the recorder of their client missed them. */

const artists = defineResource('recordedArtists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})

const albums = defineResource('recordedAlbums', {
  model: model<{ id: number; title: string; artistId: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required().maxLength(20), year: a.integer().computed(() => 2000) }),
  relations: { artist: belongsTo('recordedArtists').via('artistId') },
})

const server = createServer({
  resources: [albums, artists],
  data: memoryData({ albums: [{ id: 1, title: 'Kid A', artistId: 1 }], artists: [{ id: 1, name: 'Radiohead' }] }),
})

type Change = (response: HttpResponse) => HttpResponse

/** Returns a client of a server whose responses are changed after the fact. */
function changedBy(change: Change) {
  const handle: typeof server.handle = async (request, options) => change(await server.handle(request, options))
  return client({ ...server, handle }, { validate: false, isDescribed: 'always' })
}

const inBody =
  (from: RegExp, to: string): Change =>
  (response) => ({
    ...response,
    body: typeof response.body === 'string' ? response.body.replace(from, to) : response.body,
  })

const changes: readonly (readonly [what: string, change: Change, problem: RegExp])[] = [
  ['a wrong status', (response) => ({ ...response, status: 206 }), /the status 206 is not described/],
  ['a missing attribute', inBody(/"title":"Kid A",/, ''), /must have the member 'title'/],
  ['a missing relationship', inBody(/"artist":/, '"x":'), /must have the member 'artist'/],
  ['an attribute of another type', inBody(/"Kid A"/, '7'), /\/data\/attributes\/title/],
  [
    'an attribute that is not described',
    inBody(/"title":/, '"extra":1,"title":'),
    /attributes\/extra is not described/,
  ],
  ['a top-level member that is not described', inBody(/^\{/, '{"extra":1,'), /^.*\n.* \/extra is not described/],
  ['a missing top-level member', inBody(/,"jsonapi":\{[^}]*\}/, ''), /must have the member 'jsonapi'/],
  [
    'a header that is not described',
    (response) => ({ ...response, headers: [...response.headers, 'ETag', '"1"'] }),
    /the header etag is not described/,
  ],
  [
    'a missing header',
    (response) => ({ ...response, headers: response.headers.filter((_, index) => index < 2) }),
    /the header vary is missing/,
  ],
  [
    'a media type that is not described',
    (response) => ({ ...response, headers: ['Content-Type', 'application/json', ...response.headers.slice(2)] }),
    /the media type application\/json is not described/,
  ],
  ['a relationship that is not described', inBody(/"artist":/, '"label":{},"artist":'), /relationships\/label is not/],
  ['a resource of another type', inBody(/"type":"recordedAlbums"/, '"type":"x"'), /type must be equal to/],
  ['a missing body', (response) => ({ ...response, body: '' }), /the body is missing/],
]

test.each(changes)('%s is found', async (_what, change, problem) => {
  await expect(changedBy(change).get('/recordedAlbums/1')).rejects.toThrow(problem)
})

test('an unchanged response passes', async () => {
  await expect(changedBy((response) => response).get('/recordedAlbums/1')).resolves.toHaveProperty('status', 200)
})

const created: Change = (response) => ({ ...response, status: 201, headers: [...response.headers, 'Location', '/x'] })
const listed: Change = (response) => ({ ...response, status: 200 })

test('a request that is accepted although it is not described is found', async () => {
  const sent = { body: resourceBody('recordedAlbums', { title: 'x'.repeat(21) }) }
  await expect(changedBy(created).post('/recordedAlbums', sent)).rejects.toThrow(/request: \/data\/attributes\/title/)
})

const profiles = [countableProfile, relationshipQueriesProfile].map(({ uri }) => uri).join(' ')
const negotiated = { Accept: `application/vnd.api+json; profile="${profiles}"` }

test.each([
  ['filter[nonsense]=1', 'the parameter filter[nonsense] is not described'],
  ['filter[id]=1&sort=nonsense', 'sort=nonsense: /0 must be one of ["id","-id"]'],
  ['include=artist.nonsense', 'include=artist.nonsense: /0 must be one of ["artist"]'],
  ['withLinkage[recordedAlbums]=nonsense', '/0 must be one of ["artist"]'],
  ['withLinkage[nonsense]=artist', 'the parameter withLinkage[nonsense] is not described'],
  ['page[offset]=2', 'page[offset]=2: /offset must not be present'],
  ['page[number]=2&page[kind]=cursor', '/kind must not be present'],
  ['withCount=artist', 'the parameter withCount is not described'],
  ['relatedQuery[artist][page][size]=2', '/artist/page must not be present'],
  ['rQ[artist][nonsense]=2', '/artist/nonsense must not be present'],
])('a parameter that is accepted although it is not described is found: %s', async (query, problem) => {
  const received = changedBy(listed).get(`/recordedAlbums?${query}`, { headers: negotiated })
  await expect(received).rejects.toThrow(problem)
})

test.each([
  ['filter[id]=1,2&sort=-id,id'],
  ['include=artist&fields[recordedArtists]=name&withLinkage[recordedAlbums]=artist'],
  ['page[number]=1&page[size]=3'],
  ['page[size]=nonsense'],
  ['page[size]=1000'],
  ['include=&sort='],
  ['fields[recordedAlbums]=id'],
  ['relatedQuery[artist][filter][id]=1'],
])('a parameter that is described, or that is allowed to have no effect, passes: %s', async (query) => {
  const received = changedBy((response) => response).get(`/recordedAlbums?${query}`, { headers: negotiated })
  await expect(received).resolves.toHaveProperty('status', 200)
})

test('a field that a fieldset shows although it is not described is found', async () => {
  const wrong = { ...server, openapi: () => withoutField(server.openapi(), 'title') }
  const api = client(wrong, { isDescribed: 'always' })
  await expect(api.get('/recordedAlbums/1?fields[recordedAlbums]=title')).rejects.toThrow('/0 must be one of ["year"')
  await expect(api.get('/recordedAlbums/1?fields[recordedAlbums]=year')).resolves.toHaveProperty('status', 200)
})

/** Returns the document with fieldsets that do not offer a field. */
function withoutField(document: OpenApiDocument, name: string): OpenApiDocument {
  const text = JSON.stringify(document.components['parameters']).replaceAll(`"${name}",`, '')
  return { ...document, components: { ...document.components, parameters: JSON.parse(text) as JsonSchema } }
}

type JsonSchema = OpenApiDocument['components'][string]

const applied: Change = (response) => ({ ...response, headers: [...response.headers, 'Preference-Applied', 'x'] })

test('a header of a request that is applied although it is not described is found', async () => {
  const received = changedBy(applied).get('/recordedAlbums/1', { headers: { Prefer: 'x' } })
  await expect(received).rejects.toThrow('the header Prefer of the request is not described')
})

test('an error with a code that is not described is found', async () => {
  const unknown = changedBy(inBody(/RESOURCE_NOT_FOUND/, 'CURSOR_STALE'))
  await expect(unknown.get('/recordedAlbums/9')).rejects.toThrow('the error code CURSOR_STALE is not described')
})

test('an error without the source that its code has is found', async () => {
  const sourceless = changedBy(inBody(/,"source":\{[^}]*\}/, ''))
  await expect(sourceless.get('/recordedAlbums?sort=nonsense')).rejects.toThrow("must have the member 'source'")
})

test('by default, the first exchange of each kind is checked', async () => {
  const handle: typeof server.handle = async (request, options) => ({
    ...(await server.handle(request, options)),
    status: 206,
  })
  await expect(client({ ...server, handle }, { validate: false }).get('/recordedAlbums/1')).rejects.toThrow(/206/)
})

describe('the interpreter of schemas finds what Ajv finds', () => {
  const pairs: readonly (readonly [schema: Schema, values: readonly unknown[]])[] = [
    [{ type: 'string', minLength: 2, maxLength: 3, pattern: '^a' }, ['a', 'ab', 'abcd', 'bb', 5, null, 'a\u{1F600}']],
    [{ type: ['integer', 'null'], minimum: 1, exclusiveMaximum: 5, multipleOf: 2 }, [0, 2, 3, 5, 4.5, null, '2']],
    [{ enum: ['x', 1, null, { a: [1] }] }, ['x', 1, null, { a: [1] }, { a: [2] }, 'y']],
    [{ const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }, { a: 1 }]],
    [
      { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 2, uniqueItems: true },
      [[], [1], [1, 1], [1, 'x'], [1, 2, 3], {}],
    ],
    [{ prefixItems: [{ type: 'string' }], items: { type: 'integer' } }, [['x', 1], [1], ['x', 'y'], []]],
    [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
      [{ a: 'x' }, {}, { a: 1 }, { a: 'x', b: 1 }, []],
    ],
    [
      { additionalProperties: { type: 'integer' }, patternProperties: { '^x': { type: 'string' } }, minProperties: 1 },
      [{}, { a: 1 }, { a: 'y' }, { x1: 'y' }, { x1: 1 }],
    ],
    [
      { propertyNames: { maxLength: 1 }, dependentRequired: { a: ['b'] }, maxProperties: 2 },
      [{ a: 1 }, { a: 1, b: 1 }, { ab: 1 }, { a: 1, b: 1, c: 1 }],
    ],
    [{ anyOf: [{ type: 'string' }, { $ref: '#/components/schemas/Small' }] }, ['x', 1, 9, null]],
    [{ oneOf: [{ type: 'integer' }, { minimum: 3 }] }, [1, 5, 3.5, 'x', 2.5]],
    [{ allOf: [{ minimum: 1 }, { maximum: 3 }], not: { const: 2 } }, [0, 1, 2, 3, 4]],
    // oxlint-disable-next-line no-thenable -- A keyword of JSON Schema.
    [{ if: { type: 'string' }, then: { minLength: 2 }, else: { type: 'integer' } }, ['x', 'xy', 1, 1.5]],
    [{ contains: { const: 1 } }, [[1], [2], [], 'x']],
    [{ type: 'string', format: 'date' }, ['2026-02-28', '2026-02-30', 'x']],
    [{ type: 'string', format: 'date-time' }, ['2026-02-28T10:00:00Z', '2026-02-28']],
  ]
  const small = { type: 'integer', maximum: 5 }
  const ajv = new Ajv2020({ strict: false })
  formats.default(ajv, ['date', 'date-time'])

  test.each(pairs)('%j', (schema, values) => {
    const validate = ajv.compile({ ...(schema as object), components: { schemas: { Small: small } } })
    const context = { resolve: () => small, checksFormats: true }
    const found = values.map((value) => schemaProblem(schema, value, context) === null)
    expect(found).toEqual(values.map((value) => validate(value)))
    expect(found).toContain(true)
    expect(found).toContain(false)
  })
})
