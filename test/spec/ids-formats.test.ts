import {
  reply,
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  hasMany,
  hasOne,
  id,
  model,
  morphTo,
  morphToMany,
  noContent,
} from 'ashlar'
import type { IdDeclaration } from '../../src/declare/resource/fields/id-declaration.js'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

/** A UUID of a version and a variant. */
const uuid = (version: string, variant = '8') => `b0c7e3a4-6a59-${version}e64-${variant}f0e-0f4f5e6a7b8c`
const versions = ['1', '2', '3', '4', '5', '6', '7', '8']

interface Format {
  readonly name: string
  readonly declared: IdDeclaration
  readonly good: readonly string[]
  readonly bad: readonly string[]
}

const formats: readonly Format[] = [
  {
    name: 'uuid()',
    declared: id().uuid(),
    good: [...versions.map((version) => uuid(version)), uuid('4').toUpperCase(), uuid('4', 'b')],
    bad: [
      'b0c7e3a4',
      uuid('4').replaceAll('-', ''),
      `{${uuid('4')}}`,
      `${uuid('4')}0`,
      uuid('4').replace('b', 'g'),
      ' ',
    ],
  },
  ...versions.map((version) => ({
    name: `uuid(${version})`,
    declared: id().uuid(Number(version)),
    good: [uuid(version), uuid(version, 'a').toUpperCase()],
    bad: versions.filter((other) => other !== version).map((other) => uuid(other)),
  })),
  {
    name: 'ulid()',
    declared: id().ulid(),
    good: ['01J9ZQ4T8W2N6R0V5XB3C7D1EF', '7ZZZZZZZZZZZZZZZZZZZZZZZZZ', '01j9zq4t8w2n6r0v5xb3c7d1ef'],
    bad: [
      '81J9ZQ4T8W2N6R0V5XB3C7D1EF',
      '01J9ZQ4T8W2N6R0V5XB3C7D1E',
      '01J9ZQ4T8W2N6R0V5XB3C7D1EFG',
      '01J9ZQ4T8W2N6R0V5XB3C7D1EU',
    ],
  },
  {
    name: 'numeric()',
    declared: id().numeric(),
    good: ['0', '7', '007', '12345678901234567890'],
    bad: ['-1', '1.0', '1e3', 'a', ' 1', '1\n', '٣', '0x1'],
  },
  {
    name: 'pattern()',
    declared: id().pattern(/[a-z]+(?:-[a-z]+)*|x/),
    good: ['art-rock', 'x'],
    bad: ['Art', 'art-', 'art rock', 'art\n', '\nart', 'x1'],
  },
  {
    name: 'pattern() with its own anchors',
    declared: id().pattern(/^[a-z]+$/),
    good: ['dub'],
    bad: ['dub1', '1dub', 'dub\n'],
  },
  {
    name: 'matchAs()',
    declared: id().matchAs(/prod-[0-9a-f]+/),
    good: ['prod-a0'],
    bad: ['prod-', 'xprod-a', 'prod-xyz', 'prod-a0 '],
  },
]

/** Labels with these ids, and releases that refer to them in every way. */
function shopWith(declared: IdDeclaration): TestClient {
  const labels = defineResource('labels', {
    model: model<{ id: string; name: string; ownerId: number | null }>('labels'),
    id: declared,
    attributes: (a) => ({ name: a.string().required() }),
    relations: { releases: hasMany('releases').via('labelId') },
    actions: (a) => ({ close: a.resource({ responds: noContent(), handle: () => reply.noContent() }) }),
  })
  const releases = defineResource('releases', {
    model: model<{ id: number; title: string; labelId: string | null }>('releases'),
    id: id().numeric(),
    attributes: (a) => ({ title: a.string().required() }),
    relations: {
      label: belongsTo('labels'),
      owned: hasMany('labels').via('ownerId'),
      first: hasOne('labels').via('firstOfId'),
      licensees: belongsToMany('labels').through('licences', { owner: 'releaseId', member: 'labelId' }),
      maker: morphTo(['labels', 'releases']),
      parts: morphToMany(['labels', 'releases']).through('parts', {
        owner: 'of',
        member: 'partId',
        memberType: 'partType',
      }),
    },
  })
  return client(
    createServer({ resources: [labels, releases], data: storedData({ releases: [{ id: 1, title: 'Kid A' }] }) }),
  )
}

const violation = (pointer: string) => [{ status: 422, code: 'VALIDATION_FAILED', pointer }]

