import { atomic } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { type LinkedMusic, linkedMusic, linkedRows } from '../support/linked-music.js'
import { storedRows } from '../support/stored-rows.js'
import { add, batchClient, batchHeaders, type BatchClient, remove, update } from './batch-client.js'

/** Batches that are refused for their form, before anything is run. */

function shop(settings: LinkedMusic = {}): BatchClient {
  return batchClient(linkedMusic({ data: memoryData(linkedRows()), extensions: [atomic()], ...settings }))
}

/** The errors of a batch: `CODE pointer`, in the order of the response. */
async function reported(api: BatchClient, operations: unknown): Promise<readonly string[]> {
  const { errors, status } = await api.batch(operations)
  expect(status).toBe(400)
  return errors.map(({ code, source }) => `${code ?? '-'} ${source?.pointer ?? '-'}`)
}

/** An album with relationships, whatever they are. */
const albums = (relationships: unknown) => ({ op: 'add', data: { type: 'albums', relationships } })

const tracksOf = { type: 'playlists', id: '1', relationship: 'tracks' }
const invalid = 'ATOMIC_OPERATIONS_INVALID'

const send = (body: unknown) => shop().post('/operations', { headers: batchHeaders, body })

describe('the document', () => {
  test.each<[string, unknown, string]>([
    ['a list', [], ''],
    ['a text', 'operations', ''],
    ['null', null, ''],
    ['an object without operations', {}, ''],
    ['operations that are an object', { 'atomic:operations': {} }, '/atomic:operations'],
    ['operations that are null', { 'atomic:operations': null }, '/atomic:operations'],
    ['no operation at all', { 'atomic:operations': [] }, '/atomic:operations'],
  ])('%s is refused', async (_name, body, pointer) => {
    expectErrors(await send(body), [{ status: 400, code: invalid, pointer }])
  })

  test('a body that is not JSON, and an empty body, are refused as everywhere', async () => {
    const raw = await shop().post('/operations', { headers: batchHeaders, raw: '{"atomic:operations": [' })
    expectErrors(raw, [{ status: 400, code: 'REQUEST_BODY_INVALID_JSON' }])
    const none = await shop().post('/operations', { headers: batchHeaders })
    expect(none.status).toBe(400)
  })

  test.each(['data', 'included', 'errors', 'atomic:results'])(
    'has no member %s next to the operations',
    async (name) => {
      const body = { 'atomic:operations': [add('albums')], [name]: [] }
      expectErrors(await send(body), [{ status: 400, code: invalid, pointer: `/${name}` }])
    },
  )

  test('may have meta, links and jsonapi', async () => {
    const otherMembers = { meta: { by: 'test' }, links: { self: '/operations' }, jsonapi: { version: '1.1' } }
    expect((await send({ 'atomic:operations': [add('albums')], ...otherMembers })).status).toBe(200)
  })
})

