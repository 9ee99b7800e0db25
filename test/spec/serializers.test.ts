import { createServer, defineResource, defineType, id, model } from 'ashlar'
import { expectErrors, testClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; secret: string; password: string; note: string }>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    secret: a.string().hidden(() => true),
    password: a.string().writeOnly(),
    note: a.string().sparseByDefault(),
  }),
  serializer: {
    members: ['shout', 'secret', 'password', 'note', 'constructor'],
    serialize: ({ id: key, title, secret, note }) => ({
      id: String(key),
      attributes: { shout: String(title).toUpperCase(), title, secret, password: secret, note, unlisted: 1 },
    }),
  },
})

const served = () =>
  testClient(
    createServer({
      resources: [albums],
      data: storedData({ albums: [{ id: 1, title: 'Kid A', secret: 's', password: 'p', note: 'n' }] }),
    }),
  )

const attributes = async (query: string) => (await served().get(`/albums/1${query}`)).resource.attributes

describe('the members of a serializer', () => {
  test('are rendered, and nothing else that it returns', async () => {
    expect(await attributes('')).toEqual({ shout: 'KID A' })
  })

  test('are those that a fieldset selects from', async () => {
    expect(await attributes('?fields[albums]=note,shout')).toEqual({ shout: 'KID A', note: 'n' })
    expect(await attributes('?fields[albums]=note')).toEqual({ note: 'n' })
  })

  test('stay hidden if they are hidden attributes', async () => {
    expect(await attributes('?fields[albums]=secret,password,title')).toBeUndefined()
  })

  test('are offered instead of the attributes, those that the caller may see', async () => {
    const response = await served().get('/albums/1?fields[albums]=unlisted')
    expectErrors(response, [{ status: 400, code: 'FIELDSET_MEMBER_UNRECOGNIZED', parameter: 'fields' }])
    expect(response.errors[0]?.detail).toMatch(/: unlisted\. Offered: shout, note, constructor\.$/)
  })
})

describe('the schemas of the members of a serializer', () => {
  const entries = {
    type: 'array',
    items: {
      type: 'object',
      properties: { place: { type: 'integer' }, title: { type: 'string' } },
      required: ['place'],
    },
  } as const
  const described = defineType('charts', {
    fields: (a) => ({ month: id(), plays: a.integer().describedAs('All of them.'), secret: a.string().hidden() }),
    serializer: {
      members: { plays: { type: 'string' }, entries, secret: { type: 'string' } },
      serialize: ({ month }) => ({
        id: String(month),
        attributes: { plays: '7', entries: [{ place: 1, title: 'Airbag' }], secret: 's', more: 1 },
      }),
    },
    provider: { fetchOne: (_type, month) => ({ month }) },
    operations: ['FetchOne'],
  })
  const server = createServer({
    resources: [described],
    data: storedData({}),
  })

  test('are unknown for members that are only named, whatever their names', () => {
    const contract = createServer({ resources: [albums], data: storedData({ albums: [] }) }).contract()
    const members = '{ shout?: unknown secret?: string note?: string constructor?: unknown }'
    expect(contract.replaceAll(/\s+/g, ' ')).toContain(`attributes: ${members}`)
  })

  test('are in the OpenAPI document and in the contract, and select like names', async () => {
    const { resource } = await client(server).get('/charts/2026-01')
    expect(resource.attributes).toEqual({ plays: '7', entries: [{ place: 1, title: 'Airbag' }] })
    const sparse = await client(server).get('/charts/2026-01?fields[charts]=plays')
    expect(sparse.resource.attributes).toEqual({ plays: '7' })
    expect(JSON.stringify(server.openapi())).toContain(
      JSON.stringify({ plays: { type: 'string', description: 'All of them.' }, entries }),
    )
    expect(server.contract().replaceAll(/\s+/g, ' ')).toContain(
      'attributes: { /** All of them. */ plays: string entries: readonly { place: number title?: string }[] }',
    )
  })
})

const charts = (rows: readonly object[], members: object = {}) => {
  const logged: unknown[] = []
  const type = defineType('charts', {
    fields: () => ({ code: id() }),
    serializer: {
      members: ['week'],
      serialize: ({ code, week, name }) => ({ id: String(name ?? code), attributes: { week } }),
    },
    provider: { fetchOne: () => null, fetchCollection: () => rows as never },
    operations: ['FetchCollection', 'FetchOne'],
    ...members,
  })
  const server = createServer({
    resources: [type],
    data: storedData({}),
    logger: { error: ({ err }: { readonly err?: unknown }) => void logged.push(String(err)) },
  })
  return { api: testClient(server), logged }
}

describe('a provider that returns one resource twice, under a serializer,', () => {
  test.each([
    ['by its key', [{ code: 'uk' }, { code: 'us' }, { code: 'uk' }]],
    ['without keys', [{ name: 'uk' }, { name: 'us' }, { name: 'uk' }]],
    ['in a result', { rows: [{ code: 'uk' }, { code: 'uk' }], total: 2 }],
  ])('is a logged 500: %s', async (_case, rows) => {
    const { api, logged } = charts(rows as never)
    expectErrors(await api.get('/charts'), [{ status: 500 }])
    expect(logged).toEqual(["TypeError: The provider of 'charts' returned the key 'uk' twice."])
  })

  test('is no error if the serializer returns different ids for equal keys', async () => {
    const { api } = charts([
      { code: 'uk', name: 'uk-1' },
      { code: 'uk', name: 'uk-2' },
    ])
    expect((await api.get('/charts')).resources.map((each) => each.id)).toEqual(['uk-1', 'uk-2'])
  })
})
