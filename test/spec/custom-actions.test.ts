import {
  actionResource,
  reply,
  fail,
  type FilterKit,
  HttpError,
  metaResult,
  noContent,
  type RequestContext,
} from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { actingServer, type AlbumRow } from '../support/acting-albums.js'
import { client, resourceBody } from '../support/client.js'

const signedIn = { headers: { Authorization: 'Bearer x' } } as const

describe('an action on a resource', () => {
  test('gets the stored row and a document, and returns a resource', async () => {
    const api = client(actingServer())
    const body = resourceBody('albums', { title: 'OKNOTOK', year: 2017 })
    const response = await api.post('/albums/1/-actions/reissue', { body, ...signedIn })
    expect(response.status).toBe(200)
    expect(response.resource).toMatchObject({ type: 'albums', id: '3', attributes: { title: 'OKNOTOK', year: 2017 } })
    expect(response.document?.links).toEqual({ self: 'http://localhost/albums/1/-actions/reissue' })
    const untouched = await api.get('/albums/1')
    expect(untouched.resource.attributes).toMatchObject({ title: 'OK Computer', year: 1997 })
  })

  test('takes bytes of any kind, and may return nothing', async () => {
    const api = client(actingServer())
    const sent = { raw: 'PNG', headers: { 'Content-Type': 'image/png' } }
    const response = await api.post('/albums/1/-actions/artwork', sent)
    expect([response.status, response.text]).toEqual([204, ''])
    expect((await api.get('/albums/1')).resource.attributes?.['artwork']).toBe('image/png: PNG')
  })

  test('is 404 if there is no such resource', async () => {
    const api = client(actingServer())
    const response = await api.post('/albums/9/-actions/artwork', { raw: 'x' })
    expectErrors(response, [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  })

  test('is 404 for a caller who does not see the resource', async () => {
    const over = { scope: (_context: RequestContext, f: FilterKit<string>) => f.where('year').fixed(2000) }
    const api = client(actingServer(undefined, { over }))
    expectErrors(await api.post('/albums/1/-actions/artwork', { raw: 'x' }), [
      { status: 404, code: 'RESOURCE_NOT_FOUND' },
    ])
    expect((await api.post('/albums/2/-actions/artwork', { raw: 'x' })).status).toBe(204)
  })
})

describe('an action on the collection', () => {
  test('gets no row, and may return only meta', async () => {
    const response = await client(actingServer()).post('/albums/-actions/summary')
    expect(response.status).toBe(200)
    expect(response.document).toEqual({
      meta: { albums: 2 },
      links: { self: 'http://localhost/albums/-actions/summary' },
      jsonapi: { version: '1.1' },
    })
  })

  test('may return a list of resources', async () => {
    const server = actingServer((a) => ({
      latest: a.collection({
        methods: ['GET'],
        responds: actionResource(null, 'many'),
        handle: async ({ context }) => {
          const rows = await context.rows<AlbumRow>('albums').list()
          return reply.resource(rows.toReversed(), { meta: { by: 'id' } })
        },
      }),
    }))
    const response = await client(server).get('/albums/-actions/latest?fields[albums]=title')
    expect(response.resources.map(({ id: album, attributes }) => [album, attributes])).toEqual([
      ['2', { title: 'Kid A' }],
      ['1', { title: 'OK Computer' }],
    ])
    expect(response.document?.meta).toEqual({ by: 'id' })
  })
})

describe('the other arguments of an action', () => {
  test('are the query, without parameters of lists, and the context of a custom action', async () => {
    const received: unknown[] = []
    const server = actingServer(
      (a) => ({
        play: a.resource({
          responds: noContent(),
          handle: ({ query, context: { server: name, type, operation } }) => {
            received.push([...query.custom], query.include, [name, type, operation])
            return reply.noContent()
          },
        }),
      }),
      { settings: { queryFamilies: ['playedAt'] } },
    )
    expect((await client(server).post('/albums/1/-actions/play?playedAt=noon&playedAt=night')).status).toBe(204)
    expect(received).toEqual([[['playedAt', ['noon', 'night']]], null, ['default', 'albums', 'CustomAction']])
  })

  test('include an empty body if bytes are expected and none were sent', async () => {
    const api = client(actingServer())
    expect((await api.post('/albums/1/-actions/artwork')).status).toBe(204)
    expect((await api.get('/albums/1')).resource.attributes?.['artwork']).toBe('undefined: ')
  })
})

const reissue = (body: object, type?: string) =>
  client(actingServer()).post('/albums/1/-actions/reissue', {
    body,
    headers: { ...signedIn.headers, ...(type === undefined ? {} : { 'Content-Type': type }) },
  })

describe('the document of an action', () => {
  test('is validated like one to be created, with all errors in one response', async () => {
    expectErrors(await reissue(resourceBody('albums', { title: 'x'.repeat(41), year: 'soon' })), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/title' },
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/year' },
    ])
    expectErrors(await reissue(resourceBody('albums')), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/title' },
    ])
  })

  test('has the type that the action declares', async () => {
    expectErrors(await reissue(resourceBody('artists', { name: 'x' })), [
      { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: '/data/type' },
    ])
    expectErrors(await reissue({ meta: {} }), [{ status: 400, code: 'DATA_MEMBER_MISSING' }])
    expectErrors(await reissue({ data: null }), [
      { status: 400, code: 'REQUEST_BODY_INVALID_JSON_API', pointer: '/data' },
    ])
  })

  test('has the media type of JSON:API', async () => {
    expectErrors(await reissue(resourceBody('albums', { title: 'x' }), 'application/json'), [
      { status: 415, code: 'MEDIA_TYPE_UNSUPPORTED', header: 'Content-Type' },
    ])
  })

  test('contains neither an id nor relationships, nor read-only attributes', async () => {
    const received: unknown[] = []
    const server = actingServer((a) => ({
      echo: a.resource({
        input: 'document',
        responds: noContent(),
        handle: ({ input }) => {
          received.push(input)
          return reply.noContent()
        },
      }),
    }))
    const attributes = { title: 'Amnesiac', artwork: 'mine', nonsense: 1 }
    const data = { type: 'albums', id: '77', attributes, relationships: { artist: { data: null } } }
    expect((await client(server).post('/albums/1/-actions/echo', { body: { data } })).status).toBe(204)
    expect(received).toEqual([{ title: 'Amnesiac' }])
  })

  test('may be of another type than the resource', async () => {
    const server = actingServer((a) => ({
      credit: a.resource({
        input: 'document',
        inputType: 'artists',
        responds: metaResult(),
        handle: ({ entity, input }) => reply.meta({ album: entity.title, by: input['name'] }),
      }),
    }))
    const api = client(server)
    const response = await api.post('/albums/2/-actions/credit', { body: resourceBody('artists', { name: 'Björk' }) })
    expect(response.document?.meta).toEqual({ album: 'Kid A', by: 'Björk' })
    expectErrors(await api.post('/albums/2/-actions/credit', { body: resourceBody('artists', {}) }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/name' },
    ])
  })

  test('is refused with unknown members, if the server is strict about them', async () => {
    const api = client(actingServer(undefined, { settings: { unknownMembers: 'reject' } }))
    const data = { type: 'albums', attributes: { title: 'x', cover: 1 }, relationships: { artist: { data: null } } }
    expectErrors(await api.post('/albums/1/-actions/reissue', { body: { data }, ...signedIn }), [
      { status: 422, code: 'ATTRIBUTE_UNRECOGNIZED', pointer: '/data/attributes/cover' },
      { status: 422, code: 'RELATIONSHIP_UNRECOGNIZED', pointer: '/data/relationships/artist' },
    ])
  })
})

