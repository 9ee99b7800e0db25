import { belongsTo, createServer, defineResource, id, model } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface PressingRow {
  id: number
  title: string | null
  country: string | null
  barcode: string | null
  pressedAt: Date | null
  stock: number | null
  labelId: number | null
}

const labels = defineResource('labels', { model: model<{ id: number }>('labels'), id: id() })

const pressings = defineResource('pressings', {
  model: model<PressingRow>('pressings'),
  id: id(),
  attributes: (a) => ({
    stock: a.integer().nullable().min(0),
    barcode: a.string().nullable().unique({ message: 'Somebody has this barcode.' }),
    title: a
      .string()
      .nullable()
      .maxLength(20)
      .unique({ with: ['country'] })
      .unique({ with: ['label'], message: 'The label has one.' }),
    country: a.string().nullable().maxLength(2),
    pressedAt: a.dateTime().nullable().unique(),
  }),
  relations: { label: belongsTo('labels') },
})

const rows = {
  labels: [{ id: 1 }, { id: 2 }],
  pressings: [
    {
      id: 1,
      title: 'Kid A',
      country: 'jp',
      barcode: '111',
      pressedAt: new Date('2000-10-02T00:00:00Z'),
      stock: 1,
      labelId: 1,
    },
    { id: 2, title: 'Amnesiac', country: 'jp', barcode: '222', pressedAt: null, stock: 1, labelId: null },
  ],
}

const onlyPressings = { pressings: rows.pressings }

const server = () => client(createServer({ resources: [labels, pressings], data: storedData(rows) }))
const post = (api: TestClient, attributes: Record<string, unknown>, label?: string) => {
  const data = resourceBody('pressings', attributes).data
  const relationships = label === undefined ? {} : { label: { data: { type: 'labels', id: label } } }
  return api.post('/pressings', { body: { data: { ...data, relationships } } })
}
const patch = (api: TestClient, attributes: Record<string, unknown>, key = '1') =>
  api.patch(`/pressings/${key}`, { body: resourceBody('pressings', attributes, key) })

const tooFew = { status: 422, pointer: '/data/attributes/stock', detail: 'This must be 0 or more.' }
const taken = (attribute: string, detail = 'This value is already taken.') => ({
  status: 422,
  code: 'VALIDATION_FAILED',
  pointer: `/data/attributes/${attribute}`,
  detail,
})

describe('a value that another resource has', () => {
  test('is 422 at its attribute', async () => {
    expectErrors(await post(server(), { barcode: '111' }), [taken('barcode', 'Somebody has this barcode.')])
    expectErrors(await patch(server(), { barcode: '222' }), [taken('barcode', 'Somebody has this barcode.')])
    expect((await post(server(), { barcode: '333' })).status).toBe(201)
  })

  test('may be repeated by the resource itself, and null is equal to nothing', async () => {
    expect((await patch(server(), { barcode: '111', stock: 2 })).status).toBe(200)
    const api = server()
    expect((await post(api, { barcode: null })).status).toBe(201)
    expect((await post(api, { barcode: null })).status).toBe(201)
  })

  test('is unique together with further attributes', async () => {
    expectErrors(await post(server(), { title: 'Kid A', country: 'jp' }), [taken('title')])
    expect((await post(server(), { title: 'Kid A', country: 'uk' })).status).toBe(201)
    expect((await post(server(), { title: 'Kid A' })).status).toBe(201)
    expectErrors(await patch(server(), { title: 'Kid A' }, '2'), [taken('title')])
  })

  test('is unique together with a relation, which is the key in the row', async () => {
    expectErrors(await post(server(), { title: 'Kid A' }, '1'), [taken('title', 'The label has one.')])
    expect((await post(server(), { title: 'Kid A' }, '2')).status).toBe(201)
  })
})

