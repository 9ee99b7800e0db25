import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describedCollections, plainUrls } from '../../src/tools/verify/openapi/described-urls.js'
import { type Description, readDescription } from '../../src/tools/verify/openapi/description.js'
import { findDescription } from '../../src/tools/verify/openapi/find-description.js'
import type { Schema } from '../../src/tools/verify/openapi/schema-check.js'
import { alteredText, isFreeText, sampleValue } from '../../src/tools/verify/write/sample-value.js'

const url = 'http://127.0.0.1:3000/api'

function read(document: object): Description {
  const description = readDescription(document, { source: 'openapi.json', url })
  if (description === null) throw new Error('This is no description.')
  return description
}

const media = 'application/vnd.api+json'
const album = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }

describe('an OpenAPI document', () => {
  const paths = {
    '/albums': {
      parameters: [{ name: 'sort', in: 'query' }],
      get: {
        parameters: [
          {
            name: 'page',
            in: 'query',
            style: 'deepObject',
            schema: { type: 'object', properties: { size: {}, number: {} } },
          },
          { $ref: '#/components/parameters/Needed' },
        ],
        responses: {
          200: { content: { [media]: { schema: album } }, headers: { ETag: { required: true }, Link: {} } },
          '4XX': { $ref: '#/components/responses/Failed' },
        },
      },
      post: {
        requestBody: {
          content: {
            [media]: { schema: { properties: { data: { properties: { type: { const: 'albums' } } } } } },
          },
        },
        responses: {},
      },
    },
    '/albums/{id}': { get: { responses: { default: { description: 'Anything.' } } } },
    '/albums/latest': { get: { responses: {} } },
    '/health': {
      get: { parameters: [{ name: 'verbose', in: 'query' }], responses: { 200: { content: { 'text/plain': {} } } } },
    },
  }
  const components = {
    parameters: { Needed: { name: 'tenant', in: 'query', required: true } },
    responses: { Failed: { content: { [media]: {} } } },
  }
  const description = read({ openapi: '3.1.0', servers: [{ url: 'https://music.example/api/' }], paths, components })

  test('finds operations below the path of the server, those without parameters first', () => {
    const templateOf = (path: string): string | undefined =>
      description.find('GET', `http://127.0.0.1:3000${path}`)?.template
    expect(
      ['/api/albums', '/api/albums/', '/api/albums/1', '/api/albums/a%2Fb', '/api/albums/latest'].map(templateOf),
    ).toEqual(['/albums', '/albums', '/albums/{id}', '/albums/{id}', '/albums/latest'])
    expect(['/albums', '/api/albums/1/tracks', '/api'].map(templateOf)).toEqual([undefined, undefined, undefined])
    expect(description.find('DELETE', `${url}/albums/1`)).toBe(null)
  })

  test('describes responses: by the status, its class, or default', () => {
    const albums = description.find('GET', `${url}/albums`)
    expect(albums?.response(200)).toEqual({ content: { [media]: album }, requiredHeaders: ['etag'] })
    expect(albums?.response(404)).toEqual({ content: { [media]: null }, requiredHeaders: [] })
    expect(albums?.response(500)).toBe(null)
    expect(description.find('GET', `${url}/albums/1`)?.response(500)).toEqual({ content: null, requiredHeaders: [] })
  })

  test('names the query parameters of JSON:API, also those of the path and those of objects', () => {
    expect(description.queryParameters).toEqual(['sort', 'page[size]', 'page[number]', 'tenant'])
  })

  test('has URLs to read, unless they need parameters', () => {
    expect(plainUrls(description, url)).toEqual([
      'http://127.0.0.1:3000/api/albums/latest',
      'http://127.0.0.1:3000/api/health',
    ])
    expect(describedCollections(description, url)).toEqual([{ url: `${url}/albums`, type: 'albums' }])
  })

  test('names references that cannot be resolved, but not those of examples', () => {
    const broken = {
      a: { $ref: '#/components/schemas/Gone' },
      example: { $ref: '#/nowhere' },
      b: { $ref: 'other.json' },
    }
    expect(read({ openapi: '3.0.3', paths, components: { ...components, schemas: broken } }).brokenReferences).toEqual([
      '#/components/schemas/Gone',
    ])
  })
})

