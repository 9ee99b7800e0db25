import { createServer, defineResource, defineType, type Hydrator, id, model, type RequestContext } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { onMemory } from '../support/on-memory.js'
import { storedData } from '../support/stored-data.js'

type Anything = Record<string, unknown> & { id: number }

const thing = model<Anything>('things')

describe('composites', () => {
  const things = defineResource('things', {
    model: thing,
    id: id(),
    attributes: (a) => ({
      outer: a.map().fields({ inner: a.map().fields({ deep: a.string().nullable() }) }),
      held: a
        .object()
        .nullable()
        .fields({
          spread: a.map().fields({ x: a.string().nullable() }),
          must: a.string().required(),
          secret: a.string().hidden(),
        }),
      pay: a
        .oneOf()
        .nullable()
        .variant('card', { number: a.string().required() })
        .variant('bank', { iban: a.string().required() }),
    }),
  })

  test('a map inside a map or an object is stored', async () => {
    const api = client(createServer({ resources: [things], data: storedData() }))
    const attributes = { outer: { inner: { deep: 'y' } }, held: { must: 'm', spread: { x: '1' } } }
    const created = await api.post('/things', { body: resourceBody('things', attributes) })
    expect(created.resource.attributes).toMatchObject(attributes)
    const patched = await api.patch('/things/1', {
      body: resourceBody('things', { held: { spread: { x: '2' } } }, '1'),
    })
    expect(patched.resource.attributes).toMatchObject({ held: { must: 'm', spread: { x: '2' } } })
  })

  test('a PATCH that creates a value must send all of it', async () => {
    const rows = [{ id: 1, pay: { type: 'card', number: '1' }, held: null }]
    const api = client(createServer({ resources: [things], data: storedData({ things: rows }) }))
    const other = await api.patch('/things/1', { body: resourceBody('things', { pay: { type: 'bank' } }, '1') })
    expect(other.errors).toMatchObject([{ source: { pointer: '/data/attributes/pay/iban' } }])
    const empty = await api.patch('/things/1', { body: resourceBody('things', { held: { spread: { x: '1' } } }, '1') })
    expect(empty.errors).toMatchObject([{ source: { pointer: '/data/attributes/held/must' } }])
    expect(
      (await api.patch('/things/1', { body: resourceBody('things', { pay: { type: 'card' } }, '1') })).status,
    ).toBe(200)
  })

  test('a hidden child is not written', async () => {
    const data = storedData()
    const api = client(createServer({ resources: [things], data }))
    await api.post('/things', { body: resourceBody('things', { held: { must: 'm', secret: 's' } }) })
    expect((await api.get('/things/1')).resource.attributes).toMatchObject({ held: { must: 'm' } })
    const seen = defineResource('seen', { model: thing, id: id(), attributes: (a) => ({ held: a.arrayHash() }) })
    const raw = client(createServer({ resources: [seen], data }))
    expect((await raw.get('/seen/1')).resource.attributes).toEqual({ held: { must: 'm' } })
  })
})

describe('asynchronous callbacks', () => {
  test('deserializeUsing, fillUsing and generateUsing are awaited', async () => {
    const things = defineResource('things', {
      model: thing,
      id: id().generateUsing(async () => 'made'),
      attributes: (a) => ({
        hashed: a.string().deserializeUsing(async (value) => `#${String(value)}`),
        filled: a.string().fillUsing(async (_row, value) => ({ filled: `+${String(value)}` })),
      }),
    })
    const api = client(createServer({ resources: [things], data: storedData() }))
    const { resource } = await api.post('/things', { body: resourceBody('things', { hashed: 'a', filled: 'b' }) })
    expect(resource).toMatchObject({ id: 'made', attributes: { hashed: '#a', filled: '+b' } })
  })

  test('one that fails writes nothing', async () => {
    const things = defineResource('things', {
      model: thing,
      id: id(),
      attributes: (a) => ({ hashed: a.string().deserializeUsing(() => Promise.reject(new Error('no'))) }),
    })
    const api = client(createServer({ resources: [things], data: storedData() }))
    expect((await api.post('/things', { body: resourceBody('things', { hashed: 'a' }) })).status).toBe(422)
    expect((await api.get('/things')).resources).toEqual([])
  })

  test('a duplicate key that the service generated is not reported as an error of the client', async () => {
    const things = defineResource('things', { model: thing, id: id().generateUsing(() => 'same') })
    const api = client(createServer({ resources: [things], data: storedData() }))
    expect((await api.post('/things', { body: resourceBody('things') })).status).toBe(201)
    expect((await api.post('/things', { body: resourceBody('things') })).status).toBe(500)
  })
})

