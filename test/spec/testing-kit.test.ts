import { expectErrors, responseProblems, testClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'

const responding = (status: number, headers: readonly string[], body: string | null) => ({
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
    ['no body', 200, media, null, /not a JSON:API document/],
    ['broken JSON', 200, media, '{"data":', /not a JSON:API document/],
    ['a body of a 204', 204, ['Vary', 'Accept'], 'x', /204 must not have a body/],
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
      'a profile that the Content-Type does not name',
      200,
      media,
      '{"data":null,"jsonapi":{"profile":["https://a.example/"]}}',
      /profile/,
    ],
    [
      'fewer profiles than the Content-Type names',
      200,
      ['Content-Type', 'application/vnd.api+json; profile="https://a.example/ https://b.example/"', 'Vary', 'Accept'],
      '{"data":null,"jsonapi":{"profile":["https://a.example/"]}}',
      /profile/,
    ],
  ])('throws for %s', async (_name, status, headers, body, problem) => {
    const server = responding(status, headers, body)
    await expect(testClient(server).get('/albums')).rejects.toThrow(problem)
    await expect(testClient(server, { validate: false }).get('/albums')).resolves.toMatchObject({ status })
  })

  test('takes the profiles of the document and of the Content-Type in any order', async () => {
    const headers = [
      'Content-Type',
      'application/vnd.api+json; profile="https://a.example/ https://b.example/"',
      'Vary',
      'Accept',
    ]
    const body = '{"data":null,"jsonapi":{"profile":["https://b.example/","https://a.example/"]}}'
    expect((await testClient(responding(200, headers, body)).get('/albums')).status).toBe(200)
  })

  test('throws if a document lacks requested includes', async () => {
    const without = testClient(responding(200, media, '{"data":[]}'))
    for (const path of ['/albums?include=artist', '/albums?sort=title&include=artist,', '/albums?include=&include=a']) {
      await expect(without.get(path)).rejects.toThrow("must have the member 'included'")
    }
    for (const path of [
      '/albums',
      '/albums?include=',
      '/albums?include=a&include=',
      '/a/1/relationships/b?include=c',
    ]) {
      expect((await without.get(path)).status).toBe(200)
    }
    const body = '{"data":{"type":"a","id":"1"},"included":[{"type":"a","id":"1","attributes":{}}]}'
    const included = testClient(responding(200, media, body))
    await expect(included.get('/albums?include=')).rejects.toThrow('/included: There must be no included resources')
    expect((await included.get('/albums')).status).toBe(200)
  })

  test('knows the types that have a fieldset', async () => {
    const body = '{"data":{"type":"albums","id":"1","attributes":{}},"included":[{"type":"artists","id":"1"}]}'
    const api = testClient(responding(200, media, body))
    for (const path of ['/albums/1?fields[albums]=title', '/albums/1?x=1&fields%5Balbums%5D=']) {
      expect((await api.get(path)).status).toBe(200)
    }
    for (const path of ['/albums/1', '/albums/1?fields[artists]=name', '/albums/1?fields[]=x']) {
      await expect(api.get(path)).rejects.toThrow("No linkage refers to the included resource 'artists' '1'")
    }
  })

  test('lets the plain 404 of the router pass, and nothing else that is plain', async () => {
    const plain = ['Content-Type', 'text/plain']
    expect((await testClient(responding(404, plain, 'x')).get('/x')).text).toBe('x')
    await expect(testClient(responding(400, plain, 'x')).get('/x')).rejects.toThrow('violates JSON:API')
  })

  test('sends the media type by default; headers can be replaced and removed', async () => {
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

  test('shows every response to the observer before it is checked', async () => {
    const seen: number[] = []
    const api = testClient(responding(200, [], null), { onResponse: ({ status }) => seen.push(status) })
    await expect(api.get('/x')).rejects.toThrow()
    expect(seen).toEqual([200])
  })

  test('reads headers by any spelling, and joins repeated ones', async () => {
    const server = responding(204, ['Vary', 'Accept', 'Set-Cookie', 'a=1', 'set-cookie', 'b=2'], null)
    const { headers } = await testClient(server).get('/x')
    expect(headers.get('SET-cookie')).toBe('a=1, b=2')
    expect(headers.get('x-none')).toBeNull()
  })

  test('resource and resources throw with the actual form of the document', async () => {
    const api = testClient(catalogueServer())
    const [one, many] = [await api.get('/albums/1'), await api.get('/albums')]
    expect(() => one.resources).toThrow('no list of resources in this 200 response')
    expect(() => many.resource).toThrow('no single resource in this 200 response')
    expect(many.resources).toHaveLength(4)
  })
})

describe('responseProblems()', () => {
  test('is empty for a valid response', async () => {
    const response = await testClient(catalogueServer()).get('/albums?fields[albums]=title')
    expect(responseProblems(response, { method: 'GET', path: '/albums?fields[albums]=title' })).toEqual([])
  })
})

const unrecognized = async () => testClient(catalogueServer()).get('/albums?nonsense=1')

describe('expectErrors()', () => {
  test('passes if the errors are as expected, in any order, and returns them', async () => {
    const errors = expectErrors(await unrecognized(), [{ status: 400, parameter: 'nonsense', pointer: null }])
    expect(errors).toHaveLength(1)
  })

  test('reports missing and unexpected errors', async () => {
    const given = await unrecognized()
    expect(() => expectErrors(given, [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])).toThrow(
      /missing: {"status":404,"code":"RESOURCE_NOT_FOUND"}\n {2}- not expected: {"status":"400"/,
    )
    expect(() => expectErrors(given, [])).toThrow('not expected')
    expect(() => expectErrors(given, [{ parameter: null }])).toThrow('missing')
  })

  test('shows a response without errors as it is', async () => {
    const fine = await testClient(catalogueServer()).get('/albums/1')
    expect(() => expectErrors(fine, [{ status: 404 }])).toThrow(/It has no errors: {"data":/)
  })
})