describe('negotiation', () => {
  test('no Content-Type is required without a document, and no body is read if none is declared', async () => {
    const api = client(actingServer())
    const headers = { 'Content-Type': 'application/json' }
    expect((await api.post('/albums/-actions/summary', { raw: '{', headers })).status).toBe(200)
    expect((await api.post('/albums/1/-actions/artwork', { raw: '{', headers: { 'Content-Type': null } })).status).toBe(
      204,
    )
  })

  test('Accept is always negotiated', async () => {
    const api = client(actingServer())
    const headers = { Accept: 'application/vnd.api+json; charset=utf-8' }
    for (const path of ['/albums/-actions/summary', '/albums/1/-actions/artwork']) {
      expectErrors(await api.post(path, { headers }), [{ status: 406, code: 'MEDIA_TYPE_UNACCEPTABLE' }])
    }
  })

  test('bytes obey the limit of bodies', async () => {
    const api = client(actingServer(undefined, { settings: { limits: { bodyBytes: 10 } } }))
    expect((await api.post('/albums/1/-actions/artwork', { raw: 'x'.repeat(10) })).status).toBe(204)
    expectErrors(await api.post('/albums/1/-actions/artwork', { raw: 'x'.repeat(11) }), [
      { status: 413, code: 'REQUEST_BODY_TOO_LARGE' },
    ])
  })
})