describe('together with other problems it is reported in the same 422, in the order of the declaration', () => {
  test('before and after those of other attributes', async () => {
    const { errors } = await post(server(), {
      barcode: '111',
      country: 'japan',
      stock: -1,
      pressedAt: '2000-10-02T00:00:00Z',
    })
    expect(errors.map(({ source }) => source?.pointer)).toEqual([
      '/data/attributes/stock',
      '/data/attributes/barcode',
      '/data/attributes/country',
      '/data/attributes/pressedAt',
    ])
  })

  test('on create', async () => {
    expectErrors(await post(server(), { barcode: '111', title: 'Kid A', country: 'jp', stock: -1 }), [
      tooFew,
      taken('barcode', 'Somebody has this barcode.'),
      taken('title'),
    ])
    expectErrors(await post(server(), { barcode: '111', country: 'japan' }), [
      taken('barcode', 'Somebody has this barcode.'),
      { status: 422, pointer: '/data/attributes/country' },
    ])
  })

  test('on update, but not against the resource itself', async () => {
    expectErrors(await patch(server(), { barcode: '222', stock: -1 }), [
      tooFew,
      taken('barcode', 'Somebody has this barcode.'),
    ])
    expectErrors(await patch(server(), { barcode: '111', title: 'Kid A', stock: -1 }), [tooFew])
  })

  test('on update with the unchanged columns of the set', async () => {
    expectErrors(await patch(server(), { title: 'Kid A', stock: -1 }, '2'), [tooFew, taken('title')])
    expectErrors(await patch(server(), { title: 'Kid A', country: null, stock: -1 }, '2'), [tooFew])
    expectErrors(await patch(server(), { country: 'jp', stock: -1 }, '2'), [tooFew])
  })

  test('as the value that would be stored', async () => {
    expectErrors(await post(server(), { pressedAt: '2000-10-02T02:00:00+02:00', stock: -1 }), [
      tooFew,
      taken('pressedAt'),
    ])
  })

  test('unless the value is one of the problems', async () => {
    expectErrors(await post(server(), { title: 'Kid A', country: 'japan' }), [
      { status: 422, pointer: '/data/attributes/country' },
    ])
    expectErrors(await post(server(), { barcode: 111, stock: -1 }), [
      tooFew,
      { status: 422, pointer: '/data/attributes/barcode', detail: 'This must be a string.' },
    ])
  })

  test('unless a relation of the set changes, whose key is not known yet', async () => {
    expectErrors(await post(server(), { title: 'Kid A', stock: -1 }, '1'), [tooFew])
  })

  test('up to the limit', async () => {
    const data = storedData(rows)
    const api = client(createServer({ resources: [labels, pressings], data, limits: { errors: 2 } }))
    expectErrors(await post(api, { stock: -1, barcode: '111', title: 'Kid A', country: 'jp' }), [
      tooFew,
      taken('barcode', 'Somebody has this barcode.'),
    ])
    const strict = client(createServer({ resources: [labels, pressings], data, limits: { errors: 1 } }))
    expectErrors(await post(strict, { stock: -1, barcode: '111' }), [tooFew])
  })

  test('even if the client cannot see the resource that has it', async () => {
    const declared = defineResource('pressings', {
      model: model<PressingRow>('pressings'),
      id: id(),
      attributes: (a) => ({ stock: a.integer().nullable().min(0), barcode: a.string().nullable().unique() }),
      scope: (_context, f) => f.where('barcode').default('999'),
    })
    const api = client(createServer({ resources: [declared], data: storedData(onlyPressings) }))
    expectErrors(await post(api, { barcode: '111', stock: -1 }), [tooFew, taken('barcode')])
  })
})