describe('an operation', () => {
  test.each<[string, unknown, string]>([
    ['is an object', 'add', ''],
    ['is no list', [], ''],
    ['is not null', null, ''],
    ['has an op', { data: { type: 'albums' } }, ''],
    ['has an op that there is', { op: 'delete', ref: { type: 'albums', id: '1' } }, '/op'],
    ['has an op in small letters', { op: 'Add', data: { type: 'albums' } }, '/op'],
    ['has an op that is a text', { op: ['add'], data: { type: 'albums' } }, '/op'],
    ['has an op that no object inherits', { op: 'constructor', data: { type: 'albums' } }, '/op'],
    ['has meta that is an object', { ...add('albums'), meta: 'x' }, '/meta'],
    ['has ref or href', { op: 'remove', ref: { type: 'albums', id: '1' }, href: '/albums/1' }, ''],
    ['has one of them to remove something', { op: 'remove' }, ''],
    ['must not name the target of a removal by its data', { op: 'remove', data: { type: 'albums', id: '1' } }, ''],
    ['has data to add a resource', { op: 'add' }, ''],
    ['has data to update one', { op: 'update', ref: { type: 'albums', id: '1' } }, ''],
    ['has data to change a relationship', { op: 'remove', ref: tracksOf }, ''],
    ['has data that is a resource object', { op: 'add', data: [{ type: 'albums' }] }, '/data'],
    ['has data that is not null', { op: 'update', ref: { type: 'albums', id: '1' }, data: null }, '/data'],
    ['must name the resource that it updates', { op: 'update', data: { type: 'albums' } }, '/data'],
    ['must use one name for it', { op: 'update', data: { type: 'albums', id: '1', lid: 'a' } }, '/data'],
    ['must not use an empty lid', { op: 'update', data: { type: 'albums', lid: '' } }, '/data'],
    ['has data with a type that is a text', { op: 'add', data: { type: 1 } }, '/data/type'],
    ['has data with a lid that is a text', { op: 'add', data: { type: 'albums', lid: 1 } }, '/data/lid'],
    ['adds to a collection', { op: 'add', ref: { type: 'albums', id: '1' }, data: { type: 'albums' } }, '/ref'],
    ['does not add to a resource', { op: 'add', href: '/albums/1', data: { type: 'albums' } }, '/href'],
    ['does not update a collection', { op: 'update', href: '/albums', data: { type: 'albums', id: '1' } }, '/href'],
    ['does not remove a collection', { op: 'remove', href: '/albums' }, '/href'],
    ['has an href that is a text', { op: 'remove', href: 1 }, '/href'],
  ])('%s', async (_name, operation, rest) => {
    expect(await reported(shop(), [operation])).toEqual([`${invalid} /atomic:operations/0${rest}`])
  })

  test.each<[string, unknown, string]>([
    ['is an object', 'albums', ''],
    ['is not null', null, ''],
    ['has a type', { id: '1' }, ''],
    ['has a type that is a text', { type: 1, id: '1' }, '/type'],
    ['has a type that is not empty', { type: '', id: '1' }, '/type'],
    ['has an id or a lid', { type: 'albums' }, ''],
    ['has an id that is a text', { type: 'albums', id: 1 }, '/id'],
    ['has an id that is not null', { type: 'albums', id: null }, '/id'],
    ['has a lid that is a text', { type: 'albums', lid: 1 }, '/lid'],
    ['has a lid that is not empty', { type: 'albums', lid: '' }, '/lid'],
    ['has one of them', { type: 'albums', id: '1', lid: 'a' }, ''],
    ['has a relationship that is a text', { type: 'albums', id: '1', relationship: 1 }, '/relationship'],
    ['has a relationship that is not empty', { type: 'albums', id: '1', relationship: '' }, '/relationship'],
  ])('its ref %s', async (_name, ref, rest) => {
    expect(await reported(shop(), [{ op: 'remove', ref }])).toEqual([`${invalid} /atomic:operations/0/ref${rest}`])
  })

  test.each<[string, object, string, string]>([
    ['no type', {}, 'RESOURCE_TYPE_MISSING', ''],
    ['an id that is no text', { type: 'albums', id: 1 }, 'RESOURCE_ID_INVALID', '/id'],
    ['attributes in a list', { type: 'albums', attributes: [] }, 'REQUEST_BODY_INVALID_JSON_API', '/attributes'],
    [
      'relationships that are null',
      { type: 'albums', relationships: null },
      'REQUEST_BODY_INVALID_JSON_API',
      '/relationships',
    ],
    [
      'linkage whose lid is no text',
      { type: 'albums', relationships: { artist: { data: { type: 'artists', lid: 1 } } } },
      'RESOURCE_IDENTIFIER_LID_INVALID',
      '/relationships/artist/data/lid',
    ],
    [
      'linkage with both names',
      { type: 'albums', relationships: { tracks: { data: [{ type: 'tracks', id: '1', lid: 'a' }] } } },
      invalid,
      '/relationships/tracks/data/0',
    ],
  ])('its data has %s', async (_name, data, code, rest) => {
    expect(await reported(shop(), [{ op: 'add', data }])).toEqual([`${code} /atomic:operations/0/data${rest}`])
  })

  test.each<[string, string, unknown, string]>([
    ['a list to add', 'add', { type: 'tracks', id: '1' }, `${invalid} `],
    ['a list to remove', 'remove', null, `${invalid} `],
    ['no text', 'update', 'tracks', `${invalid} `],
    ['identifiers that are objects', 'add', ['1'], 'REQUEST_BODY_INVALID_JSON_API /0'],
    ['identifiers with a type', 'add', [{ id: '1' }], 'RESOURCE_IDENTIFIER_TYPE_MISSING /0'],
    ['a type that is a text', 'add', [{ type: 1, id: '1' }], 'RESOURCE_IDENTIFIER_TYPE_INVALID /0/type'],
    ['identifiers with a name', 'add', [{ type: 'tracks' }], 'RESOURCE_IDENTIFIER_ID_MISSING /0'],
    ['a name that is not empty', 'add', [{ type: 'tracks', lid: '' }], 'RESOURCE_IDENTIFIER_ID_MISSING /0'],
    ['an id that is a text', 'add', [{ type: 'tracks', id: 1 }], 'RESOURCE_IDENTIFIER_ID_INVALID /0/id'],
    ['a lid that is a text', 'add', [{ type: 'tracks', lid: 1 }], 'RESOURCE_IDENTIFIER_LID_INVALID /0/lid'],
    ['one name each', 'update', [{ type: 'tracks', id: '1', lid: 'a' }], `${invalid} /0`],
  ])('the data of a relationship is %s', async (_name, op, data, expected) => {
    const [code, rest] = expected.split(' ')
    expect(await reported(shop(), [{ op, ref: tracksOf, data }])).toEqual([`${code} /atomic:operations/0/data${rest}`])
  })
})

