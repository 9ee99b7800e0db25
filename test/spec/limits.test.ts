import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const padded = (length: number) => ({ raw: JSON.stringify({ meta: { pad: 'x'.repeat(length) } }) })
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

describe('the body', () => {
  test('of more than 1 MiB is 413', async () => {
    const api = client(catalogueServer())
    const envelope = padded(0).raw.length
    expectErrors(await api.post('/albums', padded(1024 * 1024 - envelope)), [
      { status: 400, code: 'DATA_MEMBER_MISSING' },
    ])
    const [error] = expectErrors(await api.post('/albums', padded(1024 * 1024 - envelope + 1)), [
      { status: 413, code: 'REQUEST_BODY_TOO_LARGE' },
    ])
    expect(error?.detail).toContain('1048576 bytes')
  })

  test('has the limit of the settings', async () => {
    const api = client(catalogueServer({ limits: { bodyBytes: 100 } }))
    expectErrors(await api.post('/albums', { raw: 'x'.repeat(101) }), [{ status: 413 }])
    expectErrors(await api.post('/albums', { raw: 'x'.repeat(100) }), [
      { status: 400, code: 'REQUEST_BODY_INVALID_JSON' },
    ])
    expectErrors(await api.post('/albums', { raw: 'ä'.repeat(51) }), [{ status: 413 }])
  })

  test('nested deeper than 64 levels is LIMIT_EXCEEDED', async () => {
    const api = client(catalogueServer())
    expectErrors(await api.post('/albums', { raw: nested(64) }), [{ code: 'REQUIRED_TOP_LEVEL_MEMBERS_MISSING' }])
    const [error] = expectErrors(await api.post('/albums', { raw: nested(65) }), [
      { status: 400, code: 'LIMIT_EXCEEDED', pointer: '' },
    ])
    expect(error?.detail).toBe('A request may have at most 64 levels of nested JSON.')
    expectErrors(await api.post('/albums', { raw: nested(200_000) }), [{ status: 400, code: 'LIMIT_EXCEEDED' }])
  })

  test('has the depth of the settings', async () => {
    const shallow = client(catalogueServer({ limits: { jsonDepth: 3 } }))
    expect((await shallow.post('/albums', { body: resourceBody('albums', { title: 'x' }) })).text).not.toContain(
      'LIMIT',
    )
    const api = client(catalogueServer({ limits: { jsonDepth: 2 } }))
    expectErrors(await api.post('/albums', { body: resourceBody('albums', { title: 'x' }) }), [
      { code: 'LIMIT_EXCEEDED' },
    ])
  })

  test('that is not JSON is REQUEST_BODY_INVALID_JSON, and nothing of it is in the response', async () => {
    for (const raw of [
      '{',
      '{"data":secret}',
      "{'data':1}",
      '{"data":1,}',
      '\u0000',
      '{"a":"secret\n"}',
      'undefined',
    ]) {
      const response = await client(catalogueServer()).post('/albums', { raw })
      expectErrors(response, [{ status: 400, code: 'REQUEST_BODY_INVALID_JSON', pointer: null }])
      expect(response.text).not.toContain('secret')
    }
  })

  test('that is not UTF-8 is REQUEST_BODY_INVALID_JSON', async () => {
    const raw = Uint8Array.from([0x22, 0xff, 0x22])
    expectErrors(await client(catalogueServer()).post('/albums', { raw }), [{ code: 'REQUEST_BODY_INVALID_JSON' }])
  })

  test('with a number that no double can hold is REQUEST_BODY_INVALID_JSON', async () => {
    for (const number of ['1e400', '-1E+999', `1${'0'.repeat(400)}`]) {
      const raw = `{"data":{"type":"albums","attributes":{"x":[${number}]}}}`
      expectErrors(await client(catalogueServer()).post('/albums', { raw }), [{ code: 'REQUEST_BODY_INVALID_JSON' }])
    }
  })
})

const target = (length: number): string => '/albums?page[x]='.padEnd(length, 'x')

describe('the target', () => {
  test('of more than 16 KiB is 414', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const api = client(catalogueServer())
    expect((await api.get(target(16 * 1024))).status).toBe(200)
    expectErrors(await api.get(target(16 * 1024 + 1)), [{ status: 414, code: 'URI_TOO_LONG' }])
    expectErrors(await api.get(`/albums/${'x'.repeat(20_000)}`), [{ status: 414, code: 'URI_TOO_LONG' }])
  })

  test('has the limit of the settings', async () => {
    exemptFromDescription('queries', 'Pages ignore keys that their kind does not read.')
    const api = client(catalogueServer({ limits: { uriLength: 20 } }))
    expect((await api.get(target(20))).status).toBe(200)
    expectErrors(await api.get(target(21)), [{ status: 414 }])
  })
})

