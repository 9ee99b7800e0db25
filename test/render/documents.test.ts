import { describe, expect, test } from 'vitest'
import {
  dataResponse,
  identifierResponse,
  metaResponse,
  noContentResponse,
} from '../../src/serve/operation/response-value.js'
import { countableProfile, cursorPaginationProfile } from '../../src/declare/profiles/profile.js'
import { artists, countries } from './music.js'
import { node, rendered, resources } from './rendered.js'

const radiohead = node(artists, { id: 7, name: 'Radiohead' })

describe('the profiles of a response', () => {
  const [cursor, counting] = [cursorPaginationProfile.uri, countableProfile.uri]
  const shown = dataResponse(resources(radiohead))

  test('are none unless one is applied', () => {
    const { headers, document } = rendered(shown)
    expect([...headers]).toEqual([
      ['Content-Type', 'application/vnd.api+json'],
      ['Vary', 'Accept'],
      ['X-Content-Type-Options', 'nosniff'],
    ])
    expect(document?.jsonapi).toEqual({ version: '1.1' })
  })

  test('are those that were negotiated, in jsonapi.profile and in Content-Type', () => {
    const { headers, document } = rendered(shown, { profiles: [counting, cursor] })
    expect(document?.jsonapi).toEqual({ version: '1.1', profile: [counting, cursor] })
    expect(headers.get('Content-Type')).toBe(`application/vnd.api+json; profile="${counting} ${cursor}"`)
    expect(headers.get('Vary')).toBe('Accept')
  })

  test('begin with those that the response applies by itself, each once', () => {
    const value = dataResponse(resources(radiohead), { profiles: [cursor] })
    const { headers, document } = rendered(value, { profiles: [counting, cursor] })
    expect(document?.jsonapi).toEqual({ version: '1.1', profile: [cursor, counting] })
    expect(headers.get('Content-Type')).toBe(`application/vnd.api+json; profile="${cursor} ${counting}"`)
  })

  test('are shown for linkage as well', () => {
    const { document } = rendered(identifierResponse([], { profiles: [cursor] }))
    expect(document?.jsonapi).toEqual({ version: '1.1', profile: [cursor] })
  })

  test('do not apply to a response without a body', () => {
    expect([...rendered(noContentResponse(), { profiles: [cursor] }).headers]).toEqual([['Vary', 'Accept']])
  })
})

describe('the primary data', () => {
  test('is null if there is no resource, and an empty list if there could be many', () => {
    expect(rendered(dataResponse(resources([], { many: false }))).document?.data).toBeNull()
    expect(rendered(dataResponse(resources([]))).document?.data).toEqual([])
  })

  test('is missing in a document with only meta', () => {
    expect(rendered(metaResponse({ done: true })).text).toBe(
      '{"meta":{"done":true},"links":{"self":"http://localhost/albums"},"jsonapi":{"version":"1.1"}}',
    )
  })
})

describe('the Location of a created resource', () => {
  test('is its URL', () => {
    const created = dataResponse(resources(radiohead), { status: 201, location: radiohead, headers: ['X-Own', '1'] })
    const { headers, status } = rendered(created, { base: 'https://music.example/v1' })
    expect([status, headers.get('Location'), headers.get('X-Own')]).toEqual([
      201,
      'https://music.example/v1/artists/7',
      '1',
    ])
  })

  test('has the id that a serializer returns, percent-encoded', () => {
    const iceland = node(countries, { code: 'i s', name: 'Iceland', anthemId: null })
    const { headers, resource } = rendered(dataResponse(resources(iceland), { location: iceland }))
    expect(headers.get('Location')).toBe('http://localhost/countries/I%20S')
    expect(resource.links).toEqual({ self: headers.get('Location') })
  })
})
