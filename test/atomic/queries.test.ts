import { atomic, type ExtensionCall, type Handler, type Operation } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { type LinkedMusic, linkedMusic } from '../support/linked-music.js'
import { add, atomicUri, batchClient, type BatchClient, batchHeaders, linked, remove, update } from './batch-client.js'

function shop(settings: LinkedMusic = {}): BatchClient {
  return batchClient(linkedMusic({ extensions: [atomic()], ...settings }))
}

const operations = [
  add('albums', { title: 'a' }),
  add('albums', { title: 'b' }),
  update('albums', '1', { title: 'c' }, { relationships: { artist: linked(null) } }),
  { op: 'update', ref: { type: 'albums', id: '1', relationship: 'artist' }, data: { type: 'artists', id: '2' } },
  remove('portraits', '2'),
]

describe('parameters of the application', () => {
  type CallPart = Pick<Operation | ExtensionCall, 'kind' | 'query'>
  const shownOf = ({ kind, query }: CallPart) => [kind, Object.fromEntries(query.custom)]

  /** The calls of functions that get the parameters. */
  function watched(): { readonly calls: unknown[]; readonly settings: LinkedMusic } {
    const calls: unknown[] = []
    const handler =
      (builtIn: Handler): Handler =>
      (operation) => {
        calls.push(['handler', ...shownOf(operation)])
        return builtIn(operation)
      }
    const serving = (call: CallPart) => void calls.push(['serving', ...shownOf(call)])
    return { calls, settings: { queryFamilies: ['tenantId'], handler, serving: serving as never } }
  }

  test('reach the serving hook, and the handler for each operation', async () => {
    const { calls, settings } = watched()
    const api = shop(settings)
    await api.results(operations, '/operations?tenantId=acme&tenantId[region]=north')
    const batch = calls.splice(0)
    await api.post('/albums?tenantId=acme&tenantId[region]=north', {
      body: { data: { type: 'albums', attributes: { title: 'd' } } },
    })
    // As a single request has them.
    const [, single] = calls as readonly (readonly unknown[])[]
    const custom = single?.[2]
    expect(Object.keys(custom as object)).not.toEqual([])
    expect(batch).toEqual([
      ['serving', 'Extension', custom],
      ['handler', 'CreateResource', custom],
      ['handler', 'CreateResource', custom],
      ['handler', 'UpdateResource', custom],
      ['handler', 'UpdateRelationship', custom],
      ['handler', 'DeleteResource', custom],
    ])
  })

  test('are empty if none are sent', async () => {
    const { calls, settings } = watched()
    await shop(settings).results(operations.slice(0, 1))
    expect(calls).toEqual([
      ['serving', 'Extension', {}],
      ['handler', 'CreateResource', {}],
    ])
  })
})

describe('include', () => {
  test.each(['include=artist,tracks', 'include=nothing.at.all'])(
    'is refused, since results have no included resources: %s',
    async (query) => {
      const api = shop()
      const response = await api.batch(operations, `/operations?${query}`)
      expectErrors(response, [{ status: 400, code: 'INCLUSION_UNSUPPORTED', parameter: 'include' }])
      expect((await api.get('/albums/1')).resource.attributes).toEqual({ title: 'OK Computer' })
    },
  )
})

describe('fields, and an empty include', () => {
  test.each(['fields[albums]=artist', 'fields[nothing]=title', 'fields[albums]=&include='])(
    'are ignored: %s',
    async (query) => {
      const [plain, withQuery] = [
        await shop().batch(operations),
        await shop().batch(operations, `/operations?${query}`),
      ]
      expect([withQuery.status, withQuery.text]).toEqual([200, plain.text])
    },
  )

  test('do not reach the handler', async () => {
    const calls: unknown[] = []
    const handler =
      (builtIn: Handler): Handler =>
      (operation) => {
        const { include, fields } = operation.query
        calls.push([include, fields])
        return builtIn(operation)
      }
    const api = shop({ handler })
    await api.results(operations, '/operations?include=&fields[albums]=title')
    const inBatch = calls.splice(0)
    await api.post('/albums', { body: { data: { type: 'albums', attributes: { title: 'd' } } } })
    expect(inBatch).toEqual(operations.map(() => calls[0]))
  })
})

test('a URL that is too long is reported in the terms of the extension', async () => {
  const response = await shop().batch(operations, `/operations?x=${'y'.repeat(20_000)}`)
  expectErrors(response, [{ status: 414 }])
  expect(response.headers.get('Content-Type')).toBe(batchHeaders['Accept'])
  expect(JSON.parse(response.text)).toMatchObject({ jsonapi: { ext: [atomicUri] } })
})