const label = (sent: string) => ({ type: 'labels', id: sent })

describe.each(formats)('ids of the format $name', ({ declared, good, bad }) => {
  test('are checked on create, and are found again', async () => {
    const api = shopWith(declared.requireClientId())
    for (const sent of good) {
      expect((await api.post('/labels', { body: resourceBody('labels', { name: 'x' }, sent) })).resource.id).toBe(sent)
      expect((await api.get(`/labels/${sent}`)).resource.id).toBe(sent)
    }
    for (const sent of bad) {
      expectErrors(await api.post('/labels', { body: resourceBody('labels', { name: 'x' }, sent) }), [
        { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' },
      ])
    }
    expect((await api.get('/labels')).resources).toHaveLength(good.length)
  })

  test('are checked in linkage of every kind, by the type that it names', async () => {
    const api = shopWith(declared.requireClientId())
    const [known = ''] = good
    await api.post('/labels', { body: resourceBody('labels', { name: 'x' }, known) })
    const relationships = (sent: string) => ({
      label: { data: label(sent) },
      owned: { data: [label(known), label(sent)] },
      first: { data: label(sent) },
      licensees: { data: [label(sent), label(known)] },
      maker: { data: label(sent) },
      parts: { data: [{ type: 'releases', id: '1' }, label(sent)] },
    })
    const pointers = ['label/data', 'owned/data/1', 'first/data', 'licensees/data/0', 'maker/data', 'parts/data/1']
    for (const sent of bad) {
      const data = { type: 'releases', id: '1', relationships: relationships(sent) }
      expectErrors(
        await api.patch('/releases/1', { body: { data } }),
        pointers.map((at) => ({ status: 422, code: 'VALIDATION_FAILED', pointer: `/data/relationships/${at}/id` })),
      )
    }
    const data = { type: 'releases', id: '1', relationships: relationships(known) }
    expect((await api.patch('/releases/1', { body: { data } })).status).toBe(200)
  })

  test('are checked at relationship endpoints', async () => {
    const api = shopWith(declared.requireClientId())
    for (const sent of bad) {
      for (const toOne of ['label', 'first', 'maker']) {
        const response = await api.patch(`/releases/1/relationships/${toOne}`, { body: { data: label(sent) } })
        expectErrors(response, violation('/data/id'))
      }
      for (const toMany of ['owned', 'licensees', 'parts']) {
        for (const method of ['PATCH', 'POST', 'DELETE']) {
          const path = `/releases/1/relationships/${toMany}`
          expectErrors(await api.request(method, path, { body: { data: [label(sent)] } }), violation('/data/0/id'))
        }
      }
    }
  })

  test('are checked before anything is decoded', async () => {
    const decode = vi.fn((wireId: string) => wireId)
    const api = shopWith(declared.requireClientId().encodeUsing({ encode: (key: string) => key, decode }))
    for (const sent of bad) {
      await api.post('/labels', { body: resourceBody('labels', { name: 'x' }, sent) })
      await api.patch('/releases/1/relationships/label', { body: { data: label(sent) } })
      await api.post('/releases/1/relationships/licensees', { body: { data: [label(sent)] } })
    }
    expect(decode).not.toHaveBeenCalled()
  })
})

describe('the route has the format too: an invalid id is a path without a route', () => {
  test.each([
    ['uuid()', id().uuid(), 'b0c7e3a4'],
    ['ulid()', id().ulid(), '81J9ZQ4T8W2N6R0V5XB3C7D1EF'],
    ['numeric()', id().numeric(), 'seven'],
    ['pattern()', id().pattern(/[a-z]+/), 'Dub'],
    ['matchAs()', id().matchAs(/prod-[0-9a-f]+/), 'prod-xyz'],
  ])('%s, on every shape of path and with every method', async (_name, declared, bad) => {
    const api = shopWith(declared)
    const data = label(bad)
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['HEAD', '', undefined],
      ['OPTIONS', '', undefined],
      ['PATCH', '', { data }],
      ['DELETE', '', undefined],
      ['GET', '/releases', undefined],
      ['GET', '/relationships/releases', undefined],
      ['PATCH', '/relationships/releases', { data: [] }],
      ['POST', '/relationships/releases', { data: [] }],
      ['DELETE', '/relationships/releases', { data: [] }],
      ['POST', '/-actions/close', undefined],
    ] as const) {
      const response = await api.request(method, `/labels/${bad}${path}`, body === undefined ? {} : { body })
      expect([method, path, response.status]).toEqual([method, path, 404])
      // Unknown actions are reported alike.
      const code = path.startsWith('/-actions') ? 'RESOURCE_NOT_FOUND' : 'PATH_NOT_FOUND'
      if (method !== 'HEAD') expectErrors(response, [{ status: 404, code }])
    }
  })

  test('the version of a UUID is not checked by the route', async () => {
    expectErrors(await shopWith(id().uuid(4)).get(`/labels/${uuid('7')}`), [
      { status: 404, code: 'RESOURCE_NOT_FOUND' },
    ])
  })

  test('matchAs() wins over the form that a format gives to the route, before and after it', async () => {
    for (const declared of [
      id()
        .matchAs(/[0-9]{3}/)
        .numeric(),
      id()
        .numeric()
        .matchAs(/[0-9]{3}/),
    ]) {
      const api = shopWith(declared.requireClientId())
      expectErrors(await api.get('/labels/12'), [{ status: 404, code: 'PATH_NOT_FOUND' }])
      expectErrors(await api.get('/labels/123'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
      for (const sent of ['12', 'abc']) {
        expectErrors(await api.post('/labels', { body: resourceBody('labels', { name: 'x' }, sent) }), [
          { status: 422, pointer: '/data/id' },
        ])
      }
    }
  })
})

describe('all errors of a document are reported together', () => {
  test('the id, attributes and linkage in one 422', async () => {
    const api = shopWith(id().uuid().requireClientId())
    const relationships = { releases: { data: [{ type: 'releases', id: 'one' }] } }
    const data = { type: 'labels', id: 'ecm', attributes: { name: 5 }, relationships }
    expectErrors(await api.post('/labels', { body: { data } }), [
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/id' },
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/name' },
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/relationships/releases/data/0/id' },
    ])
  })

  test('an id that cannot be decoded among them', async () => {
    const codec = { encode: (key: number) => `k${key}`, decode: () => null }
    const api = shopWith(id().requireClientId().encodeUsing(codec))
    expectErrors(await api.post('/labels', { body: { data: { ...label('k1'), attributes: { name: 5 } } } }), [
      { status: 422, code: 'RESOURCE_ID_UNDECODABLE', pointer: '/data/id' },
      { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/name' },
    ])
  })

  test('an id that is not allowed is 403, whatever other errors there are', async () => {
    const api = shopWith(id().uuid())
    expectErrors(await api.post('/labels', { body: { data: { ...label('ecm'), attributes: { name: 5 } } } }), [
      { status: 403, code: 'CLIENT_GENERATED_ID_NOT_SUPPORTED', pointer: '/data/id' },
    ])
  })
})

const patch = (sent: object) => shopWith(id()).patch('/releases/1', { body: { data: { type: 'releases', ...sent } } })

describe('the id of an update', () => {
  test('must equal that of the URL, or 409', async () => {
    expect((await patch({ id: '1' })).status).toBe(200)
    for (const other of ['2', '01', '1 ', '', 'one']) {
      expectErrors(await patch({ id: other }), [{ status: 409, code: 'RESOURCE_ID_CONFLICT', pointer: '/data/id' }])
    }
  })

  test('must be present, or 400', async () => {
    expectErrors(await patch({}), [{ status: 400, code: 'RESOURCE_ID_MISSING', pointer: '/data' }])
  })

  test('must be a string, or 400, on update as on create', async () => {
    for (const wrong of [1, null, true, ['1'], { id: '1' }, 1.5]) {
      expectErrors(await patch({ id: wrong }), [{ status: 400, code: 'RESOURCE_ID_INVALID', pointer: '/data/id' }])
      // A create without an id may have null.
      if (wrong === null) continue
      const body = resourceBody('releases', { title: 'x' }, wrong)
      expectErrors(await shopWith(id()).post('/releases', { body }), [
        { status: 400, code: 'RESOURCE_ID_INVALID', pointer: '/data/id' },
      ])
    }
  })

  test('is compared with the URL as decoded text: in any spelling of the path', async () => {
    const labels = defineResource('labels', { model: model<{ id: string }>('labels'), id: id() })
    const api = client(createServer({ resources: [labels], data: storedData({ labels: [{ id: 'a/ü' }] }) }))
    for (const path of ['/labels/a%2F%C3%BC', '/labels/a%2f%c3%bc', '/labels/%61%2F%C3%BC']) {
      expect((await api.patch(path, { body: { data: label('a/ü') } })).resource.id).toBe('a/ü')
    }
  })
})
