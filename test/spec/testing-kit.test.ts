import {
  assertDocument,
  type DocumentExpectation,
  documentProblems,
  expectErrors,
  responseProblems,
  testClient,
} from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'

const album = { type: 'albums', id: '1' }
const artist = { type: 'artists', id: '1' }

describe('documentProblems() finds nothing wrong with', () => {
  test.each<[string, unknown, DocumentExpectation?]>([
    ['an empty collection', { data: [] }],
    ['an empty to-one', { data: null }],
    ['nothing but meta', { meta: { any: { '': [] } } }, { kind: 'meta' }],
    ['a full resource', { data: { ...album, attributes: { title: 'x' }, links: { self: '/albums/1' }, meta: {} } }],
    ['linkage', { data: [album, artist], links: { self: '/a', related: '/b' } }, { kind: 'identifier' }],
    [
      'a compound document',
      {
        data: { ...album, relationships: { artist: { data: artist } } },
        included: [{ ...artist, relationships: { albums: { links: { related: '/x' }, data: [album] } } }],
      },
    ],
    [
      'a chain of included resources',
      {
        data: { ...album, relationships: { artist: { data: artist } } },
        included: [
          { ...artist, relationships: { home: { data: { type: 'places', id: '1' } } } },
          { type: 'places', id: '1' },
        ],
      },
    ],
    ['an included resource whose linkage a fieldset left out', { data: [], included: [artist] }, { fieldsets: true }],
    [
      'included resources of linkage',
      { data: [artist], included: [{ ...artist, attributes: { a: 1 } }] },
      { kind: 'identifier' },
    ],
    [
      'every form of a link',
      {
        data: null,
        links: {
          self: 'https://music.example/a?b[c]=%20#d',
          prev: null,
          describedby: {
            href: '/schema',
            rel: 'describedby',
            title: 'x',
            type: 'text/html',
            hreflang: ['en', 'de'],
            describedby: '/y',
            meta: {},
          },
        },
      },
    ],
    ['@-members', { '@context': 1, data: { ...album, '@id': 5, attributes: { '@x': 1 } } }],
    ['a jsonapi object', { data: null, jsonapi: { version: '1.1', profile: ['https://music.example/p'], meta: {} } }],
    ['members of an applied extension', { 'atomic:results': [{}] }, { extensions: ['https://jsonapi.org/ext/atomic'] }],
    [
      'a full error',
      {
        errors: [
          {
            id: 'a',
            status: '422',
            code: 'X',
            title: 't',
            detail: '',
            source: { pointer: '/data/a~1b' },
            links: { about: '/a', type: { href: '/b' } },
            meta: {},
          },
        ],
      },
      { status: 422, kind: 'error' },
    ],
    ['errors of several statuses', { errors: [{ status: '404' }, { status: '422' }] }, { status: 400 }],
  ])('%s', (_name, document, expected) => {
    expect(documentProblems(document, expected)).toEqual([])
  })
})