test('a document of Swagger 2.0 is read too', () => {
  const description = read({
    swagger: '2.0',
    basePath: '/rest/',
    produces: [media],
    definitions: { album },
    paths: {
      '/albums': {
        get: { responses: { 200: { schema: { $ref: '#/definitions/album' } }, 204: {} } },
        post: { parameters: [{ in: 'body', name: 'body', schema: { $ref: '#/definitions/album' } }], responses: {} },
      },
    },
  })
  const operation = description.find('GET', 'http://127.0.0.1:3000/rest/albums')
  expect(operation?.response(200)?.content).toEqual({ [media]: { $ref: '#/definitions/album' } })
  expect(operation?.response(204)?.content).toBe(null)
  expect(description.resolve('#/definitions/album')).toEqual(album)
  expect(description.find('POST', 'http://127.0.0.1:3000/rest/albums')?.requestSchema).toEqual({
    $ref: '#/definitions/album',
  })
})

test.each([[null], [[]], [{}], [{ openapi: '3.1.0' }], [{ paths: {} }]])('%j is no description', (document) => {
  expect(readDescription(document, { source: '', url })).toBe(null)
})

/** Searches for a document that is served at one address. */
function found(settings: { given?: string; linked?: string }, served: string) {
  const requested: string[] = []
  const description = findDescription({
    url,
    given: settings.given ?? null,
    linked: settings.linked ?? null,
    read: async (address) => {
      requested.push(address)
      const document = address.endsWith(served) ? { openapi: '3.1.0', paths: {} } : {}
      return { document } as never
    },
  })
  return { requested, description }
}

describe('the document is found', () => {
  test('by its link, else by the usual names below the URL', async () => {
    const byLink = found({ linked: 'http://127.0.0.1:3000/described' }, 'described')
    expect((await byLink.description)?.source).toBe('http://127.0.0.1:3000/described')
    const byName = found({}, 'openapi.json')
    expect((await byName.description)?.source).toBe(`${url}/openapi.json`)
    expect(byName.requested).toEqual([`${url}/docs.json`, `${url}/openapi.json`])
    expect(await found({}, 'nowhere').description).toBe(null)
  })

  test('in a file, which must exist', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ashlar-verify-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'openapi.json')
    writeFileSync(file, '{"openapi":"3.1.0","paths":{}}')
    expect((await found({ given: file }, '').description)?.source).toBe(file)
    writeFileSync(file, 'openapi: 3.1.0')
    await expect(found({ given: file }, '').description).rejects.toThrow(`'${file}' is no OpenAPI document in JSON.`)
    await expect(found({ given: join(folder, 'gone.json') }, '').description).rejects.toThrow('ENOENT')
  })
})

describe('schemas of OpenAPI 3.0', () => {
  test.each<[Schema, unknown, boolean]>([
    [{ type: 'string', nullable: true }, null, true],
    [{ type: 'string' }, null, false],
    [{ type: 'number', minimum: 1, exclusiveMinimum: true }, 1, false],
    [{ type: 'number', minimum: 1, exclusiveMinimum: false }, 1, true],
    [{ type: 'number', exclusiveMaximum: 2 }, 2, false],
    // Parts that cannot be followed have no effect.
    [{ unknown: false, $ref: '#/nowhere', pattern: '(' }, 'x', true],
  ])('%j and %j', (schema, value, isFine) => {
    expect(read({ openapi: '3.0.3', paths: {} }).problemOf(schema, value) === null).toBe(isFine)
  })
})