/** The calls that a provider gets over the store in memory. */
function watched(attributes: Record<string, unknown>, members: object = {}, key?: string) {
  const data = storedData(onlyPressings)
  const fetchCollection = vi.fn()
  const declared = defineResource('pressings', {
    model: model<PressingRow>('pressings'),
    id: id(),
    attributes: (a) => ({
      stock: a.integer().nullable().min(0),
      barcode: a.string().nullable().unique(),
      title: a
        .string()
        .nullable()
        .unique({ with: ['country'] }),
      country: a.string().nullable(),
    }),
    ...members,
  })
  const source = {
    ...data,
    provider: (...parameters: Parameters<typeof data.provider>) => {
      const provider = data.provider(...parameters)
      return provider === null
        ? null
        : {
            ...provider,
            fetchCollection: (...given: Parameters<NonNullable<typeof provider.fetchCollection>>) => {
              fetchCollection(given[1])
              return provider.fetchCollection?.(...given) ?? []
            },
          }
    },
  }
  const api = client(createServer({ resources: [declared], data: source }))
  const response = key === undefined ? post(api, attributes) : patch(api, attributes, key)
  return { response, fetchCollection }
}

describe('the reads of the store', () => {
  test('none if nothing else is wrong: the store reports the conflict itself', async () => {
    const { response, fetchCollection } = watched({ barcode: '111' })
    expectErrors(await response, [taken('barcode')])
    expect(fetchCollection).not.toHaveBeenCalled()
  })

  test('one read for each set that is whole', async () => {
    const { response, fetchCollection } = watched({ barcode: '111', title: 'Kid A', stock: -1 })
    expectErrors(await response, [tooFew, taken('barcode')])
    expect(fetchCollection).toHaveBeenCalledTimes(1)
    expect(fetchCollection.mock.calls[0]?.[0]).toMatchObject({
      columns: ['id'],
      conditions: [{ kind: 'compare', column: { name: 'barcode' }, operator: '=', value: '111' }],
      window: { kind: 'offset', offset: 0, limit: 2 },
    })
  })

  test('none for sets that the document does not change', async () => {
    const { response, fetchCollection } = watched({ stock: -1 }, {}, '1')
    expectErrors(await response, [tooFew])
    expect(fetchCollection).not.toHaveBeenCalled()
  })

  test('none if only a user-defined function knows the written value', async () => {
    const { response, fetchCollection } = watched(
      { barcode: '111', stock: -1 },
      { hydrator: { hydrate: ({ attributes }: { attributes: object }) => attributes } },
    )
    expectErrors(await response, [tooFew])
    expect(fetchCollection).not.toHaveBeenCalled()
  })

  test('none of a provider without collections', async () => {
    const data = storedData(onlyPressings)
    const declared = defineResource('pressings', {
      model: model<PressingRow>('pressings'),
      id: id(),
      attributes: (a) => ({ stock: a.integer().nullable().min(0), barcode: a.string().nullable().unique() }),
      provider: { fetchOne: () => null },
      operations: ['Create'],
    })
    const api = client(createServer({ resources: [declared], data }))
    expectErrors(await post(api, { barcode: '111', stock: -1 }), [tooFew])
  })
})

/** Pressings whose barcodes a function makes. */
const pressingsBy = (deserialize: (value: unknown, attributes: Record<string, unknown>) => unknown) =>
  defineResource('pressings', {
    model: model<PressingRow>('pressings'),
    id: id(),
    attributes: (a) => ({
      stock: a.integer().nullable().min(0),
      barcode: a.string().nullable().unique().deserializeUsing(deserialize),
      country: a
        .string()
        .nullable()
        .unique()
        .fillUsing((_row, value) => ({ country: String(value) })),
    }),
  })

describe('values that a user-defined function returns', () => {
  test('are looked up as they would be stored', async () => {
    const api = client(
      createServer({
        resources: [pressingsBy(async (value) => String(value).trim())],
        data: storedData(onlyPressings),
      }),
    )
    expectErrors(await post(api, { barcode: ' 111 ', stock: -1 }), [tooFew, taken('barcode')])
  })

  test('are skipped if the function fails on the problems, or writes columns itself', async () => {
    const failing = pressingsBy((_value, { stock }) => {
      if (Number(stock) < 0) throw new Error('no stock')
      return 'x'
    })
    const api = client(createServer({ resources: [failing], data: storedData(onlyPressings) }))
    expectErrors(await post(api, { barcode: '111', country: 'jp', stock: -1 }), [tooFew])
  })
})