describe('documentProblems() finds', () => {
  test.each<[string, unknown, string, DocumentExpectation?]>([
    ['what is no object', [], ''],
    ['what is null', null, ''],
    ['an empty document', {}, ''],
    ['data beside errors', { data: null, errors: [{ status: '400' }] }, ''],
    ['included without data', { meta: {}, included: [] }, '/included'],
    ['an unknown top-level member', { data: null, links2: {} }, '/links2'],
    ['a member of an extension that is not applied', { data: null, 'atomic:results': [] }, '/atomic:results'],
    ['data that is no resource', { data: 5 }, '/data'],
    ['a resource without a type', { data: { id: '1' } }, '/data'],
    ['a resource without an id', { data: { type: 'albums' } }, '/data'],
    ['an id that is no string', { data: { type: 'albums', id: 1 } }, '/data/id'],
    ['a type that is no member name', { data: { type: 'al/bums', id: '1' } }, '/data/type'],
    ['an unknown member of a resource', { data: { ...album, href: '/x' } }, '/data/href'],
    ['attributes that are no object', { data: [{ ...album, attributes: [] }] }, '/data/0/attributes'],
    ['an attribute called id', { data: { ...album, attributes: { id: 1 } } }, '/data/attributes/id'],
    [
      'a relationship called type',
      { data: { ...album, relationships: { type: { meta: {} } } } },
      '/data/relationships/type',
    ],
    ['an illegal attribute name', { data: { ...album, attributes: { 'a.b': 1 } } }, '/data/attributes/a.b'],
    [
      'an attribute name with a hyphen at its end',
      { data: { ...album, attributes: { 'a-': 1 } } },
      '/data/attributes/a-',
    ],
    [
      'one name for an attribute and a relationship',
      { data: { ...album, attributes: { a: 1 }, relationships: { a: { data: null } } } },
      '/data/relationships/a',
    ],
    ['an empty relationship', { data: { ...album, relationships: { a: {} } } }, '/data/relationships/a'],
    [
      'an unknown member of a relationship',
      { data: { ...album, relationships: { a: { id: 1, meta: {} } } } },
      '/data/relationships/a/id',
    ],
    [
      'relationship links without self and related',
      { data: { ...album, relationships: { a: { links: { first: '/x' } } } } },
      '/data/relationships/a/links',
    ],
    ['linkage with attributes', { data: { ...album, attributes: {} } }, '/data/attributes', { kind: 'identifier' }],
    [
      'an identifier without an id',
      { data: { ...album, relationships: { a: { data: [{ type: 'a' }] } } } },
      '/data/relationships/a/data/0',
    ],
    ['meta that is no object', { meta: [] }, '/meta'],
    ['a link that is a number', { data: null, links: { self: 5 } }, '/links/self'],
    ['a link that is no URI', { data: null, links: { self: '/a b' } }, '/links/self'],
    ['a link with a broken escape', { data: null, links: { self: '/a%2' } }, '/links/self'],
    ['a link object without href', { data: null, links: { self: { title: 'x' } } }, '/links/self'],
    ['an unknown member of a link object', { data: null, links: { self: { href: '/', id: 1 } } }, '/links/self/id'],
    ['links that are no object', { data: null, links: [] }, '/links'],
    ['an unknown member of jsonapi', { data: null, jsonapi: { name: 'x' } }, '/jsonapi/name'],
    ['a profile that is no URI', { data: null, jsonapi: { profile: ['x y'] } }, '/jsonapi/profile/0'],
    ['an included resource that nothing links to', { data: album, included: [artist] }, '/included/0'],
    [
      'included resources that link to each other only',
      { data: album, included: [{ ...artist, relationships: { a: { data: artist } } }] },
      '/included/0',
    ],
    [
      'a resource that is primary and included',
      {
        data: { ...album, attributes: {}, relationships: { twin: { data: album } } },
        included: [album],
      },
      '/included/0',
    ],
    [
      'a resource twice',
      {
        data: [
          { ...album, attributes: {} },
          { ...album, attributes: {} },
        ],
      },
      '/data/1',
    ],
    ['no error at all', { errors: [] }, '/errors'],
    ['an empty error', { errors: [{}] }, '/errors/0'],
    ['an unknown member of an error', { errors: [{ status: '400', message: 'x' }] }, '/errors/0/message'],
    ['a status that is a number', { errors: [{ status: 400 }] }, '/errors/0/status'],
    ['a status that is no error', { errors: [{ status: '200' }] }, '/errors/0/status'],
    ['another status than that of the response', { errors: [{ status: '404' }] }, '/errors', { status: 400 }],
    ['an unknown member of a source', { errors: [{ source: { line: 1 } }] }, '/errors/0/source/line'],
    ['a pointer that is none', { errors: [{ source: { pointer: 'data' } }] }, '/errors/0/source/pointer'],
    ['a pointer with a broken escape', { errors: [{ source: { pointer: '/a~2' } }] }, '/errors/0/source/pointer'],
    ['errors in a success', { errors: [{ title: 'x' }] }, '/errors', { status: 200 }],
    ['a failure without errors', { data: null }, '', { status: 404 }],
    ['data in a document of meta', { data: null, meta: {} }, '/data', { kind: 'meta' }],
  ])('%s', (_name, document, pointer, expected) => {
    expect(documentProblems(document, expected)).toContainEqual({ pointer, problem: expect.stringMatching(/\.$/) })
  })

  test('everything at once', () => {
    expect(documentProblems({ data: { id: 5, attributes: 1 }, meta: 1 })).toHaveLength(4)
  })
})

describe('assertDocument()', () => {
  test('lists every problem with its pointer', () => {
    expect(() => assertDocument({ data: { type: 'albums', id: 1 }, meta: 5 })).toThrow(
      'This is no JSON:API document:\n  - /meta: This must be an object.\n  - /data/id: This must be a string.',
    )
    expect(() => assertDocument({ data: null })).not.toThrow()
  })
})

const answering = (status: number, headers: readonly string[], body: string | null) => ({
  handle: async () => ({ status, headers, body }),
})