const values = (count: number): string => '&filter[genres][]=jazz'.repeat(count).slice(1)
const keys = (length: number): string => Array.from({ length }, (_, index) => `k${index}`).join(',')
const parents = (hops: number): string => Array.from({ length: hops }, () => 'parent').join('.')

describe('lists in the query', () => {
  test('more than 100 include paths, sort keys, or 1,000 values of a filter are LIMIT_EXCEEDED', async () => {
    const api = client(catalogueServer())
    expectErrors(await api.get(`/albums?include=${keys(100)}`), [{ code: 'INCLUSION_UNRECOGNIZED' }])
    expectErrors(await api.get(`/albums?include=${keys(101)}`), [
      { status: 400, code: 'LIMIT_EXCEEDED', parameter: 'include' },
    ])
    expectErrors(await api.get(`/albums?sort=${keys(100)}`), [{ code: 'SORTING_UNRECOGNIZED' }])
    expectErrors(await api.get(`/albums?sort=${keys(101)}`), [
      { status: 400, code: 'LIMIT_EXCEEDED', parameter: 'sort' },
    ])
    const roomy = client(catalogueServer({ limits: { uriLength: 30_000 } }))
    expect((await roomy.get(`/tracks?${values(1000)}`)).resources).toHaveLength(4)
    expectErrors(await roomy.get(`/tracks?${values(1001)}`), [
      { status: 400, code: 'LIMIT_EXCEEDED', parameter: 'filter[genres]' },
    ])
    const text = Array.from({ length: 1001 }, () => 'jazz').join(',')
    expectErrors(await api.get(`/tracks?filter[genres]=${text}`), [
      { status: 400, code: 'LIMIT_EXCEEDED', parameter: 'filter[genres]' },
    ])
  })

  test('a deep include path counts with all its prefixes, each of them once', async () => {
    const api = client(catalogueServer())
    expect((await api.get(`/products/prod-b1?include=${parents(100)}`)).status).toBe(200)
    expect((await api.get(`/products/prod-b1?include=${parents(60)},${parents(100)}`)).status).toBe(200)
    expectErrors(await api.get(`/products/prod-b1?include=${parents(101)}`), [
      { status: 400, code: 'LIMIT_EXCEEDED', parameter: 'include' },
    ])
  })

  test('a value of a filter has at most 1,000 characters, each value of a list too', async () => {
    const api = client(catalogueServer())
    const long = 'x'.repeat(1000)
    expect((await api.get(`/albums?filter[title]=${long}`)).resources).toEqual([])
    expect((await api.get(`/tracks?filter[genres]=${long},${long},jazz`)).resources).toHaveLength(4)
    for (const [path, parameter] of [
      [`/albums?filter[title]=${long}x`, 'filter[title]'],
      [`/tracks?filter[genres]=jazz,${long}x`, 'filter[genres]'],
      [`/tracks?filter[genres][]=jazz&filter[genres][]=${long}x`, 'filter[genres]'],
    ] as const) {
      const [error] = expectErrors(await api.get(path), [{ status: 400, code: 'LIMIT_EXCEEDED', parameter }])
      expect(error?.detail).toBe('A request may have at most 1000 characters in one value of a filter.')
    }
    const tight = client(catalogueServer({ limits: { filterValueLength: 3 } }))
    expect((await tight.get('/albums?filter[title]=abc')).status).toBe(200)
    expectErrors(await tight.get('/albums?filter[title]=abcd'), [{ code: 'LIMIT_EXCEEDED' }])
  })

  test('have the limits of the settings', async () => {
    const api = client(catalogueServer({ limits: { includePaths: 1, sortKeys: 1, filterValues: 1 } }))
    for (const [query, parameter] of [
      ['include=a,b', 'include'],
      ['sort=a,b', 'sort'],
      ['filter[a][]=1&filter[a][]=2', 'filter[a]'],
    ] as const) {
      expectErrors(await api.get(`/albums?${query}`), [{ status: 400, code: 'LIMIT_EXCEEDED', parameter }])
    }
    for (const query of ['include=tracks', 'sort=title', 'filter[title]=a']) {
      expect((await api.get(`/albums?${query}`)).status, query).toBe(200)
    }
  })

  test('brackets nest to 16 levels', async () => {
    const api = client(catalogueServer())
    expectErrors(await api.get(`/albums?filter${'[a]'.repeat(17)}=1`), [
      { status: 400, code: 'LIMIT_EXCEEDED', parameter: 'filter' },
    ])
  })
})