describe('the faults of a batch', () => {
  const faulty = [
    { op: 'remove', ref: { type: 'albums' } },
    add('albums', {}, { lid: 'a' }),
    { op: 'add', meta: 1, data: { id: 1, lid: 2, attributes: 3 } },
    add('albums', {}, { lid: 'a' }),
    { op: 'remove', href: '/nowhere' },
    { op: 'add', ref: tracksOf, data: [{ type: 'tracks', lid: 'b' }, {}] },
    5,
  ]
  const all = [
    `${invalid} /atomic:operations/0/ref`,
    `${invalid} /atomic:operations/2/meta`,
    'RESOURCE_TYPE_MISSING /atomic:operations/2/data',
    'RESOURCE_ID_INVALID /atomic:operations/2/data/id',
    `${invalid} /atomic:operations/2/data/lid`,
    'REQUEST_BODY_INVALID_JSON_API /atomic:operations/2/data/attributes',
    'LOCAL_ID_CONFLICT /atomic:operations/3/data/lid',
    'ATOMIC_HREF_UNRESOLVABLE /atomic:operations/4/href',
    'RESOURCE_IDENTIFIER_TYPE_MISSING /atomic:operations/5/data/1',
    'RESOURCE_IDENTIFIER_ID_MISSING /atomic:operations/5/data/1',
    'LOCAL_ID_NOT_FOUND /atomic:operations/5/data/0/lid',
    `${invalid} /atomic:operations/6`,
  ]

  test('are reported together, in the order of the operations', async () => {
    expect(await reported(shop(), faulty)).toEqual(all)
  })

  test('include errors of linkage in resource objects, as far as a client may write it', async () => {
    const operations = [
      add('albums', {}, { lid: 'a' }),
      albums({ artist: 'x', tracks: { data: [{ type: 'tracks' }, null] } }),
      albums({ artist: { data: [] }, nothing: { data: 'x' } }),
      { op: 'update', data: { type: 'albums', id: '1', relationships: { artist: { data: { id: '1' } } } } },
      {
        op: 'update',
        data: { type: 'tracks', id: '1', relationships: { album: { data: { type: 'albums', lid: 'a' } } } },
      },
      { op: 'remove' },
    ]
    expect(await reported(shop(), operations)).toEqual([
      'REQUEST_BODY_INVALID_JSON_API /atomic:operations/1/data/relationships/artist',
      'RESOURCE_IDENTIFIER_ID_MISSING /atomic:operations/1/data/relationships/tracks/data/0',
      'REQUEST_BODY_INVALID_JSON_API /atomic:operations/1/data/relationships/tracks/data/1',
      'RELATIONSHIP_TYPE_INAPPROPRIATE /atomic:operations/2/data/relationships/artist/data',
      'RESOURCE_IDENTIFIER_TYPE_MISSING /atomic:operations/3/data/relationships/artist/data',
      `${invalid} /atomic:operations/5`,
    ])
  })

  test('are no more than the maximum number of errors', async () => {
    expect(await reported(shop({ limits: { errors: 3 } }), faulty)).toEqual(all.slice(0, 3))
    expect(
      await reported(
        shop(),
        Array.from({ length: 150 }, () => 5),
      ),
    ).toHaveLength(100)
  })

  test('describe the problem in a sentence', async () => {
    const { errors } = await shop().batch([{ op: 'remove' }])
    expect(errors[0]).toMatchObject({
      title: 'Atomic operations are invalid',
      detail: "The batch of operations is not valid: a 'remove' operation must have 'ref' or 'href'.",
    })
  })

  test('prevent all operations', async () => {
    const data = memoryData(linkedRows())
    const ran: string[] = []
    const hooks = { beforeSave: () => void ran.push('beforeSave'), beforeDelete: () => void ran.push('beforeDelete') }
    const api = shop({ data, members: { albums: { hooks } } })
    const models = Object.keys(linkedRows())
    const before = await storedRows(data, models)
    const validOperations = [
      add('albums', { title: 'New' }),
      update('albums', '1', { title: 'x' }),
      remove('albums', '4'),
    ]
    expect(await reported(api, [...validOperations, { op: 'remove' }])).toEqual([`${invalid} /atomic:operations/3`])
    expect([ran, await storedRows(data, models)]).toEqual([[], before])
    await api.results(validOperations)
    expect(ran).toEqual(['beforeSave', 'beforeSave', 'beforeDelete'])
  })
})

const many = (count: number) => Array.from({ length: count }, () => add('albums', { title: 'x' }))

describe('the number of operations', () => {
  test('is at most 1,000', async () => {
    const tooMany = [{ status: 413, code: 'ATOMIC_OPERATIONS_TOO_MANY', pointer: '/atomic:operations' }]
    expectErrors(await shop().batch(many(1001)), tooMany)
    expect(await shop().results(many(1000))).toHaveLength(1000)
  })

  test('can be configured in the extension', async () => {
    const api = shop({ extensions: [atomic({ maxOperations: 2 })] })
    expectErrors(await api.batch(many(3)), [
      { status: 413, code: 'ATOMIC_OPERATIONS_TOO_MANY', detail: 'A batch may have at most 2 operations.' },
    ])
    expect(await api.results(many(2))).toHaveLength(2)
  })

  test('is checked before anything else in them', async () => {
    const api = shop({ extensions: [atomic({ maxOperations: 1 })] })
    expectErrors(await api.batch([1, 2]), [{ status: 413 }])
  })
})