describe('a user-defined hydrator', () => {
  const hydrator: Hydrator = { hydrate: ({ attributes }) => ({ ...attributes }) }

  test('gets only the values that the declared attributes accept', async () => {
    const things = defineResource('things', {
      model: thing,
      id: id(),
      attributes: (a) => ({ short: a.string().required().maxLength(3), frozen: a.string().readOnly() }),
      hydrator,
    })
    const api = client(createServer({ resources: [things], data: storedData() }))
    expect((await api.post('/things', { body: resourceBody('things', { short: 12345678 }) })).status).toBe(422)
    expect((await api.post('/things', { body: resourceBody('things') })).status).toBe(422)
    const { resource } = await api.post('/things', { body: resourceBody('things', { short: 'abc', frozen: 'hacked' }) })
    expect(resource.attributes).toEqual({ short: 'abc', frozen: null })
  })

  test('may accept undeclared attributes, whether unknown members are rejected or not', async () => {
    const notes = defineType('notes', {
      model: thing,
      fields: () => ({ id: id() }),
      serializer: {
        members: ['text'],
        serialize: (row) => ({ id: String(row['id']), attributes: { text: row['text'] } }),
      },
      hydrator,
      operations: ['Create', 'FetchOne'],
    })
    const api = client(
      createServer({
        resources: [notes],
        data: storedData({}, { things: { text: 'text' } }),
        unknownMembers: 'reject',
      }),
    )
    expect((await api.post('/notes', { body: resourceBody('notes', { text: 'x' }) })).resource.attributes).toEqual({
      text: 'x',
    })
  })
})

test('a predicate with changing results is called once for an operation', async () => {
  let calls = 0
  const closed = (_context: RequestContext): boolean => calls++ > 0
  const things = defineResource('things', {
    model: thing,
    id: id(),
    attributes: (a) => ({ short: a.string().maxLength(2).readOnly(closed) }),
  })
  const api = client(createServer({ resources: [things], data: storedData(), unknownMembers: 'reject' }))
  expect((await api.post('/things', { body: resourceBody('things', { short: 'much too long' }) })).status).toBe(422)
  expect(calls).toBe(1)
})

test('a row without its key is an error, and the write that created it is rolled back', async () => {
  const rows: object[] = []
  const data = storedData()
  const things = defineResource('things', {
    model: thing,
    id: id(),
    attributes: (a) => ({ name: a.string() }),
  })
  const server = createServer({
    resources: [things],
    data: {
      ...data,
      persister: (type) => {
        const persister = data.persister(type)
        if (persister === null) return null
        return {
          ...persister,
          create: async (...parameters) => {
            await persister.create(...parameters)
            return { name: 'no key' }
          },
        }
      },
    },
    logger: { error: (members) => rows.push(members) },
  })
  const api = client(server)
  expect((await api.post('/things', { body: resourceBody('things', { name: 'x' }) })).status).toBe(500)
  expect((await api.get('/things')).resources).toEqual([])
  expect(String((rows[0] as { exception: unknown }).exception)).toContain("the column 'id' is missing or empty")
})

test('an id that no path can contain is refused before the resource is created', async () => {
  const things = defineResource('things', { model: thing, id: id().allowClientId() })
  const api = client(createServer({ resources: [things], data: storedData() }))
  for (const unreachable of ['-actions', '\ud800']) {
    const refused = await api.post('/things', { body: resourceBody('things', {}, unreachable) })
    expect(refused.errors).toMatchObject([{ status: '422', source: { pointer: '/data/id' } }])
  }
})

onMemory('an invalid stored date, which no column can hold, does not make the whole collection fail', async () => {
  const things = defineResource('things', {
    model: thing,
    id: id(),
    attributes: (a) => ({ at: a.dateTime().nullable() }),
  })
  const rows = [{ id: 1, at: new Date('x') }]
  const api = client(createServer({ resources: [things], data: storedData({ things: rows }) }))
  const { resources } = await api.get('/things')
  expect(resources.map(({ id: key, attributes }) => [key, attributes])).toEqual([['1', undefined]])
})
