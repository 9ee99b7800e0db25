import { createServer, type HttpRequest, JsonApiError, type Operation, type ResponseValue } from 'ashlar'
import type { Target } from '../../src/serve/route/target.js'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer, catalogueTypes } from '../support/catalogue.js'
import { catalogueData } from '../support/catalogue-rows.js'
import { client, resourceBody } from '../support/client.js'

const noContent: ResponseValue = { kind: 'noContent', status: 204, headers: [] }

const returning = (value: ResponseValue) => catalogueServer({ handler: () => async () => value })

/** Sends a request with a target that another router has found; returns the response and the operation. */
async function dispatchedFor(
  method: string,
  target: Target | null,
  options: { readonly body?: unknown; readonly server?: string } = {},
): Promise<{ readonly response: TestResponse; readonly operation: Operation | null }> {
  let operation: Operation | null = null
  const server = catalogueServer({
    handler: () => async (given) => {
      operation = given
      return noContent
    },
  })
  const handle = (request: HttpRequest) => server.handleAt(request, target, options.server)
  const response = await client({ handle }).request(method, '/somewhere/else', { body: options.body })
  return { response, operation }
}

const collection: Target = { type: 'albums', id: null, relationship: null, isRelationshipEndpoint: false }
const resource: Target = { ...collection, id: '1' }
const related: Target = { ...resource, relationship: 'artist' }
const relationship: Target = { ...related, isRelationshipEndpoint: true }
const body = { data: null, meta: {} }

/** The target in an operation, without members that the target does not have. */
function addressed({ id, relationship: name }: Target): object {
  return { ...(id === null ? {} : { id }), ...(name === null ? {} : { relationship: name }) }
}

describe('dispatch rules', () => {
  test.each<readonly [string, Target, Operation['kind']]>([
    ['GET', collection, 'FetchResource'],
    ['GET', resource, 'FetchResource'],
    ['HEAD', resource, 'FetchResource'],
    ['GET', relationship, 'FetchRelationship'],
    ['GET', related, 'FetchRelated'],
  ])('1. %s of the target gives one kind of read', async (method, target, kind) => {
    const { operation } = await dispatchedFor(method, target)
    expect(operation).toMatchObject({ kind, type: 'albums', ...addressed(target) })
  })

  test.each<readonly [string, Target, Operation['kind']]>([
    ['POST', relationship, 'AddToRelationship'],
    ['PATCH', relationship, 'UpdateRelationship'],
    ['DELETE', relationship, 'RemoveFromRelationship'],
    ['POST', collection, 'CreateResource'],
    ['PATCH', resource, 'UpdateResource'],
    ['DELETE', resource, 'DeleteResource'],
  ])('2. %s of the target gives one kind of write', async (method, target, kind) => {
    const { operation } = await dispatchedFor(method, target, { body })
    expect(operation).toMatchObject({ kind, type: 'albums', ...addressed(target) })
    if (kind !== 'DeleteResource') expect(operation).toMatchObject({ document: body })
  })

  test.each(['TRACE', 'get', 'BREW', ''])('3. the method %j is a 500 application error', async (method) => {
    const { response, operation } = await dispatchedFor(method, resource)
    expectErrors(response, [{ status: 500, code: 'APPLICATION_ERROR' }])
    expect(operation).toBeNull()
  })

  test('4. a missing target is a wiring fault: a 500 error document, not thrown', async () => {
    expectErrors((await dispatchedFor('GET', null)).response, [{ status: 500, code: 'APPLICATION_ERROR' }])
    expectErrors((await dispatchedFor('GET', { ...resource, type: 'nothing' })).response, [
      { status: 500, code: 'APPLICATION_ERROR' },
    ])
    expectErrors((await dispatchedFor('GET', resource, { server: 'nowhere' })).response, [
      { status: 500, code: 'APPLICATION_ERROR' },
    ])
  })

  test('4. a path that matches no route is refused with 404 by the router, before the handler', async () => {
    let handled = 0
    const server = catalogueServer({
      handler: () => async () => {
        handled += 1
        return noContent
      },
    })
    expect((await client(server).get('/nothing')).status).toBe(404)
    expect((await client(server).get('/albums/1/2/3/4')).status).toBe(404)
    expect(handled).toBe(0)
  })

  test('5. an operation of HTTP has its server and its request', async () => {
    const { operation } = await dispatchedFor('GET', { ...resource, type: 'users' }, { server: 'admin' })
    expect(operation?.context).toMatchObject({ server: 'admin', type: 'users', operation: 'FetchResource' })
    expect(operation?.context.request?.path).toBe('/somewhere/else')
  })

  test('5. an operation of an application has no HTTP request', async () => {
    let seen: Operation | null = null
    const server = catalogueServer({
      handler: (builtIn) => (operation) => {
        seen = operation
        return builtIn(operation)
      },
    })
    await server.dispatch({
      kind: 'FetchResource',
      type: 'users',
      id: null,
      server: 'admin',
      query: 'fields[users]=email',
    })
    expect(seen).toMatchObject({ context: { server: 'admin', operation: 'FetchResource', request: null } })
  })

  test("6. only the operations of a type's allow-list are routed: any other verb is 405, or 404 where no verb is left", async () => {
    const api = client(catalogueServer())
    expectErrors(await api.post('/countries', { body: resourceBody('countries') }), [
      { status: 405, code: 'METHOD_NOT_ALLOWED', title: 'Method Not Allowed' },
    ])
    expectErrors(await api.delete('/countries/is'), [{ status: 405, code: 'METHOD_NOT_ALLOWED' }])
  })
})