describe('testClient()', () => {
  const media = ['Content-Type', 'application/vnd.api+json', 'Vary', 'Accept']

  test.each<readonly [string, number, readonly string[], string | null, RegExp]>([
    [
      'another media type',
      200,
      ['Content-Type', 'application/json', 'Vary', 'Accept'],
      '{"data":null}',
      /Content-Type/,
    ],
    [
      'a charset',
      200,
      ['Content-Type', 'application/vnd.api+json; charset=utf-8', 'Vary', 'Accept'],
      '{"data":null}',
      /charset/,
    ],
    ['no Vary', 200, media.slice(0, 2), '{"data":null}', /Vary: Accept/],
    ['no body', 200, media, null, /not the JSON/],
    ['broken JSON', 200, media, '{"data":', /not the JSON/],
    ['a body of a 204', 204, ['Vary', 'Accept'], 'x', /204 has no body/],
    ['a 405 without Allow', 405, media, '{"errors":[{"status":"405"}]}', /Allow/],
    ['an unsound document', 200, media, '{"data":{}}', /\/data/],
    [
      'another Location than links.self',
      201,
      [...media, 'Location', '/b'],
      '{"data":{"type":"a","id":"1","links":{"self":"/a"}}}',
      /Location is \/b/,
    ],
    [
      'a profile that the Content-Type does not tell',
      200,
      media,
      '{"data":null,"jsonapi":{"profile":["https://a.example/"]}}',
      /profile/,
    ],
  ])('throws for %s', async (_name, status, headers, body, problem) => {
    const server = answering(status, headers, body)
    await expect(testClient(server).get('/albums')).rejects.toThrow(problem)
    await expect(testClient(server, { validate: false }).get('/albums')).resolves.toMatchObject({ status })
  })

  test('lets the plain 404 of the router pass, and nothing else that is plain', async () => {
    const plain = ['Content-Type', 'text/plain']
    expect((await testClient(answering(404, plain, 'x')).get('/x')).text).toBe('x')
    await expect(testClient(answering(400, plain, 'x')).get('/x')).rejects.toThrow('breaks the format')
  })

  test('sends the media type by default; headers can be replaced and taken away', async () => {
    const seen: (string | undefined)[][] = []
    const server = {
      handle: async (request: Parameters<ReturnType<typeof catalogueServer>['handle']>[0]) => {
        seen.push(['accept', 'content-type', 'x-one'].map((name) => request.header(name)))
        return { status: 204, headers: ['Vary', 'Accept'], body: null }
      },
    }
    const api = testClient(server, { headers: { 'X-One': '1' } })
    await api.get('/a')
    await api.post('/a', { body: {}, headers: { accept: 'text/html', 'content-TYPE': null } })
    expect(seen).toEqual([
      ['application/vnd.api+json', undefined, '1'],
      ['text/html', undefined, '1'],
    ])
  })

  test('shows every response to the observer before it is judged', async () => {
    const seen: number[] = []
    const api = testClient(answering(200, [], null), { onResponse: ({ status }) => seen.push(status) })
    await expect(api.get('/x')).rejects.toThrow()
    expect(seen).toEqual([200])
  })

  test('reads headers by any spelling, and joins repeated ones', async () => {
    const server = answering(204, ['Vary', 'Accept', 'Set-Cookie', 'a=1', 'set-cookie', 'b=2'], null)
    const { headers } = await testClient(server).get('/x')
    expect(headers.get('SET-cookie')).toBe('a=1, b=2')
    expect(headers.get('x-none')).toBeNull()
  })

  test('resource and resources say what the document is instead', async () => {
    const api = testClient(catalogueServer())
    const [one, many] = [await api.get('/albums/1'), await api.get('/albums')]
    expect(() => one.resources).toThrow('no list of resources in this 200 response')
    expect(() => many.resource).toThrow('no single resource in this 200 response')
    expect(many.resources).toHaveLength(4)
  })
})

describe('responseProblems()', () => {
  test('is empty for a sound response', async () => {
    const response = await testClient(catalogueServer()).get('/albums?fields[albums]=title')
    expect(responseProblems(response, { method: 'GET', path: '/albums?fields[albums]=title' })).toEqual([])
  })
})

const unrecognized = async () => testClient(catalogueServer()).get('/albums?nonsense=1')

describe('expectErrors()', () => {
  test('passes when the errors are those expected, in any order, and answers them', async () => {
    const errors = expectErrors(await unrecognized(), [{ status: 400, parameter: 'nonsense', pointer: null }])
    expect(errors).toHaveLength(1)
  })

  test('tells what is missing and what was not expected', async () => {
    const given = await unrecognized()
    expect(() => expectErrors(given, [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])).toThrow(
      /missing: {"status":404,"code":"RESOURCE_NOT_FOUND"}\n {2}- not expected: {"status":"400"/,
    )
    expect(() => expectErrors(given, [])).toThrow('not expected')
    expect(() => expectErrors(given, [{ parameter: null }])).toThrow('missing')
  })

  test('shows a response without errors as it is', async () => {
    const fine = await testClient(catalogueServer()).get('/albums/1')
    expect(() => expectErrors(fine, [{ status: 404 }])).toThrow(/It has none at all: {"data":/)
  })
})
