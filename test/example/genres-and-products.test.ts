import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { musicServices } from '../support/music-service.js'
import { musicClient } from './music-client.js'

const genre = (name: string, id?: string) => ({
  data: { type: 'genres', ...(id === undefined ? {} : { id }), attributes: { name } },
})
const product = (attributes: object) => ({ data: { type: 'products', attributes } })

/** The path matches no route, whatever the rows are. */
function expectNoRoute(response: TestResponse): void {
  expectErrors(response, [{ status: 404, code: 'PATH_NOT_FOUND' }])
}

describe.each(musicServices)('on %s', (_engine, open) => {
  const music = musicClient(open)

  describe('genres', () => {
    test('have a name', async () => {
      const { resource } = await music.get('/genres/art-rock')
      expect(resource.attributes).toEqual({ name: 'Art rock' })
      expect(resource).not.toHaveProperty('relationships')
    })

    test('have ids that clients choose', async () => {
      const { status, resource, headers } = await music.post('/genres', genre('Trip hop', 'trip-hop'))
      expect(status).toBe(201)
      expect(resource.id).toBe('trip-hop')
      expect(headers.get('Location')).toBe('http://localhost/genres/trip-hop')
    })

    test('are not created without an id', async () => {
      expectErrors(await music.post('/genres', genre('Trip hop')), [
        { status: 403, code: 'CLIENT_GENERATED_ID_REQUIRED', pointer: '/data/id' },
      ])
    })

    test('have ids that are words of small letters and digits, with hyphens between them', async () => {
      for (const id of ['Trip Hop', 'trip_hop', '-trip', 'trip--hop', 'trip-']) {
        expectErrors(await music.post('/genres', genre('Trip hop', id)), [
          { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' },
        ])
      }
    })

    test('have unique ids', async () => {
      expectErrors(await music.post('/genres', genre('Other jazz', 'jazz')), [
        { status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS', pointer: '/data/id' },
      ])
    })

    test('need a name', async () => {
      expectErrors(await music.post('/genres', { data: { type: 'genres', id: 'trip-hop' } }), [
        { status: 422, pointer: '/data/attributes/name' },
      ])
    })

    test('are not read if the path is no valid code', async () => {
      for (const path of ['/genres/Jazz', '/genres/jazz_', '/genres/%20']) expectNoRoute(await music.get(path))
      expectErrors(await music.get('/genres/trip-hop'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    })
  })

  describe('products', () => {
    test('have a name, and a parent product', async () => {
      const { resource } = await music.get('/products/prod-b1')
      expect(resource.attributes).toEqual({ name: 'Coloured vinyl' })
      expect(resource.relationships).toMatchObject({ parent: { data: { type: 'products', id: 'prod-a0' } } })
    })

    test('get an id that a function makes', async () => {
      const { status, resource } = await music.post('/products', product({ name: 'Cassette' }))
      expect(status).toBe(201)
      expect(resource.id).toMatch(/^prod-[0-9a-f]+$/)
      expect((await music.get(`/products/${resource.id}`)).resource.attributes).toEqual({ name: 'Cassette' })
    })

    test('do not take one from clients', async () => {
      expectErrors(
        await music.post('/products', { data: { type: 'products', id: 'prod-c2', attributes: { name: 'x' } } }),
        [{ status: 403, code: 'CLIENT_GENERATED_ID_NOT_SUPPORTED' }],
      )
    })

    test('need a name', async () => {
      expectErrors(await music.post('/products', product({})), [{ status: 422, pointer: '/data/attributes/name' }])
    })

    test('are not read if the path is no valid id', async () => {
      expectNoRoute(await music.get('/products/vinyl'))
      expectErrors(await music.get('/products/prod-ff'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    })

    test('have deprecation headers on every response: since when, until when, and where to read more', async () => {
      const responses = [
        await music.get('/products'),
        await music.get('/products/prod-a0'),
        await music.get('/products/prod-b1/parent'),
        await music.get('/products/prod-ff'),
        await music.post('/products', product({ name: 'Cassette' })),
        await music.post('/products', product({})),
      ]
      for (const { headers } of responses) {
        expect(headers.get('Deprecation')).toBe('true')
        expect(headers.get('Sunset')).toBe('Wed, 31 Dec 2031 23:59:59 GMT')
        expect(headers.get('Link')).toBe('<https://music.example/sunset>; rel="sunset"')
      }
    })

    test('are the only type with them', async () => {
      expect((await music.get('/genres')).headers.has('Deprecation')).toBe(false)
    })
  })
})