describe('a caller who may not call an action', () => {
  test('gets 403, after the resource was found and before the document is validated', async () => {
    const api = client(actingServer())
    const validBody = { body: resourceBody('albums', { title: 'OKNOTOK' }) }
    expectErrors(await api.post('/albums/1/-actions/reissue', validBody), [
      { status: 403, code: 'FORBIDDEN', title: 'Forbidden', detail: 'You are not allowed to do this.' },
    ])
    expectErrors(await api.post('/albums/9/-actions/reissue', validBody), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    const unsound = { body: resourceBody('albums', { title: 1 }) }
    expectErrors(await api.post('/albums/1/-actions/reissue', unsound), [{ status: 403 }])
    expectErrors(await api.post('/albums/9/-actions/reissue', unsound), [{ status: 404 }])
    expect((await api.get('/albums')).resources).toHaveLength(2)
  })

  test('is determined only by the context for an action of the collection; only true allows it', async () => {
    const server = actingServer((a) => ({
      summary: a.collection({
        responds: metaResult(),
        allowed: (context) => context.request?.header('x-staff') as unknown as boolean,
        handle: () => reply.meta({}),
      }),
    }))
    const response = await client(server).post('/albums/-actions/summary', { headers: { 'X-Staff': 'yes' } })
    expectErrors(response, [{ status: 403 }])
  })

  test('gets the error that the handler throws', async () => {
    const server = actingServer((a) => ({
      sell: a.resource({ handle: () => fail('RESOURCE_IN_USE', {}) }),
      lend: a.resource({
        handle: () => {
          throw new HttpError(401)
        },
      }),
    }))
    const api = client(server)
    expectErrors(await api.post('/albums/1/-actions/sell'), [{ status: 409, code: 'RESOURCE_IN_USE' }])
    expectErrors(await api.post('/albums/1/-actions/lend'), [{ status: 401 }])
  })

  test('may be stopped by the serving hook, which gets the call', async () => {
    const served: unknown[] = []
    const server = actingServer(undefined, {
      settings: {
        serving: (calls) => {
          if (calls.kind !== 'CustomAction') return
          served.push([calls.type, calls.action, calls.id, calls.method])
          if (calls.id === '2') throw new HttpError(403)
        },
      },
    })
    const api = client(server)
    expect((await api.post('/albums/1/-actions/artwork', { raw: 'x' })).status).toBe(204)
    expectErrors(await api.post('/albums/2/-actions/artwork', { raw: 'x' }), [{ status: 403 }])
    expect((await api.get('/albums/2')).resource.attributes?.['artwork']).toBe(null)
    expect(served).toEqual([
      ['albums', 'artwork', '1', 'POST'],
      ['albums', 'artwork', '2', 'POST'],
    ])
  })
})
