import { atomic, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { batchClient, batchHeaders } from '../atomic/batch-client.js'
import { faultsOf, refusals, resource, settingFaults } from './refusals.js'

const given = "Remedy: give the result of an extension function, such as atomic({ path: '/operations' })."
const another = 'Remedy: give the extension another path, or the type another uriType.'

/** Albums are on a server with a prefix, and nowhere else. */
const onAdmin = (path: string) =>
  faultsOf({
    resources: [resource('albums', { server: ['admin'] }), resource('tracks')],
    data: memoryData(),
    servers: { admin: { prefix: '/admin' } },
    extensions: [atomic({ path })],
  })

describe('extensions are refused', () => {
  refusals([
    {
      name: 'that are no list',
      found: () => settingFaults({ extensions: atomic() }),
      messages: ['extensions: is an object. Remedy: give a list of extensions.'],
    },
    {
      name: 'that are invalid',
      found: () => settingFaults({ extensions: ['atomic', null, atomic] }),
      messages: [
        `extensions[0]: is 'atomic'. ${given}`,
        `extensions[1]: is null. ${given}`,
        `extensions[2]: is a function. ${given}`,
      ],
    },
    {
      name: 'that do nothing',
      found: () => settingFaults({ extensions: [{ uri: 'https://example.com/bulk', path: '/bulk', name: 'bulk' }] }),
      messages: [
        "extensions[0]: has no function 'serve'. Remedy: give the result of an extension function, such as atomic().",
      ],
    },
    {
      name: 'without a URI',
      found: () => settingFaults({ extensions: [{ ...atomic(), uri: 'atomic' }] }),
      messages: ["extensions[0]: 'atomic' is not a URI. Remedy: give the URI that identifies the extension."],
    },
    ...['operations', '', '/', '//operations', '/operations/', '/a?b', 5].map((path) => ({
      name: `at ${JSON.stringify(path)}, which is not a path`,
      found: () => settingFaults({ extensions: [atomic({ path: path as string })] }),
      messages: [
        `extensions[0]: ${typeof path === 'string' ? `'${path}'` : path} is not a path. Remedy: ${String(path).startsWith('/') ? 'use letters, digits, hyphens and underscores between its slashes' : 'start it with a slash'}: path: '/operations'.`,
      ],
    })),
    {
      name: 'at the path of a collection',
      found: () => settingFaults({ extensions: [atomic({ path: '/albums' })] }),
      messages: [`extensions[0]: has the path '/albums', which is used by the collection of 'albums'. ${another}`],
    },
    {
      name: 'at the path of resources',
      found: () => settingFaults({ extensions: [atomic({ path: '/albums/operations' })] }),
      messages: [
        `extensions[0]: has the path '/albums/operations', which is used by resources of 'albums'. ${another}`,
      ],
    },
    {
      name: 'at the path of a type with another uriType',
      found: () =>
        faultsOf({
          resources: [resource('albums', { uriType: 'operations' })],
          data: memoryData(),
          extensions: [atomic()],
        }),
      messages: [`extensions[0]: has the path '/operations', which is used by the collection of 'albums'. ${another}`],
    },
    {
      name: 'at the path of a collection of another server',
      found: () => onAdmin('/admin/albums'),
      messages: [
        `extensions[0]: has the path '/admin/albums', which is used by the collection of 'albums'. ${another}`,
      ],
    },
    {
      name: 'at the path of resources of another server',
      found: () => onAdmin('/admin/albums/run'),
      messages: [`extensions[0]: has the path '/admin/albums/run', which is used by resources of 'albums'. ${another}`],
    },
    {
      name: 'at the path of a collection of the server with the prefix',
      found: () => onAdmin('/albums'),
      messages: [`extensions[0]: has the path '/albums', which is used by the collection of 'albums'. ${another}`],
    },
    {
      name: 'that are listed twice, at any path',
      found: () => settingFaults({ extensions: [atomic(), atomic({ path: '/more' })] }),
      messages: [
        "extensions[1]: has the URI 'https://jsonapi.org/ext/atomic', which another extension also has. Remedy: remove one of the two.",
      ],
    },
    {
      name: 'that share a path',
      found: () =>
        settingFaults({
          extensions: [atomic(), { ...atomic(), uri: 'https://example.com/bulk', name: 'bulk' }],
        }),
      messages: [
        "extensions[1]: has the path '/operations', which another extension also has. Remedy: give it another path.",
      ],
    },
  ])
})

const faults = (options: unknown) => settingFaults({ extensions: [atomic(options as never)] })

describe('options of atomic() are refused', () => {
  refusals([
    {
      name: 'that are not an object',
      found: () => faults('/operations'),
      messages: ["extensions[0]: has options that are not an object. Remedy: write atomic({ path: '/operations' })."],
    },
    {
      name: 'that are unknown',
      found: () => faults({ limit: 5 }),
      messages: ["extensions[0]: has the unknown option 'limit'. Remedy: use path, enabled, maxOperations."],
    },
    {
      name: 'if enabled is not a boolean',
      found: () => faults({ enabled: 'no' }),
      messages: ["extensions[0]: has an 'enabled' that is not a boolean. Remedy: set it to true or false."],
    },
    ...[0, -1, 1.5, '5', Number.NaN, Number.POSITIVE_INFINITY, null].map((maxOperations) => ({
      name: `where maxOperations is ${maxOperations}`,
      found: () => faults({ maxOperations }),
      messages: [
        "extensions[0]: has a 'maxOperations' that is not a positive integer. Remedy: set it to a whole number above 0.",
      ],
    })),
  ])

  test('together in one report', () => {
    expect(faults({ limit: 5, enabled: 0, maxOperations: 0, path: 'x' })).toHaveLength(4)
  })

  test('but not valid options', () => {
    expect(faults({ path: '/batch/run', enabled: true, maxOperations: 1 })).toEqual([])
    expect(faults({})).toEqual([])
  })
})

test('a path is free if no type of any server uses it', () => {
  for (const path of ['/admin/operations', '/admin/tracks', '/album', '/admin/album', '/run/albums']) {
    expect(onAdmin(path)).toEqual([])
  }
})

describe('the endpoint', () => {
  const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id() })
  const build = (options: Parameters<typeof atomic>[0]) =>
    createServer({
      resources: [albums],
      data: memoryData(),
      servers: { admin: { prefix: '/admin' } },
      extensions: [atomic(options)],
    })
  const routesOf = (options: Parameters<typeof atomic>[0]) =>
    build(options)
      .routes()
      .filter(({ name }) => name.endsWith('atomic_operations'))

  test('is a route of each server', () => {
    expect(routesOf({})).toMatchObject([
      { name: 'jsonapi.admin.atomic_operations', method: 'POST', path: '/admin/operations', server: 'admin' },
      { name: 'jsonapi.atomic_operations', method: 'POST', path: '/operations', server: 'default' },
    ])
    expect(
      routesOf({ path: '/batch/run' })
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['/admin/batch/run', '/batch/run'])
  })

  test('does not exist if it is turned off, nor without the extension', async () => {
    expect(routesOf({ enabled: false })).toEqual([])
    const operations = [{ op: 'add', data: { type: 'albums' } }]
    expect((await batchClient(build({ enabled: false })).batch(operations)).status).toBe(404)
    const without = createServer({ resources: [albums], data: memoryData() })
    expect((await batchClient(without).batch(operations)).status).toBe(404)
  })

  test('is at its path and nowhere else', async () => {
    const api = batchClient(build({}))
    for (const path of ['/operations/', '/operations/1', '/Operations', '/operation']) {
      expect((await api.post(path, { headers: batchHeaders, body: {} })).status).toBe(404)
    }
  })

  test('serves POST, and lists it in Allow', async () => {
    const api = batchClient(build({}))
    const methods = (await api.request('OPTIONS', '/operations')).headers.get('Allow')
    expect(methods).toBe('POST, OPTIONS')
    for (const method of ['GET', 'PATCH', 'DELETE', 'PUT']) {
      const response = await api.request(method, '/operations')
      expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS'])
    }
  })
})
