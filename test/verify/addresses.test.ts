import { describe, expect, test } from 'vitest'
import { unknownId, withId } from '../../src/tools/verify/checks/missing.js'
import { createAddresses, withQuery } from '../../src/tools/verify/crawl/addresses.js'
import { curlText } from '../../src/tools/verify/exchange/curl-text.js'

describe('links', () => {
  const addresses = createAddresses({ url: 'http://127.0.0.1:3000/api', baseUri: null })

  test.each([
    ['/api/albums', 'http://127.0.0.1:3000/api/albums'],
    ['albums?page%5Bsize%5D=1#top', 'http://127.0.0.1:3000/api/albums?page%5Bsize%5D=1'],
    ['http://localhost:3000/api/albums', 'http://127.0.0.1:3000/api/albums'],
    ['http://[::1]:3000/x', 'http://127.0.0.1:3000/x'],
  ])('%s refers to this server', (href, url) => {
    expect(addresses.resolve(href, 'http://127.0.0.1:3000/api/')).toEqual({ kind: 'internal', url })
  })

  test.each([
    ['https://example.com/albums', { kind: 'external', origin: 'https://example.com' }],
    ['http://localhost:4000/albums', { kind: 'external', origin: 'http://localhost:4000' }],
    ['https://127.0.0.1:3000/albums', { kind: 'external', origin: 'https://127.0.0.1:3000' }],
    ['http://exa mple/', { kind: 'invalid' }],
  ])('%s is not followed', (href, address) => {
    expect(addresses.resolve(href, 'http://127.0.0.1:3000/')).toEqual(address)
  })

  test('with the base of a proxy refer to this server', () => {
    const proxied = createAddresses({ url: 'http://127.0.0.1:3000', baseUri: 'https://music.example/api' })
    const from = 'http://127.0.0.1:3000/'
    const urls = [
      'https://music.example/api/albums?a=1',
      'https://music.example/api',
      'https://music.example/apis',
    ].map((href) => proxied.resolve(href, from))
    expect(urls).toEqual([
      { kind: 'internal', url: 'http://127.0.0.1:3000/albums?a=1' },
      { kind: 'internal', url: 'http://127.0.0.1:3000/' },
      { kind: 'external', origin: 'https://music.example' },
    ])
  })
})

test('query parameters are added to existing ones, or replace them', () => {
  expect(withQuery('http://x/a?b=1&c=2', { b: '3', 'fields[a]': 'x,y' })).toBe('http://x/a?c=2&b=3&fields%5Ba%5D=x%2Cy')
})

describe('an id that no resource has', () => {
  test.each([
    ['1', ['1', '2'], /^2000000000$/],
    ['3000000000', ['3000000000'], /^3001000003$/],
    ['rock', ['rock'], /^[a-z]{4}$/],
    ['A-b', [], /^[A-Z]-[a-z]$/],
    ['b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c', [], /^[\da-f]{8}-[\da-f]{4}-4/],
    ['507f1f77bcf86cd799439011', [], /^f{24}$/],
    ['1-2', ['1-2'], /^1-2000000000$/],
    ['7:2009-01-14', ['7:2009-01-3000000000'], /^7:2009-01-3001000003$/],
    ['a1-2', ['a1-2'], /^[a-z]\d-\d$/],
  ])('has the form of %s', (id, known, form) => {
    expect(unknownId(id, known)).toMatch(form)
  })

  test('is not a known one, even if the random id is', () => {
    for (let index = 0; index < 1000; index += 1)
      expect(unknownId('a-b', ['a-b', 'c-d'])).toMatch(/^(?!a-b|c-d)[a-z]-[a-z]$/)
  })

  test('is longer if all ids of the form are known', () => {
    const known = Array.from({ length: 9 }, (_, index) => `#${index + 1}`)
    expect(unknownId('#1', known)).toMatch(/^#1#\d$/)
  })

  test('replaces the id in a URL, if it is a segment of it', () => {
    expect(withId('http://x/albums/1/relationships/1', '1', 'a/b')).toBe('http://x/albums/1/relationships/a%2Fb')
    expect(withId('http://x/albums/a%2Fb', 'a/b', '2')).toBe('http://x/albums/2')
    expect(withId('http://x/albums?id=1', '1', '2')).toBe(null)
  })
})

test('a command for the shell has quotes, and no secrets', () => {
  const request = {
    method: 'PATCH',
    url: "http://x/it's",
    headers: { Accept: 'a', authorization: 'Bearer secret' },
    body: '{"a":1}',
  } as const
  expect(curlText(request, new Set(['authorization']))).toBe(
    `curl -g -i -X PATCH 'http://x/it'\\''s' -H 'Accept: a' -H 'authorization: …' -d '{"a":1}'`,
  )
  expect(curlText({ ...request, method: 'HEAD', url: 'http://x', body: null }, new Set())).toMatch(
    /^curl -g -I 'http:\/\/x'/,
  )
})