describe('programmatic dispatch', () => {
  test('returns the unrendered response value', async () => {
    const server = catalogueServer()
    const value = await server.dispatch({
      kind: 'FetchResource',
      type: 'albums',
      id: '2',
      query: 'fields[albums]=title',
    })
    expect(value).toMatchObject({ kind: 'data', status: 200, resources: { many: false } })
    expect(value.kind === 'data' && value.resources.primary).toMatchObject([
      { rows: { columns: ['id', 'title', 'version'] }, row: [2, 'Kid A', 1] },
    ])
  })

  test('writes, without a body having been parsed', async () => {
    const server = catalogueServer()
    const document = resourceBody('genres', { name: 'Dub' }, 'dub')
    expect(await server.dispatch({ kind: 'CreateResource', type: 'genres', document })).toMatchObject({ status: 201 })
    expect((await client(server).get('/genres/dub')).resource.attributes).toEqual({ name: 'Dub' })
    expect(await server.dispatch({ kind: 'DeleteResource', type: 'genres', id: 'dub' })).toEqual(noContent)
  })

  test('rejects with the error', async () => {
    const server = catalogueServer()
    await expect(server.dispatch({ kind: 'FetchResource', type: 'albums', id: '99' })).rejects.toThrow(JsonApiError)
    await expect(server.dispatch({ kind: 'FetchResource', type: 'nothing', id: null })).rejects.toMatchObject({
      problems: [{ code: 'NO_RESOURCE_REGISTERED' }],
    })
    await expect(
      server.dispatch({ kind: 'FetchResource', type: 'albums', id: '1', query: 'nonsense=1' }),
    ).rejects.toMatchObject({ problems: [{ code: 'QUERY_PARAM_UNRECOGNIZED' }] })
  })

  test('requires a configured handler, else it throws an error', async () => {
    const server = catalogueServer({ handler: null })
    const dispatched = server.dispatch({ kind: 'FetchResource', type: 'albums', id: null })
    await expect(dispatched).rejects.toThrow('the settings of this server have handler: null')
    await expect(dispatched).rejects.not.toBeInstanceOf(JsonApiError)
  })
})

describe('the handler', () => {
  test('a server without one responds to every request with a generic 500', async () => {
    const response = await client(catalogueServer({ handler: null })).get('/albums')
    expectErrors(response, [{ status: 500, code: null, title: 'Internal Server Error' }])
  })

  test('may be replaced or wrapped', async () => {
    const server = catalogueServer({
      handler: (builtIn) => async (operation) =>
        operation.kind === 'DeleteResource'
          ? {
              kind: 'meta',
              status: 200,
              headers: ['X-Kept', 'yes'],
              links: null,
              profiles: [],
              meta: { kept: operation.id },
            }
          : builtIn(operation),
    })
    const response = await client(server, { isDescribed: false }).delete('/albums/1')
    expect(response.document?.meta).toEqual({ kept: '1' })
    expect(response.headers.get('X-Kept')).toBe('yes')
    expect((await client(server).get('/albums/1')).status).toBe(200)
  })

  test('an operation that it creates for an unknown type is a 500 of the service', async () => {
    const server = catalogueServer({
      handler: (builtIn) => (operation) =>
        builtIn({ ...operation, context: { ...operation.context, type: 'nothing' } }),
    })
    const [error] = expectErrors(await client(server).get('/albums'), [{ status: 500, code: 'NO_RESOURCE_REGISTERED' }])
    expect(error?.detail).toContain("'nothing'")
  })

  test('may return related resources, or null for an empty to-one', async () => {
    const server = catalogueServer({
      handler: (builtIn) => async (operation) => {
        const value = await builtIn(operation)
        if (value.kind !== 'data') return value
        const { location: _none, ...rest } = value
        return operation.kind === 'FetchResource' && operation.id === '2'
          ? { ...rest, kind: 'related', resources: { ...value.resources, primary: [] } }
          : { ...rest, kind: 'related' }
      },
    })
    expect((await client(server, { isDescribed: false }).get('/albums/1')).resource).toMatchObject({
      type: 'albums',
      id: '1',
    })
    expect((await client(server, { isDescribed: false }).get('/albums/2')).document?.data).toBeNull()
    expect((await client(server, { isDescribed: false }).get('/albums')).resources.length).toBeGreaterThan(1)
  })

  test('may return identifiers, and errors', async () => {
    const linkage = await client(
      returning({
        kind: 'identifier',
        status: 200,
        headers: [],
        meta: null,
        links: null,
        profiles: [],
        related: null,
        page: null,
        data: [
          { type: 'artists', id: '1', meta: null },
          { type: 'artists', id: '2', meta: { since: 1993 } },
        ],
      }),
      { isDescribed: false },
    ).get('/albums/1')
    expect(linkage.document?.data).toEqual([
      { type: 'artists', id: '1' },
      { type: 'artists', id: '2', meta: { since: 1993 } },
    ])
    const gone = await client(
      returning({ kind: 'error', reply: { status: 410, errors: [{ status: '410', title: 'Gone' }], headers: [] } }),
    ).get('/albums/1')
    expectErrors(gone, [{ status: 410, title: 'Gone' }])
  })

  test('runs after the serving hook, which may refuse', async () => {
    const operations: string[] = []
    const server = createServer({
      resources: catalogueTypes,
      data: catalogueData(),
      servers: { admin: { prefix: '/admin' } },
      serving: ({ kind }) => {
        operations.push(kind)
      },
    })
    await client(server).get('/albums')
    await server.dispatch({ kind: 'DeleteResource', type: 'albums', id: '1' })
    expect(operations).toEqual(['FetchResource', 'DeleteResource'])
  })
})