describe('the problem of a value', () => {
  const schemas = {
    Album: {
      type: 'object',
      properties: { title: { type: 'string', maxLength: 3 }, parts: { items: { $ref: '#/components/schemas/Album' } } },
      required: ['title'],
      additionalProperties: false,
    },
    Shown: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/Album' }] },
    'With~tilde/slash {}': { const: 7 },
  }
  const description = read({ openapi: '3.1.0', paths: {}, components: { schemas } })
  const problemOf = (name: string, value: unknown) =>
    description.problemOf({ $ref: `#/components/schemas/${name}` }, value)

  test.each<[string, unknown, string, string]>([
    ['Album', { title: 'long' }, '/title', 'must NOT have more than 3 characters'],
    ['Album', {}, '', "must have required property 'title'"],
    ['Album', { title: '', year: 1 }, '', 'must NOT have additional properties: "year"'],
    ['Album', { title: '', parts: [{ title: 1 }] }, '/parts/0/title', 'must be string'],
    ['Shown', { title: 1 }, '/title', 'must be string'],
    ['With~0tilde~1slash {}', 8, '', 'must be equal to constant: 7'],
  ])('%s: %j', (name, value, pointer, text) => {
    expect(problemOf(name, value)).toEqual({ pointer, text })
  })

  test('is null for values that match', () => {
    expect(problemOf('Album', { title: 'abc', parts: [{ title: 'd' }] })).toBe(null)
    expect(problemOf('Shown', null)).toBe(null)
    expect(problemOf('With~0tilde~1slash {}', 7)).toBe(null)
    expect(description.problemOf({ type: 'number', multipleOf: 0.01 }, 19.99)).toBe(null)
  })

  test('is null for a schema that cannot be compiled', () => {
    expect(description.problemOf({ type: 'text', required: 'title' }, {})).toBe(null)
  })
})

describe('values for new resources', () => {
  const description = read({
    openapi: '3.1.0',
    paths: {},
    components: { schemas: { Status: { type: 'string', enum: ['draft', 'released'] } } },
  })

  test.each<[Schema]>([
    [{ type: 'string' }],
    [{ type: 'string', minLength: 40, maxLength: 42 }],
    [{ type: 'string', maxLength: 2 }],
    [{ type: 'string', format: 'date-time' }],
    [{ type: ['null', 'string'], format: 'date' }],
    [{ type: 'string', pattern: String.raw`^\d+$` }],
    [{ type: 'string', pattern: '^[A-Z]+$', maxLength: 3 }],
    [{ type: 'integer', minimum: 5, multipleOf: 4 }],
    [{ type: 'number', exclusiveMinimum: 3, maximum: 4 }],
    [{ type: 'boolean' }],
    [{ type: 'array', minItems: 1, items: { type: 'integer' } }],
    [{ $ref: '#/components/schemas/Status' }],
    [{ anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/Status' }] }],
    [{ type: 'object', properties: { a: { const: 7 }, b: {} }, required: ['a'] }],
    [{ allOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { required: ['a'] }] }],
    [{ type: 'string', example: 'no' }],
  ])('match %j', (schema) => {
    const value = sampleValue(schema, description)
    expect(value).toBeDefined()
    expect(description.problemOf(schema, value)).toBe(null)
  })

  test('are not generated if nothing simple matches', () => {
    expect(sampleValue({ type: 'string', pattern: '^x{3}-y$' }, description)).toBe(undefined)
    expect(sampleValue(false, description)).toBe(undefined)
  })

  test('differ from those of other resources, within their length', () => {
    expect(alteredText('OK Computer', 200)).toMatch(/^OK Computer [a-p]{8}$/)
    expect(alteredText('OK Computer', 12)).toMatch(/^OK  ?[a-p]{8}$/)
    expect(alteredText('ann@example.com', 200)).toMatch(/^[a-p]{8}@example\.com$/)
    expect(alteredText('abc', 4)).toHaveLength(4)
  })

  test.each([
    ['OK Computer', true],
    ['draft', true],
    ['2024-01-31', false],
    ['https://example.com', false],
    ['b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c', false],
    ['10.50', false],
    ['image/png', false],
    ['', false],
  ])('of %s can have another end: %s', (text, isFree) => {
    expect(isFreeText(text)).toBe(isFree)
  })
})
